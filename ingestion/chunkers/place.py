"""Where on the pages a text stands: the offsets at which its boxes begin."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from ...core.document import BBox, Block

REST = "rest"
"""Key in a block's meta: the boxes of the same text after a column's or page's end, in order."""

NOTES = "notes"
"""Key in a picture's or table's meta: its captions and footnotes with their boxes."""
_ENOUGH = 30


@dataclass(frozen=True)
class Place:
    """From offset `start` on, a text stands in `bbox` on `page` (to `page_end`)."""

    start: int
    page: int | None
    bbox: BBox | None = None
    page_end: int | None = None

    @property
    def pages(self) -> Iterator[int]:
        """The pages that it touches."""
        return (page for page in (self.page, self.page_end) if page)


def with_rest(block: Block, boxes: Sequence[tuple[int | None, BBox]]) -> Block:
    """The block with the pages and boxes that hold the rest of its text."""
    if not boxes:
        return block
    known: list[Any] = list(block.meta.get(REST, ()))
    known.extend({"page": page, "bbox": box.model_dump()} for page, box in boxes)
    return block.model_copy(update={"meta": {**block.meta, REST: known}})


def with_notes(block: Block, notes: Sequence[tuple[str, BBox]]) -> Block:
    """The picture or table with the boxes of its captions and footnotes."""
    if not notes:
        return block
    known = [{"text": text, "bbox": box.model_dump()} for text, box in notes]
    return block.model_copy(update={"meta": {**block.meta, NOTES: known}})


def noted(block: Block) -> list[tuple[str, Place]]:
    """Captions and footnotes of a picture or table and where they stand."""
    return [
        (note["text"], Place(0, block.page, BBox(**note["bbox"])))
        for note in block.meta.get(NOTES, ())
    ]


def located(text: str, own: Place, known: Sequence[tuple[str, Place]]) -> tuple[Place, ...]:
    """The places of a text in which the `known` words stand elsewhere than the rest (`own`)."""
    spans = []
    for words, place in known:
        at = text.find(words[:_ENOUGH]) if words else -1
        if at >= 0:
            spans.append((at, at + _shared(words, text[at:]), place))
    places: list[Place] = []
    end = 0
    for start, stop, place in sorted(spans, key=lambda span: span[:2]):
        if start < end:
            continue
        if text[end:start].strip():
            places.append(replace(own, start=end))
        places.append(replace(place, start=start))
        end = stop
    if text[end:].strip():
        places.append(replace(own, start=end))
    return tuple(places)


def last_page(block: Block) -> int | None:
    """The page on which a block's text ends."""
    rest = block.meta.get(REST)
    return rest[-1]["page"] if rest else block.page_end or block.page


def _shared(words: str, text: str) -> int:
    """How many characters they begin with alike: a caption may be cut short."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, text, strict=False))
    )


def places_of(block: Block, start: int, length: int) -> list[Place]:
    """The places of a block's text that begins at `start`.

    Where a text goes on in other boxes, parsers do not say at which character: it is shared out by
    the boxes' areas.
    """
    ends = None if REST in block.meta else block.page_end
    first = Place(start, block.page, block.bbox, ends)
    rest = [Place(start, part["page"], BBox(**part["bbox"])) for part in block.meta.get(REST, ())]
    places = [first, *rest]
    areas = [_area(place.bbox) for place in places]
    total = sum(areas)
    if not rest or not all(areas):
        return (
            places[:1] if not rest else [first, *(replace(p, start=start + length) for p in rest)]
        )
    before = 0.0
    found = []
    for place, area in zip(places, areas, strict=True):
        found.append(replace(place, start=start + round(length * before / total)))
        before += area
    return found


def within(places: Sequence[Place], start: int, end: int) -> tuple[Place, ...]:
    """The places of text[start:end], counted from `start`; the first may begin before it."""
    ends = [*(place.start for place in places[1:]), end]
    return tuple(
        replace(place, start=max(place.start - start, 0))
        for place, stop in zip(places, ends, strict=True)
        if place.start < end and stop > start
    )


def _area(box: BBox | None) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0) if box else 0.0
