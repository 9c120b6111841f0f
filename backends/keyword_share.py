"""What share of a question each chunk holds.

BM25 lets one rare word that is repeated outweigh three that stand once. The share of the
question's words that a chunk holds at all ("coordination level", Salton and McGill 1983, weighted
by inverse document frequency) does not: of the chunks that BM25 ranks first, those that hold more
of the question come nearer to the top.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from .bm25 import Floats, idf
from .keyword_segment import Mask
from .keyword_state import Postings, State
from .keyword_terms import QueryTerms, stream_of
from .tokenizer import HAN_RUN

POOL = 4
"""Of the chunks asked for, so many times are looked at again."""
CHINESE, OTHER = (0.25, 1), (0.4, 2)
"""Weight of the share and the power it is raised to, for questions with and without Chinese
words. Chosen on OHR-Bench, XQuAD and CRUD; DuReader and the page sets were looked at afterwards."""
HALF = 0.5
"""A hit that holds this part of the best hit's share does not belong to a crowd; more does in
part, all of it whole."""
SHORT = 45
"""Words, up to which a hit counts whole in a crowd."""
FEW, MANY = 2.0, 4.0
"""So many hits are no crowd yet, and so many are one."""
PART, ALL = 0.6, 0.9
"""Hits that hold this share of the question are no crowd yet: other words may tell; those that hold
so much are one. These were chosen on RGB, how long is short on the page sets too, all with a look
at the other sets; most values around them do as well."""

_MANY = 5  # searching is faster than marking where a posting is so many times longer
Rows = NDArray[np.integer]


def held_shares(state: State, terms: QueryTerms, postings: Postings, rows: Rows) -> Floats:
    """Share 0..1 of the question's words, by inverse document frequency, that each of `rows`
    (ascending) holds. A Chinese word counts as held when all its character pairs are: they are
    wherever the word is."""
    words = dict(zip(terms.words, zip(terms.streams[0], terms.grams, strict=True), strict=True))
    parts = {
        word: grams if HAN_RUN.fullmatch(word) else (key, *grams)
        for word, (key, grams) in words.items()
    }
    held = _held(state, dict.fromkeys(k for keys in parts.values() for k in keys), postings, rows)
    weights, lines = [], []
    for word, (key, grams) in words.items():
        weights.append(idf(state.chunks, postings.holding(key) or 1))
        each = [held[part] for part in parts[word]]
        if grams and len(each) > len(grams):  # a word that is Chinese in part
            each = [each[0] | np.logical_and.reduce(each[1:])]
        lines.append(each[0] if len(each) == 1 else np.logical_and.reduce(each))
    total = sum(weights)
    if total <= 0:
        return np.zeros(len(rows))
    shares = (np.array(weights)[:, np.newaxis] * np.array(lines)).sum(axis=0)
    return np.asarray(np.minimum(1.0, shares / total))


def with_shares(scores: Floats, shares: Floats, *, chinese: bool) -> Floats:
    """Scores and shares joined, each over its spread; the scores alone where one is flat."""
    weight, power = CHINESE if chinese else OTHER
    powered = shares**power
    spread, wide = float(scores.std()), float(powered.std())
    if spread < 1e-12 or wide < 1e-12:
        return scores
    return np.asarray((1 - weight) * scores / spread + weight * powered / wide)


def crowd(shares: Floats, words: Rows) -> float:
    """How far the words leave open which hit it is, 0..1, from each hit's share of the question
    and its length in words.

    Where several hits hold what the best one holds of the question, what BM25 still tells
    apart is how often the words are repeated. In a long text that says what it is about, in a few
    lines little: a long hit counts less than one.
    """
    most = float(shares.max(initial=0.0))
    if most <= 0:
        return 0.0
    like = np.clip((shares / most - HALF) / (1 - HALF), 0.0, 1.0)
    each = like * np.minimum(1.0, SHORT / np.maximum(1, words))
    many = _ramp(float(each.sum()), FEW, MANY)
    return many * _ramp(most, PART, ALL) * float(each.sum() / like.sum())


def _ramp(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))


def _held(state: State, keys: Iterable[int], postings: Postings, rows: Rows) -> dict[int, Mask]:
    """Which of the ascending `rows` stand in each key's posting."""
    rows = rows.astype(np.int32)  # as in the postings: another kind would copy them whole
    held: dict[int, Mask] = {}
    short = []
    for key in keys:
        if postings.holding(key) <= _MANY * len(rows):
            short.append(key)
            continue
        whole = state.kept.get((state, stream_of(key), key))
        if whole is not None:
            held[key] = whole[rows] > 0
            continue
        held[key] = line = np.zeros(len(rows), dtype=bool)
        for posting, _, first in postings.pieces(key):
            spots = np.searchsorted(posting, rows - np.int32(first))
            line |= posting.take(spots, mode="clip") == rows - np.int32(first)
    return held | dict(zip(short, _marked(short, postings, rows, state.rows), strict=True))


def _marked(keys: Sequence[int], postings: Postings, rows: Rows, count: int) -> NDArray[np.bool_]:
    """The same for short postings, all at once; shape (keys, rows)."""
    marks = np.zeros((len(keys), len(rows)), dtype=bool)
    pieces = [(line, piece) for line, key in enumerate(keys) for piece in postings.pieces(key)]
    if pieces:
        sizes = [len(piece[0]) for _, piece in pieces]
        places = np.zeros(count, dtype=np.int32)
        places[rows] = np.arange(1, len(rows) + 1)
        found = np.concatenate([piece[0] for _, piece in pieces])
        found += np.repeat(np.array([first for _, (*_, first) in pieces], np.int32), sizes)
        place = places[found]
        hits = np.flatnonzero(place)
        lines = np.repeat(np.array([line for line, _ in pieces]), sizes)
        marks[lines[hits], place[hits] - 1] = True
    return marks
