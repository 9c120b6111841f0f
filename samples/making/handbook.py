"""Set the English handbook: a born-digital PDF with outline, page labels, figures and tables."""

from pathlib import Path

from making import handbook_charts, words_en
from making.canvas import paint, save_png, use_font
from making.script import Item, Script, table_grid
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    Image,
    KeepTogether,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

FRONT_PAGES = 2
WIDTH, HEIGHT = A4
TEXT_WIDTH = WIDTH - 56 * mm
_BODY, _HEAD = "Times-Roman", "Helvetica-Bold"
_STYLES = {
    "heading0": ParagraphStyle("h0", fontName=_HEAD, fontSize=26, leading=34, spaceAfter=18),
    "heading1": ParagraphStyle("h1", fontName=_HEAD, fontSize=18, leading=24, spaceAfter=12),
    "heading2": ParagraphStyle(
        "h2", fontName=_HEAD, fontSize=13.5, leading=18, spaceBefore=14, spaceAfter=7
    ),
    "text": ParagraphStyle(
        "text", fontName=_BODY, fontSize=11, leading=15.5, spaceAfter=7, alignment=4
    ),
    "bullets": ParagraphStyle(
        "bullets", fontName=_BODY, fontSize=11, leading=15.5, leftIndent=16, spaceAfter=3
    ),
    "caption": ParagraphStyle(
        "caption", fontName="Helvetica", fontSize=9.5, leading=13, alignment=1, spaceBefore=4
    ),
    "cell": ParagraphStyle("cell", fontName=_BODY, fontSize=10, leading=13),
}


class Heading(Paragraph):
    """A paragraph that puts itself into the PDF outline."""

    def __init__(self, item: Item, depth: int) -> None:
        super().__init__(item.text, _STYLES[f"heading{item.level}"])
        self.title, self.depth, self.keepWithNext = item.text, depth, 1

    def draw(self) -> None:
        key = "".join(c if c.isalnum() else "-" for c in self.title)
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(self.title, key, self.depth)
        super().draw()


def _roman(number: int) -> str:
    return ("i", "ii", "iii", "iv")[number - 1]


def _furnish(canvas: Canvas, _doc: BaseDocTemplate) -> None:
    page = canvas.getPageNumber()
    label = _roman(page) if page <= FRONT_PAGES else str(page - FRONT_PAGES)
    canvas.setFont("Helvetica", 8.5)
    canvas.setFillGray(0.35)
    canvas.drawCentredString(WIDTH / 2, 13 * mm, label)
    if page > 1:
        canvas.drawString(28 * mm, HEIGHT - 15 * mm, words_en.HEADER)
        canvas.setStrokeGray(0.75)
        canvas.line(28 * mm, HEIGHT - 17 * mm, WIDTH - 28 * mm, HEIGHT - 17 * mm)
    else:
        canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)
        canvas.addPageLabel(FRONT_PAGES, style="ARABIC", start=1)


def _table(item: Item) -> Table:
    grid, joined = table_grid(item.rows)
    cells = [[Paragraph(text, _STYLES["cell"]) for text in row] for row in grid]
    table = Table(cells, colWidths=[TEXT_WIDTH * share for share in item.widths])
    table.setStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.6, colors.HexColor("#5f6d79")),
            ("BACKGROUND", (0, 0), (-1, item.head - 1), colors.HexColor("#e3ecf3")),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("TOPPADDING", (0, 0), (-1, -1), 3),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 5),
            *(("SPAN", (x, y), (x1, y1)) for x, y, x1, y1 in joined),
        ]
    )
    return table


def _flow(item: Item, pictures: Path) -> list[Flowable]:
    if item.kind == "break":
        return [PageBreak()]
    if item.kind == "heading":
        heading = Heading(item, max(item.level - 1, 0))
        return [CondPageBreak(45 * mm), heading] if item.level == 2 else [heading]
    if item.kind == "bullets":
        return [Paragraph(point, _STYLES["bullets"]) for point in item.points] + [Spacer(1, 5)]
    if item.kind == "table":
        caption = Paragraph(item.text, _STYLES["caption"])
        block = [Spacer(1, 4), caption, Spacer(1, 5), _table(item), Spacer(1, 12)]
        return [KeepTogether(block)]
    if item.kind in {"chart", "image"}:
        path = pictures / f"{item.name}.png"
        save_png(paint(getattr(handbook_charts, item.name), (7.0, 3.9)), path)
        image = Image(str(path), width=TEXT_WIDTH, height=TEXT_WIDTH * 3.9 / 7.0)
        caption = Paragraph(item.text, _STYLES["caption"])
        return [KeepTogether([Spacer(1, 6), image, caption, Spacer(1, 14)])]
    return [Paragraph(item.text, _STYLES["text"])]


def make_handbook(path: Path, pictures: Path) -> None:
    """Write the PDF to `path`; `pictures` is a folder for the chart files it embeds."""
    use_font()
    script: Script = words_en.handbook()
    frame = Frame(28 * mm, 24 * mm, TEXT_WIDTH, HEIGHT - 46 * mm, 0, 0, 0, 0)
    document = BaseDocTemplate(
        str(path), pagesize=A4, title=words_en.TITLE, author="tuwen", subject="CC0", invariant=1
    )
    document.addPageTemplates([PageTemplate("page", [frame], onPageEnd=_furnish)])
    document.build([flow for item in script.items for flow in _flow(item, pictures)])
