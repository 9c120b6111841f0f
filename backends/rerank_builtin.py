"""The built-in reranker: the best sentence of each candidate, with the encoder at hand.

No cross-encoder is small enough to ship. A passage's vector blurs its one relevant sentence; the
similarity of the question to each sentence does not. A table's rows mean little alone, so a table
is scored as a whole as well as by row, each row with the header row before it.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from ..core.ports import Embedder, Vectors
from ..core.text import digest, sentences
from .sentence_picker import SentencePicker
from .windows import windows

_ROW = re.compile(r"^\s*\|.*\|\s*$|<tr\b", re.MULTILINE)
_TR = re.compile(r"<tr\b.*?</tr>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")
_RULE = re.compile(r"^[\s|:\-]+$")


class SentenceReranker:
    """Scores in 0..1: the best cosine of a text's sentences, windows and rows, moved from -1..1.

    A passage's score does not depend on the other candidates. The best sentence alone finds more
    across languages than its mean with the whole text, and a curve over it less. With a `picker`
    the pieces that it picks are compared alone."""

    def __init__(
        self,
        embedder: Embedder,
        *,
        picker: SentencePicker | None = None,
        max_chars: int = 2000,
        cached: int = 20_000,
    ) -> None:
        self._embedder = embedder
        self._picker = picker
        self._max_chars = max_chars
        self._cached = cached
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        """For traces."""
        return f"sentences/{self._embedder.name}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, in the order given; blank texts and questions score 0."""
        if not query.strip():
            return [0.0] * len(texts)
        cut = _pieces if self._picker is None else _parts
        parts = [cut(text, self._max_chars) for text in texts]
        if self._picker is not None:
            parts = self._picker.pick(query, parts)
        vectors = self._embed(list(dict.fromkeys(p for ps in parts for p in ps)))
        question = self._embedder.embed_queries([query])[0] if vectors else None
        return [_score(question, [vectors[p] for p in ps]) for ps in parts]

    def _embed(self, pieces: list[str]) -> dict[str, Vectors]:
        keys = {p: digest(p, length=32) for p in pieces}
        with self._lock:
            known = {p: self._vectors[k] for p, k in keys.items() if k in self._vectors}
        new = [p for p in pieces if p not in known]
        if new:
            known |= dict(zip(new, self._embedder.embed_passages(new), strict=True))
        with self._lock:
            for piece in pieces:
                self._vectors.pop(keys[piece], None)
                self._vectors[keys[piece]] = known[piece]
            while len(self._vectors) > self._cached:
                self._vectors.popitem(last=False)
        return known


def _score(question: Vectors | None, vectors: list[Vectors]) -> float:
    """`vectors` are of the whole text and of its sentences, windows or rows."""
    if question is None or not vectors:
        return 0.0
    cosines = np.nan_to_num(np.stack(vectors).astype(np.float64) @ question, nan=-1.0)
    return float((1.0 + np.clip(cosines.max(), -1.0, 1.0)) / 2)


def _pieces(text: str, window: int) -> list[str]:
    """The text (its first window), then what is compared by itself; empty for a blank text."""
    return [*windows(text.strip(), window), *_parts(text, window)] if text.strip() else []


def _parts(text: str, window: int) -> list[str]:
    """Sentences, or rows behind their header; empty for a blank text."""
    if not text.strip():
        return []
    parts = _rows(text) if _ROW.search(text) else [text[a:b] for a, b in sentences(text)]
    return [w for part in parts for w in windows(part, window)]


def _rows(text: str) -> list[str]:
    """Each row of a Markdown or HTML table behind its header row."""
    rows = _TR.findall(text) or text.splitlines()
    plain = [_TAG.sub(" ", r).replace("|", " ").strip() for r in rows if not _RULE.match(r)]
    plain = [" ".join(r.split()) for r in plain if r]
    return [f"{plain[0]} {row}" for row in plain[1:]] if len(plain) > 1 else plain
