"""Which caption belongs to which picture or table, where it came from, and how sure that is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ..core.chunk import CaptionOrigin
from ..core.document import VISUAL_KINDS, Block
from ..core.label import Label, find_labels, parse_label

_MAX_CAPTION = 300
_CAPTION_KINDS = frozenset({"figure", "table", "scheme", "algorithm"})
_CONFIDENCE: dict[CaptionOrigin, float] = {
    "parser": 1.0,
    "footnote": 0.8,
    "pile": 0.8,
    "geometry": 0.7,
    "context": 0.5,
    "none": 0.0,
}
# A cheap look before the labels are read: what captions begin with.
_LIKELY = re.compile(
    r"\W{0,3}(?:[图圖表附插续續照]|fig|tab|chart|graph|plate|scheme|algorithm|exhibit|box|map|photo)",
    re.I,
)
# "图3给出了…" and "Figure 3 shows …" are sentences about a figure, not its caption.
_SENTENCE = re.compile(
    r"^\s*(?:所示|给出|給出|中(?!国|央|心|间|部)|为(?:了)?|是|可见|可知|可以|列出|显示|顯示|表明|说明了|描述了|展示|反映|的(?!确)|所列|所|与图|和图|至图|，|。|、"
    r"|shows?\b|presents?\b|illustrates?\b|is\b|are\b|depicts?\b|gives?\b|lists?\b|summari[sz]es?\b|reports?\b"
    r"|demonstrates?\b|provides?\b|compares?\b|indicates?\b|we\b|and\b|in\b|of\b|,|\))",
    re.I,
)
_SUB = re.compile(r"^\s*[(（]?([a-z])[)）]", re.I)
_GLUE_BEFORE = re.compile(r"(?:^|[\s。；;.])$")


@dataclass(frozen=True)
class Captioned:
    """A picture or table with its caption; `extra` are block indexes whose text was used up."""

    block: Block
    caption: str = ""
    origin: CaptionOrigin = "none"
    footnote: str = ""
    label: Label | None = None
    label_text: str = ""
    extra: tuple[int, ...] = ()

    @property
    def confidence(self) -> float:
        """How sure the caption is, 0..1."""
        return _CONFIDENCE[self.origin]


@dataclass
class _Slot:
    """A picture or table while captions are shared out."""

    place: int
    block: Block
    units: list[str]
    notes: list[str]
    origin: CaptionOrigin
    extra: list[int] = field(default_factory=list)

    @property
    def labelled(self) -> bool:
        return any(_own_label(unit) for unit in self.units)

    def give(self, units: list[str], origin: CaptionOrigin) -> None:
        self.units, self.origin = units, origin


def _own_label(text: str) -> Label | None:
    """The label that a caption begins with; "第3题" numbers a question, not its picture."""
    label = parse_label(text)
    return None if label is not None and label.kind == "question" else label


def is_caption(text: str) -> Label | None:
    """The label of a text that has a caption's form: "图2.1 水位", not "图2.1给出了…"."""
    body = text.strip()
    if not _LIKELY.match(body) or len(body) > _MAX_CAPTION:
        return None
    spans = find_labels(body[:80])
    if not spans or body[: spans[0].start].strip() or spans[0].label.kind not in _CAPTION_KINDS:
        return None
    if len(spans) > 1 and spans[1].start <= spans[0].end:
        return None
    return None if _SENTENCE.match(body[spans[0].end :]) else spans[0].label


def caption_all(blocks: Sequence[Block]) -> list[Captioned]:
    """Every picture, chart and table of `blocks` (content in reading order) with its caption."""
    slots = [
        _Slot(place, b, _units(b.captions), list(b.footnotes), "parser" if b.captions else "none")
        for place, b in enumerate(blocks)
        if b.kind in VISUAL_KINDS
    ]
    _demote(slots)
    _unglue(slots)
    _unpile(slots)
    _from_footnotes(slots)
    _from_neighbours(slots, blocks)
    return [_finished(slot) for slot in slots]


def _units(captions: Sequence[str]) -> list[str]:
    """Captions one label each; a part without a label continues the one before."""
    units: list[str] = []
    for caption in captions:
        text = caption.strip()
        if not text:
            continue
        if units and parse_label(units[-1]) and not is_caption(text) and not _SUB.match(text):
            units[-1] = f"{units[-1]} {text}"
        else:
            units.append(text)
    return units


def _demote(slots: list[_Slot]) -> None:
    """A parser's "caption" that is a sentence about another table ("Table 11, the results …")
    becomes a note where that table has a caption of its own."""
    captioned = {label.key for slot in slots for unit in slot.units if (label := is_caption(unit))}
    for slot in slots:
        for unit in list(slot.units):
            label = parse_label(unit)
            if label is None or label.kind not in _CAPTION_KINDS or is_caption(unit):
                continue
            spans = find_labels(unit[:80])
            if label.key in captioned and spans and _SENTENCE.match(unit[spans[0].end :]):
                slot.units.remove(unit)
                slot.notes.append(unit)


def _unglue(slots: list[_Slot]) -> None:
    """Two captions in one string, the next picture without any: cut at the second label."""
    for slot, following in pairwise(slots):
        if following.labelled or len(slot.units) != 1:
            continue
        text = slot.units[0]
        first = parse_label(text)
        for span in find_labels(text)[1:]:
            head = text[: span.start]
            tail = text[span.start :]
            new = first and span.label.kind == first.kind and span.label != first
            if new and _GLUE_BEFORE.search(head) and is_caption(tail) and head.strip():
                slot.units = [head.strip(), tail.strip()]
                break


def _near(first: _Slot, second: _Slot) -> bool:
    """Whether two pictures are neighbours: same or next page, little between."""
    pages = (first.block.page or 0, second.block.page or 0)
    return abs(pages[0] - pages[1]) <= 1 and abs(first.place - second.place) <= 4


