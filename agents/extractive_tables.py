"""Reading the right cell of a table: row by the question's words, column by its words or year."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..core.markup import parsable, span_of
from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_concepts import asked_terms, concepts, han_folded, terms_in
from .extractive_heads import (
    NUMERIC,
    YEAR,
    Grid,
    column_heads,
    header_rows,
    stub_columns,
    without_numbering,
)
from .extractive_quantities import counts_things, quantity_asked
from .extractive_words import Kind, answer_kind, holds_kind

MAX_CELLS = 20_000
_MAX_SPAN = 200
_MONEY = re.compile(r"^\W{0,2}[$¥￥€£]\s?\d|^\d[\d,.]*\s?(?:元|dollars?|euros?|USD|EUR|CNY|RMB)")
_PRICE_ASKED = re.compile(
    r"多少钱|几块钱|价[格钱]|费用|\bhow much (?:is|are|was|were|does|do|did|will|would)\b"
    r"|\bcosts?\b|\bprices?\b|\bfees?\b",
    re.IGNORECASE,
)
# What "how much" may ask for beside a price.
_MEASURED = frozenset({"weight", "noise", "power", "energy", "flow", "temperature"})
_NUMBER_HEAD = re.compile(
    r"^\s*(?:数量|[件台个套只]数|数目)"
    r"|^\s*(?:number|quantity|qty\.?|count|pieces|pcs\.?)(?! of\b)\b",
    re.IGNORECASE,
)
_PRICE_HEAD = re.compile(
    r"[价费]|金额|[(（/]\s*[美欧日港]?[万亿]?元|[$€£¥]|\b(?:prices?|costs?|fees?|amounts?|EUR|USD)\b",
    re.IGNORECASE,
)
_MARKDOWN_ROW = re.compile(r"^\s*\|(.+)\|\s*$")
_MARKDOWN_RULE = re.compile(r"^[\s|:\-]+$")
# Columns that may name a row, and how much a word that the caption holds counts against a cell.
_KEY_COLUMNS = 4
_KNOWN = 0.3
# A cell whose row nothing in the question speaks of is one of many.
ROWLESS = 0.4
# Nor does a cell answer for its form alone whose row says more else than the question.
UNSURE, _HALF = 0.25, 0.5
_HEADS: dict[Kind, re.Pattern[str]] = {
    "frequency": re.compile(r"频[次率]|周期|间隔|interval|frequency|cycle|period", re.I),
    "duration": re.compile(r"时[长间]|工期|历时|duration|time|hold", re.I),
    "date": re.compile(r"年份?|日期|时间|date|year|time|when", re.I),
    "person": re.compile(
        r"人|姓名|负责|责任|作者|岗位|部门|name|who|author|person|responsible|owner|duty|staff",
        re.I,
    ),
    "place": re.compile(r"地[点址区]|位置|place|location|address|city|country", re.I),
}
# A column that holds what each row is worth, whatever the rows are.
_VALUE_HEAD = re.compile(
    r"^\s*(?:产品)?(?:规格|数值|值|参数值|标准值?|指标值?|技术指标|要求|取值|额定值)"
    r"(?:\s*[(（].*|\s+[a-z ]*)?$"
    r"|^\s*(?:specifications?|values?|ratings?|nominal(?: values?)?|requirements?)\b",
    re.I,
)
SURE = 1.0
"""Score of a reading that its own form proves: above any cell found by words alone."""


class Reading(NamedTuple):
    """A cell with the headers that say what it is. `score` is how well they fit, 0..1."""

    statement: str
    value: str
    score: float
    row: str = ""


def html_grids(html: str) -> list[Grid]:
    """Every table of the HTML as rows of cell texts, spans filled with the spanning cell's text."""
    from bs4 import BeautifulSoup

    page = BeautifulSoup(parsable(html), "html.parser")
    return [grid for table in page.find_all("table") if (grid := _grid(table))]


def markdown_grids(text: str) -> list[Grid]:
    """Every pipe table of the text."""
    grids: list[Grid] = []
    rows: Grid = []
    for line in [*text.splitlines(), ""]:
        found = _MARKDOWN_ROW.match(line)
        if found and not _MARKDOWN_RULE.match(line):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", found.group(1))])
        elif not found:
            if len(rows) >= 2:
                grids.append(rows)
            rows = []
    return grids


