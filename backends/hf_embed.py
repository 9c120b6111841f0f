"""Any sentence-transformers model as the encoder, through langchain-huggingface (extra `bge`)."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import MissingExtraError, SettingsError
from ..core.ports import Vectors


class HuggingFaceEmbedder:
    """Unit vectors. Loads at the first call, which takes seconds: call in a thread.

    E5 models get the prefixes that they were trained with ("query: ", "passage: ").
    """

    def __init__(self, model: str, *, batch_size: int = 32, device: str | None = None) -> None:
        if not model:
            raise SettingsError(
                "The huggingface encoder needs embedding.model: a name or a folder."
            )
        self._name = model
        self._batch_size = batch_size
        self._device = device
        self._lock = threading.Lock()
        self._model: Any = None
        last = model.rstrip("/").rpartition("/")[2]
        prefixed = "e5" in last.lower().split("-") and "instruct" not in last.lower()
        self._prefixes = ("query: ", "passage: ") if prefixed else ("", "")

    @property
    def name(self) -> str:
        """Model name: part of the index fingerprint."""
        return f"hf:{self._name.rstrip('/').rpartition('/')[2]}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self.embed_queries(["dimension"]).shape[1])

    def load(self) -> None:
        """Load the weights now."""
        with self._lock:
            self._loaded()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (n, dim)."""
        return self._embed([self._prefixes[1] + text for text in texts])

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions."""
        return self._embed([self._prefixes[0] + text for text in texts])

    def _embed(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        with self._lock:
            return np.asarray(self._loaded().embed_documents(texts), dtype=np.float32)

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                from langchain_huggingface import HuggingFaceEmbeddings
            except ImportError as error:
                raise MissingExtraError("langchain-huggingface", "bge") from error
            self._model = HuggingFaceEmbeddings(
                model_name=self._name,
                model_kwargs={"device": self._device} if self._device else {},
                encode_kwargs={
                    "normalize_embeddings": True,
                    "batch_size": self._batch_size,
                },
            )
        return self._model
