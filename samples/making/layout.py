"""Lay a report out on A4 pages and note where each block landed, as a layout parser would see it.

The pages are really set (reportlab), so the boxes are true; the content list that comes out has
the shape of MinerU 3's `*_content_list.json`: boxes on a 0-1000 scale, `page_idx` from 0.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from making.canvas import save_jpeg
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph

WIDTH, HEIGHT = A4
Entry = dict[str, Any]


def image_name(label: str) -> str:
    """A file name as MinerU gives it: 64 hexadecimal digits; kept stable by hashing the label."""
    return f"images/{hashlib.sha256(label.encode()).hexdigest()}.jpg"


@dataclass
class Furniture:
    """What each page carries outside its running text."""

    header: str
    footer: str
    font: str
    notes: dict[int, str] = field(default_factory=dict)


class Recorder:
    """Collects entries while pages are drawn; `content_list` puts them in reading order."""

    def __init__(self, furniture: Furniture) -> None:
        self.furniture = furniture
        self.pages: dict[int, list[Entry]] = {}
        self.pending_note = ""

    def add(self, page: int, entry: Entry, box: tuple[float, float, float, float]) -> None:
        """`box` is left, bottom, right, top in points from the lower left corner."""
        left, bottom, right, top = box
        scaled = [left / WIDTH, 1 - top / HEIGHT, right / WIDTH, 1 - bottom / HEIGHT]
        entry = entry | {"bbox": [round(1000 * v) for v in scaled], "page_idx": page - 1}
        self.pages.setdefault(page, []).append(entry)

    def content_list(self) -> list[Entry]:
        return [entry for page in sorted(self.pages) for entry in self.pages[page]]

    def furnish(self, canvas: Canvas, _doc: BaseDocTemplate) -> None:
        """Draw and record header, footnote, footer and page number of the page just set."""
        page, look = canvas.getPageNumber(), self.furniture
        canvas.setFillGray(0.35)
        canvas.setStrokeGray(0.75)
        if page > 1:
            self._line(canvas, "header", look.header, (28 * mm, HEIGHT - 16 * mm))
            canvas.line(28 * mm, HEIGHT - 18 * mm, WIDTH - 28 * mm, HEIGHT - 18 * mm)
        if self.pending_note:
            canvas.line(28 * mm, 28.5 * mm, 70 * mm, 28.5 * mm)
            self._line(canvas, "page_footnote", self.pending_note, (28 * mm, 24 * mm))
            self.pending_note = ""
        self._line(canvas, "footer", look.footer, (28 * mm, 13 * mm))
        self._line(canvas, "page_number", str(page), (WIDTH - 31 * mm, 13 * mm))

    def _line(self, canvas: Canvas, kind: str, text: str, at: tuple[float, float]) -> None:
        size = 8.5
        canvas.setFont(self.furniture.font, size)
        canvas.drawString(*at, text)
        wide = canvas.stringWidth(text, self.furniture.font, size)
        box = (at[0], at[1] - 2, at[0] + wide, at[1] + size)
        self.add(canvas.getPageNumber(), {"type": kind, "text": text}, box)


class Recorded(Flowable):
    """A flowable that is never split and tells the recorder where it was drawn."""

    def __init__(self, inner: Flowable, entry: Entry, recorder: Recorder, note: str = "") -> None:
        super().__init__()
        self.inner, self.entry, self.recorder, self.note = inner, entry, recorder, note
        self.hAlign = getattr(inner, "hAlign", "LEFT")
        style = getattr(inner, "style", None)
        self.spaceBefore = getattr(style, "spaceBefore", 0)
        self.spaceAfter = getattr(style, "spaceAfter", 0)
        self.keepWithNext = getattr(style, "keepWithNext", 0)

    def getSpaceBefore(self) -> float:
        return float(self.spaceBefore)

    def getSpaceAfter(self) -> float:
        return float(self.spaceAfter)

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        self.width, self.height = self.inner.wrap(available_width, available_height)
        return self.width, self.height

    def draw(self) -> None:
        left, bottom = self.canv.absolutePosition(0, 0)
        self.inner.drawOn(self.canv, 0, 0)
        box = (left, bottom, left + self.width, bottom + self.height)
        self.recorder.add(self.canv.getPageNumber(), self.entry, box)
        if self.note:
            self.recorder.pending_note = self.note


def build_pdf(story: Sequence[Flowable], recorder: Recorder, path: Path, title: str) -> None:
    """Set the pages; identical input gives identical bytes."""
    frame = Frame(28 * mm, 30 * mm, WIDTH - 56 * mm, HEIGHT - 52 * mm, 0, 0, 0, 0)
    template = PageTemplate("page", [frame], onPageEnd=recorder.furnish)
    document = BaseDocTemplate(str(path), pagesize=A4, title=title, author="tuwen", invariant=1)
    document.addPageTemplates([template])
    document.build(list(story))


def crop_tables(pdf: Path, entries: Sequence[Entry], folder: Path) -> None:
    """Save the picture of each table and equation, cut from the page at 144 dots an inch."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    for entry in entries:
        if entry["type"] not in {"table", "equation"}:
            continue
        page = document[entry["page_idx"]].render(scale=2).to_pil().convert("RGB")
        x0, y0, x1, y1 = entry["bbox"]
        wide, high = page.size
        box = (x0 * wide // 1000, y0 * high // 1000, -(-x1 * wide // 1000), -(-y1 * high // 1000))
        save_jpeg(page.crop(box), folder / entry["img_path"])
    document.close()


def paragraph_style(name: str, font: str, **more: Any) -> ParagraphStyle:
    """A paragraph style that breaks lines between Chinese characters."""
    return ParagraphStyle(name, fontName=font, wordWrap="CJK", **more)


def markup(text: str, style: ParagraphStyle) -> Paragraph:
    """A paragraph of plain text."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Paragraph(escaped, style)
