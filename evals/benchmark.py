"""`python -m tuwen.evals.benchmark --chunks 10000`: what ingest and retrieval cost.

Real text from a folder, or bilingual text made on the spot from a fixed seed, ingested into a store
of its own that is then opened again. A round's times are given by the clock and in work of the
processor, which another process at the same time does not lengthen much; the encoder's are taken
around its calls. With --hashed there is no model: vectors are hashed character pairs, for sizes
that would take a model hours.
"""

import argparse
import asyncio
import gc
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from unittest import mock

from ..app.cli import COLLECTED
from ..app.config import load_settings
from ..app.services import Readers, make_late, make_readers, make_reranker, open_services
from ..core.indexing import index_passages
from ..core.options import RunOptions
from ..core.ports import Embedder, Vectors
from ..graph.policies import Clock
from ..graph.services import Services
from . import metrics
from .harness import COLLECTION, commit_passages
from .pair_hasher import PairHasher
from .progress import say, told
from .rankings import as_asked, rankings_of, retrieval_graph, steps, understand
from .sets import Passage, spread

Json = dict[str, Any]
T = TypeVar("T")
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
    """Counts the seconds during which a thread, or several at once, are in an encoder."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self.seconds = 0.0
        self.clock: Clock = time.perf_counter
        self._inside = 0
        self._start = 0.0

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

    def index_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is going to be searched."""
        with self._clock():
            return index_passages(self._inner, texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        with self._clock():
            return self._inner.embed_queries(texts)

    @contextmanager
    def _clock(self) -> Iterator[None]:
        with self._lock:
            if not self._inside:
                self._start = self.clock()
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    self.seconds += self.clock() - self._start


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
    """The report: ingest, opening what was ingested, then retrieval question by question."""
    with tempfile.TemporaryDirectory(prefix="tuwen-benchmark-") as home:
        settings = load_settings(home=Path(home))
        with open_services(settings, warm=not hashed) as opened:
            services, encoders = counted(opened, hashed=hashed)
            encoders[0].embed_queries(["warm-up"])
            ingest = _ingest(services, encoders[0], chunks)
            model = services.embedder if hashed else None
        asked = questions_from(chunks, questions)
        start, busy = time.perf_counter(), time.process_time()
        with open_services(settings, warm=False) as opened:
            services, encoders = counted(opened, hashed=hashed, model=model)
            retrieve(services, encoders, asked[:1])
            opening = _since(start, busy)
            retrieval = retrieve(services, encoders, asked)
            return {
                "chunks": len(chunks),
                "encoder": "hashed pairs" if hashed else opened.embedder.name,
                "ingest": ingest,
                "opening_and_first_question": opening,
                "retrieval": retrieval,
                "memory_mb": peak_megabytes(),
                "disk_mb": megabytes(settings.home),
            }


def counted(
    opened: Services, *, hashed: bool, model: Embedder | None = None
) -> tuple[Services, tuple[TimedEmbedder, TimedEmbedder]]:
    """Services whose encoders count their seconds, hashed pairs (`model`: made before) in the place
    of both; and these encoders."""
    real = opened.embedder
    if hashed:
        model = model or PairHasher(name=real.name, dim=real.dim)
    embedder = TimedEmbedder(model or real)
    light = TimedEmbedder(model or opened.sentences or real)
    tokens = None if model else make_readers(real).tokens
    readers = Readers(light=light, across=embedder, paired=True, tokens=tokens)
    services = replace(
        opened,
        embedder=embedder,
        sentences=light,
        late=make_late(opened.settings.rerank, readers),
        reranker=make_reranker(opened.settings.rerank, readers, opened.tokenizer),
    )
    return services, (embedder, light)


def _since(start: float, busy: float) -> Json:
    """Seconds by the clock and of the processor."""
    return {
        "seconds": round(time.perf_counter() - start, 2),
        "work_seconds": round(time.process_time() - busy, 2),
    }


def _ingest(services: Services, embedder: TimedEmbedder, chunks: Sequence[str]) -> Json:
    embedder.seconds = 0.0
    start, busy = time.perf_counter(), time.process_time()
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
        "work_seconds": round(time.process_time() - busy, 2),
        "chunks_per_second": round(len(chunks) / seconds, 1),
        "embedding_share": round(embedder.seconds / seconds, 4),
        "beyond_embedding_ms_per_chunk": round(
            (seconds - embedder.seconds) / max(len(chunks), 1) * 1000, 3
        ),
    }


async def _at_once(call: Callable[..., T], /, *args: Any, **named: Any) -> T:
    """In the place of `asyncio.to_thread`: one after the other, so that each one's work counts."""
    return call(*args, **named)


class _Round(NamedTuple):
    """Milliseconds: of the analysis before it, the whole round, the encoders and each stage."""

    analysis: float
    whole: float
    encoders: float
    stages: dict[str, float]


def retrieve(
    services: Services, encoders: Sequence[TimedEmbedder], questions: Sequence[str]
) -> Json:
    """Milliseconds of a retrieval round and its stages, question by question: every other one by
    the clock, legs side by side, and those between in work of the processor, all in one thread."""
    waited, worked = questions[::2], questions[1::2]
    report = {"by_the_clock": _report(_rounds(services, encoders, waited, "by the clock"))}
    if worked:
        report["in_work"] = _report(_rounds(services, encoders, worked, "in work", inline=True))
    return report


def _rounds(
    services: Services,
    encoders: Sequence[TimedEmbedder],
    questions: Sequence[str],
    what: str,
    *,
    inline: bool = False,
) -> list[_Round]:
    clock = time.process_time if inline else time.perf_counter
    graph = retrieval_graph(services, clock=clock)
    options = RunOptions(collection=COLLECTION)
    for encoder in encoders:
        encoder.clock = clock

    async def one(question: str) -> _Round:
        for encoder in encoders:
            encoder.seconds = 0.0
        start = clock()
        analysis = as_asked(understand(services, question, COLLECTION))
        middle = clock()
        written = await steps(graph, analysis, options)
        end = clock()
        spent = sum(encoder.seconds for encoder in encoders)
        stages = rankings_of(written, analysis).milliseconds
        return _Round((middle - start) * 1000, (end - middle) * 1000, spent * 1000, stages)

    async def run() -> list[_Round]:
        return [await one(question) for question in told(questions, what, len(questions))]

    with mock.patch("asyncio.to_thread", _at_once) if inline else nullcontext():
        return asyncio.run(run())


def _report(rounds: Sequence[_Round]) -> Json:
    # The first questions load dictionaries and open files: they are warm-up.
    warm = rounds[min(5, len(rounds) // 10) :]
    names = sorted({name for each in warm for name in each.stages})
    encoding = [each.encoders for each in warm]
    whole = [each.whole for each in warm]
    return {
        "questions": len(warm),
        "analysis_ms": _spread([each.analysis for each in warm]),
        "stages_ms": {n: _spread([each.stages.get(n, 0.0) for each in warm]) for n in names},
        "round_ms": _spread(whole),
        "encoder_ms": _spread(encoding),
        "ours_ms": _spread([max(0.0, w - e) for w, e in zip(whole, encoding, strict=True)]),
        "ours_share": round(1 - min(1.0, sum(encoding) / max(sum(whole), 1e-9)), 4),
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
    gc.set_threshold(*COLLECTED)
    report = run_benchmark(chosen_chunks(chosen), questions=chosen.questions, hashed=chosen.hashed)
    sys.stdout.write(json.dumps(report, ensure_ascii=False, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
