"""Tables: HTML to a grid, to Markdown, and to parts that repeat the head."""

import re
from dataclasses import dataclass
from html import escape
from itertools import islice

from bs4 import BeautifulSoup
from bs4.element import Tag

from ..core.markup import parsable, span_of

_MAX_CELLS = 200_000
_MAX_SPAN = 200
_RUNAWAY = 40
_KEPT = 3
_MOST_LEVELS = 3
# A spanning cell's text is repeated in every cell that it spans, unless it is long.
_REPEATED_CHARS = 24
# The same non-empty cell again and again: what a parser makes of a table turned by 90 degrees.
_AGAIN = rf"(?:\1){{{_RUNAWAY - 1},}}"
_REPEATED_CELL = re.compile(r"(<t(?P<t>[dh])\b[^>]*>\s*[^<\s][^<]{0,200}</t(?P=t)>\s*)" + _AGAIN)
_REPEATED_ROW = re.compile(r"(<tr\b[^>]*>(?:(?!</tr>).){1,2000}</tr>\s*)" + _AGAIN)


@dataclass(frozen=True)
class Table:
    """Cells by row with spans filled in, and the pictures that cells hold.

    `rows[:head]` are head rows. Every row has the same number of cells.
    """

    rows: tuple[tuple[str, ...], ...]
    head: int
    pictures: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether no cell holds text."""
        return not any(cell for row in self.rows for cell in row)


def cut_runaway(html: str) -> tuple[str, bool]:
    """The HTML with runaway repetitions of one cell or row cut to a few, and whether any was."""
    cut = _REPEATED_CELL.sub(lambda m: m.group(1) * _KEPT, html)
    cut = _REPEATED_ROW.sub(lambda m: m.group(1) * _KEPT, cut)
    return cut, cut != html


def read_table(html: str) -> Table:
    """Parse the first table of `html`; nested tables become text of their cell."""
    page = BeautifulSoup(parsable(html), "html.parser")
    root = page.find("table") or page
    pictures = [str(img.get("src") or "") for img in root.find_all("img")]
    rows = [row for row in root.find_all("tr") if row.find_parent("table") in (root, None)]
    head = sum(1 for row in rows if row.find("th") and not row.find("td"))
    grid = _grid(rows)
    head = max(head, _levels(rows))
    return Table(grid, min(max(head, 1), len(grid)), tuple(src for src in pictures if src))


def _levels(rows: list[Tag]) -> int:
    """Rows of a head in levels: each cell of the first row spans all of them or heads several
    columns; 0: the first row is none such."""
    first = rows[0].find_all(["td", "th"], recursive=False) if rows else []
    spans = [(_span(cell, "rowspan"), _span(cell, "colspan")) for cell in first]
    high = max((down for down, _ in spans), default=0)
    wide = any(across > 1 for _, across in spans)
    fits = 1 < high <= min(_MOST_LEVELS, len(rows) - 1) and spans[0][0] == high
    whole = all(down == high or (down < high and across > 1) for down, across in spans)
    return high if wide and fits and whole else 0


def _grid(rows: list[Tag]) -> tuple[tuple[str, ...], ...]:
    filled: dict[tuple[int, int], str] = {}
    for y, row in enumerate(rows):
        x = 0
        for cell in row.find_all(["td", "th"], recursive=False):
            while (y, x) in filled:
                x += 1
            text, wide, high = _cell(cell)
            for dy in range(min(high, len(rows) - y)):
                for dx in range(wide):
                    again = dy or dx
                    own = "" if again and len(text) > _REPEATED_CHARS else text
                    filled.setdefault((y + dy, x + dx), own)
            x += wide
        if len(filled) > _MAX_CELLS:
            break
    width = max((x for _, x in filled), default=-1) + 1
    height = max((y for y, _ in filled), default=-1) + 1
    return tuple(tuple(filled.get((y, x), "") for x in range(width)) for y in range(height))


def _cell(cell: Tag) -> tuple[str, int, int]:
    text = re.sub(r"\s+", " ", cell.get_text(" ")).strip()
    return text, _span(cell, "colspan"), _span(cell, "rowspan")


def _span(cell: Tag, name: str) -> int:
    return span_of(cell.get(name), _MAX_SPAN)


def row_line(row: tuple[str, ...]) -> str:
    """A row as a line of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def markdown(table: Table) -> str:
    """The whole table as Markdown."""
    return "\n".join(_lines(table))


def _lines(table: Table) -> list[str]:
    if not table.rows:
        return []
    rule = "|" + "---|" * len(table.rows[0])
    body = [row_line(row) for row in table.rows]
    return [*body[: table.head], rule, *body[table.head :]]


def html_of(rows: tuple[tuple[str, ...], ...], head: int) -> str:
    """Plain HTML of rows."""
    lines = []
    for index, row in enumerate(rows):
        tag = "th" if index < head else "td"
        lines.append("<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in row) + "</tr>")
    return "<table>" + "".join(lines) + "</table>"


def split_rows(table: Table, size: int) -> list[Table]:
    """Parts whose Markdown is at most `size` characters, each with the head; rows stay whole.

    A head that would fill half of a part is not repeated. A single row longer than `size` is a part
    of its own.
    """
    if len(markdown(table)) <= size:
        return [table]
    head = table.rows[: table.head]
    cost = sum(len(row_line(row)) + 1 for row in head) + 4 * len(table.rows[0]) + 2
    repeat = cost <= size // 2
    parts: list[Table] = []
    body = list(table.rows[table.head :] if repeat else table.rows)
    room = size - (cost if repeat else 4 * len(table.rows[0]) + 2)
    while body:
        take = _fitting(body, room)
        rows = (*head, *islice(body, take)) if repeat else tuple(body[:take])
        parts.append(Table(rows, table.head if repeat else 1))
        body = body[take:]
    return parts


def _fitting(body: list[tuple[str, ...]], room: int) -> int:
    used = 0
    for count, row in enumerate(body):
        used += len(row_line(row)) + 1
        if used > room and count:
            return count
    return len(body)
