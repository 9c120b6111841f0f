"""What share of a question each chunk holds.

BM25 lets one rare word that is repeated outweigh three that stand once. The share of the
question's words that a chunk holds at all ("coordination level", Salton and McGill 1983, weighted
by inverse document frequency) does not: of the chunks that BM25 ranks first, those that hold more
of the question come nearer to the top.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .bm25 import Floats, idf
from .keyword_segment import Mask
from .keyword_state import Postings, State
from .keyword_terms import QueryTerms, word_grams, word_key

POOL = 4
"""Of the chunks asked for, so many times are looked at again."""
CHINESE, OTHER = (0.25, 1), (0.4, 2)
"""Weight of the share and the power it is raised to, for questions with and without Chinese
words. Chosen on OHR-Bench, XQuAD and CRUD; DuReader and the page sets were looked at afterwards."""

_MANY = 5  # searching is faster than marking where a posting is so many times longer
Rows = NDArray[np.integer]


def held_shares(state: State, terms: QueryTerms, postings: Postings, rows: Rows) -> Floats:
    """Share 0..1 of the question's words, by inverse document frequency, that each of `rows`
    (ascending) holds. A Chinese word counts as held when all its character pairs are."""
    words = list(dict.fromkeys(terms.words))
    rows = rows.astype(np.int32)  # as in the postings: another kind would copy them whole
    table = np.zeros(state.rows, dtype=bool)
    shares = np.zeros(len(rows))
    total = 0.0
    for word in words:
        weight = idf(state.chunks, postings.holding(word_key(word)) or 1)
        total += weight
        shares += weight * _holding(word, postings, rows, table)
    return np.minimum(1.0, shares / total) if total > 0 else shares


def with_shares(scores: Floats, shares: Floats, *, chinese: bool) -> Floats:
    """Scores and shares joined, each over its spread; the scores alone where one is flat."""
    weight, power = CHINESE if chinese else OTHER
    powered = shares**power
    spread, wide = float(scores.std()), float(powered.std())
    if spread < 1e-12 or wide < 1e-12:
        return scores
    return np.asarray((1 - weight) * scores / spread + weight * powered / wide)


def _holding(word: str, postings: Postings, rows: Rows, table: Mask) -> Mask:
    held = _among(word_key(word), postings, rows, table)
    grams: Sequence[int] = word_grams(word)
    if grams and not held.all():
        held |= np.logical_and.reduce([_among(gram, postings, rows, table) for gram in grams])
    return held


def _among(key: int, postings: Postings, rows: Rows, table: Mask) -> Mask:
    """Which of the ascending `rows` stand in a posting, whose rows ascend too; `table` is lent."""
    if key not in postings:
        return np.zeros(len(rows), dtype=bool)
    holding = postings[key][0]
    if len(holding) > _MANY * len(rows):
        places = np.searchsorted(holding, rows)
        return np.asarray(holding.take(places, mode="clip") == rows)
    table[holding] = True
    held = table[rows]
    table[holding] = False
    return held
