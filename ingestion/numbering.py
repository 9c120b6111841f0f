"""Numbers of headings: which scheme, which parts, how deep."""

import re
from dataclasses import dataclass

_HAN = "〇零一二三四五六七八九十百两"
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_SEP = r"(?:[\s　、．.:：—-]|(?=[一-鿿]))"

# Ranks order the schemes by how they usually nest; smaller is further out.
PART, CHAPTER, SECTION, ARTICLE, HAN, HAN_PAREN, ITEM, PAREN, CIRCLE = range(10, 100, 10)

_UNIT = {
    "篇": PART,
    "编": PART,
    "編": PART,
    "部分": PART,
    "章": CHAPTER,
    "讲": CHAPTER,
    "講": CHAPTER,
    "节": SECTION,
    "節": SECTION,
    "条": ARTICLE,
    "條": ARTICLE,
}
_ORDINAL = re.compile(
    rf"^第\s*(?P<n>[0-9０-９{_HAN}]+)\s*(?P<u>部分|篇|编|編|章|讲|講|节|節|条|條)"
    r"(?=[\s　:：、.．]|$|[^\w]|[一-鿿A-Za-z])"
)
_APPENDIX = re.compile(
    r"^(?:附\s*[录錄件]|附表|appendix|annex)\s*"
    r"(?P<n>[A-Z]|[IVX]+|\d{1,2}|[一二三四五六七八九十]+)?(?![A-Za-z])",
    re.I,
)
_WORD = re.compile(
    r"^(?P<w>part|chapter|section|lecture|unit|module)\s+(?P<n>\d+(?:\.\d+)*|[IVX]+\b)", re.I
)
_DECIMAL = re.compile(
    r"^(?P<n>(?:[A-Z]\.)?\d{1,3}(?:\s?[.．]\s?\d{1,3})*)"
    r"(?P<dot>[.．、]?)(?P<sep>[\s　:：]*)(?P<rest>.*)$",
    re.S,
)
_HAN_ITEM = re.compile(rf"^(?P<n>[{_HAN}]+)\s*[、.．]")
_HAN_PAREN = re.compile(rf"^[（(]\s*(?P<n>[{_HAN}]+)\s*[)）]")
_PAREN = re.compile(r"^[（(]?\s*(?P<n>\d{1,2})\s*[)）]")
_CIRCLE = re.compile(r"^(?P<n>[①-⑳])")
_ROMAN_ITEM = re.compile(r"^(?P<n>[IVX]{1,5})(?:\.|\s*[、:])\s+\S|^(?P<m>[ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ])")
_APPENDIX_LETTER = re.compile(r"^(?P<n>[A-Z])[\s　]+(?=[A-Z0-9一-鿿])")
_LETTER = re.compile(r"^(?P<n>[A-Z])[.．]\s+\S")
_WIDE = str.maketrans("０１２３４５６７８９．", "0123456789.")


@dataclass(frozen=True)
class Number:
    """`text` is canonical ("3.1.2", "A.1", "3" of 第三章), `rank` the depth of the scheme."""

    text: str
    parts: tuple[str, ...]
    rank: int
    scheme: str
    rest: str

    @property
    def last(self) -> int | None:
        """The last member as a number; letters count from A."""
        part = self.parts[-1]
        if part.isdecimal():
            return int(part)
        return ord(part) - 64 if len(part) == 1 and part.isupper() else None


def han_number(text: str) -> int:
    """二十三 -> 23; plain digits too."""
    text = text.translate(_WIDE)
    if text.isdecimal():
        return int(text)
    total, current = 0, 0
    for char in text:
        if char == "十":
            total, current = total + (current or 1) * 10, 0
        elif char == "百":
            total, current = total + (current or 1) * 100, 0
        else:
            current = _DIGITS.get(char, 0)
    return total + current


def _roman(text: str) -> int:
    values = [_ROMAN[c] for c in text.upper()]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))


def number_of(text: str) -> Number | None:
    """The number that a heading begins with, or None."""
    line = text.strip().translate(_WIDE)
    for reader in (_ordinal, _appendix, _worded, _decimal, _han, _roman_item, _small):
        if (found := reader(line)) is not None:
            return found
    return None


def lettered(text: str) -> Number | None:
    """The letter of an appendix's heading without the word: "A Experimental Settings", or None.

    "A Novel Approach" has the same form: the other headings tell which it is.
    """
    match = _APPENDIX_LETTER.match(text.strip())
    if match is None:
        return None
    return Number(match["n"], (match["n"],), CHAPTER, "appendix", text[match.end() :].strip())


def _make(line: str, end: int, parts: tuple[str, ...], rank: int, scheme: str) -> Number:
    rest = line[end:].strip(" \t　、.．:：—-\n")
    return Number(".".join(parts), parts, rank, scheme, rest)


def _ordinal(line: str) -> Number | None:
    match = _ORDINAL.match(line)
    if not match:
        return None
    rank = _UNIT[match["u"]]
    return _make(line, match.end(), (str(han_number(match["n"])),), rank, f"第{match['u']}")


def _appendix(line: str) -> Number | None:
    match = _APPENDIX.match(line)
    if not match:
        return None
    name = match["n"] or ""
    part = str(han_number(name)) if name and name[0] in _HAN else name.upper()
    return _make(line, match.end(), (part or "附",), CHAPTER, "appendix")


def _worded(line: str) -> Number | None:
    match = _WORD.match(line)
    if not match:
        return None
    raw = match["n"]
    parts = tuple(raw.split(".")) if raw[0].isdecimal() else (str(_roman(raw)),)
    word = match["w"].lower()
    rank = {"part": PART, "section": SECTION}.get(word, CHAPTER)
    return _make(line, match.end(), parts, rank + 10 * (len(parts) - 1), word)


def _decimal(line: str) -> Number | None:
    match = _DECIMAL.match(line)
    if not match:
        return None
    parts = tuple(p.strip().lstrip("0") or "0" for p in re.split(r"[.．]", match["n"]))
    rest = match["rest"]
    glued = not match["sep"] and not match["dot"]
    if glued and rest and not re.match(r"[一-鿿（(《“\"]", rest):
        return None
    if len(parts) == 1:
        rank = ITEM if match["dot"] else CHAPTER
        return _make(line, match.start("rest"), parts, rank, "item" if match["dot"] else "decimal")
    rank = CHAPTER + 10 * (len(parts) - 1)
    return _make(line, match.start("rest"), parts, rank, "decimal")


def _han(line: str) -> Number | None:
    for pattern, rank, scheme in ((_HAN_ITEM, HAN, "一、"), (_HAN_PAREN, HAN_PAREN, "（一）")):
        if match := pattern.match(line):
            return _make(line, match.end(), (str(han_number(match["n"])),), rank, scheme)
    return None


def _roman_item(line: str) -> Number | None:
    if match := _ROMAN_ITEM.match(line):
        if match["m"]:
            return _make(line, 1, (str("ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ".index(match["m"]) + 1),), CHAPTER, "roman")
        return _make(line, match.end("n"), (str(_roman(match["n"])),), CHAPTER, "roman")
    if match := _LETTER.match(line):
        return _make(line, match.end("n"), (match["n"],), SECTION, "letter")
    return None


def _small(line: str) -> Number | None:
    if match := _PAREN.match(line):
        return _make(line, match.end(), (match["n"],), PAREN, "(1)")
    if match := _CIRCLE.match(line):
        return _make(line, match.end(), (str(ord(match["n"]) - 0x245F),), CIRCLE, "①")
    return None
