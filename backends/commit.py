"""The store as a whole: the catalog is the truth, everything else follows it.

A document is replaced in three steps: its new edition is written beside the old one, made visible
in one catalog transaction, and the old one is removed. The catalog names an edition before anything
else holds a part of it and forgets it last, so whatever a crash leaves is an inactive edition, and
`recover` removes it.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..core.chunk import Chunk, Edition
from ..core.document import DocumentRecord
from ..core.errors import IndexMismatchError, StoreError
from ..core.ports import AssetStore, Embedder, KeywordIndex, Tokenizer, VectorIndex, Vectors
from .assets import FileAssets
from .blas import calm
from .catalog import SqliteCatalog
from .chroma import ChromaVectors
from .keyword import PostingsIndex
from .lock import StoreLock
from .schema import batches, vector_records
from .tokenizer import JiebaTokenizer

_REBUILDING = "(being rebuilt)"
_EMBED_AT_ONCE = 1024
Progress = Callable[[int, int], None]
"""Called with (chunks done, chunks in all)."""


@dataclass(frozen=True)
class Repair:
    """What `recover` and `repair` did, as counts, and what they could not do, as sentences."""

    editions_removed: int = 0
    keywords_added: int = 0
    keywords_removed: int = 0
    vectors_added: int = 0
    vectors_removed: int = 0
    assets_removed: int = 0
    problems: tuple[str, ...] = ()


class Store:
    """Commit, delete, recover and rebuild over the parts; thread-safe, one writer at a time.

    With `shared` several processes use one home (their vectors in a Chroma server): the lock is
    then held for a write, otherwise from `open` to `close`.
    """

    def __init__(
        self,
        *,
        catalog: SqliteCatalog,
        vectors: VectorIndex,
        keywords: KeywordIndex,
        assets: AssetStore,
        embedder: Embedder,
        tokenizer: Tokenizer,
        lock: StoreLock,
        shared: bool = False,
    ) -> None:
        self.catalog = catalog
        self.vectors = vectors
        self.keywords = keywords
        self.assets = assets
        self.embedder = embedder
        self.tokenizer = tokenizer
        self._lock = lock
        self._shared = shared
        self._mutex = threading.Lock()

    def close(self) -> None:
        """Release the files and the lock."""
        self.catalog.close()
        close = getattr(self.vectors, "close", None)
        if close is not None:
            close()
        self._lock.release()

    def check_fingerprint(self, collection: str) -> None:
        """Raises IndexMismatchError when another model built the collection's vectors."""
        built = self.catalog.fingerprint(collection)
        now = (self.embedder.name, self.embedder.dim)
        if built is not None and built != now:
            raise IndexMismatchError(
                f"Collection {collection!r} was built with the embedding model {built[0]}"
                f" ({built[1]} dimensions); the settings name {now[0]} ({now[1]}). Run: tuwen"
                f" reindex --collection {collection!r}, or set the old model again."
            )

    def commit(self, record: DocumentRecord, edition: Edition, vectors: Vectors) -> bool:
        """Replace a document by `edition`; `vectors[i]` belongs to `edition.chunks[i]`.

        False: that edition is active already and nothing was done. After an error the old edition
        is still there and the new one is gone.
        """
        if len(vectors) != len(edition.chunks):
            raise ValueError(f"{len(edition.chunks)} chunks but {len(vectors)} vectors")
        with self._writing():
            self.check_fingerprint(record.collection)
            active = self.catalog.document(record.doc_id)
            if active is not None and active.edition == record.edition:
                return False
            self._refuse_changed_ids(edition.chunks)
            self.catalog.stage(record, edition)
            try:
                self._write(record, edition, vectors)
                old = self.catalog.activate(record.doc_id, record.edition)
            except BaseException:
                with suppress(StoreError):  # what cannot be undone now is undone at the next start
                    self._remove(record.collection, record.doc_id, record.edition)
                raise
            if old is not None:
                self._remove(record.collection, record.doc_id, old)
            return True

    def delete(self, doc_id: str) -> bool:
        """Remove a document from every index and its pictures; False: there is none."""
        with self._writing():
            record = self.catalog.document(doc_id)
            edition = self.catalog.deactivate(doc_id)
            if record is None or edition is None:
                return False
            self._remove(record.collection, doc_id, edition)
            return True

    def drop(self, collection: str) -> None:
        """Remove a collection with everything in it."""
        with self._writing():
            self.catalog.deactivate_collection(collection)
            self.vectors.drop(collection)
            self.keywords.drop(collection)
            for name, doc_id, edition in self.catalog.stale_editions():
                if name == collection:
                    self._remove(collection, doc_id, edition)
            self.catalog.drop_collection(collection)

    def recover(self) -> Repair:
        """At start: remove what a crash left, rebuild an unreadable keyword index.

        Missing vectors are only reported (embedding takes long); one chunk of every document is
        looked for.
        """
        with self._writing():
            stale = self.catalog.stale_editions()
            added, removed = 0, 0
            for info in self.catalog.collections():
                more, less = self._repair_keywords(info.name, self._active_ids(info.name))
                added, removed = added + more, removed + less
            for collection, doc_id, edition in stale:
                self._remove(collection, doc_id, edition)
            return Repair(len(stale), added, removed, problems=tuple(self.missing_vectors()))

    def missing_vectors(self) -> list[str]:
        """A sentence for every document whose first chunk has no vector, with what to run."""
        return [
            problem
            for info in self.catalog.collections()
            for problem in self._missing_vectors(info.name)
        ]

    def repair(self, *, progress: Progress | None = None) -> Repair:
        """Make every index hold exactly what the catalog says; re-embeds only what is missing."""
        with self._writing():
            stale = self.catalog.stale_editions()
            keywords, embedded = [(0, 0)], [(0, 0)]
            problems = [f"The catalog is damaged: {line}" for line in self.catalog.check()]
            for info in self.catalog.collections():
                ids = self._active_ids(info.name)
                keywords.append(self._repair_keywords(info.name, ids))
                try:
                    self.check_fingerprint(info.name)
                    embedded.append(self._repair_vectors(info.name, ids, progress))
                except IndexMismatchError as error:
                    problems.append(str(error))
            for collection, doc_id, edition in stale:
                self._remove(collection, doc_id, edition)
            orphans, missing = self._check_assets()
            self.assets.delete(orphans)
            problems += [f"The picture {a} is missing; ingest its document again." for a in missing]
            return Repair(
                editions_removed=len(stale),
                keywords_added=sum(added for added, _ in keywords),
                keywords_removed=sum(removed for _, removed in keywords),
                vectors_added=sum(added for added, _ in embedded),
                vectors_removed=sum(removed for _, removed in embedded),
                assets_removed=len(orphans),
                problems=tuple(problems),
            )

    def reindex(self, collection: str, *, progress: Progress | None = None) -> int:
        """Embed a collection again with the model now set; how many chunks.

        Until it is done the collection's fingerprint matches no model, so that a half-built index
        is never searched.
        """
        with self._writing():
            if all(info.name != collection for info in self.catalog.collections()):
                raise StoreError(f"There is no collection {collection!r}. See: tuwen collections")
            self.catalog.set_fingerprint(collection, _REBUILDING, 0)
            self.vectors.drop(collection)
            ids = self._active_ids(collection)
            self._embed(collection, ids, progress)
            self.catalog.set_fingerprint(collection, self.embedder.name, self.embedder.dim)
            return len(ids)

    def _write(self, record: DocumentRecord, edition: Edition, vectors: Vectors) -> None:
        if self.catalog.fingerprint(record.collection) is None:
            self.catalog.set_fingerprint(record.collection, self.embedder.name, self.embedder.dim)
        for asset_id, data in edition.assets.items():
            self.assets.put(asset_id, data)
        if edition.chunks:
            self.vectors.upsert(record.collection, vector_records(record, edition), vectors)
            self.keywords.add(record.collection, _items(edition.chunks))

    def _remove(self, collection: str, doc_id: str, edition: str) -> None:
        ids = self.catalog.edition_chunk_ids(doc_id, edition)
        still = self.catalog.places(ids)
        gone = [i for i in ids if i not in still]
        if gone:
            self.vectors.delete(collection, gone)
            self.keywords.delete(collection, gone)
        self._remove_assets(doc_id, edition)
        self.catalog.remove_edition(doc_id, edition)

    def _remove_assets(self, doc_id: str, edition: str) -> None:
        ids = self.catalog.edition_asset_ids(doc_id, edition)
        used = self.catalog.assets_in_use(ids, besides=(doc_id, edition))
        self.assets.delete([i for i in ids if i not in used])

    def _refuse_changed_ids(self, chunks: Sequence[Chunk]) -> None:
        """Two editions may share a chunk id only where they share the text behind it."""
        texts = {c.chunk_id: c.embedding_text for c in chunks}
        if len(texts) != len(chunks):
            raise ValueError("chunk ids of an edition must be distinct")
        for chunk in self.catalog.chunks(list(texts)):
            if chunk.embedding_text != texts[chunk.chunk_id]:
                raise ValueError(f"chunk {chunk.chunk_id} changed its text but not its id")

    def _active_ids(self, collection: str) -> list[str]:
        return self.catalog.select(collection, {})

    def _repair_keywords(self, collection: str, ids: Sequence[str]) -> tuple[int, int]:
        try:
            stored = self.keywords.ids(collection)
        except StoreError:  # damaged, or of another tokenizer: it is only derived
            self.keywords.drop(collection)
            stored = set()
        surplus = sorted(stored - set(ids))
        self.keywords.delete(collection, surplus)
        absent = [i for i in ids if i not in stored]
        for part in batches(len(absent), _EMBED_AT_ONCE * 16):
            self.keywords.add(collection, _items(self.catalog.chunks(absent[part])))
        return len(absent), len(surplus)

    def _repair_vectors(
        self, collection: str, ids: Sequence[str], progress: Progress | None
    ) -> tuple[int, int]:
        stored = self.vectors.ids(collection)
        surplus = sorted(stored - set(ids))
        self.vectors.delete(collection, surplus)
        absent = [i for i in ids if i not in stored]
        self._embed(collection, absent, progress)
        return len(absent), len(surplus)

    def _embed(self, collection: str, ids: Sequence[str], progress: Progress | None) -> None:
        for part in batches(len(ids), _EMBED_AT_ONCE):
            chunks = self.catalog.chunks(ids[part])
            vectors = self.embedder.embed_passages([c.embedding_text for c in chunks])
            start = 0
            for doc_id in dict.fromkeys(c.doc_id for c in chunks):
                own = [c for c in chunks if c.doc_id == doc_id]
                record = self.catalog.document(doc_id)
                if record is not None:
                    figures = tuple(self.catalog.figures_of(doc_id))
                    edition = Edition(chunks=tuple(own), figures=figures)
                    rows = vectors[start : start + len(own)]
                    self.vectors.upsert(collection, vector_records(record, edition), rows)
                start += len(own)
            if progress is not None:
                progress(part.stop, len(ids))

    def _missing_vectors(self, collection: str) -> list[str]:
        probes = dict[str, str]()
        for record in self.catalog.documents(collection):
            ids = self.catalog.edition_chunk_ids(record.doc_id, record.edition)
            probes |= dict.fromkeys(ids[:1], record.name)
        found = self.vectors.vectors(collection, list(probes))
        return [
            f"The vectors of {name} in {collection!r} are missing. Run: tuwen doctor --repair"
            for chunk_id, name in probes.items()
            if chunk_id not in found
        ]

    def _check_assets(self) -> tuple[list[str], list[str]]:
        stored = self.assets.ids()
        named = self.catalog.asset_ids()
        return sorted(stored - named), sorted(named - stored)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._mutex:
            if self._shared:
                with self._lock:
                    yield
            else:
                yield


