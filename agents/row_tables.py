"""The rows of statements: each with the section that it stands under and the periods it is given
for, also where a table goes on without its head."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, takewhile
from typing import NamedTuple

from ..core.text import has_cjk
from .extractive_heads import Grid, column_heads, header_rows
from .extractive_values import number
from .row_words import same_across

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_YEAR_SAID = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)\s*年?度?")
_BARE_YEARS = re.compile(r"(?:19|20)\d{2}(?:\s+(?:19|20)\d{2})*")
_DAY = re.compile(r"(?:19|20)\d{2}\s*[年\-./]?\s*(?:\d{1,2}\s*[月\-./]\s*\d{1,2}\s*日?)?")
_TOTAL_ZH = re.compile(r"合计数?|总计|总额|小计|总和|总")
_PART = re.compile(
    r"\d\s*[-–~至到]\s*\d+\s*月|季度|半年|\b(?:Q[1-4]|quarter|months|half|[1-4]\d weeks)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(r"0?1月0?1日|年初|\bJanuary 1\b|-0?1-0?1(?!\d)")
_OTHER_FIGURE = re.compile(
    r"[率%％]|占比|比[例重]|增减|同比|变动|\b(?:change|percent(?:age)?|growth|vs)\b", re.IGNORECASE
)
_TOTAL_EN = frozenset({"total", "totals", "sum", "overall", "aggregate"})
_COUNTS = re.compile(r"的|数量|人数|数目|数")
_EXTRA = 2
_SPENT_EN = frozenset({"expense", "cost"})
"""What the items of costs are called in a question and not in their rows."""
_FILLERS_EN = frozenset(
    {"the", "of", "a", "an", "s", "our", "its", "company", "and", "for", "in", "from", "by"}
    | {"to", "at", "on", "number"}
)
_NUMBERING = re.compile(
    r"^\s*(?:[(（]?[一二三四五六七八九十\d]{1,3}[)）、.．]\s*|(?:其中|减|加|其中项)\s*[:：]\s*|[-*•·]\s*)+"
)
_BRACKETS = re.compile(r"[(（\[][^)）\]]*[)）\]]")
_MARKS = re.compile(r"[\W_]+")
SAME, TOTAL, INSIDE = 3.0, 2.0, 1.0
"""How well a row's label is the item asked for: in the same words, but for "total", with words that
its section or its table says."""


class TableAt(NamedTuple):
    """A table with the section that holds it, the lines that lead to it, and the years that stand
    in lines of their own above it, where its reader left them out of it."""

    grid: Grid
    section: str
    lead: str = ""
    years: tuple[str, ...] = ()


class Row(NamedTuple):
    """A row of figures: its label as written, the label of the section above it, its figures with
    the head of each column, the section of the document and what stands over the table, and the
    tables (of those given) that hold its heads and the row."""

    label: str
    section: str
    cells: tuple[tuple[str, str], ...]
    within: str
    about: str
    places: tuple[int, int]
    summed: bool = False
    """Whether its table has a row that sums up others, as statements do."""

    @property
    def dated(self) -> bool:
        """Whether any of its figures stands below a year."""
        return any(_YEAR.search(head) for head, _ in self.cells)

    @property
    def years(self) -> dict[str, tuple[str, str]]:
        """The head and the figure of each year that a head names: of a whole year before a part
        of one, and never a share or a change."""
        whole = [c for c in self.cells if not is_part(c[0])]
        found: dict[str, tuple[str, str]] = {}
        for head, value in (*whole, *self.cells):
            if _OTHER_FIGURE.search(head) or _OPENING.search(head):
                continue
            for year in _YEAR.findall(head)[:1]:
                found.setdefault(year, (head, value))
        return found


class _Head(NamedTuple):
    """The heads of columns that rows stand under, and the table that has them."""

    heads: list[str]
    place: int
    section: str


def rows_of_figures(tables: Sequence[TableAt]) -> Iterator[Row]:
    """The rows of the tables, which stand in the order of the document. A table without a head of
    periods goes on with that of the one before it, of the same width and section."""
    known: _Head | None = None
    section = ""
    for place, table in enumerate(tables):
        known, body, goes_on = _headed(table, place, known)
        section = section if goes_on else ""
        summed = any(is_total(_split(row)[0]) for row in body)
        for row in body:
            name, values = _split(row)
            heads = _aligned(known.heads, values)
            cells = tuple((_at(heads, c), v.strip()) for c, v in values if _figure(v))
            if not cells:
                section = name if _heads_rows(name, values) else section
                continue
            about = f"{table.lead} {_at(known.heads, 0)}"
            within = table.section.rpartition(" > ")[2]
            # Its group may stand in between, or it sums up more than the last one.
            near = section if known.place == place and not _beyond(name, section) else ""
            found = Row(name, near, cells, within, about, (known.place, place), summed)
            yield found
            yield from _measures(found)
            section = "" if _closes(name, section) else section


def _measures(row: Row) -> Iterator[Row]:
    """What a row has figures of several years of, as rows of it: the South branch's visits, where
    its columns are headed "2022 visits", "2023 visits", "staff"."""
    found: dict[str, list[tuple[str, str]]] = {}
    for head, value in row.cells:
        year, measure = _dated_measure(head)
        if measure:
            found.setdefault(measure, []).append((year, value))
    for measure, cells in found.items():
        if len(cells) > 1:
            yield row._replace(label=measure, section=row.label, cells=tuple(cells))


@lru_cache(4096)
def _dated_measure(head: str) -> tuple[str, str]:
    """The year and the measure of "2022 visits"; empty where a head is not of both."""
    year = _YEAR_SAID.search(head)
    measure = _YEAR_SAID.sub(" ", head).strip(" ,，:：·的-") if year else ""
    return (year.group().strip(), measure) if year and not re.search(r"\d", measure) else ("", "")


def _beyond(name: str, section: str) -> bool:
    """Whether the row is a total that names other things than the group above it."""
    other = is_total(name) and not is_total(name, alone=True)
    return other and not has_cjk(name) and not _words(section) - _TOTAL_EN <= _words(name)


def _closes(name: str, section: str) -> bool:
    """Whether the row is the total of the group: what follows stands under no group."""
    if not section or not is_total(name):
        return False
    return is_total(name, alone=True) or _words(section) - _TOTAL_EN <= _words(name)


def _headed(table: TableAt, place: int, known: _Head | None) -> tuple[_Head, Grid, bool]:
    """The heads of the table, its rows below them, and whether it goes on with the table before."""
    grid = table.grid
    count = header_rows(grid) or int(bool(grid) and _all_dated(grid[0]))
    while count > 1 and _heads_rows(*_split(grid[count - 1])):
        count -= 1  # the first group's name
    heads = column_heads(grid, count)
    same = known is not None and known.section == table.section
    if _of_periods(heads):
        return _Head(heads, place, table.section), grid[count:], bool(same and known.heads == heads)  # type: ignore[union-attr]
    if known is not None and same and _of_periods(known.heads):
        # What was taken for a head is a row. Empty columns are a reader's.
        aligned = grid if len(known.heads) == len(heads) else _squeezed(grid, len(known.heads))
        if aligned:
            return known, aligned, True
    if table.years and _has_columns(grid, len(table.years)):
        above = ["", *table.years, *[""] * len(heads)][: len(heads)]
        return _Head(above, place, table.section), grid, False
    first_is_row = any(_figure(cell) for row in grid[:1] for cell in row[1:])
    heads = [""] * len(heads) if first_is_row else heads
    return _Head(heads, place, table.section), grid, False


def years_above(text: str) -> tuple[str, ...]:
    """The years that stand in lines of their own before the first row of a table, two or more in
    one place; empty: there are none, or in several places."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    before = list(takewhile(lambda line: not line.startswith("|"), lines))
    runs = [
        [year for line in group for year in line.split()]
        for bare, group in groupby(before, key=lambda line: bool(_BARE_YEARS.fullmatch(line)))
        if bare
    ]
    found = [run for run in runs if len(run) > 1 and len(set(run)) == len(run)]
    return tuple(found[0]) if len(found) == 1 else ()


