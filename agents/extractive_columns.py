"""A table as it is looked through: its heads, its rows, and the cell of a row as a reading."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_concepts import asked_terms, han_folded, occurs
from .extractive_heads import Grid
from .extractive_tables import SURE, Reading

# The noun that is asked for, the surest form first.
ASKED_NOUNS = tuple(
    re.compile(form, re.I)
    for form in (
        r"(几月|哪一?个?月|哪一?年)",
        r"哪(?:一|几)?[个种款台项类些]?([一-鿿]{1,6}?)(?=的|[最是有为用在产达]|$|[？?，,])",
        r"\b(?:which|what|welche[rsnm]?)\s+([A-Za-zäöüß\-]+)",
        r"([一-鿿A-Za-zäöüß]{1,14}?)\s?是(?:哪个|什么)",
        r"最[一-鿿]{1,2}的([一-鿿]{1,6})[？?。]?$",
        r"^(?:the )?([a-z]+) with the (?:most|least|\w+est)\b",
        r"\b(?:(?:most|least) [a-z]+|[a-z]{3,}est) ([a-z]+(?: [a-z]+)?)"
        r"(?=\W*$| (?:in|of|on|from)\b)",
    )
)
_TIMES = {"几月": "月份", "哪个月": "月份", "哪一个月": "月份", "哪年": "年份", "哪一年": "年份"}


class Columns(NamedTuple):
    """A grid with its heads, and all its texts as they are compared."""

    grid: Grid
    heads: list[str]
    body: list[list[str]]
    plain: list[list[str]]


def turned_round(table: Columns, tokenizer: Tokenizer) -> Columns:
    """The table with its rows as columns, so that what heads the columns is compared."""
    rows = [[row[c] if c < len(row) else "" for row in table.body] for c in range(len(table.heads))]
    body = [[head, *row] for head, row in zip(table.heads[1:], rows[1:], strict=True) if any(row)]
    plain = [[han_folded(cell, tokenizer).strip() for cell in row] for row in body]
    return Columns(body, [table.heads[0], *rows[0]], body, plain)


def with_rows(table: Columns, rows: Sequence[int]) -> Columns:
    """The table with these of its rows."""
    return table._replace(body=[table.body[r] for r in rows], plain=[table.plain[r] for r in rows])


def reading_of(name: str, column: int, row: int, table: Columns) -> Reading:
    """A cell, sure, of the row that is called so."""
    value = table.body[row][column]
    head = table.heads[column].strip()
    label = " · ".join(part for part in (name.strip(), head) if part)
    mark = "：" if has_cjk(label or value) else ": "
    return Reading(f"{label}{mark}{value}", value, SURE, name)


def asked_column(question: str, table: Columns, tokenizer: Tokenizer) -> int | None:
    """The one column headed by the noun after "which" or before 是哪个; None: none or several."""
    found = next((m[1] for form in ASKED_NOUNS if (m := form.search(question))), "")
    if not found or found.startswith("最"):
        return None
    noun = _TIMES.get(found, found)
    terms = asked_terms(noun, tokenizer)
    same = [c for c, head in enumerate(table.heads) if is_called(head, noun, terms, tokenizer)]
    return same[0] if len(same) == 1 else None


def is_called(head: str, noun: str, terms: Sequence[str], tokenizer: Tokenizer) -> bool:
    """Whether a head says the noun that is asked for, or one of its words."""
    plain = tokenizer.fold(head).strip()
    if len(plain) > 1 and plain in tokenizer.fold(noun):
        return True
    words = set(tokenizer.tokens(head))
    return any(occurs(term, words, han_folded(plain, tokenizer)) for term in terms)
