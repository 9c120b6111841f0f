"""Tables and pictures put in order: continued tables, runaway cells, cell pictures, groups."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..core.document import VISUAL_KINDS, Block
from ..core.markup import parsable
from .captions import Captioned, caption_all, part_of, relabelled
from .chunkers.place import with_rest
from .structure import Placed
from .tables import Table, cut_runaway, html_of, read_table


@dataclass(frozen=True)
class Visual:
    """A picture, chart or table of its own; `owner` is the table that a cell picture stands in.

    `group` is the position (in the list of visuals) of the one that leads a multi-part figure or a
    continued table; None: it stands alone.
    """

    placed: Placed
    captioned: Captioned
    table: Table | None = None
    html: str = ""
    image: str = ""
    page_end: int | None = None
    group: int | None = None
    owner: int | None = None
    text: str = ""


@dataclass
class Visuals:
    """All visuals in reading order and what became of the blocks.

    `merged` are indexes of blocks that are part of another now; `dropped` gives reasons.
    """

    items: list[Visual] = field(default_factory=list)
    merged: set[int] = field(default_factory=set)
    dropped: dict[int, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    halves: list[tuple[int | None, int | None]] = field(default_factory=list)


def collect(placed: Sequence[Placed]) -> Visuals:
    """Visuals of the content, captions assigned."""
    found = Visuals()
    by_index = {item.block.index: (place, item) for place, item in enumerate(placed)}
    for captioned in caption_all([item.block for item in placed]):
        place, item = by_index[captioned.block.index]
        found.merged.update(captioned.extra)
        if captioned.block.kind == "table":
            _table(found, item, captioned, _adjacent(placed, place, found))
        elif _shows_something(captioned):
            found.items.append(
                Visual(
                    item, captioned, image=captioned.block.image, text=_inner_text(captioned.block)
                )
            )
        else:
            found.dropped[captioned.block.index] = "empty picture"
    _group_parts(found, by_index, placed)
    found.warnings.extend(_half_notes(found.halves))
    return found


def _half_notes(halves: Sequence[tuple[int | None, int | None]]) -> list[str]:
    """One warning for all table halves without content, naming their pages."""
    if not halves:
        return []
    shown = ", ".join(f"page {page} (table of page {head})" for page, head in halves[:12])
    rest = " …" if len(halves) > 12 else ""
    what = f"{len(halves)} table part(s) have no content, taken as the rest of the table before"
    return [f"{what}: {shown}{rest}"]


def _inner_text(block: Block) -> str:
    return block.text or str(block.meta.get("text_in_picture") or "")


def _shows_something(item: Captioned) -> bool:
    block = item.block
    return bool(
        block.image
        or item.caption
        or item.footnote
        or block.text
        or block.meta.get("missing_image")
    )


def _adjacent(placed: Sequence[Placed], place: int, found: Visuals) -> bool:
    """Whether the block before is the last table found (or a half merged into it)."""
    last = found.items[-1] if found.items else None
    if not place or last is None or (last.table is None and not last.image):
        return False
    before = placed[place - 1].block
    return before.kind == "table" and before.index not in found.dropped


def _table(found: Visuals, item: Placed, captioned: Captioned, adjacent: bool) -> None:
    block = captioned.block
    html, cut = cut_runaway(block.html)
    if cut:
        found.warnings.append(f"Runaway repetition in a table{_on(block.page)} was cut.")
    table = read_table(html) if html.strip() else None
    if table is not None and table.empty and not table.pictures:
        table = None
    before = _last_table(found) if adjacent else None
    if table is None and not block.image and not captioned.caption:
        _empty_half(found, block, before)
        return
    place = len(found.items)
    visual = Visual(item, captioned, table, html if table else "", block.image, block.page_end)
    if before is not None and _continues(found.items[before], visual):
        visual = _second_half(found.items[before], visual, before)
    found.items.append(visual)
    for number, source in enumerate(table.pictures if table else ()):
        found.items.append(_cell_picture(visual, place, source, number))


def _on(page: int | None) -> str:
    return f" on page {page}" if page else ""


def _last_table(found: Visuals) -> int | None:
    places = (n for n in range(len(found.items) - 1, -1, -1) if found.items[n].owner is None)
    place = next(places, None)
    return (
        place if place is not None and found.items[place].captioned.block.kind == "table" else None
    )


def _empty_half(found: Visuals, block: Block, before: int | None) -> None:
    """A half of a table that the parser left without content."""
    pages = _page_distance(found.items[before], block) if before is not None else None
    if before is not None and pages in (0, 1):
        head = found.items[before]
        captioned = head.captioned
        if block.bbox is not None:
            whole = with_rest(captioned.block, [(block.page, block.bbox)])
            captioned = replace(captioned, block=whole)
        last = max(block.page or 0, head.page_end or 0) or None
        found.items[before] = replace(head, captioned=captioned, page_end=last)
        found.merged.add(block.index)
        found.halves.append((block.page, head.captioned.block.page))
    else:
        found.dropped[block.index] = "empty table"
        found.warnings.append(f"A table{_on(block.page)} has no content and no picture; left out.")


def _page_distance(before: Visual, block: Block) -> int | None:
    last = before.page_end or before.captioned.block.page
    return block.page - last if block.page and last else None


def _continues(before: Visual, visual: Visual) -> bool:
    """A table without a caption on the next page with the same columns."""
    if (
        visual.captioned.caption
        and "续" not in visual.captioned.caption[:8]
        and "cont" not in visual.captioned.caption[:24].lower()
    ):
        return False
    a, b = before.table, visual.table
    return (
        _page_distance(before, visual.captioned.block) == 1
        and a is not None
        and b is not None
        and len(a.rows[0]) == len(b.rows[0])
    )


def _second_half(before: Visual, visual: Visual, place: int) -> Visual:
    """The rest of a table under the first half's caption and head: rows keep their own page."""
    assert before.table is not None
    assert visual.table is not None
    head = before.table.rows[: before.table.head]
    rows = visual.table.rows
    if rows[: len(head)] != head:
        rows = (*head, *rows)
    table = replace(visual.table, rows=rows, head=len(head))
    first = before.captioned
    captioned = replace(
        visual.captioned,
        caption=visual.captioned.caption or first.caption,
        origin=visual.captioned.origin
        if visual.captioned.caption
        else ("context" if first.caption else "none"),
        label=visual.captioned.label or first.label,
        label_text=visual.captioned.label_text or first.label_text,
    )
    group = before.group if before.group is not None else place
    return replace(
        visual, captioned=captioned, table=table, html=html_of(rows, len(head)), group=group
    )


