"""BM25 of the rows that a question's terms select.

A stream that stands alone has rank_bm25's scores bitwise. Where three streams are mixed, 32 bits
are enough, which is several times faster. What a frequent term adds to every row is then kept for
the next question as whole numbers of 16 bits, which are added many times faster than postings; the
rare ones are added by their postings, so many at once as stay in the processor's cache.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .bm25 import K1, Floats, add_scores, idf
from .keyword_kept import Shares
from .keyword_segment import Counts, Mask
from .keyword_state import Piece, Postings, Singles, State
from .keyword_terms import QueryTerms, stream_of

WEIGHTS = (0.25, 0.25, 0.5)  # of words, character bigrams and characters, each over its spread
_FREQUENT = 12  # a term in more than one of so many chunks is added as a whole array,
_FEW = 4096  # but not in a collection so small: its postings are as fast, and finer
_STEP = 1 / 2048  # a kept array counts in these: a frequent term adds less than 8
_FULL = 65535  # what 16 bits hold
_AT_ONCE = 16_384  # postings
_LINE = 8192  # rows


def scored(state: State, terms: QueryTerms, postings: Postings) -> NDArray[np.floating]:
    """The score of every row; 0 where it holds no word, no character pair and no lone character."""
    if terms.streams[0] == terms.streams[2]:  # nothing Chinese: the three streams are the same
        return field_scores(state, 0, terms.streams[0], postings)
    return _joined(_mixed_scores(state, terms, postings), _alone(state, terms, postings))


def _alone(state: State, terms: QueryTerms, postings: Postings) -> Mask | None:
    """Which rows hold a character that is a word alone; None where the question has none."""
    known = [key for key in terms.lone if key in postings]
    alone = np.zeros(state.rows, dtype=bool)
    for key in known:
        whole = state.kept.get((state, stream_of(key), key))
        if whole is not None:
            alone |= whole > 0
            continue
        for rows, _, first in postings.pieces(key):
            alone[first:][rows] = True
    return alone if known else None


def _joined(streams: Singles, alone: Mask | None) -> Singles:
    """The weighted sum of the three streams, each over its spread among the rows that hold a word,
    a character pair or a character that is a word `alone`; a line of rows at a time."""
    rows = streams.shape[1]
    total = np.empty(rows, dtype=np.float32)
    lines = [slice(start, start + _LINE) for start in range(0, rows, _LINE)]
    chunks, sums, squares = 0, np.zeros(3), np.zeros(3)
    for line in lines:
        some = streams[:, line]
        held = np.add(some[0], some[1], out=total[line]) > 0  # no term adds 0
        if alone is not None:
            held |= alone[line]
        some[2] *= held
        chunks += int(np.count_nonzero(held))
        some = some if rows > _LINE else some.astype(np.float64)  # 32 bits tell flat from nearly so
        sums += some.sum(axis=1)  # less well: of a small collection it matters
        squares += np.vecdot(some, some)
    factors = _factors(chunks, sums, squares, 1e-5 if rows > _LINE else 1e-9)
    for line in lines:
        some = streams[:, line]
        some *= factors
        np.add(np.add(some[0], some[1], out=total[line]), some[2], out=total[line])
    return total


def _factors(chunks: int, sums: Floats, squares: Floats, rounding: float) -> Singles:
    """What each stream is multiplied by, shape (3, 1): its weight over its standard deviation;
    variances up to `rounding` of the mean's square are none."""
    means = sums / max(1, chunks)
    variances = squares / max(1, chunks) - means * means
    spreads = np.sqrt(np.where(variances > rounding * means * means, variances, 1.0))
    return (np.array(WEIGHTS) / spreads).astype(np.float32)[:, np.newaxis]


def field_scores(state: State, field: int, keys: Sequence[int], postings: Postings) -> Floats:
    """BM25 of every row in one stream; a repeated key counts twice, as in rank_bm25."""
    scores = np.zeros(state.rows)
    for key in keys:
        if key in postings:
            weight = idf(state.chunks, postings.holding(key))
            add_scores(scores, postings[key], weight, state.norms[field])
    return scores


