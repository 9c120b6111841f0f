"""The store as a whole: the catalog is the truth, everything else follows it.

A document is replaced in three steps: its new edition is written beside the old one, made visible
in one catalog transaction, and the old one is removed. The catalog names an edition before anything
else holds a part of it and forgets it last, so whatever a crash leaves is an inactive edition, and
`recover` removes it.
"""

from collections.abc import Sequence
from pathlib import Path

from ..core.chunk import Chunk, Edition
from ..core.document import DocumentRecord
from ..core.errors import StoreError
from ..core.ports import Embedder, Tokenizer, Vectors
from .assets import FileAssets
from .blas import calm
from .catalog import SqliteCatalog
from .chroma import ChromaVectors
from .keyword import PostingsIndex
from .lock import StoreLock
from .mend import MendingStore, items
from .schema import vector_records
from .tokenizer import JiebaTokenizer


class Store(MendingStore):
    """Commit, delete, recover and rebuild over the parts; thread-safe, one writer at a time."""

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
                try:
                    self._remove(record.collection, record.doc_id, record.edition)
                except StoreError:  # before the next write, or at the next start
                    self._unsure = True
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

    def _write(self, record: DocumentRecord, edition: Edition, vectors: Vectors) -> None:
        if self.catalog.fingerprint(record.collection) is None:
            self.catalog.set_fingerprint(record.collection, self.embedder.name, self.embedder.dim)
        self.assets.put_all(edition.assets)
        if edition.chunks:
            self.vectors.upsert(record.collection, vector_records(record, edition), vectors)
            self._note()
            self.keywords.add(record.collection, items(edition.chunks))

    def _refuse_changed_ids(self, chunks: Sequence[Chunk]) -> None:
        """Two editions may share a chunk id only where they share the text behind it."""
        texts = {c.chunk_id: c.embedding_text for c in chunks}
        if len(texts) != len(chunks):
            raise ValueError("chunk ids of an edition must be distinct")
        for chunk in self.catalog.chunks(list(texts)):
            if chunk.embedding_text != texts[chunk.chunk_id]:
                raise ValueError(f"chunk {chunk.chunk_id} changed its text but not its id")


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
