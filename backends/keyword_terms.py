"""The three term streams of the keyword index, as numbers.

Words (jieba and codes), character bigrams and single characters of Chinese runs. The character
streams catch words that are cut differently in the question and in the text. Words that are not
Chinese belong to all three streams and are stored once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.ports import Tokenizer
from .tokenizer import HAN_RUN

Keys = NDArray[np.uint64]

FIELDS = ("words", "bigrams", "characters")
_ONE, _TWO = 1 << 62, 2 << 62  # marks of the keys of characters and of pairs
_UNIGRAM, _BIGRAM = np.uint64(_ONE), np.uint64(_TWO)
_RANGES = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF))
_SINGLE = (0x3005, 0x3007)


@dataclass(frozen=True)
class TermBlock:
    """Terms of a block of texts: `keys[i]` occurs in text `rows[i]`, repeats included.

    `lengths` has the shape (3, texts): how many terms each stream of a text has.
    """

    keys: Keys
    rows: NDArray[np.int32]
    lengths: NDArray[np.int32]


@dataclass(frozen=True)
class QueryTerms:
    """A question's terms in order. The streams hold keys, repeats included."""

    words: tuple[str, ...]
    streams: tuple[tuple[int, ...], ...]
    lone: tuple[int, ...]
    """Characters that are words by themselves: found inside longer words too."""
    grams: tuple[tuple[int, ...], ...]
    """Character pairs (or the single character) of each Chinese word, none of the others."""


def word_key(word: str) -> int:
    """62 bits of the word's hash: two of a million words coincide once in ten million indexes."""
    return (
        int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 2
    )


def query_terms(tokenizer: Tokenizer, text: str) -> QueryTerms:
    """The terms that a question asks for."""
    words = tokenizer.tokens(text)
    keys = [word_key(w) for w in words]
    grams = [word_grams(w) for w in words]
    plain = [key for key, pairs in zip(keys, grams, strict=True) if not pairs]
    runs = HAN_RUN.findall(tokenizer.fold(text))
    characters = dict.fromkeys(_ONE | ord(c) for run in runs for c in run)
    bigrams = dict.fromkeys(g for run in runs if len(run) > 1 for g in word_grams(run))
    lone = [pairs[0] for word, pairs in zip(words, grams, strict=True) if len(word) == 1 and pairs]
    return QueryTerms(
        words=tuple(words),
        streams=(tuple(keys), (*plain, *bigrams), (*plain, *characters)),
        lone=tuple(dict.fromkeys(lone)),
        grams=tuple(grams),
    )


def stream_of(key: int) -> int:
    """The stream that a key alone belongs to: words 0, pairs 1, characters 2."""
    return (0, 2, 1)[key >> 62]


def word_grams(word: str) -> tuple[int, ...]:
    """Bigrams (or the single character) of a Chinese word; empty for other words."""
    if not _is_han(word):
        return ()
    if len(word) == 1:
        return (_ONE | ord(word),)
    return tuple([_TWO | ord(a) << 21 | ord(b) for a, b in pairwise(word)])


def term_block(tokenizer: Tokenizer, texts: Sequence[str]) -> TermBlock:
    """Terms of the texts' three streams."""
    cache: dict[str, int] = {}
    keys: list[int] = []
    words, plain = (np.zeros(len(texts), dtype=np.int32) for _ in range(2))
    for row, text in enumerate(texts):
        tokens = tokenizer.tokens(text)
        keys.extend(cache[t] if t in cache else cache.setdefault(t, word_key(t)) for t in tokens)
        words[row] = len(tokens)
        plain[row] = sum(not _is_han(t) for t in tokens)
    singles, pairs, single_rows, pair_rows = _grams([tokenizer.fold(t) for t in texts])
    count = len(texts)
    lengths = np.stack(
        [
            words,
            plain + np.bincount(pair_rows, minlength=count),
            plain + np.bincount(single_rows, minlength=count),
        ]
    ).astype(np.int32)
    word_rows = np.repeat(np.arange(count, dtype=np.int32), words)
    return TermBlock(
        keys=np.concatenate([np.array(keys, dtype=np.uint64), pairs, singles]),
        rows=np.concatenate([word_rows, pair_rows, single_rows]).astype(np.int32),
        lengths=lengths,
    )


def _is_han(word: str) -> bool:
    return HAN_RUN.match(word) is not None


def _grams(folded: Sequence[str]) -> tuple[Keys, Keys, NDArray[Any], NDArray[Any]]:
    """Character and bigram keys of the Chinese runs and the texts they stand in."""
    joined = "\n".join(folded)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    rows = np.repeat(np.arange(len(folded)), [len(f) + 1 for f in folded])[: len(codes)]
    han = (codes == _SINGLE[0]) | (codes == _SINGLE[1])
    for first, last in _RANGES:
        han |= (codes >= first) & (codes <= last)
    both = han[:-1] & han[1:]
    wide = codes.astype(np.uint64)
    pairs = (wide[:-1] << np.uint64(21) | wide[1:])[both] | _BIGRAM
    return wide[han] | _UNIGRAM, pairs, rows[han], rows[:-1][both]
