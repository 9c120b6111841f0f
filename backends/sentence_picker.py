"""The sentence of each candidate that is worth the strong encoder's time.

Encoding every sentence of a candidate again takes most of a question's time and orders the hits no
better than encoding the one that promises most: that holds most of the question's words or, where
the words do not meet (another language), that a light encoder finds nearest.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from ..core.ports import Embedder

ENOUGH = 0.35
"""Share of the question's words, by inverse frequency, from which a best sentence is believed."""

Tokens = Callable[[str], list[str]]
Held = Callable[[str, frozenset[str]], frozenset[str]]
"""Which of some words are among the tokens of a text."""
Pieces = Sequence[Sequence[str]]


def _best(pieces: Sequence[str], scores: Sequence[float]) -> list[str]:
    return [pieces[scores.index(max(scores))]] if pieces else []


class SentencePicker:
    """Picks one piece of every text; thread-safe as its encoder is. `held`: what tells sooner than
    `tokens` which words a piece holds."""

    def __init__(self, tokens: Tokens, light: Embedder, *, held: Held | None = None) -> None:
        self._tokens = tokens
        self._held_words = held or (lambda text, words: words.intersection(tokens(text)))
        self._light = light

    def pick(self, question: str, texts: Pieces) -> list[list[str]]:
        """The best piece of every text, of equals the first; none of a blank text."""
        scores = self._held(question, texts)
        if max((share for row in scores for share in row), default=0.0) < ENOUGH:
            scores = self._near(question, texts)
        return [_best(pieces, row) for pieces, row in zip(texts, scores, strict=True)]

    def _held(self, question: str, texts: Pieces) -> list[list[float]]:
        """Share 0..1 of the question's words in each piece, by inverse frequency among them."""
        asked = frozenset(self._tokens(question))
        words = [[self._held_words(piece, asked) for piece in pieces] for pieces in texts]
        common = Counter(word for row in words for found in row for word in found)
        count = sum(len(row) for row in words)
        weight = {word: math.log(1 + count / max(1, common[word])) for word in sorted(asked)}
        total = math.fsum(weight.values()) or 1.0
        return [
            [math.fsum(weight[word] for word in sorted(found)) / total for found in row]
            for row in words
        ]

    def _near(self, question: str, texts: Pieces) -> list[list[float]]:
        """Cosine of the question and each piece by the light encoder."""
        flat = [piece for pieces in texts for piece in pieces]
        if not flat:
            return [[] for _ in texts]
        asked = self._light.embed_queries([question])[0]
        vectors = np.asarray(self._light.embed_passages(flat), dtype=np.float64)
        cosines = iter(np.nan_to_num(vectors @ asked, nan=-1.0).tolist())
        return [[next(cosines) for _ in pieces] for pieces in texts]
