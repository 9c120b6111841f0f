"""BM25 on sparse postings: rank_bm25's numbers without rank_bm25's cost.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), in the
variant of `rank_bm25.BM25Plus(k1=1.5, b=0.75, delta=0)`: idf = ln((N + 1) / df) stays positive
when a term is in half of a small corpus or in its only chunk, and delta = 0 gives a chunk without
any term no score. The operations are done in that class's order, so the scores are equal bitwise.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

K1, B = 1.5, 0.75

Rows = NDArray[np.int32]
Floats = NDArray[np.float64]
Posting = tuple[Rows, NDArray[Any]]
"""Rows of the chunks that hold a term, ascending, and how often each does."""


def length_norms(lengths: NDArray[Any], average: float) -> Floats:
    """k1 * (1 - b + b * length / average) of every chunk."""
    if average <= 0:
        return np.full(len(lengths), K1 * (1 - B))
    return np.asarray(K1 * (1 - B + B * lengths / average), dtype=np.float64)


def idf(chunks: int, holding: int) -> float:
    """Inverse document frequency; 0 for a term that no chunk holds."""
    return math.log((chunks + 1) / holding) if holding else 0.0


def add_scores(scores: Floats, posting: Posting, weight: float, norms: Floats) -> None:
    """Add one term's contribution in place; `weight` is its idf."""
    rows, counts = posting
    part = counts.astype(np.float64)
    below = norms.take(rows, mode="clip")  # rows are in range; "clip" spares the check
    below += part
    part *= K1 + 1
    part /= below
    part *= weight
    np.add.at(scores, rows, part)


def best(
    values: Floats, rows: NDArray[Any], n: int, ids: Sequence[str]
) -> list[tuple[str, float, int]]:
    """The n best as (id, score, place), by falling score, ties by id; `values[place]` is of
    `rows[place]`."""
    places = np.arange(len(rows))
    if len(rows) > n > 0:
        edge = np.partition(values, len(values) - n)[len(values) - n]
        places = np.flatnonzero(values >= edge)
    falling = (-values[places]).tolist()
    named = (ids[row] for row in rows[places].tolist())
    ranked = sorted(zip(falling, named, places.tolist(), strict=True))
    return [(chunk_id, -score, place) for score, chunk_id, place in ranked[:n]]