def open_store(
    home: Path,
    embedder: Embedder,
    *,
    chroma_url: str = "",
    lock_seconds: float = 5.0,
    ef_search: int = 300,
    user_words: Sequence[str] = (),
    tokenizer: Tokenizer | None = None,
) -> Store:
    """The store under `home`, locked for this process (unless a Chroma server shares it).

    Raises StoreBusyError naming the owner. Call `recover` before anything else.
    """
    shared = bool(chroma_url)
    lock = StoreLock(home, wait_seconds=lock_seconds)
    if not shared:
        lock.acquire()
    try:
        calm()
        words = tokenizer or JiebaTokenizer(home / "cache" / "jieba", user_words=user_words)
        return Store(
            catalog=SqliteCatalog(home / "catalog.sqlite"),
            vectors=ChromaVectors(home / "chroma", url=chroma_url, ef_search=ef_search),
            keywords=PostingsIndex(home / "keywords", words, shared=shared),
            assets=FileAssets(home / "assets"),
            embedder=embedder,
            tokenizer=words,
            lock=lock,
            shared=shared,
        )
    except BaseException:
        lock.release()
        raise


def _items(chunks: Sequence[Chunk]) -> list[tuple[str, str]]:
    return [(c.chunk_id, c.embedding_text) for c in chunks]
