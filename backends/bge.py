"""BGE-M3 vectors and the BGE reranker, run by FlagEmbedding (extra `bge`)."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import MissingExtraError
from ..core.ports import Vectors
from .windows import best_of_windows

EMBEDDER = "BAAI/bge-m3"
RERANKER = "BAAI/bge-reranker-v2-m3"
_MAX_TOKENS = 1024
_SHORTEST = 32
"""Characters of a part of a text, whatever room the question leaves."""


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
        """One score a text, in the order given; of a text longer than the model's window, or than
        `max_chars`, that of its best part."""
        if not texts:
            return []
        with self._lock:
            model = self._loaded()
            limit = min(_MAX_TOKENS, int(model.tokenizer.model_max_length))
            # A character is a token at most; a few more stand between question and text.
            size = max(_SHORTEST, min(self._max_chars, limit - len(query) - 8))

            def score(parts: list[str]) -> list[float]:
                pairs = [(query, part) for part in parts]
                found = model.compute_score(
                    pairs, batch_size=self._batch_size, max_length=limit, normalize=True
                )
                return [float(s) for s in np.atleast_1d(found)]

            return best_of_windows(texts, size, score)

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                from FlagEmbedding import FlagReranker
            except ImportError as error:
                raise MissingExtraError("FlagEmbedding", "bge") from error
            self._model = FlagReranker(self._name, use_fp16=self._fp16, devices=self._device)
        return self._model
