"""The truth: documents, chunks, figures and fingerprints in one SQLite file.

An edition is written beside the active one and becomes visible in one transaction. Reads join the
active editions, so nothing else is ever seen. Readers never wait for a writer (WAL); each thread
has its own connection, writers take turns.
"""

import json
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..core.chunk import Chunk, Edition, Figure
from ..core.document import DocumentRecord
from ..core.errors import StoreError
from ..core.evidence import Place
from ..core.label import Label
from ..core.ports import CollectionInfo
from . import catalog_rows as rows
from .catalog_failures import FailureRows
from .catalog_schema import check_sqlite, connect, identity, prepare
from .catalog_select import facets, filter_keys, select_ids

_LAST = (1 << 63) - 1
_REMEMBERED = 4096  # chunks read not long ago, by their text: the steps of a turn read the same
_RECORDS = 8192  # and the documents' records: every question is compared with all their titles
_GIVEN = "(SELECT value FROM json_each(?))"
_ACTIVE_CHUNKS = "FROM chunks c JOIN editions e ON e.id = c.owner AND e.active"
# SQLite takes an index of some rows only where the query says that no other row is meant.
_IN_SECTIONS = "c.section_number <> '' AND e.collection = ?"
_IN_LABELS = "f.base_label <> '' AND e.collection = ?"
_ACTIVE_FIGURES = "FROM figures f JOIN editions e ON e.id = f.owner AND e.active"


