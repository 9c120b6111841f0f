"""The engines behind a collection: Chroma collections and the flat files beside them, opened,
made and dropped."""

import shutil
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import IndexMismatchError, StoreError
from ..core.ports import Vectors
from .catalog_schema import identity
from .chroma_client import connect, disconnect
from .chroma_graphs import DATABASE
from .schema import batches, internal_name
from .vector_rows import VectorRows

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from langchain_chroma import Chroma


AT_ONCE = 2000  # vectors taken from Chroma in one call
ASIDE = "aside-"
"""Begins the name of a flat file that outlives its engine, until another is made from it."""


class ChromaEngines:
    """Two Chroma collections a collection: every chunk, and (`visual`) the pictures alone."""

    def __init__(self, folder: Path, *, url: str = "", ef_search: int = 300) -> None:
        self._where = url or str(folder)
        self._folder = folder
        self._url = url
        self._ef_search = ef_search
        self._lock = threading.RLock()
        self._client: ClientAPI | None = None
        self._stores: dict[tuple[str, bool], Chroma] = {}
        self._absent: set[tuple[str, bool]] = set()  # known not to be, where one process writes
        # Only where one process writes: the file knows nothing of another's changes.
        self._rows_folder = None if url else folder.with_name(f"{folder.name}-rows")
        self._rows: dict[str, VectorRows] = {}
        self._prove = False  # whether the flat files are compared with their sums when opened
        self.failed = False
        """Whether a write failed: what the client holds since is not what is on the disk."""

    def drop(self, collection: str) -> None:
        """Remove the collection."""
        for visual in (False, True):
            with self._writing(collection):
                store = self._store(collection, visual)
                if store is not None:
                    rows = self._rows_of(store._collection)
                    if rows is not None:
                        rows.drop()
                        self._rows.pop(str(store._collection.id), None)
                    store.delete_collection()
                    self._stores.pop((collection, visual), None)

    def close(self) -> None:
        """Release the folder or the connection."""
        with self._lock:
            self._stores.clear()
            self._absent.clear()
            self._rows.clear()
            if self._client is not None:
                disconnect(self._client)
                self._client = None
            self.failed = False

    def _rows_of(self, engine: Any) -> VectorRows | None:
        if self._rows_folder is None:
            return None
        name = str(engine.id)
        with self._lock:
            if name not in self._rows:
                dim = int(engine.metadata["dim"])
                self._rows[name] = VectorRows(self._rows_folder / name, dim, prove=self._prove)
            return self._rows[name]

    def _engine(self, collection: str, visual: bool) -> Any:
        store = self._store(collection, visual)
        return None if store is None else store._collection

    def _store(self, collection: str, visual: bool) -> "Chroma | None":
        store = self._stores.get((collection, visual))
        if store is None and (collection, visual) not in self._absent:
            from chromadb.errors import NotFoundError
            from langchain_chroma import Chroma

            client, name = self._connect(), engine_name(collection, visual)
            try:
                # The wrapper needs 40 ms to find that there is none.
                client.get_collection(name, embedding_function=None)
            except NotFoundError:
                if not self._url:
                    self._absent.add((collection, visual))
                return None
            store = Chroma(
                collection_name=name, client=client, create_collection_if_not_exists=False
            )
            self._stores[collection, visual] = store
        return store

    def _create(self, collection: str, visual: bool, vectors: Vectors) -> "Chroma":
        from langchain_chroma import Chroma

        store = Chroma(
            collection_name=engine_name(collection, visual),
            client=self._connect(),
            collection_metadata={"name": collection, "dim": int(vectors.shape[1])},
            collection_configuration=self._configuration(),
        )
        self._stores[collection, visual] = store
        self._absent.discard((collection, visual))
        rows = self._rows_of(store._collection)
        if rows is not None and not len(rows):
            rows.mark(whole=True)  # nothing is in either
        return store

    def _configuration(self) -> Any:
        return {"hnsw": {"space": "cosine", "ef_search": self._ef_search, "ef_construction": 100}}

    def _connect(self) -> "ClientAPI":
        with self._lock:
            if self._client is None:
                self._client = connect(self._folder, self._url)
                self._file = identity(self._folder / DATABASE)
                self._sweep()
            return self._client

    def _sweep(self) -> None:
        """Remove the flat files of collections that are gone."""
        if self._client is not None and self._rows_folder is not None:
            stale = {p.name: p for p in self._rows_folder.glob("*")}
            stale = {n: p for n, p in stale.items() if not n.startswith(ASIDE)}
            if stale:
                for engine in self._client.list_collections():
                    stale.pop(str(engine.id), None)
            for folder in stale.values():
                shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _writing(self, collection: str) -> Iterator[None]:
        """SQLite goes on writing into a file that was removed, and nobody would find it again; and
        Chroma, after a write that failed, does not see all that it wrote."""
        from chromadb.errors import InvalidArgumentError

        with self._errors(collection), self._lock:
            self._connect()
            if not self._url and identity(self._folder / DATABASE) != self._file:
                raise OSError(f"{DATABASE} was removed or replaced while it was in use")
            if self.failed:
                raise OSError("a write failed before")
            try:
                yield
            except (InvalidArgumentError, IndexMismatchError):  # refused before it was begun
                raise
            except BaseException:
                self.failed = not self._url
                raise

    @contextmanager
    def _errors(self, collection: str) -> Iterator[None]:
        from chromadb.errors import ChromaError, InvalidArgumentError
        from httpx import HTTPError

        try:
            yield
        except InvalidArgumentError as error:
            if "dimension" in str(error):
                raise mismatch(collection, str(error)) from error
            raise StoreError(
                f"The vector store refused a request: {error}", place=self._where
            ) from error
        except (ChromaError, HTTPError, sqlite3.Error, OSError) as error:
            raise StoreError(
                f"The vector store at {self._where} failed ({error}). Check that it exists and may"
                " be written and that the disk has space; restart after it was moved or removed,"
                " then run: tuwen doctor --repair",
                place=self._where,
            ) from error


def engine_name(collection: str, visual: bool) -> str:
    """Chroma's name of a collection."""
    return internal_name(collection) + ("-visual" if visual else "")


def mismatch(collection: str, detail: str) -> IndexMismatchError:
    """What is said where another model's vectors are stored."""
    return IndexMismatchError(
        f"Collection {collection!r} was built with another embedding model ({detail})."
        f" Run: tuwen reindex --collection {collection!r}"
    )


def stacked(vectors: list[Vectors]) -> Vectors:
    """As rows of one array."""
    return np.stack(vectors) if vectors else np.zeros((0, 0), dtype=np.float32)


def fetch(engine: Any, ids: Sequence[str]) -> Iterator[tuple[str, Vectors]]:
    """The vectors of those ids that the engine has."""
    for part in batches(len(ids), AT_ONCE):
        found = engine.get(ids=list(ids[part]), include=["embeddings"])
        for chunk_id, vector in zip(found["ids"], found["embeddings"], strict=True):
            yield chunk_id, np.asarray(vector, dtype=np.float32)