def read_cells(
    question: str,
    grid: Grid,
    tokenizer: Tokenizer,
    *,
    about: str = "",
    head: str = "",
    most: int = 3,
) -> list[Reading]:
    """The cells that answer the question, best first; empty when no row fits its words.

    `about` is what is known of the whole table (caption, section, document): words that it holds
    choose no cell, but they do not speak against one either. `head` is what stands over the table:
    years in it are the table's.
    """
    grid = without_numbering(grid)
    wanted = set(asked_terms(question, tokenizer))
    if not wanted or len(grid) < 2:
        return _pairs(grid, wanted, tokenizer) if wanted else []
    heads = header_rows(grid)
    if _of_other_years(question, grid, heads, head):
        return []
    stub = stub_columns(grid, heads)
    columns = column_heads(grid, heads)
    if stub == 2 and terms_in(columns[1], wanted, tokenizer) - terms_in(
        columns[0], wanted, tokenizer
    ):
        stub = 1  # what the rows are also called is asked for
    ask = _Asked(
        question,
        wanted,
        terms_in(about, wanted, tokenizer),
        answer_kind(question),
        len(grid) - heads == 1,
        _literal(question, columns[stub:]),
        frozenset(
            t for c in columns[stub:] for t in terms_in(c, wanted, tokenizer) if not _dated(t)
        ),
    )
    money = _money_columns(ask, grid[heads:], columns)
    chosen = [len(columns) <= stub + 1 or _points_at(ask, column, tokenizer) for column in columns]
    readings = []
    for row in grid[heads:]:
        keys = _key_cells(row, stub, wanted, tokenizer)
        label = " ".join(dict.fromkeys(row[c] for c in sorted(keys)))
        named = bool(terms_in(" ".join(row[:stub]), wanted, tokenizer))
        for c in range(len(row)):
            fits = (named or chosen[c]) and c in money if money else chosen[c]
            if c in keys or not fits or not row[c].strip():
                continue
            reading = _reading(ask, label, columns[c], row[c], tokenizer)
            if reading.score > 0:
                readings.append(reading)
    ranked = sorted(enumerate(readings), key=lambda pair: (-pair[1].score, pair[0]))
    return [reading for _, reading in ranked[:most]]


def _money_columns(ask: "_Asked", body: Grid, heads: Sequence[str]) -> set[int]:
    """The columns of amounts of money, or of figures below such a head, where a price is asked
    for: one of them answers."""
    width = len(heads)
    if ask.kind not in ("any", "number") or not _PRICE_ASKED.search(ask.question):
        return set()
    if set(concepts(ask.question)) & _MEASURED:
        return set()  # "how much does it weigh"
    columns = {c: [row[c] for row in body if c < len(row) and row[c].strip()] for c in range(width)}
    money = {c for c, cells in columns.items() if cells and all(map(_MONEY.match, cells))}
    plain = {c for c, cells in columns.items() if cells and all(map(NUMERIC.match, cells))}
    return money or {c for c in plain if _PRICE_HEAD.search(heads[c])}


def _of_other_years(question: str, grid: Grid, heads: int, head: str) -> bool:
    """Whether the table is a series over years without the year that is asked for."""
    asked = set(YEAR.findall(question))
    series = [cell for row in grid[:heads] for cell in row] + [
        row[0] for row in grid[heads:] if row
    ]
    years = {year for cell in series for year in YEAR.findall(cell)}
    return len(years) > 1 and bool(asked) and not asked & (years | set(YEAR.findall(head)))


class _Asked(NamedTuple):
    """The question, its words, those that the whole table explains, and the kind of answer."""

    question: str
    wanted: set[str]
    known: set[str]
    kind: Kind
    single: bool
    """The table has one row only, which needs no choosing."""
    literal: frozenset[str] = frozenset()
    """Heads of columns, or levels of them, that the question says as they are written."""
    measures: frozenset[str] = frozenset()
    """Words of the question that head columns, without years."""


def _literal(question: str, columns: Sequence[str]) -> frozenset[str]:
    """Chinese heads that the question says as they are, each where no longer one says it: 径流量
    and not 流量, 非汛期 and not 汛期. Words are cut otherwise in a question than in a head."""
    rest = "".join(question.split())
    parts = {part for column in columns for part in (column, *column.split()) if len(part) > 1}
    found = set()
    for part in sorted(parts, key=lambda text: (-len(text), text)):
        if has_cjk(part) and part in rest:
            found.add(part)
            rest = rest.replace(part, "\n")
    return frozenset(found)


def _points_at(ask: _Asked, column: str, tokenizer: Tokenizer) -> bool:
    """Whether the question speaks of the column, or its head promises the kind of thing asked for:
    of several columns none is taken only because the row fits."""
    if terms_in(column, ask.wanted, tokenizer) or not column.strip():
        return True
    plain = han_folded(column, tokenizer)
    if ask.kind in ("any", "number") and _VALUE_HEAD.search(plain):
        return True
    if ask.kind == "number" and counts_things(ask.question) and _NUMBER_HEAD.search(plain):
        return True
    head = _HEADS.get(ask.kind)
    if head is not None and head.search(plain):
        named = set(concepts(ask.question)) - {"cycle", "duty"}
        return not named or bool(named & set(concepts(plain)))
    quantity = quantity_asked(ask.question)
    return (quantity is not None and quantity.search(f"1 {_unit(plain)}") is not None) or bool(
        set(YEAR.findall(ask.question)) & set(YEAR.findall(column))
    )


