"""What a report says, before it is set: headings, paragraphs, lists, pictures, tables, formulas."""

from dataclasses import dataclass, field
from html import escape
from typing import Literal

Cell = str | tuple[str, int, int]
"""Text, or (text, rowspan, colspan)."""
Rows = list[list[Cell]]


@dataclass(frozen=True)
class Item:
    """One block. `text` is the words, the caption or the LaTeX; `name` the picture to draw."""

    kind: Literal["heading", "text", "bullets", "chart", "image", "table", "equation", "break"]
    text: str = ""
    level: int = 0
    name: str = ""
    note: str = ""
    points: tuple[str, ...] = ()
    rows: Rows = field(default_factory=list)
    widths: tuple[float, ...] = ()
    head: int = 1


@dataclass
class Script:
    """A document under construction."""

    items: list[Item] = field(default_factory=list)

    def heading(self, level: int, text: str) -> None:
        self.items.append(Item("heading", text, level=level))

    def text(self, *paragraphs: str, note: str = "") -> None:
        """`note` becomes a footnote of the page on which the last paragraph lands."""
        for text in paragraphs:
            self.items.append(Item("text", text, note=note if text is paragraphs[-1] else ""))

    def points(self, *points: str) -> None:
        self.items.append(Item("bullets", points=points))

    def picture(
        self, kind: Literal["chart", "image"], name: str, caption: str, note: str = ""
    ) -> None:
        self.items.append(Item(kind, caption, name=name, note=note))

    def table(
        self, caption: str, rows: Rows, widths: tuple[float, ...], head: int = 1, note: str = ""
    ) -> None:
        """`widths` are shares of the text width; `head` counts header rows."""
        self.items.append(Item("table", caption, rows=rows, widths=widths, head=head, note=note))

    def equation(self, latex: str, name: str) -> None:
        self.items.append(Item("equation", latex, name=name))

    def page(self) -> None:
        self.items.append(Item("break"))

    def characters(self) -> str:
        """Every character used, in order of first use, to choose a font's glyphs."""
        parts: list[str] = []
        for item in self.items:
            parts += [item.text, item.note, *item.points]
            parts += [cell if isinstance(cell, str) else cell[0] for r in item.rows for cell in r]
        return "".join(dict.fromkeys("".join(parts)))


def spans(cell: Cell) -> tuple[str, int, int]:
    """(text, rowspan, colspan) of a cell."""
    return (cell, 1, 1) if isinstance(cell, str) else cell


def table_html(rows: Rows) -> str:
    """One line of HTML as MinerU writes it: no thead, spans as attributes."""
    lines = []
    for row in rows:
        cells = []
        for cell in row:
            text, down, across = spans(cell)
            attributes = (f' rowspan="{down}"' if down > 1 else "") + (
                f' colspan="{across}"' if across > 1 else ""
            )
            cells.append(f"<td{attributes}>{escape(text)}</td>")
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return "<table>" + "".join(lines) + "</table>"


def table_grid(rows: Rows) -> tuple[list[list[str]], list[tuple[int, int, int, int]]]:
    """The full grid of texts and the spans as (column, row, last column, last row)."""
    taken: dict[tuple[int, int], str] = {}
    joined = []
    for y, row in enumerate(rows):
        x = 0
        for cell in row:
            while (x, y) in taken:
                x += 1
            text, down, across = spans(cell)
            for dy in range(down):
                for dx in range(across):
                    taken[x + dx, y + dy] = text if not dx and not dy else ""
            if down > 1 or across > 1:
                joined.append((x, y, x + across - 1, y + down - 1))
            x += across
    columns = 1 + max(x for x, _ in taken)
    return [[taken[x, y] for x in range(columns)] for y in range(len(rows))], joined
