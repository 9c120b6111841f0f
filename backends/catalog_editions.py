"""What a commit writes into the catalog: an edition beside the active one, then which is active.

The transactions that change what is seen are on the disk when they return: what follows them
removes the old edition's pictures and rows, and would otherwise be left alone by a loss of power.
"""

import json
import sqlite3
from collections.abc import Collection

from ..core.chunk import Edition
from ..core.document import DocumentRecord
from ..core.errors import StoreError
from . import catalog_rows as rows
from .catalog_file import CatalogFile
from .catalog_select import facets

GIVEN = "(SELECT value FROM json_each(?))"


class EditionRows(CatalogFile):
    """The catalog's part about editions and with which model a collection was built."""

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
        with self._transaction(durable=True) as db:
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
        with self._transaction(durable=True) as db:
            before = self._active_edition(db, doc_id)
            db.execute("UPDATE editions SET active = 0 WHERE doc_id = ? AND active", (doc_id,))
            return before

    def deactivate_collection(self, collection: str) -> None:
        """Make a whole collection invisible at once (first step of dropping it)."""
        with self._transaction(durable=True) as db:
            db.execute("UPDATE editions SET active = 0 WHERE collection = ?", (collection,))

    def edition_chunk_ids(self, doc_id: str, edition: str) -> list[str]:
        """Chunk ids of an edition, active or not, by ordinal."""
        return self._column(
            "SELECT c.chunk_id FROM chunks c JOIN editions e ON e.id = c.owner"
            " WHERE e.doc_id = ? AND e.edition = ? ORDER BY c.ordinal, c.chunk_id",
            doc_id,
            edition,
        )

    def edition_texts(self, doc_id: str, edition: str) -> list[str]:
        """What was encoded of an edition's chunks, active or not, by ordinal."""
        return self._column(
            "SELECT json_extract(c.body, '$.embedding_text') FROM chunks c"
            " JOIN editions e ON e.id = c.owner"
            " WHERE e.doc_id = ? AND e.edition = ? ORDER BY c.ordinal, c.chunk_id",
            doc_id,
            edition,
        )

    def texts(self) -> set[str]:
        """What was encoded of all chunks, active or not."""
        return set(self._column("SELECT json_extract(body, '$.embedding_text') FROM chunks"))

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
                f" WHERE a.asset_id IN {GIVEN} AND NOT (e.doc_id = ? AND e.edition = ?)",
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

    def fingerprint(self, collection: str) -> tuple[str, int] | None:
        """(embedder name, dimension) that the collection was built with; None: nothing yet."""
        found = self._all("SELECT embedder, dim FROM collections WHERE name = ?", collection)
        return (found[0][0], found[0][1]) if found and found[0][0] else None

    def set_fingerprint(self, collection: str, embedder: str, dim: int) -> None:
        """Record it; at the first commit into a collection."""
        with self._transaction(durable=True) as db:
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

    @staticmethod
    def _active_edition(db: sqlite3.Connection, doc_id: str) -> str | None:
        found = db.execute(
            "SELECT edition FROM editions WHERE doc_id = ? AND active", (doc_id,)
        ).fetchone()
        return str(found[0]) if found else None
