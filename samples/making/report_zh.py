"""Set the Chinese report and write it as a MinerU output folder."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from making import charts_zh, layout, words_zh
from making.canvas import paint, save_jpeg, use_font
from making.fonts import truetype_subset
from making.script import Item, Script, table_grid, table_html
from matplotlib.figure import Figure
from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    Image,
    KeepTogether,
    PageBreak,
    Spacer,
    Table,
)

TEXT_WIDTH = layout.WIDTH - 56 * mm
_SIZES: dict[str, tuple[float, float]] = {
    "level": (7.2, 3.9),
    "dam": (7.2, 4.3),
    "gate": (7.2, 4.4),
    "steps": (7.2, 3.4),
}
_HEAD, _BODY = "Sans", "Serif"
_STYLES = {
    "heading0": layout.paragraph_style(
        "h0", _HEAD, fontSize=24, leading=34, alignment=1, spaceBefore=96, spaceAfter=30
    ),
    "heading1": layout.paragraph_style(
        "h1", _HEAD, fontSize=17, leading=24, spaceBefore=6, spaceAfter=12, keepWithNext=1
    ),
    "heading2": layout.paragraph_style(
        "h2", _HEAD, fontSize=13, leading=19, spaceBefore=12, spaceAfter=6, keepWithNext=1
    ),
    "heading3": layout.paragraph_style(
        "h3", _HEAD, fontSize=11.5, leading=17, spaceBefore=8, spaceAfter=5, keepWithNext=1
    ),
    "text": layout.paragraph_style(
        "text", _BODY, fontSize=10.8, leading=18.5, firstLineIndent=21.6, spaceAfter=5
    ),
    "list": layout.paragraph_style("list", _BODY, fontSize=10.8, leading=19, leftIndent=12),
    "caption": layout.paragraph_style(
        "caption", _HEAD, fontSize=9.5, leading=14, alignment=1, spaceBefore=4, spaceAfter=4
    ),
    "note": layout.paragraph_style("note", _BODY, fontSize=8.8, leading=13, spaceAfter=8),
    "cell": layout.paragraph_style("cell", _BODY, fontSize=9.3, leading=13.5, alignment=1),
}


class Setter:
    """Turns the items of a script into flowables and content-list entries."""

    def __init__(self, recorder: layout.Recorder, folder: Path) -> None:
        self.recorder, self.folder = recorder, folder

    def _recorded(self, inner: Flowable, entry: dict[str, Any], note: str = "") -> layout.Recorded:
        return layout.Recorded(inner, entry, self.recorder, note)

    def heading(self, item: Item) -> list[Flowable]:
        entry = {"type": "text", "text": item.text, "text_level": max(item.level, 1)}
        flow = self._recorded(layout.markup(item.text, _STYLES[f"heading{item.level}"]), entry)
        return [CondPageBreak(60 * mm), flow] if item.level == 2 else [flow]

    def text(self, item: Item) -> list[Flowable]:
        entry = {"type": "text", "text": item.text}
        return [self._recorded(layout.markup(item.text, _STYLES["text"]), entry, item.note)]

    def bullets(self, item: Item) -> list[Flowable]:
        entry = {"type": "list", "sub_type": "text", "list_items": list(item.points)}
        rows = [[layout.markup(point, _STYLES["list"])] for point in item.points]
        table = Table(rows, colWidths=[TEXT_WIDTH])
        table.setStyle(
            [("TOPPADDING", (0, 0), (-1, -1), 1), ("BOTTOMPADDING", (0, 0), (-1, -1), 1)]
        )
        return [self._recorded(table, entry), Spacer(1, 6)]

    def picture(self, item: Item) -> list[Flowable]:
        name = layout.image_name(item.text)
        size = _SIZES.get(item.name, (7.2, 3.7))
        save_jpeg(paint(getattr(charts_zh, item.name), size), self.folder / name)
        wide = TEXT_WIDTH * 0.94
        image = Image(str(self.folder / name), width=wide, height=wide * size[1] / size[0])
        notes = [item.note] if item.note else []
        entry = {"type": item.kind, "img_path": name}
        entry |= {"content": ""} if item.kind == "chart" else {}
        entry |= {f"{item.kind}_caption": [item.text], f"{item.kind}_footnote": notes}
        below = [layout.markup(text, _STYLES["note"]) for text in notes]
        caption = layout.markup(item.text, _STYLES["caption"])
        return [KeepTogether([self._recorded(image, entry), caption, *below]), Spacer(1, 6)]

    chart = image = picture

    def table(self, item: Item) -> list[Flowable]:
        grid, joined = table_grid(item.rows)
        cells = [[layout.markup(text, _STYLES["cell"]) for text in row] for row in grid]
        table = Table(cells, colWidths=[TEXT_WIDTH * share for share in item.widths])
        table.setStyle(
            [
                ("GRID", (0, 0), (-1, -1), 0.5, colors.HexColor("#9aa7b2")),
                ("BACKGROUND", (0, 0), (-1, item.head - 1), colors.HexColor("#e9eff4")),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
                *(("SPAN", (x, y), (x1, y1)) for x, y, x1, y1 in joined),
            ]
        )
        notes = [item.note] if item.note else []
        entry = {
            "type": "table",
            "img_path": layout.image_name(item.text),
            "table_caption": [item.text],
            "table_footnote": notes,
            "table_body": table_html(item.rows),
        }
        caption = layout.markup(item.text, _STYLES["caption"])
        below = [layout.markup(text, _STYLES["note"]) for text in notes]
        return [KeepTogether([caption, self._recorded(table, entry), *below]), Spacer(1, 6)]

    def equation(self, item: Item) -> list[Flowable]:
        name = layout.image_name(item.text)

        def draw(figure: Figure) -> None:
            figure.text(0.5, 0.5, f"${item.name}$", fontsize=19, ha="center", va="center")

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "equation.png"
            paint(draw, (5.0, 0.75), dpi=200).save(path)
            image = Image(str(path), width=75 * mm, height=75 * mm * 0.15, lazy=0)
        text = f"$$\n{item.text}\n$$"
        entry = {"type": "equation", "img_path": name, "text": text, "text_format": "latex"}
        return [self._recorded(image, entry), Spacer(1, 8)]

    def flowables(self, script: Script) -> list[Flowable]:
        story: list[Flowable] = []
        for item in script.items:
            story += [PageBreak()] if item.kind == "break" else getattr(self, item.kind)(item)
        return story


def _register_fonts(characters: str, folder: Path) -> None:
    import pylopdf_fonts_zh_cn

    home = Path(pylopdf_fonts_zh_cn.__file__).parent
    use_font(home / "NotoSansSC-Regular.otf")
    for name, file in ((_HEAD, "NotoSansSC-Regular"), (_BODY, "NotoSerifSC-Regular")):
        target = folder / f"{file}.ttf"
        truetype_subset(home / f"{file}.otf", characters, target)
        pdfmetrics.registerFont(TTFont(name, str(target)))


def make_report(samples: Path, *, keep_pdf: bool = False) -> None:
    """Write `samples/青川河水情年报/`: the content list and its pictures."""
    folder = samples / words_zh.NAME
    shutil.rmtree(folder, ignore_errors=True)
    script = words_zh.report()
    furniture = layout.Furniture(words_zh.HEADER, words_zh.FOOTER, _HEAD)
    characters = script.characters() + words_zh.HEADER + words_zh.FOOTER
    with tempfile.TemporaryDirectory() as work:
        _register_fonts(characters, Path(work))
        recorder = layout.Recorder(furniture)
        pdf = Path(work) / "origin.pdf"
        layout.build_pdf(Setter(recorder, folder).flowables(script), recorder, pdf, words_zh.HEADER)
        entries = recorder.content_list()
        layout.crop_tables(pdf, entries, folder)
        if keep_pdf:
            shutil.copy(pdf, samples / f"{words_zh.NAME}.pdf")
    target = folder / f"{words_zh.NAME}_content_list.json"
    target.write_text(json.dumps(entries, ensure_ascii=False, indent=4) + "\n", encoding="utf-8")
