"""`python -m tuwen.evals.benchmark --chunks 10000`: what ingest and retrieval cost.

Real text from a folder, or bilingual text made on the spot from a fixed seed. Times are wall
clock in one process; the encoder's are taken around its calls. With --hashed there is no model:
vectors are hashed character pairs, for sizes that would take a model hours.
"""

import argparse
import asyncio
import json
import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..app.services import Readers, make_reranker
from ..core.options import RunOptions
from ..core.ports import Embedder, Vectors
from ..graph.services import Services
from . import metrics
from .harness import COLLECTION, commit_passages, temporary_services
from .pair_hasher import PairHasher
from .progress import say, told
from .rankings import Rankings, as_asked, rank, retrieval_graph, understand
from .sets import Passage, spread

Json = dict[str, Any]
CHARS, OVERLAP = 500, 80
PER_DOCUMENT = 200
SUFFIXES = frozenset({".txt", ".md", ".jsonl", ""})
WORDS_ZH = (
    "水泵 轴承 温度 流量 压力 发电量 水位 闸门 检修 规程 试验 电机 振动 噪声 额定 转速 效率 叶轮 "
    "报警 停机 记录 调度 汛期 降雨 库容 渗流 监测 仪表 阀门 管道 冷却 变压器 断路器 保护 整定 误差"
)
WORDS_EN = (
    "pump bearing temperature flow pressure output level gate overhaul rule test motor vibration "
    "rated speed efficiency impeller seal grease alarm stop record dispatch flood rain storage"
)


class TimedEmbedder:
    """Counts the seconds that are spent in an encoder, over all threads."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self.seconds = 0.0

    @property
    def name(self) -> str:
        """The inner encoder's name."""
        return self._inner.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._inner.dim

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts."""
        with self._clock():
            return self._inner.embed_passages(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        with self._clock():
            return self._inner.embed_queries(texts)

    @contextmanager
    def _clock(self) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            with self._lock:
                self.seconds += time.perf_counter() - start


def folder_chunks(folder: Path, count: int) -> list[str]:
    """Text of a folder's files cut with overlap; starts again at other offsets when it ends."""
    files = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in SUFFIXES]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files if path.is_file()]
    whole = "\n".join(text for text in texts if text.strip())
    if not whole:
        raise SystemExit(f"There is no text file in {folder}.")
    chunks: list[str] = []
    offset = 0
    while len(chunks) < count:
        pieces = range(offset, max(len(whole) - CHARS, offset + 1), CHARS - OVERLAP)
        chunks += [whole[start : start + CHARS] for start in pieces]
        offset += 97
    return chunks[:count]


def made_chunks(count: int, *, seed: int = 7) -> list[str]:
    """Bilingual text: sentences of common words and numbers; every third chunk is English."""
    dice = random.Random(seed)
    return [_made(dice, latin=place % 3 == 2) for place in range(count)]


def _made(dice: random.Random, *, latin: bool) -> str:
    words = (WORDS_EN if latin else WORDS_ZH).split()
    text = ""
    while len(text) < CHARS - 60:
        chosen = [*dice.choices(words, k=9), str(dice.randint(1, 9999))]
        dice.shuffle(chosen)
        text += " ".join(chosen) + ". " if latin else "".join(chosen) + "。"
    return text


def questions_from(chunks: Sequence[str], count: int) -> list[str]:
    """Short questions from the middle of chunks all over the heap."""
    return [f"{' '.join(chunk[200:230].split())}？" for chunk in spread(chunks, count)]


def run_benchmark(chunks: Sequence[str], *, questions: int, hashed: bool = False) -> Json:
    """The report: ingest, then retrieval question by question."""
    with temporary_services(cached=False) as opened:
        real = opened.embedder
        model = PairHasher(name=real.name, dim=real.dim) if hashed else real
        embedder = TimedEmbedder(model)
        light = TimedEmbedder(model if hashed else opened.sentences or real)
        services = replace(
            opened,
            embedder=embedder,
            sentences=light,
            reranker=make_reranker(
                opened.settings.rerank,
                Readers(light=light, across=embedder, paired=True),
                opened.tokenizer,
            ),
        )
        embedder.embed_queries(["warm-up"])
        ingest = _ingest(services, embedder, chunks)
        retrieval = retrieve(services, (embedder, light), questions_from(chunks, questions))
        return {
            "chunks": len(chunks),
            "encoder": "hashed pairs" if hashed else embedder.name,
            "ingest": ingest,
            "retrieval": retrieval,
            "memory_mb": peak_megabytes(),
            "disk_mb": megabytes(services.settings.home),
        }


