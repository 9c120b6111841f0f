"""The few sentences of each candidate that are worth the strong encoder's time.

Encoding every sentence of a candidate again takes most of a question's time and finds no more than
encoding the three that promise most: those that hold most of the question's words or, where the
words do not meet (another language), those that a light encoder finds nearest.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from ..core.ports import Embedder

BY_WORDS, BY_VECTORS = 3, 1
"""So many of a text. The light encoder's first is as good as its first three."""
ENOUGH = 0.35
"""Share of the question's words, by inverse frequency, from which a best sentence is believed."""

Tokens = Callable[[str], list[str]]
Pieces = Sequence[Sequence[str]]


def _best(texts: Pieces, scores: Sequence[Sequence[float]], count: int) -> list[list[str]]:
    chosen = []
    for pieces, row in zip(texts, scores, strict=True):
        order = sorted(zip(row, range(len(pieces)), strict=True), key=lambda x: (-x[0], x[1]))
        chosen.append([pieces[place] for _, place in order[:count]])
    return chosen


class SentencePicker:
    """Picks a few pieces of every text; thread-safe as its encoder is."""

    def __init__(self, tokens: Tokens, light: Embedder) -> None:
        self._tokens = tokens
        self._light = light

    def pick(self, question: str, texts: Pieces) -> list[list[str]]:
        """The chosen pieces of every text, best first, ties by place."""
        held = self._held(question, texts)
        if max((share for row in held for share in row), default=0.0) >= ENOUGH:
            return _best(texts, held, BY_WORDS)
        return _best(texts, self._near(question, texts), BY_VECTORS)

    def _held(self, question: str, texts: Pieces) -> list[list[float]]:
        """Share 0..1 of the question's words in each piece, by inverse frequency among them."""
        asked = set(self._tokens(question))
        words = [[asked.intersection(self._tokens(piece)) for piece in pieces] for pieces in texts]
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