def _unpile(slots: list[_Slot]) -> None:
    """k captions on the first (or last) of k pictures: one each, in order."""
    for place, slot in enumerate(slots):
        named = [unit for unit in slot.units if is_caption(unit)]
        if len(named) < 2:
            continue
        others = [unit for unit in slot.units if unit not in named]
        after = _bare_run(slots[place + 1 :], slot, len(named) - 1)
        before = _bare_run(slots[:place][::-1], slot, len(named) - 1)[::-1]
        if len(after) == len(named) - 1:
            _share([slot, *after], named, others, slot)
        elif len(before) == len(named) - 1:
            _share([*before, slot], named, others, slot)


def _bare_run(slots: Sequence[_Slot], slot: _Slot, count: int) -> list[_Slot]:
    run: list[_Slot] = []
    last = slot
    for other in slots[:count]:
        if other.labelled or not _near(last, other):
            break
        run.append(other)
        last = other
    return run


def _share(takers: list[_Slot], named: list[str], others: list[str], owner: _Slot) -> None:
    if any(
        (label := parse_label(unit)) is not None and not _fits(taker.block, label)
        for taker, unit in zip(takers, named, strict=True)
    ):
        # Kinds disagree with the order: give each label to the picture of its kind.
        named = sorted(named, key=lambda unit: _order(takers, unit))
    for taker, unit in zip(takers, named, strict=True):
        rest = others if taker is owner else taker.units
        taker.give([unit, *rest], "pile")


def _order(takers: list[_Slot], unit: str) -> int:
    label = parse_label(unit)
    return next((n for n, t in enumerate(takers) if label and _fits(t.block, label)), len(takers))


def _fits(block: Block, label: Label) -> bool:
    return (label.kind == "table") == (block.kind == "table")


def _from_footnotes(slots: list[_Slot]) -> None:
    """A footnote with a caption's form is the caption of the next one that has none."""
    for slot, following in pairwise(slots):
        for note in list(slot.notes):
            label = is_caption(note)
            if label is None or following.labelled or not _near(slot, following):
                continue
            if not slot.labelled and _fits(slot.block, label) and not _fits(following.block, label):
                continue
            slot.notes.remove(note)
            following.give([note, *following.units], "footnote")
    for slot in slots:
        # Below a picture that has no caption, a note of that form is its own.
        own = next((note for note in slot.notes if is_caption(note)), None)
        if own is not None and not slot.labelled:
            slot.notes.remove(own)
            slot.give([own, *slot.units], "footnote")


def _from_neighbours(slots: list[_Slot], blocks: Sequence[Block]) -> None:
    """Text blocks of a caption's form over or under a picture that has no numbered caption."""
    wanted = [slot for slot in slots if not slot.labelled]
    taken: set[int] = set()
    pairs = []
    for slot in wanted:
        for place in range(max(0, slot.place - 2), min(len(blocks), slot.place + 3)):
            cost = _cost(slot, blocks, place)
            if cost is not None:
                pairs.append((cost, slot.place, place, slot))
    done: set[int] = set()
    for _, own, place, slot in sorted(pairs, key=lambda pair: pair[:3]):
        if own in done or place in taken:
            continue
        done.add(own)
        taken.add(place)
        slot.give([blocks[place].text.strip(), *slot.units], "geometry")
        slot.extra.append(blocks[place].index)


def _cost(slot: _Slot, blocks: Sequence[Block], place: int) -> float | None:
    """How far a text block is from being the caption: None when it cannot be."""
    block = blocks[place]
    if place == slot.place or block.kind not in ("text", "title", "aside", "footnote", "unknown"):
        return None
    label = is_caption(block.text)
    marked = block.raw_type == "caption"
    if label is None and not marked:
        return None
    if label is not None and not _fits(slot.block, label):
        return None
    if block.page != slot.block.page:
        return None
    between = blocks[min(place, slot.place) + 1 : max(place, slot.place)]
    if any(b.kind not in VISUAL_KINDS and not is_caption(b.text) for b in between):
        return None
    expected = -1 if slot.block.kind == "table" else 1
    side = 0.0 if (place - slot.place) * expected > 0 else 0.4
    return side + abs(place - slot.place) + _gap(slot.block, block)


def _gap(picture: Block, text: Block) -> float:
    """Vertical distance as a fraction of the page; text beside the picture counts as far."""
    a, b = picture.bbox, text.bbox
    if a is None or b is None:
        return 0.1
    apart = max(b.y0 - a.y1, a.y0 - b.y1, 0.0)
    beside = min(a.x1, b.x1) <= max(a.x0, b.x0)
    return 4 * apart + (0.5 if beside else 0.0)


def _finished(slot: _Slot) -> Captioned:
    units = sorted(slot.units, key=lambda unit: _own_label(unit) is None)
    caption = " ".join(" ".join(units).split())
    span = next((s for s in find_labels(caption[:80])), None) if units else None
    starts = span is not None and not caption[: span.start].strip() and bool(_own_label(span.text))
    return Captioned(
        block=slot.block,
        caption=caption,
        origin=slot.origin if caption else "none",
        footnote=" ".join(" ".join(slot.notes).split()),
        label=span.label if span and starts else None,
        label_text=span.text.strip() if span and starts else "",
        extra=tuple(slot.extra),
    )


def part_of(label: Label, caption: str) -> Label | None:
    """The label of a part: "(b) side view" under 图5 is 图5(b)."""
    match = _SUB.match(caption)
    return label.model_copy(update={"sub": match.group(1).lower()}) if match else None


def relabelled(item: Captioned, label: Label, text: str) -> Captioned:
    """The same picture under another label."""
    return replace(item, label=label, label_text=text)
