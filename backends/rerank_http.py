"""A reranker behind HTTP: the /rerank route of Jina, Cohere, vLLM, Xinference, or TEI."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from ..core.errors import PermanentError
from ..core.settings import RerankSettings
from .openai_calls import Batches, with_retries
from .openai_client import Clients
from .openai_errors import Endpoint, foreign
from .windows import best_of_windows

Json = dict[str, Any]
_BATCH = 64
_SHORTEST = 100
"""A text that is too long even alone is not divided below this many characters."""
_REFUSED = frozenset({"rejected"})


class HttpReranker:
    """Thread-safe. Speaks the documents form first and TEI's texts form where that is refused;
    what worked is kept. Raises ModelError."""

    def __init__(
        self,
        settings: RerankSettings,
        *,
        retries: int = 1,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        base = settings.base_url.rstrip("/").removesuffix("/rerank")
        self._endpoint = Endpoint("rerank", settings.model, base, settings.api_key)
        self._clients = Clients(self._endpoint, timeout=settings.timeout_seconds)
        self._max_chars = settings.max_chars
        self._batches = Batches(_BATCH)
        self._retries = retries
        self._pause = pause
        self._key = "documents"

    @property
    def name(self) -> str:
        """For traces."""
        return f"http:{self._endpoint.model or self._endpoint.host}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores in 0..1, one a text, in the order given; of a text longer than `max_chars` that
        of its best window."""

        def send(batch: list[str]) -> list[float]:
            return self._send(query, batch)

        return to_unit(
            best_of_windows(texts, self._max_chars, lambda parts: self._batches.run(parts, send))
        )

    def close(self) -> None:
        """Close the connections."""
        self._clients.close()

    def _send(self, query: str, batch: list[str]) -> list[float]:
        try:
            return self._call(query, batch, self._key)
        except PermanentError as error:
            size = max(len(text) for text in batch) // 2
            if error.reason == "too_long" and len(batch) == 1 and size >= _SHORTEST:
                return best_of_windows(batch, size, lambda parts: self._each(query, parts))
            if error.reason not in _REFUSED:
                raise
            other = "texts" if self._key == "documents" else "documents"
            try:
                scores = self._call(query, batch, other)
            except PermanentError:
                raise error from None
            self._key = other
            return scores

    def _each(self, query: str, parts: list[str]) -> list[float]:
        return [score for part in parts for score in self._send(query, [part])]

    def _call(self, query: str, batch: list[str], key: str) -> list[float]:
        client = self._clients.sync()
        body: Json = {"query": query, key: batch}
        if key == "documents":
            body |= {"model": self._endpoint.model, "top_n": len(batch), "return_documents": False}
        else:
            body |= {"raw_scores": False, "truncate": True}
        reply = with_retries(
            lambda: client.post("/rerank", body=body, cast_to=object),
            self._endpoint,
            retries=self._retries,
            pause=self._pause,
        )
        return self._scores(reply, len(batch))

    def _scores(self, reply: Any, count: int) -> list[float]:
        rows = reply if isinstance(reply, list) else _rows(reply)
        if rows is None:
            raise foreign(self._endpoint)
        scores = [-math.inf] * count
        for row in rows:
            value = row.get("relevance_score", row.get("score"))
            if (
                isinstance(row.get("index"), int)
                and 0 <= row["index"] < count
                and value is not None
            ):
                scores[row["index"]] = float(value)
        return scores


def _rows(reply: Any) -> list[Json] | None:
    if not isinstance(reply, dict):
        return None
    for key in ("results", "data"):
        if isinstance(reply.get(key), list):
            return list(reply[key])
    return _rows(reply["output"]) if isinstance(reply.get("output"), dict) else None


def to_unit(scores: Sequence[float]) -> list[float]:
    """Scores in 0..1: as they are, or through the sigmoid when any lies outside (logits).

    A text that the endpoint left out (minus infinity) gets 0.
    """
    known = [score for score in scores if math.isfinite(score)]
    if all(0.0 <= score <= 1.0 for score in known):
        return [score if math.isfinite(score) else 0.0 for score in scores]
    return [1.0 / (1.0 + math.exp(-min(max(s, -700.0), 700.0))) for s in scores]
