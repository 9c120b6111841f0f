"""`python -m tuwen.evals.engine_ratios --chunks 100000`: the two indexes against plain engines.

The same texts, the same words, the same vectors and the same questions, one after the other in one
process: the keyword index (four ways of cutting, see ARCHITECTURE.md) against `bm25s` over the
words alone (where it is installed), the vector index against a full comparison in numpy. Vectors
are sums of random vectors of a text's character pairs: near texts are near, no model is needed.
Milliseconds are by the clock; `cpu` is the processor's own time, which a busy machine changes less.
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
from .benchmark import chosen_chunks, command_line, megabytes, peak_megabytes, questions_from
from .pair_hasher import PairHasher
from .progress import say

Json = dict[str, Any]
DEPTH = 100
_COLLECTION = "engines"
_BATCH = 5000


def run(chunks: Sequence[str], *, questions: int) -> Json:
    """The report: milliseconds, ratios, recall of the approximate search; the memory is that of
    both indexes at work, before the others are built."""
    asked = questions_from(chunks, questions)
    with tempfile.TemporaryDirectory(prefix="tuwen-engines-") as folder:
        root = Path(folder)
        tokenizer, hasher = JiebaTokenizer(root / "jieba"), PairHasher()
        keyword = _keyword(root / "words", tokenizer, chunks, asked)
        vectors, found = _vectors(root / "vectors", hasher, chunks, asked)
        memory = peak_megabytes()
        disk = {n: megabytes(root / n) for n in ("words", "vectors", "vectors-rows")}
        vectors |= _numpy(hasher, chunks, asked, found)
        keyword |= _bm25s(tokenizer, chunks, asked)
    for part in (keyword, vectors):
        if "peer_ms" in part:
            ratios = {k: part["ours_ms"][k] / max(part["peer_ms"][k], 1e-9) for k in ("p50", "cpu")}
            part["ratio"] = {k: round(v, 2) for k, v in ratios.items()}
    return {
        "chunks": len(chunks),
        "keyword": keyword,
        "vectors": vectors,
        "disk_mb": disk,
        "memory_mb": memory,
    }


def _keyword(
    folder: Path, tokenizer: JiebaTokenizer, chunks: Sequence[str], questions: Sequence[str]
) -> Json:
    index = PostingsIndex(folder, tokenizer)
    start = time.perf_counter()
    for first in range(0, len(chunks), _BATCH):
        part = chunks[first : first + _BATCH]
        index.add(_COLLECTION, [(f"c{first + i}", text) for i, text in enumerate(part)])
        say(f"keyword index {first + len(part)}/{len(chunks)}")
    built = time.perf_counter() - start
    fresh = PostingsIndex(folder, tokenizer)
    opened = _timed(lambda q: fresh.search(_COLLECTION, q, DEPTH), questions[:1])["p50"]
    ours = _timed(lambda q: fresh.search(_COLLECTION, q, DEPTH), questions)
    return {"build_seconds": round(built, 1), "open_ms": opened, "ours_ms": ours}


def _bm25s(tokenizer: JiebaTokenizer, chunks: Sequence[str], questions: Sequence[str]) -> Json:
    try:
        import bm25s
    except ImportError:
        return {"note": "bm25s is not installed"}
    words = []
    for number, text in enumerate(chunks):
        words.append(tokenizer.tokens(text))
        if number % _BATCH == 0:
            say(f"words for bm25s {number}/{len(chunks)}")
    engine = bm25s.BM25(method="bm25+", delta=0.0)
    engine.index(words, show_progress=False)

    def peer(question: str) -> object:
        return engine.retrieve([tokenizer.tokens(question)], k=DEPTH, show_progress=False)

    return {"peer_ms": _timed(peer, questions)}


def _vectors(
    folder: Path, hasher: PairHasher, chunks: Sequence[str], questions: Sequence[str]
) -> tuple[Json, list[set[str]]]:
    """Times of our index, and which ids it found for each question."""
    index = ChromaVectors(folder)
    start = time.perf_counter()
    for first in range(0, len(chunks), _BATCH):
        part = chunks[first : first + _BATCH]
        records = [
            VectorRecord(id=f"c{first + i:07}", text=text, metadata={}, visual=False)
            for i, text in enumerate(part)
        ]
        index.upsert(_COLLECTION, records, hasher.embed_passages(part))
        say(f"vector index {first + len(part)}/{len(chunks)}")
    built = time.perf_counter() - start
    index.close()
    fresh, asked = ChromaVectors(folder), hasher.embed_passages(questions)
    opened = _timed(lambda _: fresh.search(_COLLECTION, asked[0], DEPTH), questions[:1])["p50"]
    rows = [str(row) for row in range(len(questions))]
    ours = _timed(lambda row: fresh.search(_COLLECTION, asked[int(row)], DEPTH), rows)
    found = [{i for i, _ in fresh.search(_COLLECTION, vector, DEPTH)} for vector in asked]
    fresh.close()
    return {"build_seconds": round(built, 1), "open_ms": opened, "ours_ms": ours}, found


def _numpy(
    hasher: PairHasher, chunks: Sequence[str], questions: Sequence[str], found: Sequence[set[str]]
) -> Json:
    everything = np.concatenate(
        [hasher.embed_passages(chunks[i : i + _BATCH]) for i in range(0, len(chunks), _BATCH)]
    )
    asked = hasher.embed_passages(questions)
    rows = [str(row) for row in range(len(questions))]
    exact = _timed(lambda row: _best(everything @ asked[int(row)]), rows)
    shares = []
    for ids, vector in zip(found, asked, strict=True):
        scores = everything @ vector
        least = scores[_best(scores)].min() - 1e-6  # of equal vectors either is right
        right = sum(scores[int(i[1:])] >= least for i in ids)
        shares.append(right / max(1, min(DEPTH, len(scores))))
    recall = round(sum(shares) / max(1, len(shares)), 4)
    return {"peer_ms": exact, f"recall@{DEPTH}": recall}


def _best(scores: Vectors) -> list[int]:
    depth = min(DEPTH, len(scores))
    return [int(place) for place in np.argpartition(-scores, depth - 1)[:depth]]


def _timed(ask: Callable[[str], object], questions: Sequence[str]) -> dict[str, float]:
    """Milliseconds a question, the first tenth left out as warm-up."""
    spent, worked = [], []
    for question in questions:
        start, busy = time.perf_counter(), time.process_time()
        ask(question)
        spent.append((time.perf_counter() - start) * 1000)
        worked.append((time.process_time() - busy) * 1000)
    warm = len(spent) // 10
    return {
        "p50": round(metrics.percentile(spent[warm:], 0.5), 2),
        "p95": round(metrics.percentile(spent[warm:], 0.95), 2),
        "cpu": round(metrics.percentile(worked[warm:], 0.5), 2),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: one JSON report on standard output."""
    chosen = command_line(__doc__).parse_args(arguments)
    texts = chosen_chunks(chosen)
    random.Random(1).shuffle(texts)
    sys.stdout.write(json.dumps(run(texts, questions=chosen.questions), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
