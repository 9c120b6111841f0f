"""A text longer than a scorer reads, in overlapping windows: its score is that of the best one."""

from collections.abc import Callable, Sequence

MOST = 12
"""Windows of one text that are scored; of a longer text so many, evenly apart, ends included."""


def windows(text: str, size: int) -> list[str]:
    """Overlapping windows, so that the end of a long text is read as well as its beginning."""
    if len(text) <= size:
        return [text]
    step = max(1, size - size // 5)
    return [text[i : i + size] for i in range(0, len(text) - size // 5, step)]


def best_of_windows(
    texts: Sequence[str], size: int, score: Callable[[list[str]], list[float]]
) -> list[float]:
    """One score a text; `score` gets the windows of all of them at once."""
    parts = [_spread(windows(text, size)) for text in texts]
    scores = iter(score([part for of_text in parts for part in of_text]))
    return [max(next(scores) for _ in of_text) for of_text in parts]


def _spread(parts: list[str]) -> list[str]:
    if len(parts) <= MOST:
        return parts
    last = len(parts) - 1
    return [parts[round(i * last / (MOST - 1))] for i in range(MOST)]
