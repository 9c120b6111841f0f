"""Figures: asset, caption, context, summary and description; decoration told apart."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core.chunk import Figure
from ..core.document import Block, DocumentRecord, ParsedDocument
from ..core.text import has_cjk
from . import images
from .structure import Placed
from .tables import markdown
from .visual_kinds import SLIDE
from .visuals import Visual

_CONTEXT = 150
_SHORT = 60
"""Characters below which the text before a picture says too little of it."""
_LINE = 0.04
"""Height of a line of words that a page holds as a picture."""
_TINY_SIDE = 24
_TINY_AREA = 0.004
_THIN = 12.0
_EDGE = 0.12
_EDGE_AREA = 0.03
_REPEATED_PAGES = 3
_TEXTUAL = frozenset({"text", "list", "equation", "code"})


@dataclass(frozen=True)
class Loaded:
    """A visual's picture: its bytes are read once and forgotten; `asset` is their address."""

    asset: str = ""
    size: tuple[int, int] | None = None
    data: bytes = b""


def load_all(visuals: Sequence[Visual], parsed: ParsedDocument) -> list[Loaded]:
    """The pictures of the visuals, each file read once."""
    seen: dict[str, Loaded] = {}
    return [_load(visual.image, parsed, seen) for visual in visuals]


def _load(name: str, parsed: ParsedDocument, seen: dict[str, Loaded]) -> Loaded:
    if not name:
        return Loaded()
    if name not in seen:
        source = parsed.images.get(name) or parsed.images.get(name.rsplit("/", 1)[-1])
        data = images.load(source)
        asset = images.asset_id(data)
        seen[name] = Loaded(asset, images.pixel_size(data), data) if asset else Loaded()
    return seen[name]


def decorations(visuals: Sequence[Visual], loaded: Sequence[Loaded]) -> set[int]:
    """Positions of logos, rules, tiny and repeated pictures; a caption makes a picture content."""
    pages: dict[str, set[int]] = {}
    for visual, picture in zip(visuals, loaded, strict=True):
        if picture.asset and visual.captioned.block.page:
            pages.setdefault(picture.asset, set()).add(visual.captioned.block.page)
    repeated = {asset for asset, seen in pages.items() if len(seen) >= _REPEATED_PAGES}
    drawn = {v.captioned.block.page for v in visuals if _is_slide(v)}
    return {
        place
        for place, (visual, picture) in enumerate(zip(visuals, loaded, strict=True))
        if _decorates(visual, picture, repeated) or _part_of_slide(visual, drawn)
    } | _doubles(visuals)


def _is_slide(visual: Visual) -> bool:
    return visual.captioned.block.meta.get("sub") == SLIDE


def _part_of_slide(visual: Visual, drawn: set[int | None]) -> bool:
    """Whether the whole slide is a picture already, of which this is a piece."""
    block = visual.captioned.block
    piece = block.kind == "image" and not visual.captioned.caption and not _is_slide(visual)
    return piece and block.page in drawn


def _decorates(visual: Visual, picture: Loaded, repeated: set[str]) -> bool:
    item = visual.captioned
    if item.block.kind != "image" or item.caption or visual.owner is not None:
        return False
    if not picture.asset or item.block.meta.get("formula"):
        return False
    if picture.asset in repeated or item.block.meta.get("sub") == "logo":
        return True
    return _small(picture.size) or _small_box(item.block)


def _small(size: tuple[int, int] | None) -> bool:
    if size is None:
        return True
    low, high = min(size), max(size)
    return low < _TINY_SIDE or high > low * _THIN


def _small_box(block: Block) -> bool:
    box = block.bbox
    if box is None:
        return False
    area = (box.x1 - box.x0) * (box.y1 - box.y0)
    if box.y1 - box.y0 < _LINE:
        return True
    at_edge = box.y1 <= _EDGE or box.y0 >= 1 - _EDGE
    return area < _TINY_AREA or (at_edge and area < _EDGE_AREA)


def _doubles(visuals: Sequence[Visual]) -> set[int]:
    """Uncaptioned pictures drawn twice at one place (a frame and its filling)."""
    seen: Counter[tuple[int | None, ...]] = Counter()
    found = set()
    for place, visual in enumerate(visuals):
        block = visual.captioned.block
        if block.kind != "image" or block.bbox is None or visual.captioned.caption:
            continue
        box = block.bbox
        key = (block.page, *(round(v * 50) for v in (box.x0, box.y0, box.x1, box.y1)))
        if seen[key]:
            found.add(place)
        seen[key] += 1
    return found


def contexts(
    visuals: Sequence[Visual], placed: Sequence[Placed], used: set[int]
) -> list[tuple[str, str]]:
    """The text before and after each visual, within its section first."""
    place_of = {item.block.index: place for place, item in enumerate(placed)}
    found = []
    for visual in visuals:
        place = place_of[visual.captioned.block.index]
        before = _lead(placed[max(0, place - 6) : place][::-1], visual, used)
        after = _nearest(placed[place + 1 : place + 7], visual, used)
        found.append((_tail(before), after[:_CONTEXT].strip()))
    return found


