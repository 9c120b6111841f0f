"""The tables of a document that have the row a question names, wherever search ranked them."""

from collections.abc import Sequence
from typing import NamedTuple

from ..core.analysis import Analysis
from ..core.chunk import Chunk
from ..core.ports import Catalog
from ..tools.whole_name import inner_question
from .extractive_grids import before_tables
from .extractive_heads import Grid
from .extractive_office import holders, office_asked
from .extractive_tables import html_grids, markdown_grids
from .row_answer import told_rows
from .row_question import RowAsked, row_asked, without_owner
from .row_tables import TableAt, may_hold, rows_of_figures, years_above

MOST_DOCUMENTS = 3
MOST_TABLES = 1500
"""Tables of one document that are looked through at most."""


class RowPlace(NamedTuple):
    """The chunk that has the row, the one with the heads of its columns, and the text above that
    with their years, where it has them; often all the same."""

    above: str
    head: str
    row: str

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """All three, each once, in the order of the document."""
        return tuple(dict.fromkeys(self))


def row_places(analysis: Analysis, docs: Sequence[str], catalog: Catalog) -> list[RowPlace]:
    """Where the documents have the row that the question asks the figures of, or the office whose
    holder it asks for; empty: it asks otherwise, or no table has it."""
    if analysis.labels or analysis.wish != "none" or not 0 < len(docs) <= MOST_DOCUMENTS:
        return []
    question = inner_question(analysis)
    if office := office_asked(question):
        return [p for doc in docs for p in _of_office(office, catalog.chunks_of(doc))]
    asked = row_asked(question)
    if asked is None:
        return []
    return [place for doc in docs for place in _in_document(asked, catalog.chunks_of(doc))]


def _of_office(office: str, chunks: Sequence[Chunk]) -> list[RowPlace]:
    """The first table that has the office with the name of its holder."""
    for chunk in chunks:
        if "|" in chunk.text and any(list(holders(office, grid)) for grid in _grids(chunk)):
            return [RowPlace(*[chunk.chunk_id] * 3)]
    return []


def _grids(chunk: Chunk) -> list[Grid]:
    return html_grids(chunk.html) if chunk.html else markdown_grids(chunk.text)


def _in_document(asked: RowAsked, chunks: Sequence[Chunk]) -> list[RowPlace]:
    title = chunks[0].doc_title if chunks else ""
    asked = without_owner(asked, [title])
    tables = [chunk for chunk in chunks if chunk.html or "|" in chunk.text][:MOST_TABLES]
    # With those of the same sections, which may have the heads of a table that goes on.
    sections = {c.section_path for c in tables if may_hold(asked.item, c.text)}
    tables = [chunk for chunk in tables if chunk.section_path in sections]
    held: list[TableAt] = []
    places: list[tuple[str, str]] = []
    for chunk in tables:
        above = _above(chunk, chunks)
        lead, years = before_tables(chunk.text), years_above(above.text)
        for grid in _grids(chunk):
            held.append(TableAt(grid, chunk.section_path, lead, years))
            places.append((above.chunk_id if years else chunk.chunk_id, chunk.chunk_id))
            years = ()
    told = told_rows(asked, list(rows_of_figures(held)), title)
    return [RowPlace(*places[t.row.places[0]], places[t.row.places[1]][1]) for t in told]


def _above(table: Chunk, chunks: Sequence[Chunk]) -> Chunk:
    """The text right above a table, of its section; the table's own chunk where none is."""
    at = table.ordinal - chunks[0].ordinal
    before = chunks[at - 1] if 0 < at <= len(chunks) else table
    same = before.section_path == table.section_path and "|" not in before.text
    return before if same else table
