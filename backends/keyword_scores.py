"""BM25 of the rows that a question's terms select.

A stream that stands alone has rank_bm25's scores bitwise. Where three streams are mixed, 32 bits
are enough, which is several times faster; a frequent term is then added as a whole array that is
kept for the next question, the rare ones by their postings, all in one go.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from .bm25 import K1, Floats, Posting, add_scores, idf
from .keyword_kept import Shares
from .keyword_segment import Counts
from .keyword_state import Postings, Singles, State
from .keyword_terms import QueryTerms

WEIGHTS = (0.25, 0.25, 0.5)  # of words, character bigrams and characters, each over its spread
_FREQUENT = 12  # a term in more than a twelfth of the chunks is added as a whole array,
_FEW = 4096  # but not in a collection so small: its postings are as fast, and finer
_STEP = 1 / 65535  # a kept share counts in these


def scored(state: State, terms: QueryTerms, postings: Postings) -> NDArray[np.floating]:
    """The score of every row; 0 where it holds no word, no character pair and no lone character."""
    if terms.streams[0] == terms.streams[2]:  # nothing Chinese: the three streams are the same
        return field_scores(state, 0, terms.streams[0], postings)
    streams = [_mixed_scores(state, f, keys, postings) for f, keys in enumerate(terms.streams)]
    held = (streams[0] + streams[1]) > 0  # no term adds 0
    for key in terms.lone:
        if key in postings:
            held[postings[key][0]] = True
    streams[2] *= held
    chunks = int(np.count_nonzero(held))
    total = np.zeros(state.rows, dtype=np.float32)
    for weight, stream in zip(WEIGHTS, streams, strict=True):
        spread = _spread(stream, chunks)
        total += stream * np.float32(weight / spread if spread > 0 else weight)
    return total


def field_scores(state: State, field: int, keys: Sequence[int], postings: Postings) -> Floats:
    """BM25 of every row in one stream; a repeated key counts twice, as in rank_bm25."""
    scores = np.zeros(state.rows)
    for key in keys:
        if key in postings:
            weight = idf(state.chunks, postings.holding(key))
            add_scores(scores, postings[key], weight, state.norms[field])
    return scores


def _mixed_scores(state: State, field: int, keys: Sequence[int], postings: Postings) -> Singles:
    """`field_scores` in 32 bits."""
    known = [(key, postings.holding(key)) for key in keys if key in postings]
    scores = np.zeros(state.rows, dtype=np.float32)
    spare = np.empty_like(scores)
    rare: list[tuple[Posting, float]] = []
    for key, holding in known:
        weight = idf(state.chunks, holding) * (K1 + 1)
        if holding * _FREQUENT > state.rows > _FEW:
            shares = _everywhere(state, field, key, postings)
            scores += np.multiply(shares, np.float32(weight * _STEP), out=spare)
        else:
            rare.append((postings[key], weight))
    if rare:
        _add_postings(scores, state, field, rare)
    return scores


def _add_postings(
    scores: Singles, state: State, field: int, terms: Sequence[tuple[Posting, float]]
) -> None:
    rows = np.concatenate([rows for (rows, _), _ in terms])
    parts = _shares(rows, np.concatenate([counts for (_, counts), _ in terms]), state, field)
    start = 0
    for (held, _), weight in terms:
        stop = start + len(held)
        parts[start:stop] *= np.float32(weight)
        start = stop
    np.add.at(scores, rows, parts)


def _everywhere(state: State, field: int, key: int, postings: Postings) -> Shares:
    """A term's share in each row, in steps of _STEP; kept for the next question."""
    found = state.kept.get((state, field, key))
    if found is None:
        rows, counts = postings[key]
        found = np.zeros(state.rows, dtype=np.uint16)
        found[rows] = np.maximum(np.rint(_shares(rows, counts, state, field) / _STEP), 1)
        state.kept.put((state, field, key), found)
    return found


def _shares(rows: NDArray[np.int32], counts: Counts, state: State, field: int) -> Singles:
    """BM25 of each posting before its weight: count / (count + norm)."""
    part = counts.astype(np.float32)
    below = state.single_norms[field].take(rows, mode="clip")  # in range; "clip" spares the check
    below += part
    part /= below
    return part


def _spread(scores: Singles, chunks: int) -> float:
    """Standard deviation over so many chunks; the other scores are 0."""
    if not chunks:
        return 0.0
    wide = scores.astype(np.float64)
    mean = float(wide.sum()) / chunks
    variance = float(np.square(wide, out=wide).sum()) / chunks - mean * mean
    return sqrt(variance) if variance > 1e-9 * mean * mean else 0.0  # less is rounding
