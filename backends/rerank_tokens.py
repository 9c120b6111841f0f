"""The built-in reranker where the encoder keeps its tokens: late interaction.

A passage's one vector blurs which of its words meets which of the question's; comparing token by
token does not, and needs no second model: the passage was read when it was indexed.
"""

import math
from collections.abc import Sequence
from typing import Protocol

from ..core.ports import Vectors
from .token_codes import Codes, met, scores, turned

LONGEST = 512
"""Tokens of what the encoder reads in one piece. Among more of them nearly every word of a question
meets something: on pages of 600 and more the wrong one came first."""


class TokenReader(Protocol):
    """An encoder that knows texts token by token."""

    @property
    def name(self) -> str:
        """Model name and version."""
        ...

    def question_tokens(self, text: str) -> Vectors:
        """Unit vectors of the question's tokens, shape (tokens, dim)."""
        ...

    def passage_codes(self, texts: Sequence[str]) -> dict[str, Codes]:
        """Codes of the texts' tokens; a text may be left out that would take too long."""
        ...


class TokenReranker:
    """Scores in 0..1, comparable among the texts of one call only. NaN: not compared, since it is
    longer than the encoder reads in one piece or would take too long."""

    def __init__(self, reader: TokenReader) -> None:
        self._reader = reader

    @property
    def name(self) -> str:
        """For traces."""
        return f"tokens/{self._reader.name}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, in the order given; all alike for a blank question."""
        if not query.strip():
            return [0.0] * len(texts)
        codes = self._reader.passage_codes(texts)
        question = turned(self._reader.question_tokens(query))
        short = (text for text in dict.fromkeys(texts) if len(codes.get(text, ())) <= LONGEST)
        found = [text for text in short if text in codes]
        by_text = dict(zip(found, scores([met(question, codes[t]) for t in found]), strict=True))
        return [by_text.get(text, math.nan) for text in texts]
