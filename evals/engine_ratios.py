"""`python -m tuwen.evals.engine_ratios --chunks 100000`: the two indexes against plain engines.

The same texts, words, vectors and questions in one process. The keyword index (words, character
pairs and characters) against `bm25s`, where it is installed: over the words alone, and over all
three cuts, whose scores are added; question by question in turns, so that a busy machine is busy
for all of them. The vector index against a full comparison in numpy. Vectors are sums of random
vectors of a text's character pairs: near texts are near, no model is needed. Milliseconds are by
the clock; `cpu` is the processor's own time, which other work changes less. `--only keyword` leaves
the vectors and Chroma out.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..backends.chroma import ChromaVectors
from ..backends.keyword import PostingsIndex
from ..backends.tokenizer import HAN_RUN, JiebaTokenizer
from ..core.ports import VectorRecord
from . import metrics
from .benchmark import chosen_chunks, command_line, megabytes, peak_megabytes, questions_from
from .pair_hasher import PairHasher
from .progress import say

Json = dict[str, Any]
Ask = Callable[[str], object]
DEPTH = 100
_COLLECTION = "engines"
_BATCH = 5000


def run(chunks: Sequence[str], *, questions: int, only: str = "") -> Json:
    """The report: milliseconds, ratios, recall of the approximate search; `memory_mb` is that of
    both indexes at work, before the others are built. `only`: "keyword" or "vectors"."""
    asked = questions_from(chunks, questions)
    report: Json = {"chunks": len(chunks)}
    with tempfile.TemporaryDirectory(prefix="tuwen-engines-") as folder:
        root = Path(folder)
        tokenizer, hasher = JiebaTokenizer(root / "jieba"), PairHasher()
        if only != "vectors":
            report["keyword"], search = _keyword(root / "words", tokenizer, chunks, asked)
        if only != "keyword":
            report["vectors"], found = _vectors(root / "vectors", hasher, chunks, asked)
        report["memory_mb"] = peak_megabytes()
        parts = ("words", "vectors", "vectors-rows")
        report["disk_mb"] = {n: megabytes(root / n) for n in parts if (root / n).exists()}
        if only != "keyword":
            report["vectors"] |= _numpy(hasher, chunks, asked, found)
            report["vectors"]["ratio"] = _ratio(report["vectors"], "peer_ms")
        if only != "vectors":
            report["keyword"] |= _bm25s(tokenizer, chunks, asked, search)
            for name in ("words_alone_ms", "same_cuts_ms"):
                report["keyword"]["ratio_" + name[:-3]] = _ratio(report["keyword"], name)
    return report


def _ratio(part: Json, peer: str) -> Json | None:
    if peer not in part:
        return None
    ours, theirs = part["ours_ms"], part[peer]
    return {k: round(ours[k] / max(theirs[k], 1e-9), 2) for k in ("p50", "cpu")}


def _keyword(
    folder: Path, tokenizer: JiebaTokenizer, chunks: Sequence[str], questions: Sequence[str]
) -> tuple[Json, Ask]:
    """Times of our index alone, and how it is asked."""
    index = PostingsIndex(folder, tokenizer)
    start = time.perf_counter()
    for first in range(0, len(chunks), _BATCH):
        part = chunks[first : first + _BATCH]
        index.add(_COLLECTION, [(f"c{first + i}", text) for i, text in enumerate(part)])
        say(f"keyword index {first + len(part)}/{len(chunks)}")
    built = time.perf_counter() - start
    fresh = PostingsIndex(folder, tokenizer)

    def search(question: str) -> object:
        return fresh.search(_COLLECTION, question, DEPTH)

    opened = _timed(search, questions[:1])["p50"]
    ours = _timed(search, questions)
    return {"build_seconds": round(built, 1), "open_ms": opened, "ours_ms": ours}, search


def _bm25s(
    tokenizer: JiebaTokenizer, chunks: Sequence[str], questions: Sequence[str], ours: Ask
) -> Json:
    """All three in turns: our index, bm25s over words, bm25s over words, pairs and characters."""
    try:
        import bm25s
    except ImportError:
        return {"note": "bm25s is not installed"}
    engines: list[tuple[Any, Callable[[str], list[str]]]] = []
    for cut in (tokenizer.tokens, _pairs, _characters):
        say(f"bm25s, cut {len(engines) + 1} of 3")
        engine = bm25s.BM25(method="bm25+", delta=0.0)
        engine.index([cut(tokenizer.fold(text)) for text in chunks], show_progress=False)
        engines.append((engine, cut))

    def words(question: str) -> object:
        return engines[0][0].retrieve(
            [tokenizer.tokens(question)], k=min(DEPTH, len(chunks)), show_progress=False
        )

    def cuts(question: str) -> object:
        folded = tokenizer.fold(question)
        asked = [(engine, _known(engine, cut(folded))) for engine, cut in engines]
        scores = [engine.get_scores(tokens) for engine, tokens in asked if tokens]
        return _best(sum(scores)) if scores else []

    ours_ms, words_ms, cuts_ms = _in_turns([ours, words, cuts], questions)
    return {"ours_ms": ours_ms, "words_alone_ms": words_ms, "same_cuts_ms": cuts_ms}


def _known(engine: Any, tokens: Sequence[str]) -> list[str]:
    """`get_scores` takes no token that the engine has not seen."""
    return [token for token in tokens if token in engine.vocab_dict]


def _pairs(text: str) -> list[str]:
    """Character pairs of the Chinese runs."""
    return [a + b for run in HAN_RUN.findall(text) for a, b in pairwise(run)]


def _characters(text: str) -> list[str]:
    return [c for run in HAN_RUN.findall(text) for c in run]


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


def _best(scores: Any) -> list[int]:
    depth = min(DEPTH, len(scores))
    return [int(place) for place in np.argpartition(-scores, depth - 1)[:depth]]


def _timed(ask: Ask, questions: Sequence[str]) -> dict[str, float]:
    """Milliseconds a question, the first tenth left out as warm-up."""
    return _in_turns([ask], questions)[0]


def _in_turns(asks: Sequence[Ask], questions: Sequence[str]) -> list[dict[str, float]]:
    """Milliseconds of each of `asks`, which answer every question one after the other."""
    spent: list[list[tuple[float, float]]] = [[] for _ in asks]
    for question in questions:
        for times, ask in zip(spent, asks, strict=True):
            start, busy = time.perf_counter(), time.process_time()
            ask(question)
            times.append((time.perf_counter() - start, time.process_time() - busy))
    return [_summed(times[len(times) // 10 :]) for times in spent]


def _summed(times: Sequence[tuple[float, float]]) -> dict[str, float]:
    clock, work = ([seconds * 1000 for seconds in row] for row in zip(*times, strict=True))
    return {
        "p50": round(metrics.percentile(clock, 0.5), 2),
        "p95": round(metrics.percentile(clock, 0.95), 2),
        "cpu": round(metrics.percentile(work, 0.5), 2),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: one JSON report on standard output."""
    parser = command_line(__doc__)
    parser.add_argument("--only", choices=("keyword", "vectors"), default="")
    chosen = parser.parse_args(arguments)
    texts = chosen_chunks(chosen)
    random.Random(1).shuffle(texts)
    sys.stdout.write(
        json.dumps(run(texts, questions=chosen.questions, only=chosen.only), indent=2) + "\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
