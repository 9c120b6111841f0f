"""What Prometheus reads: turns, their time, and what ran inside."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)

logger = logging.getLogger(__name__)
REGISTRY = CollectorRegistry()
TURNS = Counter("tuwen_turns", "Turns by outcome.", ["outcome"], registry=REGISTRY)
SECONDS = Histogram(
    "tuwen_turn_seconds",
    "Seconds of a turn.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40, 80),
    registry=REGISTRY,
)
RUNNING = Gauge("tuwen_turns_running", "Turns that run now.", registry=REGISTRY)
TOKENS = Counter("tuwen_model_tokens", "Model tokens.", ["kind"], registry=REGISTRY)
FILES = Counter("tuwen_files", "Ingested files by state.", ["state"], registry=REGISTRY)


def exposition() -> tuple[bytes, str]:
    """The metrics as text, and their content type."""
    return generate_latest(REGISTRY), CONTENT_TYPE_LATEST


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
            outcome = "abstained" if event.get("abstained") else "answered"
        elif event["type"] == "trace":
            for kind, count in event["tokens"].items():
                TOKENS.labels(kind).inc(count)

    with RUNNING.track_inprogress():
        try:
            yield seen
        finally:
            seconds = time.perf_counter() - start
            SECONDS.observe(seconds)
            TURNS.labels(outcome).inc()
            fields = {"run_id": run_id, "outcome": outcome, "milliseconds": round(seconds * 1000)}
            logger.info("turn", extra={**fields, "collection": collection})
