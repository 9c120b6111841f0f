"""Blocks from what docvortex yields: kinds, texts, pictures, and text that its layout lost."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from typing import Any

from ...core.document import BBox, Block, BlockKind
from ..chunkers.place import NOTES
from ..clean import dehyphenate
from .aligned_tables import has_figures, with_aligned_tables
from .inner_captions import with_inner_captions
from .line_numbers import without_line_numbers
from .pdf import PageTexts, PdfFacts
from .respace import lost_text, respaced

_KINDS: dict[str, BlockKind] = {
    "text": "text",
    "ref_text": "text",
    "doc_title": "title",
    "paragraph_title": "title",
    "header": "header",
    "footer": "footer",
    "page_number": "page_number",
    "aside_text": "aside",
    "page_footnote": "footnote",
    "equation": "equation",
    "list": "list",
    "index": "toc",
    "image": "image",
    "table": "table",
    "chart": "chart",
    "code": "code",
}
_TABLED = re.compile(r"\s*<table\b", re.I)
# What office programs write as a picture's description where nobody wrote one.
_UNSAID = re.compile(
    r"\s*(?:[^\n]{1,120}\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)"
    r"|(?:picture|image|图片|图像)\s*\d*)\s*",
    re.I,
)
_NUMBER_LINE = re.compile(r"^\s*[-—–]?\s*\d{1,4}\s*[-—–]?\s*$")


@dataclass
class Gathered:
    """Blocks of all page windows, numbered through."""

    blocks: list[Block] = field(default_factory=list)
    images: dict[str, str | bytes] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    recovered: list[int] = field(default_factory=list)

    def take(
        self,
        result: Any,
        *,
        paged: bool,
        facts: PdfFacts | None,
        texts: PageTexts | None = None,
    ) -> None:
        """Add a result's pages; `facts` and `texts` are the PDF's own, for repairs."""
        assets: dict[str, bytes] = dict(result.assets)
        landscape = _landscape(result)
        for page in result.middle_json.pages:
            number = page.page_idx + 1 if paged else None
            raw = facts.texts[page.page_idx] if facts else ""
            start = len(self.blocks)
            for block in page.blocks:
                entry = block.model_dump(mode="json")
                if texts and entry["type"] == "equation" and not entry.get("content"):
                    entry["text"] = texts.inside(page.page_idx, entry.get("bbox"))
                self._add(entry, number, assets, raw)
            if texts:
                inside = partial(texts.inside, page.page_idx)
                own = without_line_numbers(self.blocks[start:])
                own = with_inner_captions(own, inside)
                if has_figures(raw):
                    own = with_aligned_tables(own, *texts.words(page.page_idx))
                self.blocks[start:] = own
            self.blocks[start:] = map(_with_cells, self.blocks[start:])
            if number is not None and raw:
                self._recover(number, raw)
        if landscape and self.blocks:
            self._mark_landscape()

    def _mark_landscape(self) -> None:
        meta = {**self.blocks[0].meta, "landscape": True}
        self.blocks[0] = self.blocks[0].model_copy(update={"meta": meta})

    def insert(self, blocks: Sequence[Block]) -> None:
        """Put blocks of other pages where their pages belong; all are numbered anew."""
        wide = any(block.meta.get("landscape") for block in self.blocks[:1])
        merged = sorted([*self.blocks, *blocks], key=lambda block: block.page or 0)
        self.blocks = [b.model_copy(update={"index": n}) for n, b in enumerate(merged)]
        if wide:
            self._mark_landscape()

    def _recover(self, page: int, raw: str) -> None:
        """Lines of the page that layout analysis lost, when they are many, as plain text."""
        own = [block for block in self.blocks if block.page == page]
        lost = lost_text(raw, own)
        if lost:
            self.recovered.append(page)
        for paragraph in lost:
            block = Block(
                index=len(self.blocks), kind="text", text=dehyphenate(paragraph), page=page
            )
            self.blocks.append(block.model_copy(update={"raw_type": "recovered"}))

    def plain(self, facts: PdfFacts, first: int, last: int) -> None:
        """Add the pages' raw text, where there is no layout."""
        for page in range(first, last + 1):
            for paragraph in re.split(r"\n\s*\n", facts.texts[page - 1].replace("\r\n", "\n")):
                if paragraph.strip():
                    self.blocks.append(
                        Block(
                            index=len(self.blocks),
                            kind="text",
                            text=dehyphenate(paragraph.strip()),
                            page=page,
                        )
                    )

    def _add(
        self, entry: dict[str, Any], page: int | None, assets: dict[str, bytes], raw: str
    ) -> None:
        kind = _KINDS.get(entry["type"], "unknown")
        body = _children(entry, "_body")
        if kind == "chart" and _TABLED.match(str(body[0].get("content") if body else "")):
            kind = "table"  # the numbers that an office file draws its chart from
        image = str(entry.get("image_path") or (body[0].get("image_path") if body else "") or "")
        if image in assets:
            self.images[f"p{page}-{image}" if page is None else image] = assets[image]
        content = body[0].get("content") if body else entry.get("content")
        text = respaced(_lines(content, kind), raw) or entry.get("text", "")
        html = str(content or "") if kind == "table" else ""
        if kind == "text" and page and _NUMBER_LINE.match(text) and _at_edge(entry.get("bbox")):
            kind = "page_number"
        self.blocks.append(
            Block(
                index=len(self.blocks),
                kind=kind,
                text="" if kind in ("table", "image") else text,
                html=html,
                latex=text if kind == "equation" else "",
                image=(f"p{page}-{image}" if page is None else image) if image in assets else "",
                captions=_notes(entry, "_caption"),
                footnotes=_notes(entry, "_footnote"),
                page=page,
                bbox=_bbox(entry.get("bbox")),
                level=entry.get("level") if kind == "title" else None,
                raw_type=entry["type"],
                meta=_meta(entry, kind, text),
            )
        )


