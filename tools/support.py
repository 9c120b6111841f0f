"""What near hits say of one another.

Where many chunks tell of the same thing, the right one is seldom alone: its versions lie near each
other, while what only shares the question's words lies apart. Ranking by the likeness to the other
good hits is known as pseudo relevance feedback (Rocchio 1971; Kurland and Lee, SIGIR 2005, for
hits that vote for one another).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from .spread import FLAT, mean_and_deviation

if TYPE_CHECKING:
    from ..core.ports import Vectors

VOTERS = 20
"""So many of the best hits vote."""
SHARPNESS = 2.0
"""How much more the better hits' votes count: by the exponential of so many times their z-score."""

Lookup = Callable[[Sequence[str]], "Mapping[str, Vectors]"]
"""The stored vectors of those ids that have one."""


def support(z: Mapping[str, float], lookup: Lookup) -> dict[str, float]:
    """How near each of the best hits is to the others of them, as a z-score; every other hit gets
    the least of these. All 0 where fewer than three have a vector or all lie alike."""
    none = dict.fromkeys(z, 0.0)
    best = sorted(z, key=lambda i: (-z[i], i))[:VOTERS]
    vectors = lookup(best)
    voters = [i for i in best if i in vectors]
    if len(voters) < 3:
        return none
    votes = _votes([z[i] for i in voters], [vectors[i] for i in voters])
    mean, deviation = mean_and_deviation(votes)
    if deviation < FLAT:
        return none
    scores = {i: (vote - mean) / deviation for i, vote in zip(voters, votes, strict=True)}
    least = min(scores.values())
    return {i: scores.get(i, least) for i in z}


def _votes(z: "Sequence[float]", rows: "Sequence[Vectors]") -> list[float]:
    """Each row's cosines to the others, the mean of them by the others' scores."""
    import numpy as np

    matrix = np.concatenate(rows, axis=None, dtype=np.float64).reshape(len(z), -1)
    length = np.linalg.norm(matrix, axis=1, keepdims=True)
    matrix = matrix / np.where(length > 0, length, 1.0)
    top = max(z)
    weights = np.array([math.exp(SHARPNESS * (value - top)) for value in z])
    others = np.tile(weights, (len(z), 1))
    np.fill_diagonal(others, 0.0)
    total = np.maximum(others.sum(axis=1), 1e-300)
    votes: list[float] = ((matrix @ matrix.T * others).sum(axis=1) / total).tolist()
    return votes
