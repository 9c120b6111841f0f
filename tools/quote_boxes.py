"""Where on the pages the quoted words of a chunk stand.

Parsers say which boxes hold a paragraph that goes on in the next column or on the next page, not at
which word it turns: that place is estimated from the boxes' areas. Words near it are given the
frame of both boxes; words that turn the page are cut to the part on one page.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ..core.chunk import Chunk, PageBox
from ..core.document import BBox

_UNSURE = 0.15
"""Share of the text of two boxes by which the estimated turn may be wrong."""
_MOST_UNSURE = 400
_LEAST = 0.9
"""A part of a quote that holds so much of it stands for the whole."""


class Spot(NamedTuple):
    """The words [start, end) of a chunk's text that stand in the box."""

    start: int
    end: int
    box: PageBox | None


class _Segment(NamedTuple):
    """A box and the part [start, end) of the text that it holds; `sure`: where it begins."""

    start: int
    end: int
    box: PageBox
    sure: bool


def locate(chunk: Chunk, start: int, end: int) -> Spot:
    """The box of text[start:end], which may be cut to the page that holds most of it."""
    segments = _segments(chunk)
    if not segments:
        return Spot(start, end, None)
    touched = [s for s in segments if _reach(s, start, end, segments)] or segments[-1:]
    held = {s: min(end, s.end) - max(start, s.start) for s in touched}
    main = max(touched, key=lambda s: (held[s], -s.start))
    page = [s for s in touched if s.box.page == main.box.page]
    frame = PageBox(page=main.box.page, bbox=BBox.around([s.box.bbox for s in page]))
    first, last = max(start, min(s.start for s in page)), min(end, max(s.end for s in page))
    if last - first >= _LEAST * (end - start) or last <= first:
        return Spot(start, end, frame)
    return Spot(*_whole_words(chunk.text, first, last, (start, end)), frame)


def _segments(chunk: Chunk) -> list[_Segment]:
    if not chunk.boxes:
        return []
    starts = list(chunk.box_starts)
    known = len(starts) == len(chunk.boxes)
    if not known:
        starts = _estimated(chunk)
    ends = [*starts[1:], max(len(chunk.text), starts[-1])]
    return [
        _Segment(a, b, box, known and (a == 0 or chunk.text[a - 1 : a] == "\n"))
        for a, b, box in zip(starts, ends, chunk.boxes, strict=True)
    ]


def _reach(segment: _Segment, start: int, end: int, segments: Sequence[_Segment]) -> bool:
    """Whether the words may stand in the segment: it holds some, or its edge is unsure and near."""
    if min(end, segment.end) > max(start, segment.start):
        return True
    for before, after in pairwise(segments):
        if segment not in (before, after) or after.sure or before.box.page != after.box.page:
            continue
        near = min(_MOST_UNSURE, _UNSURE * (after.end - before.start))
        if start < after.start + near and end > after.start - near:
            return True
    return False


def _whole_words(text: str, first: int, last: int, whole: tuple[int, int]) -> tuple[int, int]:
    """The part without the words that its new ends cut."""
    start, end = whole
    while start < first < last and _latin(text[first - 1 : first + 1]):
        first += 1
    while first < last < end and _latin(text[last - 1 : last + 1]):
        last -= 1
    piece = text[first:last]
    lead = len(piece) - len(piece.lstrip())
    return first + lead, first + len(piece.rstrip())


def _latin(pair: str) -> bool:
    return pair.isascii() and pair.isalnum()


def _estimated(chunk: Chunk) -> list[int]:
    areas = [(b.bbox.x1 - b.bbox.x0) * (b.bbox.y1 - b.bbox.y0) for b in chunk.boxes]
    total = sum(areas) or 1.0
    starts, before = [], 0.0
    for area in areas:
        starts.append(round(len(chunk.text) * before / total))
        before += area
    return starts
