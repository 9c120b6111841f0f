"""The cells of the evidence's tables that answer a question."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..core.analysis import Analysis
from ..core.chunk import Figure
from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_concepts import han_folded
from .extractive_fit import misfit
from .extractive_grids import asked_tables, joined, of_named, over_tables, without_rows
from .extractive_heads import Grid, column_heads, header_rows, stub_columns, without_numbering
from .extractive_listed import beside, listed
from .extractive_lookup import compares, looked_up, of_total, properties
from .extractive_ranges import in_range
from .extractive_sentences import prose
from .extractive_tables import SURE, Reading, read_cells, statement
from .extractive_timetable import names_day, on_weekday
from .extractive_values import (
    YEAR_NUMBER,
    Asked,
    asked_of,
    namesakes,
    number,
    other_measure,
    phrase,
)
from .extractive_words import answer_kind
from .passages import Passage
from .subjects import holds_code

# A cell is read when its headers cover this share of the question's words; alone, when SURE.
MIN_CELL, SURE_CELL = 0.55, 0.75
# Cells within this much of the best one are equally good; so many are told at most.
_EQUAL, _MOST = 0.02, 2
_ASKS_VALUE = re.compile(
    r"多少|几|多久|是什么|哪[一个]|谁|电话|\bwhat (?:is|was|are|were)\b|\bhow\b|\bwho\b", re.I
)

# Cells told of rows over years, and of rows that the question does not name.
MOST_YEARS = 6
# How well a name is the item: the same; the same with the kind of thing behind it.
SAME, OF_KIND = 3.0, 2.0
# What may stand behind the name of a row without changing what it is.
_KIND_SUFFIX = re.compile(
    r"(?:业务|产品|设备|系统|项目|分部|部门|公司|型号?|泵|阀门?|机组?|厂|站)"
    r"|(?:pumps?|valves?|fans?|units?|models?|segments?|products?)"
)
_IN_BRACKETS = re.compile(r"[(（\[][^)）\]]*[)）\]]")
_TIME_HEAD = re.compile(r"(?:19|20)\d{2}|第?[一二三四1-4]季度?|\bQ[1-4]\b|\d{1,2}月", re.I)
_NOTHING = re.compile(r"^[\s\-–—/~]*$|^(?:n/?a|无数据)$", re.I)


def asked_cells(
    part: Analysis,
    question: str,
    passages: Sequence[Passage],
    figures: Sequence[Figure],
    tokenizer: Tokenizer,
    *,
    several: bool,
    numbers: bool = False,
) -> tuple[list[tuple[int, Reading]], list[tuple[str, ...]]]:
    """The cells of every row and column that the question names, in its order, and the
    combinations that no table has; both empty where none is found.

    Unless `several` are named, only one row without a column: it gives its years. Of rows over
    years at most `MOST_YEARS` cells are given, the latest. `numbers`: of several columns the only
    one with numbers is meant.
    """
    asked = asked_of(question)
    if asked is None:
        return [], []
    named = [
        (passage, table)
        for passage, tables in asked_tables(part, passages, figures)
        for grid in tables
        if (table := named_table(grid, tokenizer)) is not None
    ]
    asked = next((new for _, t in named if (new := _apart(asked, t)) != asked), asked)
    if (len(asked.combinations) > 1) != several:
        return [], []
    answers = []
    for passage, table in named:
        about = han_folded(over_tables(passage), tokenizer)
        found = cells_of(asked, table, about, numbers=numbers)
        answers.append({key: (passage.n, cells) for key, cells in found.items()})
    told: dict[tuple[str, ...], tuple[int, list[Reading]]] = {}
    for answer in sorted(answers, key=len, reverse=True):
        told = answer | told
    if not told or (not several and all(len(cells) < 2 for _, cells in told.values())):
        return [], []
    wanted = asked.combinations
    readings = [(told[key][0], cell) for key in wanted if key in told for cell in told[key][1]]
    return readings, [key for key in wanted if key not in told]


def unfound(
    question: str, missing: Sequence[tuple[str, ...]], passages: Sequence[Passage]
) -> list[tuple[int, str]]:
    """The first sentence that says all items of each combination with a figure, else one line
    (number 0: of no passage) that names the combinations without any."""
    lines: list[tuple[int, str]] = []
    absent: list[str] = []
    for key in missing:
        if (said := _sentence_of(key, passages)) is not None:
            lines.append(said)
        else:
            absent.append(phrase(key, chinese=has_cjk(question)))
    if not absent:
        return lines
    note = (
        f"没有找到：{'、'.join(absent)}" if has_cjk(question) else f"Not found: {'; '.join(absent)}"
    )
    return [*lines, (0, note)]


def _sentence_of(key: Sequence[str], passages: Sequence[Passage]) -> tuple[int, str] | None:
    for passage in passages:
        for text in prose(passage):
            rest = text
            for item in key:
                rest = re.sub(re.escape(item), " ", rest, flags=re.I)
            if all(_fit_text(item, text) for item in key) and re.search(r"\d", rest):
                return passage.n, text
    return None


def _fit_text(item: str, text: str) -> bool:
    """Whether a sentence says the item."""
    if re.search(r"\d", item):
        return holds_code(item, text)
    return _plain(item) in _plain(text) and _within(item, text, _plain(item), _plain(text))


class NamedTable(NamedTuple):
    """A table's body with the names of its rows and columns as they are compared, and its heads
    as written."""

    body: list[list[str]]
    rows: list[list[str]]
    columns: list[str]
    heads: list[str]
    stub: int


def named_table(grid: Grid, tokenizer: Tokenizer) -> NamedTable | None:
    """The table with its names; None where it has no rows below its heads."""
    grid = without_numbering(grid)
    heads = header_rows(grid)
    if len(grid) <= heads or len(grid) < 2:
        return None
    stub = stub_columns(grid, heads)
    body = [row for row in grid[heads:] if any(cell.strip() for cell in row)]
    rows = [[han_folded(cell, tokenizer) for cell in row[:stub]] for row in body]
    written = column_heads(grid, heads)
    return NamedTable(body, rows, [han_folded(head, tokenizer) for head in written], written, stub)


def _apart(asked: Asked, table: NamedTable) -> Asked:
    """With the name taken apart that stands unseparated before what is asked of it:
    "甲厂流量和扬程" is 甲厂 × 流量, 扬程, "A and B flow" is A, B × flow."""
    groups: list[tuple[str, ...]] = []
    for group in asked.groups:
        first, last = (_cut(group[n], table) for n in (0, -1))
        if first:
            groups += [first[:1], (first[1], *group[1:])]
        elif last:
            groups += [(*group[:-1], last[0]), last[1:]]
        else:
            groups.append(group)
    return Asked(tuple(groups))


def _cut(item: str, table: NamedTable) -> tuple[str, ...]:
    """The name of a row or column that the item begins with, and the rest where it is one too."""
    names = [name for row in table.rows for name in row] + table.columns[table.stub :]
    if any(_fit(item, name) in (SAME, OF_KIND) for name in names):
        return ()
    for name in sorted(names, key=len, reverse=True):
        core = _IN_BRACKETS.sub(" ", name).strip()
        rest = item[len(core) :].strip()
        begins = len(core) > 1 and item.lower().startswith(core.lower())
        if begins and rest and any(_fit(rest, other) >= 1 for other in names if other != name):
            return item[: len(core)], rest
    return ()


def cells_of(
    asked: Asked, table: NamedTable, about: str, *, numbers: bool = False
) -> dict[tuple[str, ...], list[Reading]]:
    """The cells of each combination that the table holds; empty where a group names none of it.
    `numbers`: of several columns the only one with numbers is meant."""
    most = max(1, MOST_YEARS // len(asked.combinations))
    found: dict[tuple[str, ...], list[Reading]] = {}
    places = [{item: _places(item, table) for item in group} for group in asked.groups]
    whole = {n for n, named in enumerate(places) if not any(any(axes) for axes in named.values())}
    if not all(_is_about(asked.groups[n], table, about) for n in whole):
        return {}
    for key in asked.combinations:
        axes = [places[n][item] for n, item in enumerate(key) if n not in whole]
        if readings := _of_key(axes, table, most, numbers=numbers):
            found[key] = readings
    return found


def _is_about(group: Sequence[str], table: NamedTable, about: str) -> bool:
    """Whether what no row or column is named by is that which the whole table is about."""
    dated = any(YEAR_NUMBER.search(name) for name in _year_names(table))
    if len(group) > 1 or (dated and YEAR_NUMBER.fullmatch(group[0])):
        return False
    if re.search(r"\d", group[0]):
        return holds_code(group[0], about)
    return _plain(group[0]) in _plain(about)


def _year_names(table: NamedTable) -> list[str]:
    return [name.replace("年", " ") for names in (table.columns, *table.rows) for name in names]


_Axes = tuple[frozenset[int], frozenset[int]]


def _of_key(axes: Sequence[_Axes], table: NamedTable, most: int, *, numbers: bool) -> list[Reading]:
    """The cells where the rows and columns of all items meet: one, or a row's years, or those of
    all the few rows where none is named."""
    if not all(any(pair) for pair in axes):
        return []
    rows, columns = set(range(len(table.body))), set(range(table.stub, len(table.columns)))
    row_named = column_named = False
    for in_rows, in_columns in axes:
        if in_rows:
            rows, row_named = rows & in_rows, True
        if in_columns:
            columns, column_named = columns & in_columns, True
    if not rows or (len(rows) > 1 and (row_named or not 1 < len(rows) <= most < MOST_YEARS)):
        return []
    if not column_named:
        values = {c for c in columns if all(number(row[c]) is not None for row in table.body)}
        columns = values if numbers and len(values) == 1 else _value_columns(table, columns, most)
    if not columns or (column_named and len(columns) > 1):
        return []
    found = [_cell(table, r, c) for r in sorted(rows) for c in sorted(columns)]
    return [reading for reading in found if reading is not None]


def _value_columns(table: NamedTable, columns: set[int], most: int) -> set[int]:
    """The one column of values, or the latest of a series of years."""
    if len(columns) == 1:
        return columns
    if not all(_TIME_HEAD.search(table.columns[c]) for c in columns):
        return set()
    years = sorted(columns, key=lambda c: (YEAR_NUMBER.findall(table.columns[c])[:1], c))
    return set(years[-most:])


def _cell(table: NamedTable, row: int, column: int) -> Reading | None:
    cells = table.body[row]
    if column >= len(cells) or _NOTHING.match(cells[column]):
        return None
    label = " ".join(dict.fromkeys(cells[: table.stub]))
    return Reading(statement(label, table.heads[column], cells[column]), cells[column], SURE, label)


def _places(item: str, table: NamedTable) -> _Axes:
    """The rows or the columns that the item names best; two empty sets: none."""
    by_row = [
        max((_fit(item, name) for name in (*names, " ".join(names))), default=0.0)
        for names in table.rows
    ]
    by_column = [
        _fit(item, head) if c >= table.stub else 0.0 for c, head in enumerate(table.columns)
    ]
    best = max((*by_row, *by_column), default=0.0)
    if not best:
        return frozenset(), frozenset()
    rows = frozenset(r for r, fit in enumerate(by_row) if fit == best)
    columns = frozenset(c for c, fit in enumerate(by_column) if fit == best)
    return (frozenset(), columns) if columns else (rows, frozenset())


def _fit(item: str, name: str) -> float:
    """How well a name is what the item says: 3 the same, 0 not at all."""
    if YEAR_NUMBER.fullmatch(item):
        return SAME if item in YEAR_NUMBER.findall(name.replace("年", " ")) else 0.0
    mine, core = _plain(item), _plain(_IN_BRACKETS.sub(" ", name))
    if not mine or mine == core or not core:
        return SAME if mine and core else 0.0
    if re.search(r"\d", mine) and re.search(r"[A-Za-z]", mine):
        return 2.5 if re.search(r"\d", core) and _same_code(item, name) else 0.0
    if mine.startswith(core) and len(core) > 1 and _KIND_SUFFIX.fullmatch(mine[len(core) :]):
        return OF_KIND
    if _within(item, name, mine, core):
        return 1.2 if core.endswith(mine) else 1.0
    asked = properties(item)
    return 0.8 if asked and asked == properties(name) else 0.0


def _same_code(item: str, name: str) -> bool:
    return holds_code(item, name) or holds_code(name.strip(), item)


def _within(item: str, name: str, mine: str, core: str) -> bool:
    """Whether the name says the item among other words."""
    if has_cjk(item):
        return len(mine) > 1 and mine in core
    words = rf"(?<![A-Za-z\d]){re.escape(item.strip())}(?![A-Za-z\d])"
    return re.search(words, _IN_BRACKETS.sub(" ", name), re.I) is not None


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def _of_other_name(question: str, name: str, heads: str) -> bool:
    """Whether no kind of thing is asked for and the heads have neither the end of what is named
    nor a property of it: a net worth is no 公司网址."""
    if answer_kind(question) != "any" or not has_cjk(name):
        return False
    return name[-2:] not in heads and not properties(name) & properties(heads)


def _single(question: str) -> str:
    """The one thing that is asked for, of nothing else; "": there is none, or several."""
    asked = asked_of(question)
    groups = (
        [group for group in asked.groups if not YEAR_NUMBER.fullmatch(group[0])] if asked else []
    )
    return groups[0][0] if len(groups) == 1 and len(groups[0]) == 1 else ""


def cells(
    part: Analysis,
    question: str,
    passages: Sequence[Passage],
    figures: Sequence[Figure],
    tokenizer: Tokenizer,
) -> list[tuple[int, Reading]]:
    """The best readings of all tables with their passage's number, all from one passage."""
    found: list[tuple[int, Reading]] = []
    meant: list[Reading] = []
    single = _single(question)
    for passage, tables in asked_tables(part, of_named(question, passages), figures):
        head = over_tables(passage)
        about = han_folded(f"{head} {without_rows(passage.text)}", tokenizer)
        for grid in joined(tables):
            readings = beside(single, grid, tokenizer) if single else []
            readings = readings or listed(question, grid, tokenizer)
            readings = readings or looked_up(question, grid, tokenizer)
            meant += readings if compares(question) else []
            if not readings:
                one = on_weekday(question, grid) or in_range(question, grid, tokenizer)
                readings = [one] if one else []
                meant += readings
            if not readings and not compares(question) and not names_day(question, grid):
                read = read_cells(question, grid, tokenizer, about=about, head=head)
                named = named_table(grid, tokenizer) if read else None
                readings = [r for r in read if not named or not _of_namesake(question, r, named)]
            found += [(passage.n, reading) for reading in readings]
    least = MIN_CELL if _asks_value(part) or single else SURE_CELL
    good = [
        (n, reading)
        for n, reading in found
        if reading.score >= least
        and not other_measure(question, _heads(reading))
        and not misfit(question, han_folded(_heads(reading), tokenizer), reading.value)
        and not (
            single and reading not in meant and _of_other_name(question, single, _heads(reading))
        )
        and not of_total(question, reading.row)
    ]
    good.sort(key=lambda pair: -pair[1].score)
    return [
        p for p in good[:_MOST] if p[0] == good[0][0] and p[1].score >= good[0][1].score - _EQUAL
    ]


def _heads(reading: Reading) -> str:
    return reading.statement.removesuffix(reading.value)


def _of_namesake(question: str, reading: Reading, table: NamedTable) -> bool:
    """Whether the reading is of 电气系统 where a column of 气动系统 is asked for."""
    asked = asked_of(question)
    groups = [group[0] for group in asked.groups] if asked else []
    if len(groups) < 2:
        return False
    heads = table.columns[table.stub :]
    rows = [item for item in groups if all(_fit(item, head) < SAME for head in heads)]
    if len(rows) == len(groups) or any(
        any(pair) for item in rows for pair in [_places(item, table)]
    ):
        return False
    return any(namesakes(item, reading.row) for item in rows)


def _asks_value(analysis: Analysis) -> bool:
    if analysis.question_type in ("numeric", "calculation"):
        return True
    return _ASKS_VALUE.search(analysis.rewritten) is not None
