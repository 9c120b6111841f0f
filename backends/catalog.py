"""The truth: documents, chunks, figures and fingerprints in one SQLite file.

What questions read of it. An edition is written beside the active one and becomes visible in one
transaction (catalog_editions); reads join the active editions, so nothing else is ever seen.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..core.chunk import Chunk, Figure
from ..core.document import DocumentRecord
from ..core.evidence import Place
from ..core.label import Label
from ..core.ports import CollectionInfo
from . import catalog_rows as rows
from .catalog_editions import GIVEN, EditionRows
from .catalog_failures import FailureRows
from .catalog_select import filter_keys, select_ids

_LAST = (1 << 63) - 1
_REMEMBERED = 4096  # chunks read not long ago, by their text: the steps of a turn read the same
_RECORDS = 8192  # and the documents' records: every question is compared with all their titles
_ACTIVE_CHUNKS = "FROM chunks c JOIN editions e ON e.id = c.owner AND e.active"
# SQLite takes an index of some rows only where the query says that no other row is meant.
_IN_SECTIONS = "c.section_number <> '' AND e.collection = ?"
_IN_LABELS = "f.base_label <> '' AND e.collection = ?"
_ACTIVE_FIGURES = "FROM figures f JOIN editions e ON e.id = f.owner AND e.active"


class SqliteCatalog(EditionRows, FailureRows):
    """Catalog in the file `path`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._read_chunk = lru_cache(_REMEMBERED)(Chunk.model_validate_json)
        self._read_record = lru_cache(_RECORDS)(DocumentRecord.model_validate_json)

    def collections(self) -> list[CollectionInfo]:
        """Every collection by name."""
        found = self._all(
            "SELECT c.name, c.embedder, c.dim, COUNT(e.id),"
            " (SELECT COUNT(*) FROM chunks k JOIN editions a ON a.id = k.owner AND a.active"
            "  WHERE a.collection = c.name),"
            " (SELECT COUNT(*) FROM figures k JOIN editions a ON a.id = k.owner AND a.active"
            "  WHERE a.collection = c.name)"
            " FROM collections c LEFT JOIN editions e ON e.collection = c.name AND e.active"
            " GROUP BY c.name ORDER BY c.name"
        )
        return [
            CollectionInfo(
                name=name, embedder=embedder, dim=dim, documents=docs, chunks=chunks, figures=figs
            )
            for name, embedder, dim, docs, chunks, figs in found
        ]

    def documents(self, collection: str | None = None) -> list[DocumentRecord]:
        """Active documents, by name then id; None: of every collection.

        Every question is compared with them: while the catalog stays as it is, a thread reads them
        once.
        """
        version = self._version()
        if version is None or getattr(self._local, "version", None) != version:
            self._local.version, self._local.documents = version, {}
        known: dict[str | None, list[DocumentRecord]] = self._local.documents
        if collection not in known:
            known[collection] = self._records(
                "SELECT record FROM editions WHERE active AND (?1 IS NULL OR collection = ?1)"
                " ORDER BY name, doc_id",
                collection,
            )
        return list(known[collection])

    def document(self, doc_id: str) -> DocumentRecord | None:
        """The active edition's record."""
        found = self._records("SELECT record FROM editions WHERE active AND doc_id = ?", doc_id)
        return found[0] if found else None

    def find_by_hash(self, collection: str, content_hash: str) -> list[DocumentRecord]:
        """Active documents of the same content, by name then id."""
        return self._records(
            "SELECT record FROM editions WHERE active AND collection = ? AND content_hash = ?"
            " ORDER BY name, doc_id",
            collection,
            content_hash,
        )

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Active chunks of those ids, in the order given; others are left out."""
        found = dict(
            self._all(
                f"SELECT c.chunk_id, c.body {_ACTIVE_CHUNKS} WHERE c.chunk_id IN {GIVEN}",
                json.dumps(list(ids)),
            )
        )
        return [self._read_chunk(found[i]) for i in dict.fromkeys(ids) if i in found]

    def places(self, ids: Sequence[str]) -> dict[str, Place]:
        """Document and pages of those of the ids that belong to active editions."""
        found = self._all(
            f"SELECT c.chunk_id, e.doc_id, c.page_start, c.page_end {_ACTIVE_CHUNKS}"
            f" WHERE c.chunk_id IN {GIVEN}",
            json.dumps(list(ids)),
        )
        return {chunk_id: Place(doc_id, first, last) for chunk_id, doc_id, first, last in found}

    def chunks_of(self, doc_id: str, *, first: int = 0, last: int | None = None) -> list[Chunk]:
        """Active chunks of a document by ordinal, `first` to `last` inclusive."""
        return self._chunks(
            "e.doc_id = ? AND c.ordinal BETWEEN ? AND ?",
            doc_id,
            first,
            _LAST if last is None else last,
        )

    def by_semantic_id(self, doc_id: str, semantic_id: str) -> list[Chunk]:
        """Active chunks of one semantic block, by ordinal."""
        return self._chunks("e.doc_id = ? AND c.semantic_id = ?", doc_id, semantic_id)

    def by_section(self, collection: str, number: str) -> list[Chunk]:
        """Active chunks whose section has this number ("3.1.2", "A.1"), by document and ordinal."""
        if not number:
            return []
        return self._chunks(f"c.section_number = ? AND {_IN_SECTIONS}", number, collection)

    def select(self, collection: str, filters: Mapping[str, Any]) -> list[str]:
        """Ids of active chunks that match every filter, by document and ordinal.

        A filter is a value or a list of which any may match; an empty list matches nothing.
        2023 and "2023" are equal, case and full width do not count. Keys are a chunk's metadata
        and fields (chunk_type, section_number, page, ...) or else its document's (source_type,
        doc_id, language, year, ...); `page` is a page that the chunk touches.
        """
        with self._errors():
            db = self._connection()
            db.execute("BEGIN")  # two statements, one state
            try:
                return select_ids(db, collection, filters)
            finally:
                db.execute("COMMIT")

    def filter_keys(self, collection: str) -> list[str]:
        """Every key that `select` knows in a collection, sorted."""
        with self._errors():
            return filter_keys(self._connection(), collection)

    def figures(self, ids: Sequence[str]) -> list[Figure]:
        """Active figures of those ids, in the order given; others are left out."""
        found = dict(
            self._all(
                f"SELECT f.figure_id, f.body {_ACTIVE_FIGURES} WHERE f.figure_id IN {GIVEN}",
                json.dumps(list(ids)),
            )
        )
        return [Figure.model_validate_json(found[i]) for i in dict.fromkeys(ids) if i in found]

    def figures_of(self, doc_id: str) -> list[Figure]:
        """Active figures of a document by ordinal."""
        return self._figures("e.doc_id = ?", doc_id)

    def figures_by_label(self, collection: str, label: Label) -> list[Figure]:
        """Active figures with this label, by document and ordinal.

        图2.3 finds 图2.3 and its parts (a), (b), …; 图2.3(b) finds that part, or else the undivided
        图2.3 that shows it, never another part.
        """
        base = label.model_copy(update={"sub": ""}).key
        found = self._figures(f"f.base_label = ? AND {_IN_LABELS}", base, collection)
        if not label.sub:
            return found
        exact = [f for f in found if f.label is not None and f.label.key == label.key]
        return exact or [f for f in found if f.label is not None and not f.label.sub]

    def labels(self, collection: str, kind: str) -> list[str]:
        """Label keys of this kind that exist in a collection, in the order of their numbers."""
        found = self._column(
            f"SELECT DISTINCT f.label {_ACTIVE_FIGURES} WHERE e.collection = ? AND f.label <> ''",
            collection,
        )
        return sorted((k for k in found if k.startswith(f"{kind}:")), key=rows.natural)

    def _chunks(self, where: str, *values: Any) -> list[Chunk]:
        # The plus: sorting the few that were found is cheaper than going through their document.
        sql = f"SELECT c.body {_ACTIVE_CHUNKS} WHERE {where} ORDER BY e.doc_id, +c.ordinal, c.id"
        found = self._column(sql, *values)
        # What is read of every document at once would drive out all that is remembered.
        read = self._read_chunk if len(found) < _REMEMBERED // 4 else Chunk.model_validate_json
        return [read(body) for body in found]

    def _figures(self, where: str, *values: Any) -> list[Figure]:
        sql = f"SELECT f.body {_ACTIVE_FIGURES} WHERE {where} ORDER BY e.doc_id, f.ordinal, f.id"
        return [Figure.model_validate_json(body) for body in self._column(sql, *values)]

    def _records(self, sql: str, *values: Any) -> list[DocumentRecord]:
        return [self._read_record(body) for body in self._column(sql, *values)]
