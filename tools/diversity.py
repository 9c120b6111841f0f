"""Maximal marginal relevance: fewer near-copies among the candidates.

Carbonell and Goldstein, SIGIR 1998. MMR decides which candidates stay, not their order: the
relevance order of those that stay is left as it was, so that a diverse set costs no rank.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..core.evidence import Hit
from .merge import explained, kept, labelled

if TYPE_CHECKING:
    from ..core.ports import Vectors

DROPPED = "mmr"


def mmr(hits: Sequence[Hit], vectors: Mapping[str, "Vectors"], *, lam: float, n: int) -> list[Hit]:
    """Keep `n` hits; the others follow at the end with `explain.dropped` set.

    `lam` 1 keeps the most relevant, 0 the most different. Hits of the label leg are always kept;
    hits without a vector cannot be redundant and compete with their relevance alone.
    """
    candidates = kept(hits)
    gone = [hit for hit in hits if hit.explain.dropped]
    if n <= 0 or len(candidates) <= n:
        chosen = set(range(len(candidates))) if n > 0 else set()
    else:
        chosen = _choose(candidates, vectors, lam, n)
    stay = [hit for i, hit in enumerate(candidates) if i in chosen]
    left = [explained(hit, dropped=DROPPED) for i, hit in enumerate(candidates) if i not in chosen]
    return [*stay, *left, *gone]


def _choose(hits: Sequence[Hit], vectors: Mapping[str, "Vectors"], lam: float, n: int) -> set[int]:
    """Indexes of the chosen hits: greedy, first index on ties (hits are in score order)."""
    import numpy as np

    worth = (lam * _relevance(hits)).astype(np.float64)
    known = [i for i, hit in enumerate(hits) if hit.chunk_id in vectors]
    row = {i: r for r, i in enumerate(known)}
    matrix = _matrix([vectors[hits[i].chunk_id] for i in known])
    everywhere = len(known) == len(hits)
    nearest = np.zeros(len(hits))
    chosen = [i for i, hit in enumerate(hits) if labelled(hit)][:n]
    pending = list(chosen)
    while True:
        for i in pending:
            worth[i] = -np.inf  # it is chosen
            if i in row and everywhere:
                np.maximum(nearest, matrix @ matrix[row[i]], out=nearest)
            elif i in row:
                nearest[known] = np.maximum(nearest[known], matrix @ matrix[row[i]])
        if len(chosen) >= n:
            return set(chosen)
        pending = [int(np.argmax(worth - (1 - lam) * nearest))]
        chosen += pending


def _relevance(hits: Sequence[Hit]) -> "Vectors":
    """Scores of the hits scaled to 0..1; label hits, lifted over all, do not set the scale."""
    import numpy as np

    scores = np.asarray([hit.score for hit in hits], dtype=np.float32)
    plain = [hit.score for hit in hits if not labelled(hit)] or scores.tolist()
    low, high = min(plain), max(plain)
    span = np.float32(high - low)
    if span <= 0:
        return np.ones_like(scores)
    scaled: Vectors = np.clip(np.nan_to_num((scores - np.float32(low)) / span), 0.0, 1.0)
    return scaled


def _matrix(rows: "Sequence[Vectors]") -> "Vectors":
    """Unit rows (r, dim); a zero vector stays zero."""
    import numpy as np

    if not rows:
        return np.zeros((0, 1), dtype=np.float32)
    matrix = np.stack([np.asarray(row, dtype=np.float32).ravel() for row in rows])
    length = np.linalg.norm(matrix, axis=1, keepdims=True).astype(np.float32)
    return (matrix / np.where(length > 0, length, 1.0)).astype(np.float32)
