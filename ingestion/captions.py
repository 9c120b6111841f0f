"""Which caption belongs to which picture or table, where it came from, and how sure that is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..core.chunk import CaptionOrigin
from ..core.document import VISUAL_KINDS, Block
from ..core.label import Label, find_labels, parse_label
from .caption_places import Slot, from_beside, from_neighbours, from_strays
from .caption_text import CAPTION_KINDS, SENTENCE, fits, is_caption, own_label

_CONFIDENCE: dict[CaptionOrigin, float] = {
    "parser": 1.0,
    "footnote": 0.8,
    "pile": 0.8,
    "geometry": 0.7,
    "context": 0.5,
    "none": 0.0,
}
_LONG = 2000  # characters of a caption that a parser marked as one
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


def caption_all(blocks: Sequence[Block]) -> list[Captioned]:
    """Every picture, chart and table of `blocks` (content in reading order) with its caption."""
    slots = [
        Slot(place, b, _units(b.captions), list(b.footnotes), "parser" if b.captions else "none")
        for place, b in enumerate(blocks)
        if b.kind in VISUAL_KINDS
    ]
    _demote(slots)
    _unglue(slots)
    _unpile(slots)
    _from_footnotes(slots)
    from_neighbours(slots, blocks)
    from_strays(slots, blocks)
    from_beside(slots, blocks)
    return [_finished(slot) for slot in slots]


def _units(captions: Sequence[str]) -> list[str]:
    """Captions one label each; a part without a label continues the one before."""
    units: list[str] = []
    for caption in captions:
        text = caption.strip()
        if not text:
            continue
        if (
            units
            and parse_label(units[-1])
            and not is_caption(text, most=_LONG)
            and not _SUB.match(text)
        ):
            units[-1] = f"{units[-1]} {text}"
        else:
            units.append(text)
    return units


def _demote(slots: list[Slot]) -> None:
    """A parser's "caption" that is a sentence about another table ("Table 11, the results …")
    becomes a note where that table has a caption of its own."""
    captioned = {
        label.key
        for slot in slots
        for unit in slot.units
        if (label := is_caption(unit, most=_LONG))
    }
    for slot in slots:
        for unit in list(slot.units):
            label = parse_label(unit)
            if label is None or label.kind not in CAPTION_KINDS or is_caption(unit, most=_LONG):
                continue
            spans = find_labels(unit[:80])
            if label.key in captioned and spans and SENTENCE.match(unit[spans[0].end :]):
                slot.units.remove(unit)
                slot.notes.append(unit)


def _unglue(slots: list[Slot]) -> None:
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


def _near(first: Slot, second: Slot) -> bool:
    """Whether two pictures are neighbours: same or next page, little between."""
    pages = (first.block.page or 0, second.block.page or 0)
    return abs(pages[0] - pages[1]) <= 1 and abs(first.place - second.place) <= 4


def _unpile(slots: list[Slot]) -> None:
    """k captions on the first (or last) of k pictures: one each, in order."""
    for place, slot in enumerate(slots):
        named = [unit for unit in slot.units if is_caption(unit, most=_LONG)]
        if len(named) < 2:
            continue
        others = [unit for unit in slot.units if unit not in named]
        after = _bare_run(slots[place + 1 :], slot, len(named) - 1)
        before = _bare_run(slots[:place][::-1], slot, len(named) - 1)[::-1]
        if len(after) == len(named) - 1:
            _share([slot, *after], named, others, slot)
        elif len(before) == len(named) - 1:
            _share([*before, slot], named, others, slot)
        elif len(named) == 2:
            _shift(slots, place)


def _shift(slots: list[Slot], place: int) -> None:
    """Two captions on one, and the ones before it on the page have the caption of the one before
    them, up to one that has none: all move up by one."""
    run = [slots[place]]
    for slot in slots[:place][::-1]:
        if slot.block.page != run[0].block.page or not _near(run[0], slot):
            return
        run.insert(0, slot)
        if not slot.labelled:
            break
        if len(slot.units) != 1:
            return
    named = [unit for slot in run for unit in slot.units]
    labels = [label for unit in named if (label := is_caption(unit, most=_LONG))]
    if len(labels) == len(named) == len(run) and all(
        fits(slot.block, label) for slot, label in zip(run, labels, strict=True)
    ):
        for slot, unit in zip(run, named, strict=True):
            slot.give([unit], "pile")


def _bare_run(slots: Sequence[Slot], slot: Slot, count: int) -> list[Slot]:
    run: list[Slot] = []
    last = slot
    for other in slots[:count]:
        if other.labelled or not _near(last, other):
            break
        run.append(other)
        last = other
    return run


def _share(takers: list[Slot], named: list[str], others: list[str], owner: Slot) -> None:
    if any(
        (label := parse_label(unit)) is not None and not fits(taker.block, label)
        for taker, unit in zip(takers, named, strict=True)
    ):
        # Kinds disagree with the order: give each label to the picture of its kind.
        named = sorted(named, key=lambda unit: _order(takers, unit))
    for taker, unit in zip(takers, named, strict=True):
        rest = others if taker is owner else taker.units
        taker.give([unit, *rest], "pile")


def _order(takers: list[Slot], unit: str) -> int:
    label = parse_label(unit)
    return next((n for n, t in enumerate(takers) if label and fits(t.block, label)), len(takers))


def _from_footnotes(slots: list[Slot]) -> None:
    """A footnote with a caption's form is the caption of the next one that has none."""
    for slot, following in pairwise(slots):
        for note in list(slot.notes):
            label = is_caption(note, most=_LONG)
            if label is None or following.labelled or not _near(slot, following):
                continue
            if not slot.labelled and fits(slot.block, label) and not fits(following.block, label):
                continue
            slot.notes.remove(note)
            following.give([note, *following.units], "footnote")
    for slot in slots:
        # Below a picture that has no caption, a note of that form is its own.
        own = next((note for note in slot.notes if is_caption(note, most=_LONG)), None)
        if own is not None and not slot.labelled:
            slot.notes.remove(own)
            slot.give([own, *slot.units], "footnote")


def _rank(slot: Slot, unit: str) -> int:
    """Of several captions that of its own kind names it; one without a number comes last."""
    label = own_label(unit)
    return 2 if label is None else int(not fits(slot.block, label))


def _finished(slot: Slot) -> Captioned:
    units = sorted(slot.units, key=lambda unit: _rank(slot, unit))
    caption = " ".join(" ".join(units).split())
    span = next((s for s in find_labels(caption[:80])), None) if units else None
    starts = span is not None and not caption[: span.start].strip() and bool(own_label(span.text))
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
