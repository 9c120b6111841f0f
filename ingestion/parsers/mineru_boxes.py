"""Boxes that content lists leave out: halves of paragraphs, rests of lists, captions.

A content list gives one box a block, and sometimes that box holds only part of the text. What is
missing is worked out from the other boxes of the page and from how much room text takes.
"""

from collections.abc import Iterator, Sequence
from statistics import median

from ...core.document import VISUAL_KINDS, BBox, Block
from ..chunkers.place import REST, with_notes, with_rest

_CROWDED = 2.5
_TOP, _BOTTOM = 0.06, 0.93
_LEFT, _RIGHT = 0.08, 0.92
_THIN = 0.012
_LONG = 160


def completed(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with every box that can be told."""
    found = _joined(blocks)
    room = _room(found)
    if room is None:
        return found
    pages: dict[int | None, list[Block]] = {}
    for block in found:
        pages.setdefault(block.page, []).append(block)
    return [_completed(block, pages[block.page], room) for block in found]


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """A paragraph that goes on in another column or page has all its words in the first block.

    The halves that follow are empty text blocks; their boxes become the first one's.
    """
    found = list(blocks)
    head: int | None = None
    for place, block in enumerate(blocks):
        if block.kind == "title":
            head = None
        elif block.kind not in ("text", "list"):
            continue
        elif block.text:
            head = place
        elif head is not None and block.bbox and _near(found[head], block):
            found[head] = with_rest(found[head], [(block.page, block.bbox)])
            found[place] = block.model_copy(update={"meta": {**block.meta, "joined": True}})
    return found


def _near(head: Block, half: Block) -> bool:
    return 0 <= (half.page or 0) - (head.page or 0) <= 1


def _room(blocks: Sequence[Block]) -> float | None:
    """Page area that a character takes in this document's paragraphs."""
    areas = [
        _area(block.bbox) / len(block.text)
        for block in blocks
        if block.kind == "text"
        and block.bbox
        and len(block.text) > _LONG // 2
        and REST not in block.meta
    ]
    return median(areas) if areas else None


def _completed(block: Block, page: Sequence[Block], room: float) -> Block:
    if block.bbox is None:
        return block
    if block.kind in VISUAL_KINDS and (block.captions or block.footnotes):
        return with_notes(block, list(_notes(block, block.bbox, page, room)))
    long = block.kind in ("text", "list") and len(block.text) > _LONG and REST not in block.meta
    if long and len(block.text) * room > _CROWDED * _area(block.bbox):
        return with_rest(block, [(block.page, box) for box in _free(block.bbox, page)])
    return block


def _free(box: BBox, page: Sequence[Block]) -> Iterator[BBox]:
    """Empty room where a text too long for its box goes on: below, then in the right column."""
    low, high = _gap_below(box, page)
    if high - low > _THIN:
        yield BBox(x0=box.x0, y0=low, x1=box.x1, y1=high)
    if box.x1 < 0.55:
        right = BBox(x0=max(box.x1, 0.5), y0=0.0, x1=_RIGHT, y1=_TOP)
        low, high = _gap_below(right, page)
        if high - low > _THIN:
            yield BBox(x0=right.x0, y0=low, x1=right.x1, y1=high)


def _notes(
    block: Block, box: BBox, page: Sequence[Block], room: float
) -> Iterator[tuple[str, BBox]]:
    """Captions and footnotes with the gap above or below the picture that has room for them."""
    column = _column(box, page)
    below = _gap_below(column, page, box.y1)
    above = _gap_above(column, page, box.y0)
    sides = {"below": below[1] - below[0], "above": above[1] - above[0]}
    larger = max(sides, key=lambda side: sides[side])
    both = bool(block.captions and block.footnotes) and min(sides.values()) > _THIN
    for notes, side in ((block.captions, "above"), (block.footnotes, "below")):
        words = " ".join(" ".join(notes).split())
        chosen = side if both else larger
        height = 1.5 * len(words) * room / max(column.x1 - column.x0, 0.05) + _THIN
        if not words or sides[chosen] <= 0:
            continue
        if chosen == "below":
            y0, y1 = below[0], min(below[1], below[0] + height)
        else:
            y0, y1 = max(above[0], above[1] - height), above[1]
        found = BBox(x0=column.x0, y0=y0, x1=column.x1, y1=y1)
        yield from ((" ".join(note.split()), found) for note in notes)


def _column(box: BBox, page: Sequence[Block]) -> BBox:
    """The picture's box as wide as the texts that stand in its column."""
    beside = [
        b.bbox
        for b in page
        if b.kind == "text" and b.bbox and b.bbox.x0 < box.x1 and b.bbox.x1 > box.x0
    ]
    wide = box.x1 - box.x0 > 0.5
    x0 = min([box.x0, *(_LEFT if wide else b.x0 for b in beside)])
    x1 = max([box.x1, *(_RIGHT if wide else b.x1 for b in beside)])
    return BBox(x0=x0, y0=box.y0, x1=x1, y1=box.y1)


def _gap_below(box: BBox, page: Sequence[Block], start: float | None = None) -> tuple[float, float]:
    top = box.y1 if start is None else start
    tops = [b.bbox.y0 for b in page if b.bbox and _beside(b.bbox, box) and b.bbox.y0 >= top - 0.005]
    return top, min([_BOTTOM, *tops])


def _gap_above(box: BBox, page: Sequence[Block], end: float) -> tuple[float, float]:
    ends = [b.bbox.y1 for b in page if b.bbox and _beside(b.bbox, box) and b.bbox.y1 <= end + 0.005]
    return max([_TOP, *ends]), end


def _beside(other: BBox, box: BBox) -> bool:
    return min(other.x1, box.x1) - max(other.x0, box.x0) > 0.01 and other != box


def _area(box: BBox | None) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0) if box else 0.0
