"""E5 that keeps what it read: passages are encoded once, for the search and for the reranker."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..core.ports import Vectors
from .e5 import DIM, E5Embedder
from .token_codes import VERSION, Codes
from .token_store import TokenStore

AT_MOST = 4
"""Passages without kept codes (an older index) that one question may wait for."""

_ASKED = 64
"""Questions whose tokens are remembered, some 30 kB each."""


class TokenKeeper:
    """An Embedder. `file`: where the codes of indexed passages' tokens are kept.

    `at_most`: so many passages that are not kept are read for one question, and kept; None: all.
    """

    def __init__(self, encoder: E5Embedder, file: Path, *, at_most: int | None = AT_MOST) -> None:
        self._encoder = encoder
        self._at_most = at_most
        self._lock = threading.Lock()
        self._asked: OrderedDict[str, Vectors] = OrderedDict()
        self._store = TokenStore(file, lambda: f"{encoder.name} codes {VERSION}", width=DIM // 4)

    @property
    def name(self) -> str:
        """The encoder's name: keeping changes no vector."""
        return self._encoder.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._encoder.dim

    @property
    def token_reader(self) -> "TokenKeeper":
        """Who compares token by token: itself."""
        return self

    def load(self) -> None:
        """Load the weights now."""
        self._encoder.load()

    def kept_in(self, file: Path) -> "TokenKeeper":
        """The same encoder with another file, which reads whatever is not kept there."""
        return TokenKeeper(self._encoder, file, at_most=None)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of document texts, shape (n, dim)."""
        return self._encoder.embed_passages(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, shape (n, dim); the reranker will ask for their tokens."""
        vectors, tokens = self._encoder.read_queries(texts)
        with self._lock:
            for text, rows in zip(texts, tokens, strict=True):
                self._asked[text] = rows
            while len(self._asked) > _ASKED:
                self._asked.popitem(last=False)
        return vectors

    def index_passages(self, texts: Sequence[str]) -> Vectors:
        """`embed_passages` of what is going to be searched: its tokens' codes are kept."""
        vectors, codes = self._encoder.read_passages(texts)
        self._store.keep(dict(zip(texts, codes, strict=True)))
        return vectors

    def forget_passages(self, texts: Sequence[str]) -> None:
        """Remove what is kept of texts that are searched no more."""
        self._store.forget(texts)

    def keep_passages(self, texts: Iterable[str]) -> None:
        """Remove what is kept of any other text."""
        self._store.keep_only(texts)

    def question_tokens(self, text: str) -> Vectors:
        """Unit vectors of the question's tokens, shape (tokens, dim)."""
        with self._lock:
            rows = self._asked.get(text)
        return self._encoder.read_queries([text])[1][0] if rows is None else rows

    def passage_codes(self, texts: Sequence[str]) -> dict[str, Codes]:
        """The codes of the texts' tokens, those first that come first in `texts`."""
        known = self._store.known(texts)
        new = [text for text in dict.fromkeys(texts) if text not in known][: self._at_most]
        if new:
            _, codes = self._encoder.read_passages(new)
            made = dict(zip(new, codes, strict=True))
            self._store.keep(made)
            known |= made
        return known

    def close(self) -> None:
        """Close the file."""
        self._store.close()
