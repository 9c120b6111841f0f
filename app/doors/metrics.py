"""What Prometheus reads: turns, their time, and what ran inside."""

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)

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