def _with_cells(block: Block) -> Block:
    """A table that is set in columns by blanks, without a tag, as an HTML table."""
    if not block.html.strip() or re.search(r"<t[rdh]\b", block.html, re.I):
        return block
    lines = [line.strip() for line in block.html.splitlines() if line.strip()]
    rows = [re.split(r"\s{2,}|\t", line) for line in lines]
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    html = f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
    return block.model_copy(update={"html": html})


def _landscape(result: Any) -> bool:
    """Whether most pages are wider than high, as slides are."""
    layout = (result.middle_json.extensions or {}).get("docvortex_layout") or {}
    sizes = [(p["width_pt"], p["height_pt"]) for p in layout.get("pages", [])]
    wide = sum(1 for width, height in sizes if width > 1.15 * height)
    return len(sizes) > 3 and wide * 5 > len(sizes) * 4


def _meta(entry: dict[str, Any], kind: str, text: str) -> dict[str, Any]:
    meta: dict[str, Any] = {}
    if entry.get("continues_prev"):
        meta["continues"] = True
    if kind == "image" and text and not _UNSAID.fullmatch(text):
        meta["text_in_picture"] = text
    if notes := [note for note in _boxed_notes(entry) if note["text"]]:
        meta[NOTES] = notes
    return meta


def _at_edge(bbox: Any) -> bool:
    return bool(bbox) and (bbox[1] > 0.88 or bbox[3] < 0.1)


def _children(entry: dict[str, Any], ending: str) -> list[dict[str, Any]]:
    content = entry.get("content")
    if not isinstance(content, list):
        return []
    return [c for c in content if isinstance(c, dict) and str(c.get("type", "")).endswith(ending)]


def _notes(entry: dict[str, Any], ending: str) -> tuple[str, ...]:
    texts = (_lines(child.get("content"), "text") for child in _children(entry, ending))
    return tuple(text for text in texts if text)


def _boxed_notes(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in [*_children(entry, "_caption"), *_children(entry, "_footnote")]:
        if (box := _bbox(child.get("bbox"))) is not None:
            text = " ".join(_lines(child.get("content"), "text").split())
            yield {"text": text, "bbox": box.model_dump()}


def _lines(content: Any, kind: str) -> str:
    """Plain text of strings, spans and nested list items."""
    if isinstance(content, str):
        body = content.strip("\n")
        return f"$$\n{body.strip().strip('$').strip()}\n$$" if kind == "equation" and body else body
    if not isinstance(content, list):
        return ""
    if kind in ("list", "toc"):
        return "\n".join(
            filter(None, (_lines(item.get("content"), _sub(item)) for item in content))
        )
    return "".join(_spans(content)).strip()


def _sub(item: dict[str, Any]) -> str:
    return "list" if item.get("type") in ("list", "index") else "text"


def _spans(spans: list[Any]) -> Iterator[str]:
    for span in spans:
        inner = span.get("content")
        text = inner if isinstance(inner, str) else "".join(_spans(inner or []))
        if span.get("type") == "equation_inline" and text:
            yield f" ${text.strip().strip('$')}$ "
        else:
            yield text


def _bbox(value: Any) -> BBox | None:
    if not value:
        return None
    x0, y0, x1, y1 = value
    return BBox(x0=x0, y0=y0, x1=x1, y1=y1)
