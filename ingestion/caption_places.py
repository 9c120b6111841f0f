"""Which text on a page is the caption of which picture, by where both stand."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from ..core.chunk import CaptionOrigin
from ..core.document import VISUAL_KINDS, BBox, Block
from .caption_text import fits, is_caption, own_label

_TEXTS = frozenset({"text", "title", "aside", "footnote", "unknown"})
_FAR = 2.5  # what a caption costs that is next to its picture on the page, not in reading order
_TOUCH = 0.06  # of the page's height: how far such a caption may be
_STRAY = 0.35  # of the page's height: how far a caption is when pieces of the figure are between
_BESIDE_IT = (_TEXTS | {"equation"}) - {"title"}
_BESIDE = 0.2  # of the page's width: how far a caption may be from the picture beside it
_REST_OF_CAPTION = 300  # characters in the caption's column at the picture's height
_PIECE = 260  # characters that such a piece has at most
_LARGE, _SMALL = 0.02, 0.006  # of the page's area: smaller pictures are logos, dots and rules
_Page = dict[int, Block]  # a page's blocks by their place in the document


@dataclass
class Slot:
    """A picture or table while captions are shared out."""

    place: int
    block: Block
    units: list[str]
    notes: list[str]
    origin: CaptionOrigin
    extra: list[int] = field(default_factory=list)

    @property
    def labelled(self) -> bool:
        """Whether it has a numbered caption."""
        return any(own_label(unit) for unit in self.units)

    def give(self, units: list[str], origin: CaptionOrigin) -> None:
        """Replace its captions."""
        self.units, self.origin = units, origin

    def take(self, block: Block, origin: CaptionOrigin) -> None:
        """Make a text block its caption."""
        self.give([block.text.strip(), *self.units], origin)
        self.extra.append(block.index)


def from_neighbours(slots: list[Slot], blocks: Sequence[Block]) -> None:
    """Text blocks of a caption's form over or under a picture that has no numbered caption."""
    wanted = [slot for slot in slots if not slot.labelled]
    pages = _by_page(blocks, {slot.block.page for slot in wanted})
    pairs = [
        (cost, slot.place, place, slot)
        for slot in wanted
        for place, cost in _candidates(slot, blocks, pages.get(slot.block.page, {}))
    ]
    done: set[int] = set()
    taken: set[int] = set()
    for _, own, place, slot in sorted(pairs, key=lambda pair: pair[:3]):
        if own not in done and place not in taken:
            done.add(own)
            taken.add(place)
            slot.take(blocks[place], "geometry")


def from_strays(slots: list[Slot], blocks: Sequence[Block]) -> None:
    """The one caption of a page that no picture has goes to the one large picture over it that
    has none: the pieces of a figure that is part drawing, part text stand between them."""
    used = {index for slot in slots for index in slot.extra}
    bare: dict[int | None, list[Slot]] = {}
    for slot in slots:
        if not slot.labelled and _area(slot.block) >= _LARGE:
            bare.setdefault(slot.block.page, []).append(slot)
    alone = [found[0] for found in bare.values() if len(found) == 1]
    pages = _by_page(blocks, {slot.block.page for slot in alone})
    for slot in alone:
        page = pages.get(slot.block.page, {})
        strays = [
            block
            for block in page.values()
            if block.kind in _TEXTS
            and block.index not in used
            and (label := is_caption(block.text))
            and fits(slot.block, label)
        ]
        if slot.block.kind != "table" and len(strays) == 1 and _under(slot, strays[0], page):
            slot.take(strays[0], "context")


def from_beside(slots: list[Slot], blocks: Sequence[Block]) -> None:
    """A caption that no picture has goes to the large one beside it that has none, where nothing
    but the caption stands at that height in its column."""
    used = {index for slot in slots for index in slot.extra}
    bare = [s for s in slots if not s.labelled and _area(s.block) >= _LARGE]
    pages = _by_page(blocks, {slot.block.page for slot in bare})
    pairs = [
        (step, slot.place, place, slot)
        for slot in bare
        if slot.block.kind != "table"
        for place, block in pages.get(slot.block.page, {}).items()
        if block.index not in used
        if (step := _step(slot, block, pages[slot.block.page])) is not None
    ]
    for _, _, place, slot in sorted(pairs, key=lambda pair: pair[:3]):
        if not slot.labelled and blocks[place].index not in used:
            used.add(blocks[place].index)
            slot.take(blocks[place], "context")


def _step(slot: Slot, text: Block, page: _Page) -> float | None:
    """How far the tops of a picture and a caption beside it are apart; None: it is not beside."""
    a, b = slot.block.bbox, text.bbox
    label = is_caption(text.text) if text.kind in _TEXTS and a and b else None
    if a is None or b is None or label is None or not fits(slot.block, label):
        return None
    level = a.y0 - _TOUCH / 2 <= (b.y0 + b.y1) / 2 <= a.y1
    if not level or not 0 <= max(b.x0 - a.x1, a.x0 - b.x1) <= _BESIDE:
        return None
    column = [
        block
        for block in page.values()
        if block.bbox and block.index != text.index and _over(block.bbox, b)
        if a.y0 <= (block.bbox.y0 + block.bbox.y1) / 2 <= a.y1
    ]
    alone = all(block.kind in _BESIDE_IT for block in column)
    said = sum(len(block.text) for block in column)
    return abs(a.y0 - b.y0) if alone and said <= _REST_OF_CAPTION else None


