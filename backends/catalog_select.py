"""Filters over metadata: which active chunks have all the wanted values.

Each edition keeps its facets, the distinct values of its chunks. Most filters (a document, a year,
a type) are settled by them for a document as a whole; only where its chunks differ are they read.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..core.document import DocumentRecord
from .catalog_rows import comparable, document_values, matches, wanted

_PAGE_KEYS = frozenset({"page", "pages"})
_MOST_VALUES = 64
_REMEMBERED = 8192  # editions by their text: a filter asks all of a collection's
_NOTHING = "\x00"  # the facet of a key without a value: no filter asks for it


def facets(chunks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`[values, chunks that have the key]` of every key; values is None when they are many."""
    found: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for chunk in chunks:
        for key, value in chunk.items():
            values = value if isinstance(value, list) else [value]
            forms = {comparable(v) for v in values if v is not None}
            found.setdefault(key, set()).update(forms or {_NOTHING})
            counts[key] = counts.get(key, 0) + 1
    return {
        key: [sorted(values) if len(values) <= _MOST_VALUES else None, counts[key]]
        for key, values in found.items()
    }


def select_ids(db: sqlite3.Connection, collection: str, filters: Mapping[str, Any]) -> list[str]:
    """Chunk ids by document and ordinal; see SqliteCatalog.select."""
    choices = {str(k): wanted(v) for k, v in filters.items()}
    if not all(choices.values()):
        return []
    editions = db.execute(
        "SELECT e.id, e.record, e.facets, (SELECT COUNT(*) FROM chunks c WHERE c.owner = e.id)"
        " FROM editions e WHERE e.active AND e.collection = ? ORDER BY e.doc_id",
        (collection,),
    ).fetchall()
    ids: list[str] = []
    for owner, body, kept, count in editions:
        if choices:
            document, values = _document(body), _facets(kept)
            answers = _settled(choices, document, values, count)
            if None in answers:
                ids += _read(db, owner, choices, document)
                continue
            if not all(answers):
                continue
        ids += _all(db, owner)
    return ids


def filter_keys(db: sqlite3.Connection, collection: str) -> list[str]:
    """Every key that a collection can be filtered by, sorted."""
    found = set(_PAGE_KEYS)
    for body, kept in db.execute(
        "SELECT record, facets FROM editions WHERE active AND collection = ?", (collection,)
    ):
        found |= _document(body).keys()
        found |= _facets(kept).keys()
    return sorted(found)


@lru_cache(_REMEMBERED)
def _document(body: str) -> Mapping[str, Any]:
    """What the document of this record can be filtered by."""
    return document_values(DocumentRecord.model_validate_json(body))


@lru_cache(_REMEMBERED)
def _facets(kept: str) -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(kept)
    return found


def _settled(
    choices: Mapping[str, set[str]],
    document: Mapping[str, Any],
    kept: Mapping[str, Any],
    count: int,
) -> list[bool | None]:
    """For each filter whether all (True) or none (False) of a document's chunks match; [False]
    when any matches none, because then the others do not count."""
    answers: list[bool | None] = []
    for key, choice in choices.items():
        answer = _one(key, choice, matches(document.get(key), choice), kept.get(key), count)
        if answer is False:
            return [False]
        answers.append(answer)
    return answers


def _one(key: str, choice: set[str], document: bool, kept: Any, count: int) -> bool | None:
    if kept is None:
        return None if key in _PAGE_KEYS else document
    values, having = kept
    if values is None:
        return None
    others = [] if having == count else [document]  # chunks without the key take the document's
    hits = [value in choice for value in values] + others
    return all(hits) if all(hits) == any(hits) else None


def _all(db: sqlite3.Connection, owner: int) -> Iterable[str]:
    found = db.execute("SELECT chunk_id FROM chunks WHERE owner = ? ORDER BY ordinal", (owner,))
    return (row[0] for row in found)


def _read(
    db: sqlite3.Connection,
    owner: int,
    choices: Mapping[str, set[str]],
    document: Mapping[str, Any],
) -> Iterable[str]:
    found = db.execute(
        "SELECT chunk_id, page_start, page_end, meta FROM chunks WHERE owner = ?"
        " ORDER BY ordinal, id",
        (owner,),
    )
    return (
        chunk_id
        for chunk_id, first, last, meta in found
        if _fits(choices, document, (first, last), json.loads(meta))
    )


def _fits(
    choices: Mapping[str, set[str]],
    document: Mapping[str, Any],
    pages: tuple[int | None, int | None],
    chunk: Mapping[str, Any],
) -> bool:
    return all(
        _touches(pages, choice)
        if key in _PAGE_KEYS and key not in chunk
        else matches(chunk.get(key, document.get(key)), choice)
        for key, choice in choices.items()
    )


def _touches(pages: tuple[int | None, int | None], choice: set[str]) -> bool:
    first, last = pages
    if first is None:
        return False
    return any(p.isdigit() and first <= int(p) <= (last or first) for p in choice)