def _mixed_scores(state: State, terms: QueryTerms, postings: Postings) -> Singles:
    """`field_scores` of the three streams in 32 bits, shape (3, rows)."""
    scores = np.zeros((len(terms.streams), state.rows), dtype=np.float32)
    least = state.rows // _FREQUENT if state.rows > _FEW else state.rows
    rare = _Rare(scores, state.single_norms)
    for field, keys in enumerate(terms.streams):
        known = [(key, postings.holding(key)) for key in keys]
        weights = [
            (key, holding, idf(state.chunks, holding) * (K1 + 1))
            for key, holding in known
            if holding
        ]
        frequent = [(key, weight) for key, holding, weight in weights if holding > least]
        if frequent:
            _set_frequent(scores[field], state, field, frequent, postings)
        for key, holding, weight in weights:
            if holding <= least:
                rare.add(field, postings.pieces(key), weight)
    rare.flush()
    return scores


def _set_frequent(
    scores: Singles,
    state: State,
    field: int,
    terms: Sequence[tuple[int, float]],
    postings: Postings,
) -> None:
    """Set the scores, so far 0, to what frequent terms add."""
    total = np.zeros(state.rows, dtype=np.uint16)
    room, first = _FULL, True
    for key, weight in terms:
        most = int(weight / _STEP) + 1  # a share is below 1
        if most > room:
            scores += np.multiply(total, np.float32(_STEP))
            total.fill(0)
            room, first = _FULL, False
        _add_whole(total, state, field, key, weight, postings)
        room -= most
    if first:
        np.multiply(total, np.float32(_STEP), out=scores)
    else:
        scores += np.multiply(total, np.float32(_STEP))


def _add_whole(
    total: Shares, state: State, field: int, key: int, weight: float, postings: Postings
) -> None:
    """Add a term in steps of _STEP, by what was kept of it or else by its postings."""
    name = (state, field, key)
    found = state.kept.get(name)
    if found is None:
        norms = state.single_norms[field * state.rows : (field + 1) * state.rows]
        keep = state.kept.wants(name, total.nbytes)
        found = np.zeros_like(total) if keep else total
        for rows, counts, first in postings.pieces(key):
            shares = _shares(rows, counts, norms[first:], weight / _STEP)
            found[first:][rows] += np.maximum(np.rint(shares), 1).astype(np.uint16)
        if not keep:
            return
        state.kept.put(name, found)
    total += found


def _shares(
    rows: NDArray[np.int32], counts: Counts, norms: Singles, weight: float | Singles
) -> Singles:
    """What each posting adds: weight * count / (count + norm)."""
    part = counts.astype(np.float32)
    below = norms.take(rows, mode="clip")  # in range; "clip" spares the check
    below += part
    part *= weight
    part /= below
    return part


class _Rare:
    """Adds postings to scores of the shape (streams, rows), many at once."""

    def __init__(self, scores: Singles, norms: Singles) -> None:
        self._scores = scores.reshape(-1)
        self._rows = scores.shape[1]
        self._norms = norms
        self._waiting: list[Piece] = []
        self._weights: list[float] = []
        self._size = 0

    def add(self, field: int, pieces: Sequence[Piece], weight: float) -> None:
        """Add a term's postings to one stream."""
        for rows, counts, first in pieces:
            self._waiting.append((rows, counts, field * self._rows + first))
            self._weights.append(weight)
            self._size += len(rows)
        if self._size > _AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Add what waits."""
        if not self._waiting:
            return
        sizes = [len(rows) for rows, _, _ in self._waiting]
        places = np.concatenate([rows for rows, _, _ in self._waiting])
        places += np.repeat(np.array([first for *_, first in self._waiting], np.int32), sizes)
        counts = np.concatenate([counts for _, counts, _ in self._waiting])
        weights = np.repeat(np.array(self._weights, dtype=np.float32), sizes)
        np.add.at(self._scores, places, _shares(places, counts, self._norms, weights))
        self._waiting, self._weights, self._size = [], [], 0
