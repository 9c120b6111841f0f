"""The parts that a store is made of, who may write them, and how an edition leaves them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress

from ..core.errors import IndexMismatchError, StoreError
from ..core.indexing import forget_passages
from ..core.ports import Embedder, Tokenizer, VectorIndex
from .assets import FileAssets
from .catalog import SqliteCatalog
from .chroma_mend import ChromaMending
from .keyword import PostingsIndex
from .lock import StoreLock
from .write_mark import WriteMark

REBUILDING = "(being rebuilt)"
"""Stands for the model's name while a collection's vectors are made again."""


class StoreParts:
    """With `shared` several processes use one home (their vectors in a Chroma server): the lock is
    then held for a write, otherwise from `open` to `close`."""

    def __init__(
        self,
        *,
        catalog: SqliteCatalog,
        vectors: VectorIndex,
        keywords: PostingsIndex,
        assets: FileAssets,
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
        self._engines = vectors if isinstance(vectors, ChromaMending) else None
        self._unsure = False  # whether something could not be undone, or looked at
        self._mark = WriteMark(lock.home, waited=assets.folder)

    def close(self) -> None:
        """Release the files and the lock, after waiting for what was written."""
        doubtful = self._doubtful
        self.catalog.close()
        close = getattr(self.vectors, "close", None)
        if close is not None:
            close()
        # A folder that is gone or full keeps its mark: the next start looks at everything.
        with suppress(OSError, StoreError):
            if self._mark.standing and not doubtful:
                with self._alone():
                    self._mark.clear()
        self._lock.release()

    def check_fingerprint(self, collection: str) -> None:
        """Raises IndexMismatchError when another model built the collection's vectors."""
        built = self.catalog.fingerprint(collection)
        now = (self.embedder.name, self.embedder.dim)
        if built is not None and built[0] == REBUILDING:
            raise IndexMismatchError(
                f"The vectors of collection {collection!r} were being built again when that was cut"
                f" off. Run: tuwen reindex --collection {collection!r}"
            )
        if built is not None and built != now:
            raise IndexMismatchError(
                f"Collection {collection!r} was built with the embedding model {built[0]}"
                f" ({built[1]} dimensions); the settings name {now[0]} ({now[1]}). Run: tuwen"
                f" reindex --collection {collection!r}, or set the old model again."
            )

    def _remove(self, collection: str, doc_id: str, edition: str) -> None:
        ids = self.catalog.edition_chunk_ids(doc_id, edition)
        still = self.catalog.places(ids)
        gone = [i for i in ids if i not in still]
        if gone:
            self.vectors.delete(collection, gone)
            self._note()
            self.keywords.delete(collection, gone)
        self._forget(doc_id, edition)
        self._remove_assets(doc_id, edition)
        self.catalog.remove_edition(doc_id, edition)

    def _forget(self, doc_id: str, edition: str) -> None:
        """What the encoder kept of texts that the document has no more; another document with the
        same text is read again when it is asked about."""
        texts = self.catalog.edition_texts(doc_id, edition)
        still = {chunk.embedding_text for chunk in self.catalog.chunks_of(doc_id)}
        forget_passages(self.embedder, [text for text in texts if text not in still])

    def _remove_assets(self, doc_id: str, edition: str) -> None:
        ids = self.catalog.edition_asset_ids(doc_id, edition)
        used = self.catalog.assets_in_use(ids, besides=(doc_id, edition))
        self.assets.delete([i for i in ids if i not in used])

    def _note(self) -> None:
        """What the engine wrote of its graphs is on the disk, and that it is, is known."""
        if self._engines is not None and self._mark.standing:
            self._set_mark()

    @property
    def _doubtful(self) -> bool:
        """Whether the mark is to stay as it is, for the next recovery."""
        return self._unsure or (self._engines is not None and self._engines.failed)

    def _set_mark(self) -> None:
        if self._doubtful:
            return
        try:
            self._mark.set(self._engines.settled() if self._engines is not None else {})
        except OSError as error:
            home = self._lock.home
            raise StoreError(
                f"The store folder {home} cannot be written ({error}). Check the disk's free space"
                " and the folder's permissions.",
                place=home,
            ) from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._mutex, self._lock if self._shared else nullcontext():
            yield
