"""Cut text into pieces of bounded length at sentences, Chinese and English."""

import re
from collections.abc import Iterator, Sequence

from ...core.text import sentences

_NEVER_FIRST = frozenset("。，、；：？！）」』】〕》〉”’…‥,.;:?!)]}%℃°\u3000 \t\n\u200d\ufe0f")
_SOFT = re.compile(r"[，、；：,;:]\s*|\s+|(?<=[)）」』】])")
_MATH = re.compile(
    r"\$\$.+?\$\$|\\\[.+?\\\]|\\\(.+?\\\)|\\begin\{(?P<e>[a-z*]+)\}.+?\\end\{(?P=e)\}"
    r"|(?<![\\$\w])\$(?![\s\d])[^$\n]{1,600}?(?<![\\\s])\$(?![\w$])",
    re.S,
)

Span = tuple[int, int]


def formulas(text: str) -> list[Span]:
    """Spans of formulas, which no cut may enter; amounts of money are none."""
    return [match.span() for match in _MATH.finditer(text)]


def split(text: str, size: int, overlap: int, atoms: Sequence[Span] = ()) -> list[Span]:
    """Spans of pieces of at most `size` characters; neighbours share up to `overlap`.

    Cuts fall after sentences, else after clauses or blanks, else between characters; never inside a
    formula or one of `atoms` (a longer one is a piece of its own), and no piece starts with a mark
    that closes. The overlap starts at a sentence.
    """
    closed = _joined([*formulas(text), *atoms])
    units = [part for unit in _units(text, closed) for part in _cut(text, unit, size, closed)]
    pieces: list[Span] = []
    first = 0
    for place, (_, end) in enumerate(units):
        if end - units[first][0] <= size or place == first:
            continue
        pieces.append((units[first][0], units[place - 1][1]))
        first = _overlap_start(units, first, place, size, overlap)
    if units:
        pieces.append((units[first][0], units[-1][1]))
    return pieces


def _overlap_start(units: list[Span], first: int, place: int, size: int, overlap: int) -> int:
    """The earliest unit within the overlap that still leaves room for unit `place`."""
    start = place
    while start - 1 > first:
        begin = units[start - 1][0]
        if units[place - 1][1] - begin > overlap or units[place][1] - begin > size:
            break
        start -= 1
    return start


def _joined(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _units(text: str, closed: Sequence[Span]) -> Iterator[Span]:
    """Sentences, those that share a closed span joined."""
    found = [span for span in sentences(text) if text[slice(*span)].strip()]
    units: list[Span] = []
    marks = iter(closed)
    mark = next(marks, None)
    for start, end in found:
        shares = bool(units) and mark is not None and mark[0] < units[-1][1] and mark[1] > start
        if units and (shares or text[start] in _NEVER_FIRST):
            units[-1] = (units[-1][0], end)
        else:
            units.append((start, end))
        while mark and mark[1] <= units[-1][1]:
            mark = next(marks, None)
    return iter(units)


def _cut(text: str, unit: Span, size: int, closed: Sequence[Span]) -> Iterator[Span]:
    """A unit, or its parts when it is too long."""
    start, end = unit
    while end - start > size:
        at = _place(text, start, size, closed)
        if at <= start or at >= end:
            break
        yield start, start + len(text[start:at].rstrip())
        start = at + len(text[at:end]) - len(text[at:end].lstrip())
    if end > start:
        yield start, end


def _place(text: str, start: int, size: int, closed: Sequence[Span]) -> int:
    """Where to cut text[start:] to at most `size` characters."""
    window = text[start : start + size]
    soft = [m.end() for m in _SOFT.finditer(window) if m.end() > size // 2]
    for at in [*(start + s for s in reversed(soft)), start + size]:
        if not _inside(at, closed) and not _bad_start(text, at):
            return at
    at = start + size
    while at > start + 1 and (_bad_start(text, at) or _inside(at, closed)):
        at -= 1
    if at > start + 1:
        return at
    return next((b for a, b in closed if a <= start < b), start + size)


def _inside(at: int, closed: Sequence[Span]) -> bool:
    return any(a < at < b for a, b in closed)


def _bad_start(text: str, at: int) -> bool:
    """Whether a piece must not start here: closing marks, combining marks, low surrogates."""
    if at >= len(text):
        return False
    char = text[at]
    if char.isspace():
        return False
    code = ord(char)
    joins = 0x300 <= code <= 0x36F or 0xDC00 <= code <= 0xDFFF or 0x1F3FB <= code <= 0x1F3FF
    glued = text[at - 1].isascii() and text[at - 1].isalnum() and char.isascii() and char.isalnum()
    return joins or glued or char in _NEVER_FIRST or (at > 0 and text[at - 1] == "\u200d")
