"""How the keyword leg finds, scores and trusts chunks."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ..core.ports import KeywordHits
from .bm25 import Floats, best
from .keyword_scores import scored
from .keyword_segment import Mask
from .keyword_share import POOL, held_shares, with_shares
from .keyword_state import State
from .keyword_terms import QueryTerms


def find(state: State, terms: QueryTerms, n: int, allowed: Collection[str] | None) -> KeywordHits:
    """The n best chunks; see PostingsIndex.search."""
    if n <= 0 or state.chunks == 0 or not terms.streams[0] + terms.streams[1]:
        return KeywordHits()
    postings = state.postings([*(k for s in terms.streams for k in s), *terms.lone])
    rows, scores = scored(state, terms, postings)
    if not len(rows):
        return KeywordHits()
    if allowed is not None:
        keep = _allowed(state, allowed)[rows]
        rows, scores = rows[keep], scores[keep]
        if not len(rows):
            return KeywordHits()
    rows, scores = _pool(rows, scores, n * POOL)
    shares = held_shares(state, terms, postings, rows)
    chinese = terms.streams[0] != terms.streams[2]
    hits = best(with_shares(scores, shares, chinese=chinese), rows, n, state.ids)
    first = {chunk_id for chunk_id, _ in hits[:3]}
    held = [
        s for s, row in zip(shares.tolist(), rows.tolist(), strict=True) if state.ids[row] in first
    ]
    return KeywordHits(hits=tuple(hits), coverage=max(held, default=0.0))


def _pool(
    rows: NDArray[np.int64], scores: NDArray[np.floating], size: int
) -> tuple[NDArray[np.int64], Floats]:
    """The best `size` rows and all that score as much as the last of them, rows ascending."""
    if len(rows) <= size:
        return rows, scores.astype(np.float64)
    keep = scores >= np.partition(scores, len(scores) - size)[len(scores) - size]
    return rows[keep], scores[keep].astype(np.float64)


def _allowed(state: State, allowed: Collection[str]) -> Mask:
    mask = np.zeros(state.rows, dtype=bool)
    for (_, segment, _), start in zip(state.parts, state.starts, strict=False):
        rows = [row for row in map(segment.index.get, allowed) if row is not None]
        mask[start : start + len(segment.ids)][rows] = True
    return mask