def _has_columns(grid: Grid, least: int) -> bool:
    """Whether most rows have as many figures or more."""
    counts = [sum(map(_figure, row[1:])) for row in grid]
    return 2 * sum(count >= least for count in counts) > len(counts)


def _all_dated(row: Sequence[str]) -> bool:
    """Whether the row heads columns by days or years ("2010-6-30", "As of May 1, 2015" beside
    "2014") and has no figures."""
    filled = [cell.strip() for cell in row[1:] if cell.strip()]
    days = bool(filled) and all(map(_DAY.fullmatch, filled))
    named = not row[0].strip() and any(re.search(r"[A-Za-z]", cell) for cell in filled)
    return days or (named and all(map(_YEAR.search, filled)))


def _squeezed(grid: Grid, width: int) -> Grid:
    """The rows without their empty cells; none unless most have as many as there are heads."""
    rows = [[cell for cell in row if cell.strip()] for row in grid]
    whole = [row for row in rows if len(row) in (1, width)]
    return whole if 2 * sum(len(row) == width for row in rows) > len(rows) else []


def _aligned(heads: list[str], values: Sequence[tuple[int, str]]) -> list[str]:
    """The heads above the row's cells; where readers of PDFs put a cell beside its column, and the
    row has as many as there are heads, each cell's by their order."""
    filled = [c for c, value in values if value.strip()]
    said = [head for head in heads[1:] if head.strip()]
    if len(filled) != len(said) or all(_at(heads, c).strip() for c in filled):
        return heads
    places = dict(zip(filled, said, strict=True))
    return [places.get(c, head) for c, head in enumerate(heads)]


def _at(heads: Sequence[str], column: int) -> str:
    return heads[column].strip() if column < len(heads) else ""


