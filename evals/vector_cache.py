"""Vectors kept on disk between runs, so that a set is encoded once per encoder."""

import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..core.ports import Embedder, Vectors
from ..core.text import digest

_SLICE = 512


class CachedEmbedder:
    """An Embedder that looks texts up by encoder name, role and hash before it encodes them."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._lock = threading.Lock()
        self._db = sqlite3.connect(
            folder / f"{digest(inner.name, length=16)}.sqlite", check_same_thread=False
        )
        # The cache is rebuilt at need: speed over durability.
        self._db.execute("PRAGMA journal_mode=OFF")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, value BLOB)")

    @property
    def name(self) -> str:
        """The inner encoder's name: an index made with either is the same."""
        return self._inner.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._inner.dim

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts, shape (n, dim)."""
        return self._vectors("p", texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, dim)."""
        return self._vectors("q", texts)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _vectors(self, role: str, texts: Sequence[str]) -> Vectors:
        keys = [digest(role, text, length=32) for text in texts]
        known = self._known(keys)
        new = {k: t for k, t in zip(keys, texts, strict=True) if k not in known}
        if new:
            encode = self._inner.embed_queries if role == "q" else self._inner.embed_passages
            made = np.asarray(encode(list(new.values())), dtype=np.float32)
            fresh = dict(zip(new, made, strict=True))
            known.update(fresh)
            self._keep(fresh)
        out = np.zeros((len(keys), self.dim), dtype=np.float32)
        for row, key in enumerate(keys):
            out[row] = known[key]
        return out

    def _known(self, keys: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        with self._lock:
            for start in range(0, len(keys), _SLICE):
                part = keys[start : start + _SLICE]
                marks = ",".join("?" * len(part))
                rows = self._db.execute(
                    f"SELECT key, value FROM vectors WHERE key IN ({marks})",
                    part,
                )
                found.update((key, np.frombuffer(value, np.float32)) for key, value in rows)
        return {key: vector for key, vector in found.items() if vector.shape == (self.dim,)}

    def _keep(self, vectors: dict[str, Vectors]) -> None:
        with self._lock:
            self._db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                [(key, vector.tobytes()) for key, vector in vectors.items()],
            )
            self._db.commit()
