"""Repairs of extracted text: only what cannot have been meant by the author."""

import re
import unicodedata

_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
# Symbol fonts put their bullets into the private use area.
_BULLETS = dict.fromkeys((0xF0B7, 0xF0A7, 0xF06C, 0xF06E, 0xF0D8, 0xF0FC, 0xF076, 0xF0E8), "•")
_DROPPED = {0xAD: None, 0xFEFF: None, 0x200B: None, 0x2060: None, 0xFFFD: None, 0x00: None}
_TABLE = {**{ord(k): v for k, v in _LIGATURES.items()}, **_BULLETS, **_DROPPED}
_CONTROL = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_RADICALS = re.compile(r"[\u2e80-\u2fdf]")
_HYPHENATED = re.compile(r"(?<=[a-z]{2})[-\u2010]\n(?=[a-z]{2})")
_LONG = 1500
_PHRASE = 60
_PIECE = 8
_RUNAWAY = re.compile(rf"([^\n]{{2,{_PHRASE}}}?)\1{{60,}}")


def repair(text: str) -> str:
    """Ligatures, soft hyphens, zero-width marks, bullets of symbol fonts, radicals, line ends."""
    text = text.translate(_TABLE).replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROL.sub(" ", text)
    # Kangxi radicals look like the characters they are typed for, and match nothing.
    return _RADICALS.sub(lambda m: unicodedata.normalize("NFKC", m.group()), text)


def dehyphenate(text: str) -> str:
    """Join words that a line end cut ("infor-\\nmation")."""
    return _HYPHENATED.sub("", text)


def cut_repetition(text: str) -> tuple[str, bool]:
    """Cut a phrase repeated more than 60 times in a row to three, and say whether one was."""
    if len(text) < _LONG or not _may_repeat(text):
        return text, False
    cut = _RUNAWAY.sub(
        lambda m: m.group(1) * 3 if m.group(1).strip(" ._-…·|") else m.group(0), text
    )
    return cut, cut != text


def _may_repeat(text: str) -> bool:
    """Whether some letters come again within the longest phrase: cheap, and true of any runaway."""
    steps = range(0, len(text) - _PIECE, _PHRASE)
    return any(text.find(text[i : i + _PIECE], i + 1, i + _PIECE + _PHRASE) >= 0 for i in steps)
