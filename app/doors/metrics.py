"""What Prometheus reads: turns, their time, and what ran inside.

They are in the process's usual registry, which LangGraph's server shows at `/metrics`.
"""

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

logger = logging.getLogger(__name__)
Json = dict[str, Any]
TURNS = Counter("tuwen_turns", "Turns by outcome.", ["outcome"])
SECONDS = Histogram(
    "tuwen_turn_seconds",
    "Seconds of a turn.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40, 80),
)
RUNNING = Gauge("tuwen_turns_running", "Turns that run now.")
TOKENS = Counter("tuwen_model_tokens", "Model tokens.", ["kind"])
FILES = Counter("tuwen_files", "Ingested files by state.", ["state"])


def exposition() -> tuple[bytes, str]:
    """The metrics as text, and their content type."""
    return generate_latest(), CONTENT_TYPE_LATEST


@asynccontextmanager
async def turn(run_id: str, collection: str) -> AsyncIterator[Callable[[dict[str, Any]], None]]:
    """Count and log a turn: give each of its events to what this yields.

    The log line holds the run's id and no words of the question.
    """
    outcome = "broken_off"
    start = time.perf_counter()

    def seen(event: dict[str, Any]) -> None:
        nonlocal outcome
        if event["type"] == "finish":
            outcome = outcome_of(event)
        elif event["type"] == "trace":
            _count_tokens(event["tokens"])

    with RUNNING.track_inprogress():
        try:
            yield seen
        finally:
            _count(run_id, collection, outcome, time.perf_counter() - start)


def finished(run_id: str, collection: str, finish: Json, seconds: float, tokens: Json) -> None:
    """Count and log a turn that LangGraph's own routes ran; those broken off are in its metrics."""
    _count_tokens(tokens)
    _count(run_id, collection, outcome_of(finish), seconds)


def outcome_of(finish: Json) -> str:
    """answered or abstained."""
    return "abstained" if finish.get("abstained") else "answered"


def _count_tokens(tokens: Json) -> None:
    for kind, count in tokens.items():
        TOKENS.labels(kind).inc(count)


def _count(run_id: str, collection: str, outcome: str, seconds: float) -> None:
    SECONDS.observe(seconds)
    TURNS.labels(outcome).inc()
    fields = {"run_id": run_id, "outcome": outcome, "milliseconds": round(seconds * 1000)}
    logger.info("turn", extra={**fields, "collection": collection})
