"""Cells of a table in another language than the question: its heads are told by their meaning."""

import re
from collections.abc import Sequence

from ..core.ports import Embedder, Tokenizer
from ..core.text import has_cjk, language
from .extractive_bridge import named_in
from .extractive_cells import NamedTable, cells_of, named_table
from .extractive_grids import over_tables
from .extractive_tables import Reading
from .extractive_values import YEAR_NUMBER, Asked, asked_of
from .extractive_words import answer_kind
from .passages import Passage

# A head is what an item says when their cosine by the light encoder is this high, and this far
# ahead of the next head's: "net profit" and 净利润 .78, "dividend" and its nearest head .62.
NEAR, AHEAD = 0.64, 0.06
MOST_NAMES = 80
_BRACKETS = re.compile(r"[(（\[][^)）\]]*[)）\]]")
_COUNTED = re.compile(r"^\s*how (?:many|much)\s+|\b(?:were|was|are|is|did) (?:there|it)\b", re.I)


def translated_cells(
    question: str, passages: Sequence[Passage], tokenizer: Tokenizer, embedder: Embedder
) -> list[tuple[int, Reading]]:
    """The cells that the question asks for, of the first table in another language that has them,
    with their passage's number; empty: none has. `embedder` compares short texts."""
    asked = asked_of(_COUNTED.sub(" ", question))
    if asked is None or len(asked.combinations) > 1:
        return []
    for passage in passages:
        about = over_tables(passage)
        for grid in passage.grids:
            table = named_table(grid, tokenizer)
            if table is None or not _foreign(question, table):
                continue
            whole = f"{passage.title} {passage.section_path} {about}"
            said = _translated(asked, table, embedder, whole)
            found = cells_of(said, table, about, numbers=answer_kind(question) == "number")
            if found:
                return [(passage.n, cell) for cells in found.values() for cell in cells]
    return []


def _foreign(question: str, table: NamedTable) -> bool:
    return language(" ".join(_names(table))) != language(question)


def _names(table: NamedTable) -> list[str]:
    """The names of rows and columns that are words."""
    names = [name for row in table.rows for name in row] + table.columns
    wordy = r"[\u4e00-\u9fff]{2}|[A-Za-z]{3}"
    return list(dict.fromkeys(n for n in names if re.search(wordy, n)))[:MOST_NAMES]


def _translated(asked: Asked, table: NamedTable, embedder: Embedder, about: str) -> Asked:
    """With the head of the table in place of each item that has one: the head that says its listed
    words, else the nearest one."""
    items = [group[0] for group in asked.groups]
    own = [item for item in items if not YEAR_NUMBER.fullmatch(item) and not _code(item)]
    names = _names(table)
    if not own or not names:
        return asked
    names = [_BRACKETS.sub(" ", name).strip() for name in names]
    heads = embedder.embed_passages(names)
    cosines = embedder.embed_queries(own) @ heads.T
    said = dict(zip(own, (_nearest(names, list(map(float, row))) for row in cosines), strict=True))
    said |= {item: listed for item in own if (listed := named_in(item, names, about))}
    return Asked(tuple((said.get(item) or item,) for item in items))


def _nearest(names: Sequence[str], cosines: Sequence[float]) -> str:
    """The head that an item says; empty: none does, or two are as near."""
    (best, name), *rest = sorted(zip(cosines, names, strict=True), reverse=True)
    ahead = best - rest[0][0] if rest else AHEAD
    return name if best >= NEAR and ahead >= AHEAD else ""


def _code(item: str) -> bool:
    return re.search(r"\d", item) is not None and not has_cjk(item)
