"""Tables whose rows are ranges: the row that a number of the question falls into."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from ..core.ports import Tokenizer
from .extractive_concepts import asked_terms, han_folded, terms_in
from .extractive_heads import Grid, column_heads, header_rows, without_numbering
from .extractive_tables import SURE, Reading, statement

_N = r"\d+(?:,\d{3})*(?:\.\d+)?"
_UNIT = r"(?:个?[一-鿿]{1,2}|[$€£¥%]|[A-Za-z]{1,8})?"
_BETWEEN = re.compile(
    rf"^\D{{0,12}}?(?P<low>{_N})\s*(?P<unit>{_UNIT})\s*(?:至|到|[~～—–-]|\bto\b|\band\b)\s*"
    rf"(?P<high>{_N})\s*(?P<last>{_UNIT})\D{{0,4}}$",
    re.I,
)
_BELOW = re.compile(
    rf"^\D{{0,8}}?(?:不满|不足|低于|小于|少于|<|\b(?:below|under|less than|up to))\s*(?P<n>{_N})\s*"
    rf"(?P<unit>{_UNIT})\D{{0,4}}$|^\D{{0,8}}?(?P<before>{_N})\s*(?P<with>{_UNIT}?)(?:及?以[下内])$",
    re.I,
)
_UP_TO = re.compile(r"以[下内]|≤|\bup to\b", re.I)
_ABOVE = re.compile(
    rf"^\D{{0,8}}?(?:超过|大于|高于|多于|满|[>≥]|\b(?:above|over|more than|from))\s*(?P<n>{_N})\s*"
    rf"(?P<unit>{_UNIT})\D{{0,4}}$|^\D{{0,8}}?(?P<before>{_N})\s*(?P<with>{_UNIT}?)(?:及?以上|\+)$",
    re.I,
)
_REACHED = re.compile(r"以上|(?<!不)满|≥|\+|\bfrom\b", re.I)
_ASKED = re.compile(
    rf"(?<![A-Za-z\d.\-#])(?P<money>[$€£¥])?(?P<n>{_N})(?![\d.]*[-/:]\d)\s?"
    r"(?P<unit>[一-鿿]{1,2}|[A-Za-z%]+)?"
)
_YEAR = re.compile(r"(?:19|20)\d{2}")
_MONEY = re.compile(r"[$€£¥元]|\b(?:EUR|USD|GBP|CNY|RMB|euros?|dollars?|pounds?|yuan)\b", re.I)
_FEWEST = 2


class Span(NamedTuple):
    """From one number to another, in a unit ("": none is written)."""

    low: float
    high: float
    open_low: bool
    open_high: bool
    unit: str

    def holds(self, value: float) -> bool:
        """Whether the number lies in it."""
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return above and below


def span_of(cell: str) -> Span | None:
    """The range that a cell is ("1至5年", "below 50", "10年以上"); None: it is none."""
    text = unicodedata.normalize("NFKC", cell).strip()
    if found := _BETWEEN.match(text):
        unit = found["last"] or found["unit"] or ""
        return Span(_value(found["low"]), _value(found["high"]), False, False, unit)
    if found := _BELOW.match(text):
        high = _value(found["n"] or found["before"])
        unit = found["unit"] or found["with"] or ""
        return Span(float("-inf"), high, False, _UP_TO.search(text) is None, unit)
    if found := _ABOVE.match(text):
        low = _value(found["n"] or found["before"])
        unit = found["unit"] or found["with"] or ""
        return Span(low, float("inf"), _REACHED.search(text) is None, False, unit)
    return None


def _value(written: str) -> float:
    return float(written.replace(",", ""))


def in_range(question: str, grid: Grid, tokenizer: Tokenizer) -> Reading | None:
    """The cell that the question asks for, of the one row whose range its number falls into:
    "8年" of "6至10年"; None: the table is of no ranges, or that row or column is not sure."""
    grid = without_numbering(grid)
    heads = header_rows(grid)
    body = [row for row in grid[heads:] if row and row[0].strip()]
    spans = [span_of(row[0]) for row in body]
    if sum(span is not None for span in spans) < _FEWEST:
        return None
    columns = column_heads(grid, heads)
    values = _numbers_of(question, columns[0], spans)
    rows = [r for r, span in enumerate(spans) if span and any(span.holds(v) for v in values)]
    column = _asked_column(question, columns, tokenizer)
    if len(values) != 1 or len(rows) != 1 or column is None:
        return None
    row = body[rows[0]]
    if column >= len(row) or not row[column].strip():
        return None
    label = row[0].strip()
    return Reading(statement(label, columns[column], row[column]), row[column], SURE, label)


def _numbers_of(question: str, head: str, spans: Sequence[Span | None]) -> list[float]:
    """The question's numbers that are of the ranges' unit, which the rows or their head name."""
    units = {span.unit.removeprefix("个") for span in spans if span and span.unit}
    money = any(_MONEY.search(text) for text in (head, *units))
    found = []
    for m in _ASKED.finditer(unicodedata.normalize("NFKC", question)):
        if _YEAR.fullmatch(m["n"]):
            continue
        unit = (m["unit"] or "").removeprefix("个")
        same = any(unit[:1] == u[:1] for u in units if unit)
        paid = money and bool(m["money"] or _MONEY.match(unit))
        if same or paid:
            found.append(_value(m["n"]))
    return found


def _asked_column(question: str, columns: Sequence[str], tokenizer: Tokenizer) -> int | None:
    """The one column beside the ranges whose head says most of the question's words; "what costs
    74 euros" names none."""
    terms = [term for term in asked_terms(question, tokenizer) if not term.startswith("#")]
    said = [len(terms_in(han_folded(head, tokenizer), terms, tokenizer)) for head in columns]
    best = max(said[1:], default=0)
    places = [c for c in range(1, len(columns)) if said[c] == best]
    return places[0] if best and len(places) == 1 else None