def _unit(head: str) -> str:
    """The unit that a head names: kW of "Power (kW)"; empty: none."""
    found = re.search(r"[(（]([^)）]{1,12})[)）]|[/,]\s*(\S{1,8})$", head)
    return (found[1] or found[2] or "") if found else ""


def _key_cells(
    row: Sequence[str], stub: int, wanted: set[str], tokenizer: Tokenizer
) -> frozenset[int]:
    """The cells that name the row: its first ones, and words of the question further right."""
    named = [
        c
        for c in range(stub, min(len(row), _KEY_COLUMNS))
        if not NUMERIC.match(row[c])
        and 2 * len(terms_in(row[c], wanted, tokenizer)) > len(_own_terms(row[c], tokenizer))
    ]
    return frozenset((*range(min(stub, len(row))), *named))


def _reading(ask: _Asked, label: str, column: str, value: str, tokenizer: Tokenizer) -> Reading:
    """A cell's statement and how much of the question its two headers cover."""
    in_row = terms_in(label, ask.wanted, tokenizer)
    in_column = terms_in(column, ask.wanted, tokenizer)
    both = in_row | in_column
    if in_column and all(map(_dated, in_column)) and ask.measures - in_row - ask.known:
        both = set()  # the year alone: what is asked for stands in another column
    unexplained = ask.wanted - both - ask.known
    score = len(both) / (len(both) + len(unexplained) + _KNOWN * len(ask.known - both) or 1.0)
    if in_row and in_column - in_row:
        score += 0.15
    excess = _excess(label, ask.wanted, tokenizer)
    if not in_row or (excess > _HALF and in_row <= ask.known):
        score -= 0.1 if ask.single else ROWLESS
    score -= 0.05 * excess
    if not in_column and excess > _HALF and ask.kind == "person":
        score -= UNSURE  # who answers for "会议通知" is not who missed the 会议
    score += _by_kind(ask, column, value)
    if ask.literal & {column, *column.split()}:
        score += 0.15
    years = set(YEAR.findall(ask.question))
    if years and years & set(YEAR.findall(f"{label} {column}")):
        score += 0.2
    elif years and YEAR.search(f"{label} {column}"):
        score -= 0.2
    return Reading(statement(label, column, value), value, max(0.0, score) if both else 0.0, label)


def _dated(term: str) -> bool:
    return YEAR.fullmatch(term) is not None


def _by_kind(ask: _Asked, column: str, value: str) -> float:
    """More for a cell of the kind asked for, or below a header that promises it."""
    if ask.kind == "any":
        return 0.0
    head = _HEADS.get(ask.kind)
    fits = (head is not None and head.search(column) is not None) or (
        bool(NUMERIC.match(value)) if ask.kind == "number" else holds_kind(ask.kind, value, "")
    )
    return 0.1 if fits else -0.25


def statement(label: str, column: str, value: str) -> str:
    """ "row · column: value", what a cell is by its headers."""
    head = " · ".join(part for part in (label.strip(), column.strip()) if part)
    mark = "：" if has_cjk(head or value) else ": "
    return f"{head}{mark}{value}" if head else value


def _pairs(grid: Grid, wanted: set[str], tokenizer: Tokenizer) -> list[Reading]:
    """A single row read as name and value pairs."""
    readings = []
    for row in grid:
        for name, value in zip(row[::2], row[1::2], strict=False):
            share = _share(name, wanted, tokenizer)
            if share and value.strip():
                readings.append(Reading(statement(name, "", value), value, share))
    return sorted(readings, key=lambda r: -r.score)[:3]


def _share(text: str, wanted: set[str], tokenizer: Tokenizer) -> float:
    return len(terms_in(text, wanted, tokenizer)) / len(wanted)


def _own_terms(text: str, tokenizer: Tokenizer) -> set[str]:
    return set(asked_terms(han_folded(text, tokenizer), tokenizer))


def _excess(label: str, wanted: set[str], tokenizer: Tokenizer) -> float:
    """Share of a row header's own words that the question does not say."""
    words = _own_terms(label, tokenizer)
    return len(words - wanted) / len(words) if words else 0.0


def _grid(table: object) -> Grid:
    """Rows of a bs4 table with rowspan and colspan expanded; nested tables are not descended."""
    filled: dict[tuple[int, int], str] = {}
    rows = [row for row in table.find_all("tr") if row.find_parent("table") is table]  # type: ignore[attr-defined]
    for r, row in enumerate(rows):
        c = 0
        for cell in row.find_all(["td", "th"], recursive=False):
            while (r, c) in filled:
                c += 1
            text = " ".join(cell.get_text(" ", strip=True).split())
            down, across = (span_of(cell.get(key), _MAX_SPAN) for key in ("rowspan", "colspan"))
            if len(filled) + down * across > MAX_CELLS:
                break
            for i in range(min(down, len(rows) - r)):
                for j in range(across):
                    filled.setdefault((r + i, c + j), text)
            c += across
    width = max((c for _, c in filled), default=-1) + 1
    return [[filled.get((r, c), "") for c in range(width)] for r in range(len(rows))]
