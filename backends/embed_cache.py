"""Remembers vectors of short texts: a question's reranker and writer read the same sentences."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from ..core.ports import Embedder, Vectors
from ..core.text import digest

_KEY = 24


class RememberingEmbedder:
    """`embedder` with a bounded memory; larger batches (ingestion) pass through unremembered.

    `remembered` vectors of 900 floats take 3.6 kB each.
    """

    def __init__(
        self, embedder: Embedder, *, remembered: int = 20_000, largest_batch: int = 512
    ) -> None:
        self._embedder = embedder
        self._remembered = remembered
        self._largest_batch = largest_batch
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        """The encoder's name: remembering changes no vector."""
        return self._embedder.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._embedder.dim

    def load(self) -> None:
        """Load the encoder's weights now, where it can."""
        load = getattr(self._embedder, "load", None)
        if load is not None:
            load()

    @property
    def light(self) -> Embedder | None:
        """The encoder's own lighter half, where it has one."""
        return getattr(self._embedder, "light", None)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, dim), in the order given."""
        return self._vectors_of("query", texts, self._embedder.embed_queries)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts, shape (n, dim), in the order given."""
        return self._vectors_of("passage", texts, self._embedder.embed_passages)

    def _vectors_of(
        self, role: str, texts: Sequence[str], encode: Callable[[Sequence[str]], Vectors]
    ) -> Vectors:
        if not texts or len(texts) > self._largest_batch:
            return encode(texts)
        keys = [digest(role, text, length=_KEY) for text in texts]
        known = self._recall(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            made = encode(list(missing.values()))
            known.update(zip(missing, made, strict=True))
            self._remember(missing, known)
        return np.stack([known[key] for key in keys])

    def _recall(self, keys: Sequence[str]) -> dict[str, Vectors]:
        with self._lock:
            found = {key: self._vectors[key] for key in keys if key in self._vectors}
            for key in found:
                self._vectors.move_to_end(key)
        return found

    def _remember(self, keys: dict[str, str], vectors: dict[str, Vectors]) -> None:
        with self._lock:
            for key in keys:
                self._vectors[key] = vectors[key]
            while len(self._vectors) > self._remembered:
                self._vectors.popitem(last=False)
