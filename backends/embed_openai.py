"""Vectors from an OpenAI-compatible /embeddings route."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from ..core.errors import PermanentError
from ..core.ports import Vectors
from ..core.settings import EmbeddingSettings
from .openai_calls import Batches, with_retries
from .openai_client import Clients
from .openai_errors import Endpoint, foreign

_EMPTY = "-"
"""Sent for a text without a word: many endpoints refuse an empty input."""
_SHORTEST = 100
"""A text is not cut below this many characters."""


class OpenAIEmbedder:
    """Thread-safe. Texts are sent as strings, in batches that the endpoint accepts; one that is too
    long even alone is cut in half until it is accepted. Raises ModelError."""

    def __init__(
        self,
        settings: EmbeddingSettings,
        *,
        timeout: float = 60.0,
        retries: int = 3,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = Endpoint("embedding", settings.model, settings.base_url, settings.api_key)
        self._clients = Clients(self._endpoint, timeout=timeout)
        self._batches = Batches(settings.batch_size)
        self._retries = retries
        self._pause = pause
        self._dim = 0

    @property
    def name(self) -> str:
        """Model name: part of the index fingerprint."""
        return f"openai:{self._endpoint.model}"

    @property
    def dim(self) -> int:
        """Length of a vector; found out with one call when nothing was embedded yet."""
        if not self._dim:
            self.embed_passages(["dimension"])
        return self._dim

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (n, dim), in the order given."""
        if not texts:
            return np.zeros((0, self._dim), dtype=np.float32)
        sent = [text if text.strip() else _EMPTY for text in texts]
        rows = np.asarray(self._batches.run(sent, self._send), dtype=np.float32)
        self._dim = int(rows.shape[1])
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(norms > 0, norms, 1.0), dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions."""
        return self.embed_passages(texts)

    def close(self) -> None:
        """Close the connections."""
        self._clients.close()

    def _send(self, batch: list[str]) -> list[list[float]]:
        try:
            return self._call(batch)
        except PermanentError as error:
            text = batch[0]
            if len(batch) > 1 or error.reason != "too_long" or len(text) // 2 < _SHORTEST:
                raise
            return self._send([text[: len(text) // 2]])

    def _call(self, batch: list[str]) -> list[list[float]]:
        client = self._clients.sync()
        reply = with_retries(
            lambda: client.embeddings.create(
                model=self._endpoint.model, input=batch, encoding_format="float"
            ),
            self._endpoint,
            retries=self._retries,
            pause=self._pause,
        )
        items = sorted(getattr(reply, "data", None) or [], key=lambda item: item.index)
        if len(items) != len(batch):
            raise foreign(self._endpoint)
        return [item.embedding for item in items]
