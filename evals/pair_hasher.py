"""An encoder without a model: what an index costs is measured with vectors that cost nothing."""

from collections.abc import Sequence

import numpy as np

from ..core.ports import Vectors

DIM, BUCKETS = 896, 1 << 16


class PairHasher:
    """Unit vectors out of hashed character pairs: near texts are near. Seeded."""

    def __init__(self, *, name: str = "pairs", dim: int = DIM, seed: int = 5) -> None:
        self._name = name
        self._rows = np.random.default_rng(seed).standard_normal((BUCKETS, dim), dtype=np.float32)

    @property
    def name(self) -> str:
        """Part of the index fingerprint."""
        return self._name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._rows.shape[1])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One vector a text, shape (n, dim)."""
        out = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
            pairs = (points[:-1] * 31337 + points[1:]) % BUCKETS
            out[row] = self._rows[np.unique(pairs)].sum(axis=0)
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        return np.asarray(out / np.maximum(norms, 1e-9), dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Questions are hashed as texts are."""
        return self.embed_passages(texts)
