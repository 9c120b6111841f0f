"""How the keyword leg finds, scores and trusts chunks."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.ports import KeywordHits
from .bm25 import Floats, Posting, add_scores, best, idf
from .keyword_segment import Mask
from .keyword_state import State
from .keyword_terms import QueryTerms, word_grams, word_key

_WEIGHTS = (0.25, 0.25, 0.5)  # of words, character bigrams and characters, each over its spread


def find(state: State, terms: QueryTerms, n: int, allowed: Collection[str] | None) -> KeywordHits:
    """The n best chunks; see PostingsIndex.search."""
    if n <= 0 or state.chunks == 0 or not terms.streams[0] + terms.streams[1]:
        return KeywordHits()
    postings = state.postings([*(k for s in terms.streams for k in s), *terms.lone])
    rows = _candidates(state, terms, postings)
    if not len(rows):
        return KeywordHits()
    scores = _combined(state, terms, postings, rows)
    if allowed is not None:
        keep = _allowed(state, allowed)[rows]
        rows, scores = rows[keep], scores[keep]
    hits = best(scores, rows, n, state.ids)
    coverage = _coverage(state, terms, postings, [chunk_id for chunk_id, _ in hits[:3]])
    return KeywordHits(hits=tuple(hits), coverage=coverage)


def field_scores(
    state: State, field: int, keys: Sequence[int], postings: dict[int, Posting]
) -> Floats:
    """BM25 of every row in one stream; a repeated key counts twice, as in rank_bm25."""
    scores = np.zeros(state.rows)
    for key in keys:
        posting = postings.get(key)
        if posting is not None:
            weight = idf(state.chunks, len(posting[0]))
            add_scores(scores, posting, weight, state.norms[field])
    return scores


def _candidates(state: State, terms: QueryTerms, postings: dict[int, Posting]) -> NDArray[np.int64]:
    held = np.zeros(state.rows, dtype=bool)
    for key in {*terms.streams[0], *terms.streams[1], *terms.lone}:
        if key in postings:
            held[postings[key][0]] = True
    return np.flatnonzero(held)


def _combined(
    state: State, terms: QueryTerms, postings: dict[int, Posting], rows: NDArray[np.int64]
) -> Floats:
    """Scores of `rows`."""
    if terms.streams[0] == terms.streams[2]:  # nothing Chinese: the three streams are the same
        return field_scores(state, 0, terms.streams[0], postings)[rows]
    total = np.zeros(len(rows))
    for field, (weight, keys) in enumerate(zip(_WEIGHTS, terms.streams, strict=True)):
        scores = field_scores(state, field, keys, postings)[rows]
        spread = float(scores.std())
        scores *= weight / spread if spread > 0 else weight
        total += scores
    return total


def _allowed(state: State, allowed: Collection[str]) -> Mask:
    mask = np.zeros(state.rows, dtype=bool)
    for (_, segment, _), start in zip(state.parts, state.starts, strict=False):
        rows = [row for row in map(segment.index.get, allowed) if row is not None]
        mask[start : start + len(segment.ids)][rows] = True
    return mask


def _coverage(
    state: State, terms: QueryTerms, postings: dict[int, Posting], top: Sequence[str]
) -> float:
    """See KeywordHits. A Chinese word counts as held when all its character pairs are."""
    words = list(dict.fromkeys(terms.words))
    rows = [row for row in map(state.row_of, top) if row is not None]
    if not words or not rows:
        return 0.0
    weights = [
        idf(state.chunks, len(postings[k][0]) if k in postings else 1) for k in map(word_key, words)
    ]
    share = max(
        sum(w for word, w in zip(words, weights, strict=True) if _holds(word, row, postings))
        for row in rows
    )
    return min(1.0, share / sum(weights))


def _holds(word: str, row: int, postings: dict[int, Posting]) -> bool:
    if _in(postings.get(word_key(word)), row):
        return True
    grams = word_grams(word)
    return bool(grams) and all(_in(postings.get(g), row) for g in grams)


def _in(posting: Posting | None, row: int) -> bool:
    if posting is None:
        return False
    place = int(np.searchsorted(posting[0], row))
    return place < len(posting[0]) and int(posting[0][place]) == row
