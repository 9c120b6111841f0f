"""Vectors in Chroma, through langchain-chroma, with our own embeddings always.

Two Chroma collections stand behind one of ours: every chunk, and once more the pictures, charts
and tables alone, because a `where` filter costs ten times a search. Scores are cosines: Chroma's
cosine space returns 1 - cosine.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import StoreError
from ..core.ports import VectorRecord, Vectors
from .chroma_engines import engine_name, fetch, mismatch, stacked
from .chroma_mend import ChromaMending
from .schema import batches, restored, storable
from .vector_rows import VectorRows

if TYPE_CHECKING:
    from langchain_chroma import Chroma
    from langchain_core.embeddings import Embeddings

_EXACT = 2000  # allowed ids up to this many are compared one by one
_WIDEST = 4000  # nearest neighbours asked for at most
_BATCH = 5000  # below Chroma's own limit (5461 embedded)


class ChromaVectors(ChromaMending):
    """VectorIndex over a folder (one process) or over a Chroma server (several).

    `ef_search` is the breadth of the approximate search: Chroma's default of 100 finds only some
    85 % of the nearest hundred.
    """

    def upsert(self, collection: str, records: Sequence[VectorRecord], vectors: Vectors) -> None:
        """Insert or replace, split into the engine's own batch size."""
        if len(records) != len(vectors):
            raise ValueError(f"{len(records)} records but {len(vectors)} vectors")
        with self._writing(collection):
            for visual in (False, True):
                rows = [i for i, r in enumerate(records) if r.visual or not visual]
                if rows:
                    self._put(collection, visual, [records[i] for i in rows], vectors[rows])
            pictures = self._engine(collection, True)
            if pictures is not None:  # what used to be a picture
                self._delete(pictures, [r.id for r in records if not r.visual])

    def search(
        self,
        collection: str,
        vector: Vectors,
        n: int,
        *,
        allowed: Collection[str] | None = None,
        visual: bool = False,
    ) -> list[tuple[str, float]]:
        """Best n (id, cosine), ties by id. `allowed` restricts the ids exactly; empty: none."""
        if n <= 0 or (allowed is not None and not allowed):
            return []
        with self._errors(collection):
            engine = self._engine(collection, visual)
            if engine is None:
                return []
            _check_dim(collection, engine.metadata, len(vector))
            return self._nearest(engine, vector, n, None if allowed is None else frozenset(allowed))

    def vectors(self, collection: str, ids: Sequence[str]) -> Mapping[str, Vectors]:
        """Stored vectors of those ids that exist."""
        with self._errors(collection):
            engine = self._engine(collection, False)
            if engine is None:
                return {}
            return dict(zip(*self._stored(engine, ids), strict=True))

    def metadata(self, collection: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Stored metadata of those ids that exist, in their original shape."""
        with self._errors(collection):
            engine = self._engine(collection, False)
            if engine is None or not ids:
                return {}
            found = engine.get(ids=list(ids), include=["metadatas"])
            return {
                i: restored(m or {}) for i, m in zip(found["ids"], found["metadatas"], strict=True)
            }

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove; unknown ids are ignored."""
        for visual in (False, True):
            with self._writing(collection):
                engine = self._engine(collection, visual)
                if engine is not None:
                    self._delete(engine, ids)

    def ids(self, collection: str) -> set[str]:
        """Every stored id (for repair)."""
        with self._errors(collection):
            engines = [self._engine(collection, visual) for visual in (False, True)]
            return {i for e in engines if e is not None for i in e.get(include=[])["ids"]}

    def count(self, collection: str, *, visual: bool = False) -> int:
        """How many chunks are stored."""
        with self._errors(collection):
            engine = self._engine(collection, visual)
            return 0 if engine is None else int(engine.count())

    def as_langchain(self, collection: str, embeddings: "Embeddings") -> "Chroma":
        """The collection as a LangChain vector store, for people's own chains (to read)."""
        from chromadb.errors import NotFoundError
        from langchain_chroma import Chroma

        try:
            return Chroma(
                collection_name=engine_name(collection, False),
                client=self._connect(),
                embedding_function=embeddings,
                create_collection_if_not_exists=False,
            )
        except NotFoundError as error:
            raise StoreError(f"Collection {collection!r} holds no vectors yet.") from error

    def _nearest(
        self, engine: Any, vector: Vectors, n: int, allowed: frozenset[str] | None
    ) -> list[tuple[str, float]]:
        """By the flat file where it is complete: exact or nearly so, and the same however the
        collection grew. Else by the engine's own search."""
        rows = self._rows_of(engine)
        if rows is not None and self._complete(engine, rows):
            found = rows.nearest(vector, n, allowed=allowed)
            return _ranked([i for i, _ in found], [min(s, 1.0) for _, s in found])[:n]
        if allowed is None:
            return _query(engine, vector, n)
        return self._restricted(engine, vector, n, allowed)

    def _complete(self, engine: Any, rows: VectorRows) -> bool:
        """Whether the flat file holds every vector."""
        if rows.whole:
            return True
        whole = len(rows) == int(engine.count())
        if whole and self._lock.acquire(blocking=False):  # nobody writes
            try:
                if len(rows) == int(engine.count()):
                    rows.mark(whole=True)
            finally:
                self._lock.release()
        return whole

    @contextmanager
    def _changing(self, engine: Any) -> Iterator[None]:
        """While engine and flat file change one after the other, neither is whole."""
        rows = self._rows_of(engine)
        whole = rows is not None and rows.whole
        if rows is not None and whole:
            rows.mark(whole=False)
        yield
        if rows is not None and whole:
            rows.mark(whole=True)

    def _restricted(
        self, engine: Any, vector: Vectors, n: int, allowed: frozenset[str]
    ) -> list[tuple[str, float]]:
        """Narrow sets are compared one by one; for broad ones a wider search is filtered, and
        compared one by one only if that leaves too few."""
        if len(allowed) > _EXACT:
            width = int(1.5 * n * engine.count() / len(allowed)) + 50
            if width <= _WIDEST:
                kept = [(i, score) for i, score in _query(engine, vector, width) if i in allowed]
                if len(kept) >= n:
                    return kept[:n]
        ids, matrix = self._stored(engine, allowed)
        if not ids:
            return []
        cosines = matrix @ np.asarray(vector, dtype=np.float32)
        return _ranked(ids, np.minimum(cosines, 1.0).tolist())[:n]

    def _stored(self, engine: Any, ids: Collection[str]) -> tuple[list[str], Vectors]:
        """The ids that exist and their vectors, from the flat file or else from Chroma."""
        rows = self._rows_of(engine)
        if rows is None:
            fetched = dict(fetch(engine, list(ids)))
            return list(fetched), stacked(list(fetched.values()))
        found, vectors = rows.get(ids)
        if len(found) < len(set(ids)) and not self._complete(engine, rows):
            missing = dict(fetch(engine, sorted(set(ids) - set(found))))
            if missing:
                rows.put(list(missing), stacked(list(missing.values())))
                found, vectors = rows.get(ids)
        return found, vectors

    def _put(
        self, collection: str, visual: bool, records: list[VectorRecord], vectors: Vectors
    ) -> None:
        store = self._store(collection, visual) or self._create(collection, visual, vectors)
        engine = store._collection  # the wrapper cannot take ready vectors
        _check_dim(collection, engine.metadata, vectors.shape[1])
        with self._changing(engine):
            self._replace(engine, collection, records, vectors)

    def _replace(
        self, engine: Any, collection: str, records: list[VectorRecord], vectors: Vectors
    ) -> None:
        for part in batches(len(records), _BATCH):
            some = records[part]
            # An upsert merges the metadata: keys that are gone would stay.
            self._delete(engine, [r.id for r in some])
            engine.add(
                ids=[r.id for r in some],
                embeddings=np.ascontiguousarray(vectors[part], dtype=np.float32),
                documents=[r.text for r in some],
                metadatas=[storable(r.metadata) or {"collection": collection} for r in some],
            )
            rows = self._rows_of(engine)
            if rows is not None:
                rows.put([r.id for r in some], vectors[part])

    def _delete(self, engine: Any, ids: Sequence[str]) -> None:
        """Looking first is cheap; a deletion is a synchronous write even when nothing is there."""
        with self._changing(engine):
            rows = self._rows_of(engine)
            if rows is not None:
                rows.remove(ids)
            for part in batches(len(ids), _BATCH):
                present = engine.get(ids=list(ids[part]), include=[])["ids"]
                if present:
                    engine.delete(ids=present)


def _check_dim(collection: str, metadata: Mapping[str, Any] | None, dim: int) -> None:
    built = (metadata or {}).get("dim", dim)
    if built != dim:
        raise mismatch(collection, f"{built} dimensions stored, {dim} given")


def _query(engine: Any, vector: Vectors, n: int) -> list[tuple[str, float]]:
    found = engine.query(
        query_embeddings=[np.asarray(vector, dtype=np.float32)],
        n_results=n,
        include=["distances"],
    )
    return _ranked(found["ids"][0], [min(1.0, 1.0 - d) for d in found["distances"][0]])


def _ranked(ids: Sequence[str], scores: Sequence[float]) -> list[tuple[str, float]]:
    pairs = sorted((-float(s), i) for i, s in zip(ids, scores, strict=True))
    return [(i, -s) for s, i in pairs]
