"""What is asked for over several things, and the cells that it would be added up from.

"两台塔吊一天租金一共多少" or "how much are water and parking in total" is not answered by the cell
of one of them: where the total is not said and not added up, that is told, and the cells given.
"""

import re
from collections.abc import Iterator, Sequence

from ..core.ports import Tokenizer
from .extractive_cells import NamedTable, named_table
from .extractive_concepts import asked_terms, terms_in
from .extractive_forms import Line
from .extractive_tables import Reading, statement
from .passages import Passage

_TOTAL = re.compile(
    r"一共|总共|合计|共计|总计|[加共]一?起来?|\b(?:in total|altogether|combined|together|in all)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"(?<=[一-鿿A-Za-z\d])(?:[、和与]|以及|及)(?=[一-鿿A-Za-z\d])"
    r"|(?:\d+|[两二三四五六七八九十]+)\s?个?[台套只件把间周月年人次份天日](?![一-鿿]{0,3}[以之]?[上下内前后])"
    r"|\b(?:and|plus)\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|\d+)"
    r" (?:days|weeks|months|years|units|people|items|pieces)\b",
    re.IGNORECASE,
)
_SAID = re.compile(r"共|合计|总[计和额数]|\b(?:total|sum|altogether)\b", re.IGNORECASE)
_MOST_CELLS = 4


def of_several(question: str) -> bool:
    """Whether a total over several things, or several times one, is asked for."""
    return _TOTAL.search(question) is not None and _SEVERAL.search(question) is not None


def total_unsaid(question: str, lines: Sequence[Line]) -> bool:
    """Whether such a total is asked for and no line says or adds one up."""
    return of_several(question) and not any(n == 0 or _SAID.search(text) for n, text in lines)


def in_rows(
    question: str,
    missing: Sequence[tuple[str, ...]],
    passages: Sequence[Passage],
    tokenizer: Tokenizer,
) -> bool:
    """Whether such a total is asked for and what was not found begins with the name of a row:
    "3号库和4号库每月租金一共多少" does not lack the row 4号库, only a column of that name."""
    if not missing or not of_several(question):
        return False
    tables = (named_table(grid, tokenizer) for passage in passages for grid in passage.grids)
    names = {name for table in tables if table for row in table.rows for name in row if name}
    return any(item.startswith(name) for key in missing for item in key for name in names)


def of_two_rows(question: str, readings: Sequence[Reading]) -> bool:
    """Whether two cells are of one column, of rows that the question both names: two columns of a
    row are no two things to be added."""
    rows = [reading.row for reading in readings]
    heads = {r.statement.removesuffix(r.value).removeprefix(r.row) for r in readings}
    named = all(any(part in question for part in row.split()) for row in rows)
    return len(set(rows)) == len(rows) and len(heads) == 1 and named


def cells_to_add(question: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    """The cells of the first table with a column whose head the question says, the rows that it
    names or else the first ones; empty: no table has one."""
    if not of_several(question):
        return []
    terms = set(asked_terms(_TOTAL.sub(" ", question), tokenizer))
    for passage in passages:
        for grid in passage.grids:
            table = named_table(grid, tokenizer)
            found = list(_column(table, terms, tokenizer)) if table else []
            if found:
                return [(passage.n, text) for text in found[:_MOST_CELLS]]
    return []


def _column(table: NamedTable, terms: set[str], tokenizer: Tokenizer) -> Iterator[str]:
    """The statements of the column that says most of the terms; of none where several rows are
    named those of their numbers."""
    said = {
        c: terms_in(table.columns[c], terms, tokenizer)
        for c in range(table.stub, len(table.columns))
    }
    best = max(said, key=lambda c: (len(said[c]), -c), default=-1)
    named = [r for r, names in enumerate(table.rows) if terms_in(" ".join(names), terms, tokenizer)]
    columns = [best] if best >= 0 and said[best] else list(said) if len(named) > 1 else []
    for row in named or range(len(table.body)):
        cells = table.body[row]
        for c in columns:
            if c < len(cells) and re.search(r"\d", cells[c]):
                yield statement(" ".join(cells[: table.stub]), table.heads[c], cells[c])
