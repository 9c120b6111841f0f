"""BGE-M3 vectors and the BGE reranker, run by FlagEmbedding (extra `bge`)."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import MissingExtraError
from ..core.ports import Vectors

EMBEDDER = "BAAI/bge-m3"
RERANKER = "BAAI/bge-reranker-v2-m3"
_MAX_TOKENS = 1024


class BGEEmbedder:
    """Dense vectors of BGE-M3. Loads at the first call, which takes seconds: call in a thread.

    `model` is a name or a folder; `fp16` halves the memory on a GPU.
    """

    def __init__(
        self,
        model: str = "",
        *,
        batch_size: int = 16,
        fp16: bool = False,
        device: str | None = None,
    ) -> None:
        self._name = model or EMBEDDER
        self._batch_size = batch_size
        self._fp16 = fp16
        self._device = device
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        """Model name: part of the index fingerprint."""
        return f"bge:{self._name.rstrip('/').rpartition('/')[2]}"

    @property
    def dim(self) -> int:
        """Length of a vector, read from the model."""
        with self._lock:
            return int(self._loaded().model.model.config.hidden_size)

    def load(self) -> None:
        """Load the weights now."""
        with self._lock:
            self._loaded()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (n, dim)."""
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        with self._lock:
            found = self._loaded().encode(
                list(texts), batch_size=self._batch_size, max_length=_MAX_TOKENS
            )
        rows = np.asarray(found["dense_vecs"], dtype=np.float32)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(norms > 0, norms, 1.0), dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions: BGE-M3 needs no instruction."""
        return self.embed_passages(texts)

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                from FlagEmbedding import BGEM3FlagModel
            except ImportError as error:
                raise MissingExtraError("FlagEmbedding", "bge") from error
            self._model = BGEM3FlagModel(
                self._name, use_fp16=self._fp16, devices=self._device, normalize_embeddings=True
            )
        return self._model


class BGEReranker:
    """Cross-encoder scores through the sigmoid, 0..1. Loads at the first call."""

    def __init__(
        self,
        model: str = "",
        *,
        batch_size: int = 16,
        max_chars: int = 2000,
        fp16: bool = False,
        device: str | None = None,
    ) -> None:
        self._name = model or RERANKER
        self._batch_size = batch_size
        self._max_chars = max_chars
        self._fp16 = fp16
        self._device = device
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        """For traces."""
        return f"bge:{self._name.rstrip('/').rpartition('/')[2]}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, in the order given."""
        if not texts:
            return []
        pairs = [(query, text[: self._max_chars]) for text in texts]
        with self._lock:
            scores = self._loaded().compute_score(
                pairs, batch_size=self._batch_size, max_length=_MAX_TOKENS, normalize=True
            )
        listed = scores if isinstance(scores, list) else np.atleast_1d(scores).tolist()
        return [float(score) for score in listed]

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                from FlagEmbedding import FlagReranker
            except ImportError as error:
                raise MissingExtraError("FlagEmbedding", "bge") from error
            self._model = FlagReranker(self._name, use_fp16=self._fp16, devices=self._device)
        return self._model
