"""How the keyword leg finds, scores and trusts chunks."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ..core.ports import KeywordHits
from .bm25 import best
from .keyword_scores import scored
from .keyword_segment import Mask
from .keyword_share import POOL, crowd, held_shares, with_shares
from .keyword_state import State
from .keyword_terms import QueryTerms

_SAMPLED = 16


def find(state: State, terms: QueryTerms, n: int, allowed: Collection[str] | None) -> KeywordHits:
    """The n best chunks; see PostingsIndex.search."""
    if n <= 0 or state.chunks == 0 or not terms.streams[0] + terms.streams[1]:
        return KeywordHits()
    postings = state.postings([*(k for s in terms.streams for k in s), *terms.lone])
    scores = scored(state, terms, postings)
    if allowed is not None:
        scores *= _allowed(state, allowed)
    rows = _pool(scores, n * POOL)
    if not len(rows):
        return KeywordHits()
    shares = held_shares(state, terms, postings, rows)
    chinese = terms.streams[0] != terms.streams[2]
    values = with_shares(scores[rows].astype(np.float64), shares, chinese=chinese)
    hits = best(values, rows, n, state.ids)
    places = np.array([place for *_, place in hits])
    return KeywordHits(
        hits=tuple((chunk_id, score) for chunk_id, score, _ in hits),
        coverage=max((float(shares[place]) for *_, place in hits[:3]), default=0.0),
        crowd=crowd(shares[places], state.words[rows[places]]),
    )


def _pool(scores: NDArray[np.floating], size: int) -> NDArray[np.int64]:
    """The best `size` rows that score at all, and all that score as much as the last, ascending."""
    if len(scores) <= size:
        return np.flatnonzero(scores > 0)
    rows = _front(scores, size)
    front = scores[rows]
    edge = np.partition(front, len(front) - size)[len(front) - size]
    return rows[front >= edge] if edge > 0 else np.flatnonzero(scores > 0)


def _front(scores: NDArray[np.floating], size: int) -> NDArray[np.int64]:
    """At least `size` rows, ascending, among them the best so many and their ties: judged by every
    sixteenth row, or else all."""
    some = scores[::_SAMPLED]
    place = 2 * size // _SAMPLED + _SAMPLED
    if len(some) > 2 * place:
        rows = np.flatnonzero(scores >= np.partition(some, len(some) - place)[len(some) - place])
        if len(rows) >= size:
            return rows
    return np.arange(len(scores))


def _allowed(state: State, allowed: Collection[str]) -> Mask:
    mask = np.zeros(state.rows, dtype=bool)
    for (_, segment, _), start in zip(state.parts, state.starts, strict=False):
        rows = [row for row in map(segment.index.get, allowed) if row is not None]
        mask[start : start + len(segment.ids)][rows] = True
    return mask
