"""The figures of the row that a question names, of the years that it asks for, and whether they
rose or fell."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..core.text import has_cjk
from .extractive_forms import Line
from .extractive_grids import before_tables
from .extractive_tables import statement
from .passages import Passage
from .row_question import RowAsked, without_owner
from .row_tables import (
    INSIDE,
    SAME,
    TOTAL,
    Row,
    TableAt,
    is_part,
    is_total,
    label_fit,
    rows_of_figures,
    worth,
    years_above,
)

_MOST = 3
_FEW = 2
"""Figures of a row below no year that can be told without choosing among them."""


class Told(NamedTuple):
    """A row that answers, how well it fits, and the years of its figures; "": of no year."""

    row: Row
    fit: float
    years: tuple[str, ...]
    n: int = 0

    @property
    def values(self) -> tuple[str, ...]:
        """The figures of the years in their order; of no year: all that stand in the row."""
        return tuple(value for _, value in self.cells)

    @property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """The figures with their heads; of no year the total of the columns, else all of a few."""
        if self.years:
            return tuple(self.row.years[year] for year in self.years)
        sums = [cell for cell in self.row.cells if is_total(cell[0])]
        return tuple(sums[:1]) or self.row.cells


def told_rows(asked: RowAsked, rows: Sequence[Row], titles: str) -> list[Told]:
    """The rows that are the item asked for and have the years asked for, the best fitting ones;
    those of one figure once. `titles` name the year of rows that stand below no year."""
    found = [
        Told(row, fit, years)
        for row in rows
        if (fit := label_fit(asked.item, row)) and (years := _years(asked, row, titles)) is not None
    ]
    best = max((_sort(told) for told in found), default=(False, False, False))
    return _distinct([told for told in found if _sort(told) == best])


def _sort(told: Told) -> tuple[bool, bool, bool]:
    """Whether the row is the item itself, and below a year, a whole one; "revenue" is the total
    revenue too."""
    whole = not any(is_part(head) for head, _ in told.cells)
    return told.fit >= TOTAL, bool(told.years), whole


def _years(asked: RowAsked, row: Row, titles: str) -> tuple[str, ...] | None:
    """The years of the row's figures that are asked for; None: it lacks them."""
    own = row.years
    if not row.dated:
        named = all(year in titles for year in asked.years)
        few = len(row.cells) <= _FEW or any(is_total(head) for head, _ in row.cells)
        return () if named and few and not asked.trend and row.summed else None
    years = asked.years or (max(own),)
    if asked.trend and len(years) == 1:
        earlier = [year for year in own if year < years[0]]
        years = (*years, max(earlier)) if earlier else ()
    return years if years and all(year in own for year in years) else None


def _distinct(found: Sequence[Told]) -> list[Told]:
    """One row of each figure: the one that most tables have where it is in several, else those in
    the very words, else all."""
    groups: dict[tuple[str, ...], list[Told]] = {}
    for told in found:
        groups.setdefault(tuple(_digits(v) for v in told.values), []).append(told)
    ranked = sorted(groups.values(), key=lambda group: -len({t.row.places for t in group}))
    counts = [len({t.row.places for t in group}) for group in ranked]
    if len(ranked) > 1 and counts[0] > counts[1]:
        ranked = ranked[:1]
    same = [group for group in ranked if any(told.fit == SAME for told in group)]
    return [max(group, key=lambda told: told.fit) for group in (same or ranked)[:_MOST]]


def _digits(value: str) -> str:
    return re.sub(r"[^\d.]", "", value)


def tables_of(passages: Sequence[Passage]) -> list[tuple[int, list[TableAt]]]:
    """The tables of each passage with its number; only those taken in for the row that is asked
    for, where some are."""
    passages = [p for p in passages if p.row] or passages
    return [(p.n, list(_tables(p))) for p in passages if p.grids]


def _tables(passage: Passage) -> Iterator[TableAt]:
    """The tables of a passage; years above the first one are of that."""
    lead, years = before_tables(passage.text), years_above(passage.text)
    for grid in passage.grids:
        yield TableAt(grid, passage.section_path, lead, years)
        years = ()


def row_lines(asked: RowAsked, passages: Sequence[Passage]) -> list[Line]:
    """What the rows that the question names say; for a trend, whether it is more or less. Empty:
    no table has such a row."""
    asked = without_owner(asked, [p.title for p in passages])
    rows: list[Row] = []
    numbers: dict[int, int] = {}
    for n, tables in tables_of(passages):
        for row in rows_of_figures(tables):
            numbers[len(rows)] = n
            rows.append(row._replace(places=(len(rows), len(rows))))
    titles = " ".join(p.title for p in passages)
    told = [t._replace(n=numbers[t.row.places[0]]) for t in told_rows(asked, rows, titles)]
    several = [t.row for t in told] if len(told) > 1 else []
    lines = [(t.n, line) for t in told for line in _said(t, several)]
    if asked.trend and len({_moved(t) for t in told}) == 1:
        lines.append((0, _compared(told[0], chinese=has_cjk(asked.item), figures=len(told) == 1)))
    return lines


def _said(told: Told, several: Sequence[Row]) -> list[str]:
    """ "section · label · head: figure" of each year; the section where the label alone could be of
    another one."""
    row = told.row
    named = bool(several) or told.fit == INSIDE or is_total(row.label, alone=True)
    over = _told_apart(row, several) if named else row.section.strip(" :：")
    over = over if named or over.casefold() not in row.label.casefold() else ""
    label = row.label.rstrip(" $¥€")
    label = f"{over} · {label}" if over else label
    return [statement(label, head, value.rstrip(" $¥€")) for head, value in told.cells]


def _told_apart(row: Row, several: Sequence[Row]) -> str:
    """The section of the row, or the one of the document where that tells the rows apart."""
    apart = len({other.section for other in several}) <= len({other.within for other in several})
    apart = apart and len(several) > 1
    return (row.within if apart or not row.section else row.section).strip(" :：")


def _moved(told: Told) -> str:
    new, old = (worth(value) or 0.0 for value in told.values)
    return ">" if new > old else "<" if new < old else "="


def _compared(told: Told, *, chinese: bool, figures: bool) -> str:
    """ "2024年比2023年增加：12 > 9"."""
    moved, (one, other) = _moved(told), told.years
    zh = {">": "增加", "<": "减少", "=": "持平"}[moved]
    en = {">": "More", "<": "Less", "=": "The same"}[moved]
    said = f"{one}年与{other}年相比{zh}" if chinese else f"{en} in {one}, compared with {other}"
    new, old = (value.rstrip(" $¥€") for value in told.values)
    mark = "：" if chinese else ": "
    return f"{said}{mark}{new} {moved} {old}" if figures else said