def _by_page(blocks: Sequence[Block], wanted: Set[int | None]) -> dict[int | None, _Page]:
    """The blocks of those pages."""
    pages: dict[int | None, _Page] = {}
    for place, block in enumerate(blocks):
        if block.page is not None and block.page in wanted:
            pages.setdefault(block.page, {})[place] = block
    return pages


def _candidates(slot: Slot, blocks: Sequence[Block], page: _Page) -> Iterator[tuple[int, float]]:
    """Places of the text blocks that can be the caption, each with its cost."""
    near = range(max(0, slot.place - 2), min(len(blocks), slot.place + 3))
    for place in near:
        cost = _cost(slot, blocks, place, page)
        if cost is not None:
            yield place, cost
    for place, block in page.items():
        if place not in near:
            cost = _touching(slot, block, page)
            if cost is not None:
                yield place, cost


def _cost(slot: Slot, blocks: Sequence[Block], place: int, page: _Page) -> float | None:
    """How far a text block is from being the caption: None when it cannot be."""
    block = blocks[place]
    if place == slot.place or block.kind not in _TEXTS or block.page != slot.block.page:
        return None
    label = is_caption(block.text)
    if label is None and block.raw_type != "caption":
        return None
    if label is not None and not fits(slot.block, label):
        return _touching(slot, block, page)
    between = blocks[min(place, slot.place) + 1 : max(place, slot.place)]
    if any(b.kind not in VISUAL_KINDS and not is_caption(b.text) for b in between):
        return _touching(slot, block, page)
    if _elsewhere(slot.block, block):
        return None
    expected = -1 if slot.block.kind == "table" else 1
    side = 0.0 if (place - slot.place) * expected > 0 else 0.4
    return side + abs(place - slot.place) + _gap(slot.block, block)


def _elsewhere(picture: Block, text: Block) -> bool:
    """Whether a text stands neither over, under nor beside a picture."""
    a, b = picture.bbox, text.bbox
    if a is None or b is None or min(a.x1, b.x1) > max(a.x0, b.x0):
        return False
    return not a.y0 - _TOUCH / 2 <= (b.y0 + b.y1) / 2 <= a.y1


def _touching(slot: Slot, block: Block, page: _Page) -> float | None:
    """The cost of a caption that stands right over or under the picture, wherever the reading
    order has it; a table that was taken for a picture may have a table's caption."""
    a, b = slot.block.bbox, block.bbox
    if a is None or b is None or block.kind not in _TEXTS or not _over(a, b):
        return None
    label = is_caption(block.text) if _apart(a, b) <= _TOUCH else None
    if label is None or any(_between(slot, block, page)):
        return None
    if not fits(slot.block, label) and (slot.block.kind == "table" or _area(slot.block) < _SMALL):
        return None
    return _FAR + 4 * _apart(a, b) + (0.0 if fits(slot.block, label) else 1.0)


def _under(slot: Slot, text: Block, page: _Page) -> bool:
    a, b = slot.block.bbox, text.bbox
    if a is None or b is None or not _over(a, b) or not 0 <= b.y0 - a.y1 <= _STRAY:
        return False
    return all(
        block.kind in _TEXTS and block.kind != "title" and len(block.text) <= _PIECE
        for block in _between(slot, text, page)
    )


def _between(slot: Slot, text: Block, page: _Page) -> Iterator[Block]:
    """The blocks that stand between the two on the page."""
    a, b = slot.block.bbox, text.bbox
    if a is None or b is None:
        return
    top, bottom = min(a.y1, b.y1), max(a.y0, b.y0)
    for place, block in page.items():
        box = block.bbox
        if box is None or place == slot.place or block.index == text.index:
            continue
        if top <= (box.y0 + box.y1) / 2 <= bottom and (_over(a, box) or _over(b, box)):
            yield block


def _gap(picture: Block, text: Block) -> float:
    """Vertical distance as a fraction of the page; text beside the picture counts as far."""
    a, b = picture.bbox, text.bbox
    if a is None or b is None:
        return 0.1
    beside = min(a.x1, b.x1) <= max(a.x0, b.x0)
    return 4 * _apart(a, b) + (0.5 if beside else 0.0)


def _apart(a: BBox, b: BBox) -> float:
    return max(b.y0 - a.y1, a.y0 - b.y1, 0.0)


def _over(a: BBox, b: BBox) -> bool:
    """Whether one stands over the other: half of the narrower one's width is shared."""
    return min(a.x1, b.x1) - max(a.x0, b.x0) >= min(a.x1 - a.x0, b.x1 - b.x0) / 2


def _area(block: Block) -> float:
    box = block.bbox
    return (box.x1 - box.x0) * (box.y1 - box.y0) if box else 0.0