class SqliteCatalog(FailureRows):
    """Catalog in the file `path`."""

    def __init__(self, path: Path) -> None:
        check_sqlite()
        self._path = path
        self._write_lock = threading.RLock()
        self._read_chunk = lru_cache(_REMEMBERED)(Chunk.model_validate_json)
        self._read_record = lru_cache(_RECORDS)(DocumentRecord.model_validate_json)
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            prepare(self._connection(), path)
            self._file = identity(path)

    def close(self) -> None:
        """Close every thread's connection; the catalog cannot be used afterwards."""
        with self._write_lock:
            while self._open:
                self._open.pop().close()
            self._local = threading.local()

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
        """Active documents, by name then id; None: of every collection."""
        return self._records(
            "SELECT record FROM editions WHERE active AND (?1 IS NULL OR collection = ?1)"
            " ORDER BY name, doc_id",
            collection,
        )

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

    def stage(self, record: DocumentRecord, edition: Edition) -> None:
        """Write the edition, not yet visible; an unfinished one of the same name is replaced.

        Raises StoreError when that edition is the active one.
        """
        with self._transaction() as db:
            key = (record.doc_id, record.edition)
            db.execute("INSERT OR IGNORE INTO collections (name) VALUES (?)", (record.collection,))
            db.execute("DELETE FROM editions WHERE doc_id = ? AND edition = ? AND NOT active", key)
            if db.execute(
                "SELECT 1 FROM editions WHERE doc_id = ? AND edition = ?", key
            ).fetchone():
                raise StoreError(
                    f"Edition {record.edition} of {record.name} is in the store already;"
                    " there is nothing to do."
                )
            owner = db.execute(
                "INSERT INTO editions (doc_id, edition, collection, name, content_hash, record,"
                " facets) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    *key,
                    record.collection,
                    record.name,
                    record.content_hash,
                    rows.to_json(record),
                    json.dumps(facets([rows.chunk_values(c) for c in edition.chunks])),
                ),
            ).lastrowid
            rows.insert(db, int(owner or 0), edition)

    def activate(self, doc_id: str, edition: str) -> str | None:
        """Make it the visible edition, in one transaction; the edition it replaced, if any.

        Raises StoreError when no such edition is staged.
        """
        with self._transaction() as db:
            before = self._active_edition(db, doc_id)
            db.execute("UPDATE editions SET active = 0 WHERE doc_id = ? AND active", (doc_id,))
            changed = db.execute(
                "UPDATE editions SET active = 1 WHERE doc_id = ? AND edition = ?", (doc_id, edition)
            ).rowcount
            if not changed:
                raise StoreError(f"Edition {edition} of document {doc_id} was never staged.")
            db.execute("DELETE FROM failures WHERE doc_id = ?", (doc_id,))
            return before if before != edition else None

    def remove_edition(self, doc_id: str, edition: str) -> None:
        """Forget an inactive edition's rows; an active one is left alone."""
        with self._transaction() as db:
            db.execute(
                "DELETE FROM editions WHERE doc_id = ? AND edition = ? AND NOT active",
                (doc_id, edition),
            )

    def deactivate(self, doc_id: str) -> str | None:
        """Make a document invisible (first step of a deletion); the edition that was active."""
        with self._transaction() as db:
            before = self._active_edition(db, doc_id)
            db.execute("UPDATE editions SET active = 0 WHERE doc_id = ? AND active", (doc_id,))
            return before

    def deactivate_collection(self, collection: str) -> None:
        """Make a whole collection invisible at once (first step of dropping it)."""
        with self._transaction() as db:
            db.execute("UPDATE editions SET active = 0 WHERE collection = ?", (collection,))

    def edition_chunk_ids(self, doc_id: str, edition: str) -> list[str]:
        """Chunk ids of an edition, active or not, by ordinal."""
        return self._column(
            "SELECT c.chunk_id FROM chunks c JOIN editions e ON e.id = c.owner"
            " WHERE e.doc_id = ? AND e.edition = ? ORDER BY c.ordinal, c.chunk_id",
            doc_id,
            edition,
        )

    def edition_asset_ids(self, doc_id: str, edition: str) -> list[str]:
        """Asset ids of an edition, active or not, sorted."""
        return self._column(
            "SELECT a.asset_id FROM assets a JOIN editions e ON e.id = a.owner"
            " WHERE e.doc_id = ? AND e.edition = ? ORDER BY a.asset_id",
            doc_id,
            edition,
        )

    def assets_in_use(
        self, asset_ids: Collection[str], *, besides: tuple[str, str] = ("", "")
    ) -> set[str]:
        """Which of the assets some edition names, active or not, `besides` (doc_id, edition)."""
        return set(
            self._column(
                "SELECT DISTINCT a.asset_id FROM assets a JOIN editions e ON e.id = a.owner"
                f" WHERE a.asset_id IN {_GIVEN} AND NOT (e.doc_id = ? AND e.edition = ?)",
                json.dumps(list(asset_ids)),
                *besides,
            )
        )

    def asset_ids(self) -> set[str]:
        """Every asset that some edition names."""
        return set(self._column("SELECT DISTINCT asset_id FROM assets"))

    def stale_editions(self) -> list[tuple[str, str, str]]:
        """(collection, doc_id, edition) of every inactive edition: what a crash left."""
        return self._all(
            "SELECT collection, doc_id, edition FROM editions WHERE NOT active ORDER BY id"
        )

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Active chunks of those ids, in the order given; others are left out."""
        found = dict(
            self._all(
                f"SELECT c.chunk_id, c.body {_ACTIVE_CHUNKS} WHERE c.chunk_id IN {_GIVEN}",
                json.dumps(list(ids)),
            )
        )
        return [self._read_chunk(found[i]) for i in dict.fromkeys(ids) if i in found]

    def places(self, ids: Sequence[str]) -> dict[str, Place]:
        """Document and pages of those of the ids that belong to active editions."""
        found = self._all(
            f"SELECT c.chunk_id, e.doc_id, c.page_start, c.page_end {_ACTIVE_CHUNKS}"
            f" WHERE c.chunk_id IN {_GIVEN}",
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
                f"SELECT f.figure_id, f.body {_ACTIVE_FIGURES} WHERE f.figure_id IN {_GIVEN}",
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

    def fingerprint(self, collection: str) -> tuple[str, int] | None:
        """(embedder name, dimension) that the collection was built with; None: nothing yet."""
        found = self._all("SELECT embedder, dim FROM collections WHERE name = ?", collection)
        return (found[0][0], found[0][1]) if found and found[0][0] else None

    def set_fingerprint(self, collection: str, embedder: str, dim: int) -> None:
        """Record it; at the first commit into a collection."""
        with self._transaction() as db:
            db.execute(
                "INSERT INTO collections (name, embedder, dim) VALUES (?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE"
                " SET embedder = excluded.embedder, dim = excluded.dim",
                (collection, embedder, dim),
            )

    def drop_collection(self, collection: str) -> None:
        """Forget a collection and everything in it."""
        with self._transaction() as db:
            db.execute("DELETE FROM collections WHERE name = ?", (collection,))

    def check(self) -> list[str]:
        """SQLite's own findings about the file; empty when it is sound."""
        return [line for line in self._column("PRAGMA quick_check") if line != "ok"]

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

    def _column(self, sql: str, *values: Any) -> list[str]:
        return [row[0] for row in self._all(sql, *values)]

    def _all(self, sql: str, *values: Any) -> list[Any]:
        with self._errors():
            return self._connection().execute(sql, values).fetchall()

    @staticmethod
    def _active_edition(db: sqlite3.Connection, doc_id: str) -> str | None:
        found = db.execute(
            "SELECT edition FROM editions WHERE doc_id = ? AND active", (doc_id,)
        ).fetchone()
        return str(found[0]) if found else None

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = connect(self._path)
            with self._write_lock:
                self._open.append(connection)
        return connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._errors(), self._write_lock:
            self._check_file()
            db = self._connection()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    def _check_file(self) -> None:
        """SQLite goes on writing into a file that was removed, and nobody would find it again."""
        if identity(self._path) != self._file:
            raise StoreError(
                f"The catalog {self._path} was removed or replaced while it was in use. Restart;"
                " what is in the folder then is what counts.",
                place=self._path.parent,
            )

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"The catalog {self._path} cannot be used ({error}). Check that the folder exists"
                " and may be written and that the disk has space; restart after it was moved or"
                " removed.",
                place=self._path.parent,
            ) from error