def _lead(items: Sequence[Placed], visual: Visual, used: set[int]) -> str:
    """The text before: a short line ("% of adults who …") with what it stands under."""
    lines: list[str] = []
    for item in items:
        if item.block.kind == "title":
            break
        text = " ".join(item.block.text.split())
        if item.block.kind not in _TEXTUAL or item.block.index in used or not text:
            continue
        if lines and item.block.page != visual.captioned.block.page:
            break
        lines.append(text)
        if sum(map(len, lines)) >= _SHORT:
            break
    return " ".join(reversed(lines))


def _nearest(items: Sequence[Placed], visual: Visual, used: set[int]) -> str:
    for item in items:
        if item.block.kind == "title":
            return ""
        if item.block.kind in _TEXTUAL and item.block.index not in used and item.block.text.strip():
            return " ".join(item.block.text.split())
    return ""


def _tail(text: str) -> str:
    return text[-_CONTEXT:].strip()


def summary(figure: Figure, *, chinese: bool) -> str:
    """The short form that is embedded: what it is, where it stands, what is said around it."""
    name = " ".join(filter(None, (_kind_word(figure.kind, chinese), _head(figure))))
    if chinese:
        where = f"位于「{figure.section_path}」" if figure.section_path else ""
        page = f"第{figure.page}页" if figure.page else ""
        place = "，".join(filter(None, (where, page)))
        around = [
            f"前文：{figure.context_before}" if figure.context_before else "",
            f"后文：{figure.context_after}" if figure.context_after else "",
        ]
        return " ".join(filter(None, (f"{name}：{place}" if place else name, *around)))
    where = f'in "{figure.section_path}"' if figure.section_path else ""
    page = f"page {figure.page}" if figure.page else ""
    place = ", ".join(filter(None, (where, page)))
    around = [
        f"Before: {figure.context_before}" if figure.context_before else "",
        f"After: {figure.context_after}" if figure.context_after else "",
    ]
    return " ".join(filter(None, (f"{name}: {place}" if place else name, *around)))


def _kind_word(kind: str, chinese: bool) -> str:
    if chinese:
        return {"table": "表格", "chart": "图表", "image": "图表"}[kind]
    return {"table": "Table", "chart": "Chart", "image": "Figure"}[kind]


def _head(figure: Figure) -> str:
    return figure.caption or figure.label_text


def description(figure: Figure, visual: Visual, *, chinese: bool) -> str:
    """What the writer sees: caption, notes, table, what the picture says, context."""
    words = (
        ("注", "前文", "后文", "图中文字")
        if chinese
        else ("Note", "Before", "After", "Text in the picture")
    )
    lines = [
        figure.caption,
        f"{words[0]}: {figure.footnote}" if figure.footnote else "",
        markdown(visual.table) if visual.table else "",
        f"{words[3]}: {visual.text}" if visual.text and visual.table is None else "",
        f"{words[1]}: {figure.context_before}" if figure.context_before else "",
        f"{words[2]}: {figure.context_after}" if figure.context_after else "",
    ]
    return "\n".join(filter(None, lines))


@dataclass(frozen=True)
class FigureMaker:
    """Makes the figures of one document; `record` names document, edition and collection."""

    record: DocumentRecord
    decoration: set[int]
    chinese: bool

    def make(
        self,
        place: int,
        visual: Visual,
        picture: Loaded,
        around: tuple[str, str],
        ids: Mapping[int, str],
    ) -> Figure:
        """One figure without its chunk and mentions."""
        item, section = visual.captioned, visual.placed.section
        block = item.block
        kind = "table" if block.kind == "table" else "chart" if block.kind == "chart" else "image"
        figure = Figure(
            figure_id=ids[place],
            doc_id=self.record.doc_id,
            edition=self.record.edition,
            collection=self.record.collection,
            doc_title=self.record.title,
            kind=kind,
            ordinal=place,
            label=item.label,
            label_text=item.label_text,
            caption=item.caption,
            caption_origin=item.origin,
            caption_confidence=item.confidence,
            footnote=item.footnote,
            section_path=section.path if section else "",
            page=block.page,
            page_end=visual.page_end,
            bbox=block.bbox,
            asset_id=picture.asset,
            available=bool(picture.asset) or (kind == "table" and visual.table is not None),
            decoration=place in self.decoration,
            html=visual.html,
            context_before=around[0],
            context_after=around[1],
            group=ids[visual.group] if visual.group is not None else "",
        )
        chinese = self.chinese or has_cjk(item.caption)
        return figure.model_copy(
            update={
                "summary": summary(figure, chinese=chinese),
                "description": description(figure, visual, chinese=chinese),
            }
        )
