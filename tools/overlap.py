"""How much of one text another one says: words, Chinese character pairs, numbers."""

import re

from .quantities import fold

_TRADITIONAL = str.maketrans(
    "與國電發個們來時過說這對會後學為經體點機實關種開長數據應該當將無條兩從見還進動現報節錄題圖",
    "与国电发个们来时过说这对会后学为经体点机实关种开长数据应该当将无条两从见还进动现报节录题图",
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+|\d+(?:[.,]\d+)*|[\u3400-\u4dbf\u4e00-\u9fff]+")
_SUFFIX = re.compile(r"(?<=[a-z]{3})(?:ations?|ing|ies|ed|es|ly|s|e)$")
_STOP_WORDS = """
the of and to in for on with as by is are was were be been being at from that this it its an or
which has have had not but can may will their they than also such into these those there
"""
_STOP = frozenset(_STOP_WORDS.split())
NUMBER_WEIGHT = 3.0
_JOINING = re.compile(r"[的了是为在和与及或等也其于由被把对将而且即约共]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


def units(text: str) -> dict[str, float]:
    """Comparable units of a text with their weights."""
    out: dict[str, float] = {}
    for found in _WORD.finditer(fold(text).lower().translate(_TRADITIONAL)):
        word = found.group()
        if word[0].isdecimal():
            out[word.replace(",", "")] = NUMBER_WEIGHT
        elif word.isascii():
            if word not in _STOP:
                out[_SUFFIX.sub("", word)] = 1.0
        elif len(word) == 1:
            out[word] = 0.5
        else:
            out |= {word[i : i + 2]: 1.0 for i in range(len(word) - 1)}
    return out


def share(claim: str, source: str) -> float:
    """Share (0..1) of the claim's units that the source has; 1.0 for a claim without any."""
    return _held(units(claim), units(source))


def words_share(claim: str, source: str) -> float:
    """Share (0..1) of the claim's words, without numbers, that the source has.

    Chinese is written in other words by single characters (营收, 营业收入): pairs and characters
    count half each, words that only join others not at all.
    """
    wanted, own = _words(claim), _words(source)
    chars = _chars(claim)
    pairs = {unit: w for unit, w in wanted.items() if len(unit) > 1 or unit.isascii()}
    if not chars:
        return _held(pairs, own)
    latin = {unit: w for unit, w in pairs.items() if unit.isascii()}
    return (_held(pairs, own) + _held({**latin, **chars}, {**own, **_chars(source)})) / 2


def _held(wanted: dict[str, float], own: dict[str, float]) -> float:
    total = sum(wanted.values())
    return sum(w for unit, w in wanted.items() if unit in own) / total if total else 1.0


def _words(text: str) -> dict[str, float]:
    joined = units(_JOINING.sub(" ", text.translate(_TRADITIONAL)))
    return {unit: w for unit, w in joined.items() if not unit[0].isdecimal()}


def _chars(text: str) -> dict[str, float]:
    plain = _JOINING.sub(" ", fold(text).translate(_TRADITIONAL))
    return dict.fromkeys(_HAN.findall(plain), 1.0)
