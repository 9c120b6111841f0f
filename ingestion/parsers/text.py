"""Plain text of any of the encodings in use for Chinese and English."""

import re
from pathlib import Path
from typing import NamedTuple

from ...core.document import Block, ParsedDocument
from ...core.errors import DamagedFileError, EmptyFileError

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffe\uffff\ue000-\uf8ff]")
_CJK_MARKS = re.compile(r"[\u3000-\u303f\uff00-\uffef\u2010-\u2027\u2460-\u24ff℃±×÷°·§№≤≥]")
_ORDINARY = re.compile(r"[\t\n\r -~\u4e00-\u9fff]|" + _CJK_MARKS.pattern)
_PLAUSIBLE = 0.7
_LOST = "\ufffd"
_SOUND = 200  # characters, of which one may be damaged
_CHAPTER = re.compile(
    r"^\s*第\s*[0-9〇零一二三四五六七八九十百]+\s*[编篇章节節](?:\s+\S.{0,30}|\s*)$"
)
_BLANK = re.compile(r"\n\s*\n")


class TextParser:
    """Reads plain text; a paragraph is what blank lines part, else a line."""

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "text-1"

    def accepts(self, path: Path) -> bool:
        """Whether the suffix says text; the bytes decide in `parse`."""
        return path.suffix.lower() in {".txt", ".text"}

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        text, notes = read_text(path)
        blocks = [
            Block(index=index, kind="title" if level else "text", text=paragraph, level=level)
            for index, (paragraph, level) in enumerate(_paragraphs(text))
        ]
        return ParsedDocument(
            title=path.stem,
            blocks=tuple(blocks),
            parser=self.name,
            doc_type="text",
            warnings=notes,
        )


def _paragraphs(text: str) -> list[tuple[str, int | None]]:
    pieces = _BLANK.split(text) if _BLANK.search(text) else text.split("\n")
    found: list[tuple[str, int | None]] = []
    for piece in pieces:
        kept: list[str] = []
        for line in piece.split("\n"):
            if _CHAPTER.match(line):
                found.append(("\n".join(kept).strip(), None))
                found.append((line.strip(), 1))
                kept = []
            else:
                kept.append(line.rstrip())
        found.append(("\n".join(kept).strip(), None))
    return [(paragraph, level) for paragraph, level in found if paragraph]


class Read(NamedTuple):
    """A file's text with plain line ends, and what of it could not be read."""

    text: str
    notes: tuple[str, ...] = ()


def read_text(path: Path) -> Read:
    """The decoded file. Raises EmptyFileError or DamagedFileError."""
    data = path.read_bytes()
    if not data.strip(b"\xef\xbb\xbf\xff\xfe \t\r\n\x00"):
        raise EmptyFileError(f"{path.name} is empty.")
    text = decode(data)
    notes: tuple[str, ...] = ()
    if text is None:
        text = _mostly(data)
        if text is None:
            raise DamagedFileError(
                f"The encoding of {path.name} cannot be told. Save it as UTF-8 and try again."
            )
        before, lost, _ = text.partition(_LOST)
        if lost:
            line = before.count("\n") + 1
            count = text.count(_LOST)
            notes = (f"{count} damaged characters stand as {_LOST}, the first in line {line}.",)
    return Read(text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff"), notes)


def decode(data: bytes) -> str | None:
    """Text of UTF-8, UTF-16, UTF-32, GB18030, Big5 or Western bytes; None when undecidable."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _checked(_strict(data, encoding))
    text = _strict(data, "utf-8")
    if text is not None and "\x00" not in text:
        return _checked(text)
    if (wide := _utf16(data)) is not None:
        return wide
    scored = [
        (_plausibility(text, level_one), -rank, text)
        for rank, (encoding, level_one) in enumerate((("gb18030", "gb2312"), ("big5", "big5")))
        if (text := _checked(_strict(data, encoding))) is not None
    ]
    best = max(scored, default=(0.0, 0, ""))
    return best[2] if best[0] >= _PLAUSIBLE else _western(data)


def _mostly(data: bytes) -> str | None:
    """Text in which single bytes are damaged, a mark in place of each; None where too many are."""
    marked = [encoding for bom, encoding in _BOMS if data.startswith(bom)]
    best: str | None = None
    for encoding in marked or ["utf-8", "gb18030"]:
        text = data.decode(encoding, errors="replace")
        few = text.count(_LOST) <= 1 + len(text) // _SOUND
        likely = encoding != "gb18030" or _plausibility(text, "gb2312") >= _PLAUSIBLE
        if few and likely and _checked(text.replace(_LOST, "")):
            best = text if best is None or text.count(_LOST) < best.count(_LOST) else best
    return best


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _checked(text: str | None) -> str | None:
    """None where control characters or unassigned code points show a wrong decoding."""
    if text is None:
        return None
    return None if len(_BINARY.findall(text)) > len(text) // 200 else text


def _utf16(data: bytes) -> str | None:
    """UTF-16 without a mark: plain ASCII shows as zeros on one side."""
    if len(data) % 2 or b"\x00" not in data:
        return None
    even, odd = data[0::2].count(0), data[1::2].count(0)
    text = _checked(_strict(data, "utf-16-be" if even > odd else "utf-16-le"))
    return text if text and len(_ORDINARY.findall(text)) * 10 >= len(text) * 9 else None


def _plausibility(text: str, encoding: str) -> float:
    """Share of the other than ASCII characters that are common ones of the encoding."""
    foreign = [char for char in text if ord(char) > 127]
    common = sum(1 for char in foreign if _CJK_MARKS.match(char) or _common(char, encoding))
    return common / len(foreign) if foreign else 0.0


def _common(char: str, encoding: str) -> bool:
    """Level-one characters: lead bytes B0-D7 of GB 2312, A4-C6 of Big5."""
    try:
        lead = char.encode(encoding)[0]
    except UnicodeEncodeError:
        return False
    return 0xB0 <= lead <= 0xD7 if encoding == "gb2312" else 0xA4 <= lead <= 0xC6


def _western(data: bytes) -> str | None:
    """Windows-1252, when the other than ASCII bytes are few and letters or quotes."""
    high = [byte for byte in data if byte > 127]
    text = _strict(data, "cp1252")
    if text is None or len(high) * 10 > len(data):
        return None
    odd = [
        c for c in text if ord(c) > 127 and not (c.isalpha() or c in "‘’“”–—…•€£§©®°±·×÷«»\u00a0")
    ]
    return _checked(text) if not odd else None
