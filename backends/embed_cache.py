"""Remembers vectors of short texts: a question's reranker and writer read the same sentences."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.indexing import forget_passages, index_passages, keep_passages
from ..core.ports import Embedder, Vectors
from ..core.text import digest

_KEY = 24


class RememberingEmbedder:
    """`embedder` with a bounded memory; larger batches (ingestion) pass through unremembered. What
    two threads ask for at once, as the legs of a search do, is encoded by one of them.

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
        self._making: dict[str, threading.Event] = {}

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

    @property
    def token_reader(self) -> Any:
        """What compares token by token in the encoder, where something does."""
        return getattr(self._embedder, "token_reader", None)

    def index_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is going to be searched; they are not remembered."""
        return index_passages(self._embedder, texts)

    def forget_passages(self, texts: Sequence[str]) -> None:
        """What the encoder kept of texts that are searched no more is removed."""
        forget_passages(self._embedder, texts)

    def keep_passages(self, texts: Iterable[str]) -> None:
        """What the encoder kept of any other text is removed."""
        keep_passages(self._embedder, texts)

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
        wanted = dict(zip(keys, texts, strict=True))
        known: dict[str, Vectors] = {}
        while len(known) < len(wanted):
            mine, others = self._claim(wanted, known)
            made: dict[str, Vectors] = {}
            try:
                if mine:
                    vectors = encode([wanted[key] for key in mine])
                    made = dict(zip(mine, vectors, strict=True))
            finally:
                self._release(mine, made)
            known |= made
            for other in others:  # if it failed, this thread tries itself
                other.wait()
        return np.stack([known[key] for key in keys])

    def _claim(
        self, wanted: Iterable[str], known: dict[str, Vectors]
    ) -> tuple[list[str], list[threading.Event]]:
        """What this thread has to encode, and what others encode already; what is remembered is
        put into `known`."""
        mine, others = [], []
        with self._lock:
            for key in wanted:
                if key in known:
                    continue
                if key in self._vectors:
                    known[key] = self._vectors[key]
                    self._vectors.move_to_end(key)
                elif key in self._making:
                    others.append(self._making[key])
                else:
                    mine.append(key)
                    self._making[key] = threading.Event()
        return mine, others

    def _release(self, keys: Sequence[str], vectors: Mapping[str, Vectors]) -> None:
        with self._lock:
            self._vectors.update(vectors)
            for key in keys:
                self._making.pop(key).set()
            while len(self._vectors) > self._remembered:
                self._vectors.popitem(last=False)
