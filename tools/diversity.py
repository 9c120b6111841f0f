"""Maximal marginal relevance: fewer near-copies among the candidates.

Carbonell and Goldstein, SIGIR 1998. MMR decides which candidates stay, not their order: the
relevance order of those that stay is left as it was, so that a diverse set costs no rank.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..core.evidence import Hit
from .merge import kept, labelled, without

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    left = [without(hit, DROPPED) for i, hit in enumerate(candidates) if i not in chosen]
    return [*stay, *left, *gone]


def _choose(hits: Sequence[Hit], vectors: Mapping[str, "Vectors"], lam: float, n: int) -> set[int]:
    """Indexes of the chosen hits: greedy, first index on ties (hits are in score order)."""
    import numpy as np

    worth = (lam * _relevance(hits)).astype(np.float64)
    alike = (1 - lam) * _cosines(hits, vectors)
    nearest = np.zeros(len(hits))
    chosen: list[int] = []
    pending = [i for i, hit in enumerate(hits) if labelled(hit)][:n]
    while True:
        for i in pending:
            worth[i] = -np.inf  # it is chosen
            np.maximum(nearest, alike[i], out=nearest)
        chosen += pending
        if len(chosen) >= n:
            return set(chosen)
        pending = [int(np.argmax(worth - nearest))]


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


def _cosines(hits: Sequence[Hit], vectors: Mapping[str, "Vectors"]) -> "NDArray[np.float64]":
    """Of each hit to each; 0 for one without a vector or of length 0."""
    import numpy as np

    if not vectors:
        return np.zeros((len(hits), len(hits)))
    none = np.zeros_like(next(iter(vectors.values())))
    rows = [vectors.get(hit.chunk_id, none) for hit in hits]
    matrix = np.concatenate(rows, axis=None, dtype=np.float32).reshape(len(hits), -1)
    products = (matrix @ matrix.T).astype(np.float64)
    length = np.sqrt(products.diagonal())
    length[length == 0] = 1.0
    return np.asarray(products / length / length[:, np.newaxis])