def _split(row: Sequence[str]) -> tuple[str, list[tuple[int, str]]]:
    """The first filled cell as the row's name, and the others with their columns."""
    first = next((c for c, cell in enumerate(row) if cell.strip()), None)
    if first is None or number(row[first]) is not None:
        return "", []
    name = row[first].strip()
    rest = [(c, row[c]) for c in range(first + 1, len(row)) if row[c].strip() != name]
    return name, rest


def _heads_rows(name: str, values: Sequence[tuple[int, str]]) -> bool:
    """Whether a row without figures names those below it; in Chinese statements a row without
    figures and without a colon is an item of nothing."""
    empty = not any(value.strip() for _, value in values)
    return bool(name) and empty and (not has_cjk(name) or name.endswith((":", "：")))


def _figure(value: str) -> bool:
    return worth(value) is not None


def worth(cell: str) -> float | None:
    """The number of a cell, below zero in brackets ("(1,234)"); None: it is none."""
    plain = cell.strip()
    found = number(plain.lstrip("(（$¥ ").rstrip(")）"))
    below = any(mark in "(（" for mark in plain[:2])
    return -found if below and found is not None else found


def _of_periods(heads: Sequence[str]) -> bool:
    """Whether figures of years stand below the heads."""
    return any(_YEAR.search(head) for head in heads[1:])


def is_part(head: str) -> bool:
    """Whether a column is of a part of a year."""
    return _PART.search(head) is not None


def is_total(label: str, *, alone: bool = False) -> bool:
    """Whether a row sums up others; `alone`: and says nothing more of what."""
    if has_cjk(label):
        plain = _plain(label)
        return _TOTAL_ZH.search(plain) is not None and not (alone and _TOTAL_ZH.sub("", plain))
    words = _words(label)
    return bool(words & _TOTAL_EN) and not (alone and words - _TOTAL_EN)


def label_fit(item: str, row: Row) -> float:
    """How well the row is what the item names; 0: it is another one, or a share of it."""
    if _OTHER_FIGURE.search(row.label) and not _OTHER_FIGURE.search(item):
        return 0.0
    if has_cjk(item) != has_cjk(row.label):
        return TOTAL if same_across(item, row.label) else 0.0
    return _fit_zh(item, row) if has_cjk(item) else _fit_en(item, row)


def _fit_zh(item: str, row: Row) -> float:
    asked, label = _plain(item), _plain(row.label)
    if asked == label:
        return SAME
    bare = _TOTAL_ZH.sub("", label) or label
    mine = _TOTAL_ZH.sub("", asked) or asked
    if mine == bare or _counted(item, row.label):
        return TOTAL
    over = _plain(f"{row.section}{row.within}{row.about}")
    if len(bare) > 1 and mine.endswith(bare) and (rest := mine.removesuffix(bare)) in over:
        return INSIDE if len(rest) > 1 else 0.0
    return 0.0


def _counted(item: str, label: str) -> bool:
    """Whether both sum up the same things, which the row says a little more of: 员工总数 and
    在职员工的数量合计."""
    if not (is_total(item) and is_total(label)):
        return False
    mine, bare = (_COUNTS.sub("", _TOTAL_ZH.sub("", _plain(text))) for text in (item, label))
    return len(mine) > 1 and bare.endswith(mine) and len(bare) - len(mine) <= _EXTRA


def _fit_en(item: str, row: Row) -> float:
    asked, label = _words(_spelled(item, row.label)), _words(row.label)
    if asked == label:
        return SAME
    mine, bare = asked - _TOTAL_EN, label - _TOTAL_EN
    if mine and (mine == bare or mine - _SPENT_EN == bare):
        return TOTAL
    over = _words(f"{row.section} {row.within} {row.about}")
    if label <= asked | _TOTAL_EN and (bare or _TOTAL_EN & asked) and mine - bare <= over:
        return INSIDE
    return 0.0


def _spelled(item: str, label: str) -> str:
    """With initials in the item in place of the label's words that they are of: EPS is "earnings
    per share"."""
    words = re.findall(r"[A-Za-z]+", label)
    for short in re.findall(r"\b[A-Z]{2,5}\b", item):
        for at in range(len(words) - len(short) + 1):
            run = words[at : at + len(short)]
            if "".join(word[0] for word in run).upper() == short:
                return item.replace(short, " ".join(run))
    return item


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    return _MARKS.sub("", _BRACKETS.sub("", _NUMBERING.sub("", text)))


def _words(text: str) -> frozenset[str]:
    plain = _BRACKETS.sub(" ", unicodedata.normalize("NFKC", text)).lower().replace("’", "'")
    found = re.findall(r"[a-z\d&]+", plain)
    return frozenset(_singular(word) for word in found) - _FILLERS_EN


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def may_hold(item: str, text: str) -> bool:
    """Whether a table's text can have a row of the item: a cheap look before its cells are read."""
    if has_cjk(item) != has_cjk(text):
        return True
    if has_cjk(item):
        return (_TOTAL_ZH.sub("", _plain(item)) or item)[-2:] in text
    words = _words(item) - _TOTAL_EN
    lower = text.lower()
    words = words - _SPENT_EN or words
    return not words or any(word.removesuffix("y") in lower for word in words)
