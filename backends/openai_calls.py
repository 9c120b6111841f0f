"""Blocking calls of other routes of an OpenAI-compatible endpoint: retries and batch limits."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ..core.errors import ModelError, PermanentError, TransientError
from .openai_errors import Endpoint, translate

R = TypeVar("R")

FIRST_PAUSE_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 60.0
_SPLITTABLE = frozenset({"rejected", "too_long"})


def with_retries(
    call: Callable[[], R], endpoint: Endpoint, *, retries: int, pause: Callable[[float], None]
) -> R:
    """The call's result; transient failures are retried, everything raised is a ModelError."""
    for attempt in range(retries + 1):
        try:
            return call()
        except ModelError:
            raise
        except Exception as error:
            known = translate(error, endpoint)
            wait = _wait(known, attempt)
            if wait is None or attempt == retries:
                raise known from error
            pause(wait)
    raise AssertionError("the last attempt returns or raises")


def _wait(error: ModelError, attempt: int) -> float | None:
    """Seconds until the next attempt, or None when there is none."""
    if not isinstance(error, TransientError):
        return None
    wait = error.retry_after if error.retry_after is not None else FIRST_PAUSE_SECONDS * 2**attempt
    return wait if wait <= LONGEST_WAIT_SECONDS else None


class Batches:
    """Sends texts in batches and finds out how many an endpoint takes at once.

    A refused batch is halved and both halves are sent; the size that went through is kept for the
    next ones. One text that is refused alone is the caller's problem.
    """

    def __init__(self, size: int) -> None:
        self.size = size

    def run(self, texts: Sequence[str], send: Callable[[list[str]], list[R]]) -> list[R]:
        """One result a text, in order; `send` gets at most `size` texts."""
        results: list[R] = []
        while len(results) < len(texts):
            batch = list(texts[len(results) : len(results) + self.size])
            results.extend(self._halving(batch, send))
        return results

    def _halving(self, batch: list[str], send: Callable[[list[str]], list[R]]) -> list[R]:
        try:
            return send(batch)
        except PermanentError as error:
            if len(batch) == 1 or error.reason not in _SPLITTABLE:
                raise
            middle = (len(batch) + 1) // 2
            halves = self._halving(batch[:middle], send), self._halving(batch[middle:], send)
            if error.reason == "rejected":
                self.size = min(self.size, middle)
            return halves[0] + halves[1]