def _cell_picture(owner: Visual, place: int, source: str, number: int) -> Visual:
    """A picture in a table's cell, named by the row that it stands in."""
    assert owner.table is not None
    block = owner.captioned.block
    row = _row_of(owner.html, number)
    caption = " ".join(filter(None, (owner.captioned.caption, row)))
    captioned = Captioned(
        block=block.model_copy(update={"kind": "image", "image": source, "bbox": None}),
        caption=caption,
        origin="context" if caption else "none",
    )
    return Visual(owner.placed, captioned, image=source, group=place, owner=place)


def _row_of(html: str, number: int) -> str:
    """The text of the row that holds the n-th picture."""
    from bs4 import BeautifulSoup

    pictures = BeautifulSoup(parsable(html), "html.parser").find_all("img")
    row = pictures[number].find_parent("tr") if number < len(pictures) else None
    return " ".join(row.get_text(" ").split())[:120] if row else ""


def _group_parts(
    found: Visuals, by_index: dict[int, tuple[int, Placed]], placed: Sequence[Placed]
) -> None:
    """Pictures side by side, one of which carries the caption of all."""
    run: list[int] = []
    for place, visual in enumerate(found.items):
        if run and not _same_run(found.items[run[-1]], visual, by_index, placed):
            _close(found, run)
            run = []
        if visual.owner is None and visual.captioned.block.kind != "table":
            run.append(place)
    _close(found, run)


def _same_run(
    before: Visual,
    visual: Visual,
    by_index: dict[int, tuple[int, Placed]],
    placed: Sequence[Placed],
) -> bool:
    if visual.owner is not None or visual.captioned.block.kind == "table":
        return False
    a, b = before.captioned.block, visual.captioned.block
    between = placed[by_index[a.index][0] + 1 : by_index[b.index][0]]
    used = {*before.captioned.extra, *visual.captioned.extra}
    quiet = all(i.block.index in used or i.block.kind in VISUAL_KINDS for i in between)
    return a.page == b.page and quiet


def _close(found: Visuals, run: list[int]) -> None:
    """Mark the group when exactly one member is labelled and the others are parts or bare."""
    leads = [p for p in run if found.items[p].captioned.label is not None]
    if len(run) < 2 or len(leads) != 1:
        return
    lead = leads[0]
    label = found.items[lead].captioned.label
    assert label is not None
    parts = [found.items[p].captioned.caption for p in run if p != lead]
    if any(text and part_of(label, text) is None for text in parts):
        return
    for place in run:
        visual = found.items[place]
        sub = part_of(label, visual.captioned.caption) if place != lead else None
        captioned = visual.captioned
        if sub is not None:
            text = f"{found.items[lead].captioned.label_text}({sub.sub})"
            captioned = relabelled(captioned, sub, text)
        found.items[place] = replace(visual, captioned=captioned, group=lead)