def _ingest(services: Services, embedder: TimedEmbedder, chunks: Sequence[str]) -> Json:
    embedder.seconds = 0.0
    start = time.perf_counter()
    total = -(-len(chunks) // PER_DOCUMENT)
    for number in range(total):
        part = chunks[number * PER_DOCUMENT : (number + 1) * PER_DOCUMENT]
        passages = [Passage(id=f"{number}-{i}", text=text) for i, text in enumerate(part)]
        commit_passages(services, passages, title=f"document {number}")
        if number % 10 == 0:
            say(f"ingest {number}/{total} documents")
    seconds = time.perf_counter() - start
    return {
        "seconds": round(seconds, 2),
        "chunks_per_second": round(len(chunks) / seconds, 1),
        "embedding_share": round(embedder.seconds / seconds, 4),
        "beyond_embedding_ms_per_chunk": round(
            (seconds - embedder.seconds) / max(len(chunks), 1) * 1000, 3
        ),
    }


def retrieve(
    services: Services, encoders: Sequence[TimedEmbedder], questions: Sequence[str]
) -> Json:
    """Milliseconds of a retrieval round and its stages, question by question."""
    graph = retrieval_graph(services)
    options = RunOptions(collection=COLLECTION)
    runs: list[tuple[Rankings, float, float, float]] = []

    async def one(question: str) -> None:
        for encoder in encoders:
            encoder.seconds = 0.0
        start, busy = time.perf_counter(), time.process_time()
        analysis = as_asked(understand(services, question, COLLECTION))
        ranks = await rank(graph, analysis, options)
        spent = sum(encoder.seconds for encoder in encoders)
        worked = time.process_time() - busy
        runs.append((ranks, (time.perf_counter() - start) * 1000, spent * 1000, worked * 1000))

    async def run() -> None:
        for question in told(questions, "questions", len(questions)):
            await one(question)

    asyncio.run(run())
    # The first questions load dictionaries and open files: they are warm-up.
    warm = runs[min(5, len(runs) // 10) :]
    names = sorted({name for ranks, *_ in warm for name in ranks.milliseconds})
    stages = {n: _spread([ranks.milliseconds.get(n, 0.0) for ranks, *_ in warm]) for n in names}
    total = [whole for _, whole, _, _ in warm]
    encoding = [spent for _, _, spent, _ in warm]
    worked = [busy for *_, busy in warm]
    return {
        "questions": len(warm),
        "stages_ms": stages,
        "total_ms": _spread(total),
        "processor_ms": _spread(worked),
        "encoder_ms": _spread(encoding),
        "ours_ms": _spread([max(0.0, w - e) for w, e in zip(total, encoding, strict=True)]),
        "ours_share": round(1 - min(1.0, sum(encoding) / max(sum(total), 1e-9)), 4),
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {
        "p50": round(metrics.percentile(values, 0.5), 2),
        "p95": round(metrics.percentile(values, 0.95), 2),
    }


def peak_megabytes() -> float | None:
    """Peak resident memory of this process; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def megabytes(folder: Path) -> float:
    """Size of the files below `folder`."""
    return round(sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / (1 << 20), 1)


def command_line(about: str | None) -> argparse.ArgumentParser:
    """The options of a benchmark over many chunks."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--text", type=Path, help="folder of text files; default: made text")
    return parser


def chosen_chunks(chosen: argparse.Namespace) -> list[str]:
    """The chunks that a command line asks for."""
    if chosen.text:
        return folder_chunks(chosen.text, chosen.chunks)
    return made_chunks(chosen.chunks)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: one JSON report on standard output."""
    parser = command_line(__doc__)
    parser.add_argument("--hashed", action="store_true", help="hashed pairs instead of a model")
    chosen = parser.parse_args(arguments)
    report = run_benchmark(chosen_chunks(chosen), questions=chosen.questions, hashed=chosen.hashed)
    sys.stdout.write(json.dumps(report, ensure_ascii=False, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
