"""`python -m tuwen.evals.engine_ratios --chunks 100000`: the two indexes against plain engines.

The same texts, the same words, the same vectors and the same questions, one after the other in one
process: the keyword index (four ways of cutting, see ARCHITECTURE.md) against `bm25s` over the
words alone (where it is installed), the vector index against a full comparison in numpy. Vectors
are sums of random vectors of a text's character pairs: near texts are near, no model is needed.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..backends.chroma import ChromaVectors
from ..backends.keyword import PostingsIndex
from ..backends.tokenizer import JiebaTokenizer
from ..core.ports import VectorRecord, Vectors
from . import metrics
from .benchmark import asked_for, megabytes, peak_megabytes, questions_from
from .progress import say

Json = dict[str, Any]
DIM, BUCKETS, DEPTH = 896, 1 << 16, 100
_COLLECTION = "engines"
_BATCH = 5000


class PairHasher:
    """Unit vectors out of hashed character pairs; shape (n, 896), seeded."""

    def __init__(self, *, seed: int = 5) -> None:
        self._rows = np.random.default_rng(seed).standard_normal((BUCKETS, DIM), dtype=np.float32)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector a text."""
        out = np.zeros((len(texts), DIM), dtype=np.float32)
        for row, text in enumerate(texts):
            points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
            pairs = (points[:-1] * 31337 + points[1:]) % BUCKETS
            out[row] = self._rows[np.unique(pairs)].sum(axis=0)
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        return np.asarray(out / np.maximum(norms, 1e-9), dtype=np.float32)


def run(chunks: Sequence[str], *, questions: int) -> Json:
    """The report: milliseconds at p50 and p95, ratios, recall of the approximate search."""
    asked = questions_from(chunks, questions)
    with tempfile.TemporaryDirectory(prefix="tuwen-engines-") as folder:
        root = Path(folder)
        report = {
            "chunks": len(chunks),
            "keyword": _keyword(root / "words", chunks, asked),
            "vectors": _vectors(root / "vectors", chunks, asked),
            "disk_mb": {n: megabytes(root / n) for n in ("words", "vectors", "vectors-rows")},
        }
    return report | {"memory_mb": peak_megabytes()}


def _keyword(folder: Path, chunks: Sequence[str], questions: Sequence[str]) -> Json:
    tokenizer = JiebaTokenizer(folder.with_name("jieba"))
    index = PostingsIndex(folder, tokenizer)
    start = time.perf_counter()
    for first in range(0, len(chunks), _BATCH):
        part = chunks[first : first + _BATCH]
        index.add(_COLLECTION, [(f"c{first + i}", text) for i, text in enumerate(part)])
        say(f"keyword index {first + len(part)}/{len(chunks)}")
    built = time.perf_counter() - start
    ours = _timed(lambda q: index.search(_COLLECTION, q, DEPTH), questions)
    fresh = PostingsIndex(folder, tokenizer)
    opened = _timed(lambda q: fresh.search(_COLLECTION, q, DEPTH), questions[:1])["p50"]
    report = {"build_seconds": round(built, 1), "open_ms": opened, "ours_ms": ours}
    try:
        import bm25s
    except ImportError:
        return report | {"note": "bm25s is not installed"}
    words = [tokenizer.tokens(text) for text in chunks]
    engine = bm25s.BM25(method="bm25+", delta=0.0)
    engine.index(words, show_progress=False)

    def peer(question: str) -> object:
        return engine.retrieve([tokenizer.tokens(question)], k=DEPTH, show_progress=False)

    theirs = _timed(peer, questions)
    return report | {"bm25s_ms": theirs, "ratio": round(ours["p50"] / theirs["p50"], 2)}


def _vectors(folder: Path, chunks: Sequence[str], questions: Sequence[str]) -> Json:
    hasher, index = PairHasher(), ChromaVectors(folder)
    everything = np.zeros((len(chunks), DIM), dtype=np.float32)
    start = time.perf_counter()
    for first in range(0, len(chunks), _BATCH):
        part = chunks[first : first + _BATCH]
        everything[first : first + len(part)] = vectors = hasher.embed(part)
        records = [
            VectorRecord(id=f"c{first + i:07}", text=text, metadata={}, visual=False)
            for i, text in enumerate(part)
        ]
        index.upsert(_COLLECTION, records, vectors)
        say(f"vector index {first + len(part)}/{len(chunks)}")
    built = time.perf_counter() - start
    asked = hasher.embed(questions)
    ours = _timed(lambda row: index.search(_COLLECTION, asked[int(row)], DEPTH), _rows(questions))
    exact = _timed(lambda row: _best(everything @ asked[int(row)]), _rows(questions))
    shares = []
    for row, vector in enumerate(asked):
        say(f"recall {row + 1}/{len(asked)}")
        found = {i for i, _ in index.search(_COLLECTION, vector, DEPTH)}
        right = {f"c{place:07}" for place in _best(everything @ vector)}
        shares.append(len(found & right) / max(1, len(right)))
    index.close()
    return {
        "build_seconds": round(built, 1),
        "ours_ms": ours,
        "numpy_ms": exact,
        "ratio": round(ours["p50"] / exact["p50"], 2),
        f"recall@{DEPTH}": round(sum(shares) / max(1, len(shares)), 4),
    }


def _best(scores: Vectors) -> list[int]:
    depth = min(DEPTH, len(scores))
    return [int(place) for place in np.argpartition(-scores, depth - 1)[:depth]]


def _rows(questions: Sequence[str]) -> list[str]:
    return [str(row) for row in range(len(questions))]


def _timed(ask: Callable[[str], object], questions: Sequence[str]) -> dict[str, float]:
    """Milliseconds a question, the first tenth left out as warm-up."""
    spent = []
    for question in questions:
        start = time.perf_counter()
        ask(question)
        spent.append((time.perf_counter() - start) * 1000)
    warm = spent[len(spent) // 10 :]
    return {
        "p50": round(metrics.percentile(warm, 0.5), 2),
        "p95": round(metrics.percentile(warm, 0.95), 2),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: one JSON report on standard output."""
    texts, questions = asked_for(__doc__, arguments)
    random.Random(1).shuffle(texts)
    sys.stdout.write(json.dumps(run(texts, questions=questions), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
