"""How fast a long document goes in, and how much memory it takes, beside a plain LangChain way.

python -m tuwen.evals.ingestion_speed [--pages 1000] [--baselines FOLDER]

Every run is a process of its own. Vectors are made up there; encoding is timed apart on a sample of
each side's chunks, with the encoder of the settings.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..core.ports import Embedder, Vectors
from ..core.settings import Settings
from . import peer_loader
from .peers import default_folder, interpreter
from .progress import say

Json = dict[str, Any]
DIM = 512
MODULE = f"{__package__}.ingestion_speed"
_WORDS = (
    "pump seal valve pressure flow speed bearing motor pipe tank level filter oil water steam "
    "boiler turbine sensor limit alarm start stop check replace record measure inspect monthly "
    "daily operator manual section clause table figure value range unit test result"
)


def sentences(seed: int, count: int) -> Iterator[str]:
    """English sentences of eight to fourteen words, the same for the same seed."""
    made, known = random.Random(seed), _WORDS.split()
    for _ in range(count):
        words = [made.choice(known) for _ in range(made.randint(8, 14))]
        words.append(f"{made.randint(1, 999)} kPa")
        yield " ".join(words).capitalize() + "."


def write_markdown(path: Path, pages: int) -> Path:
    """Our own text: a heading and 22 sentences a page."""
    parts = [f"## Part {n}\n\n" + " ".join(sentences(n, 22)) for n in range(1, pages + 1)]
    path.write_text("# Handbook\n\n" + "\n\n".join(parts) + "\n", encoding="utf-8")
    return path


def write_pdf(path: Path, pages: int) -> Path:
    """The same text as a PDF with a text layer, a page a part."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), pagesize=A4)
    for number in range(1, pages + 1):
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(72, A4[1] - 80, f"Part {number}")
        canvas.setFont("Helvetica", 10)
        for line, text in enumerate(sentences(number, 22)):
            canvas.drawString(72, A4[1] - 110 - 14 * line, text)
        canvas.showPage()
    canvas.save()
    return path


class MadeUp:
    """Unit vectors that cost next to nothing."""

    name = "made-up"
    dim = DIM

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Random rows, shape (n, dim)."""
        rows = np.random.default_rng(0).standard_normal((len(texts), DIM), dtype=np.float32)
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The same."""
        return self.embed_passages(texts)


def ingest_here(file: Path, folder: Path) -> None:
    """One file through the ingestion graph in this process; writes output.json as a peer does."""
    from ..app.ingest import ingest
    from ..backends.commit import open_store
    from ..graph.ingest import build_ingest_graph
    from ..graph.services import Services

    settings = Settings(home=folder / "home")
    settings.home.mkdir(parents=True)
    store = open_store(settings.home, MadeUp())
    services = Services(
        settings=settings,
        catalog=store.catalog,
        vectors=store.vectors,
        keywords=store.keywords,
        assets=store.assets,
        store=store,
        tokenizer=store.tokenizer,
        embedder=store.embedder,
        reranker=None,
    )
    marks: list[tuple[str, float]] = []
    graph = build_ingest_graph(services).compile()
    reports = asyncio.run(
        ingest(
            graph,
            [str(file)],
            on_event=lambda event: marks.append((event["stage"], time.perf_counter())),
        )
    )
    record = services.catalog.documents()[0]
    texts = [chunk.embedding_text for chunk in services.catalog.chunks_of(record.doc_id)]
    ends = [at for _, at in marks[1:]]
    spans = {stage: end - at for (stage, at), end in zip(marks, ends, strict=False)}
    output = {
        "seconds": {
            "read": spans["parse"],
            "chunk": spans["structure"],
            "store": spans["commit"],
        },
        "chunks": reports[0].chunks,
        "peak_mb": peer_loader.peak_mb(),
        "texts": texts[:: max(len(texts) // 200, 1)],
    }
    store.close()
    (folder / "output.json").write_text(json.dumps(output, ensure_ascii=False), encoding="utf-8")


@dataclass(frozen=True)
class Run:
    """One system on one input; `encode` is seconds a chunk."""

    system: str
    chunks: int
    seconds: dict[str, float]
    peak_mb: float
    encode: float

    @property
    def bare(self) -> float:
        """Seconds without encoding."""
        return sum(self.seconds.values())

    @property
    def whole(self) -> float:
        """Seconds with encoding."""
        return self.bare + self.encode * self.chunks

    def line(self, what: str, beside: "Run") -> str:
        """A Markdown row; ratios are this run's over `beside`'s."""
        stages = " + ".join(f"{value:.1f}" for value in self.seconds.values())
        cells = (
            what,
            self.system,
            str(self.chunks),
            stages,
            f"{self.chunks / self.bare:.0f} ({_ratio(self, beside, 'bare')})",
            f"{self.chunks / self.whole:.1f} ({_ratio(self, beside, 'whole')})",
            f"{self.bare / self.whole:.3f}",
            f"{self.peak_mb:.0f} ({self.peak_mb / beside.peak_mb:.2f})",
        )
        return "| " + " | ".join(cells) + " |"


def _ratio(run: Run, beside: Run, name: str) -> str:
    own, other = run.chunks / getattr(run, name), beside.chunks / getattr(beside, name)
    return f"{own / other:.2f}"


HEAD = (
    "| input | system | chunks | s: read + chunk + store | chunks/s without encoding (ratio) "
    "| with encoding (ratio) | share beyond encoding | peak MB (ratio) |\n"
    "|---|---|--:|--:|--:|--:|--:|--:|"
)


def measured(system: str, command: Sequence[str], file: Path, folder: Path) -> Json:
    """What one process says of its run; `command` lacks FILE FOLDER DIM."""
    folder.mkdir(parents=True)
    say(f"{system}: {file.name}")
    subprocess.run((*command, str(file), str(folder), str(DIM)), check=True)
    output: Json = json.loads((folder / "output.json").read_text(encoding="utf-8"))
    return {**output, "system": system}


def encoded(output: Json, embedder: Embedder) -> Run:
    """The run with the time that the encoder takes for a sample of its chunks."""
    texts = output["texts"]
    begun = time.perf_counter()
    embedder.embed_passages(texts)
    encode = (time.perf_counter() - begun) / len(texts)
    return Run(output["system"], output["chunks"], output["seconds"], output["peak_mb"], encode)


def compare(pages: int, baselines: Path, work: Path) -> Iterator[tuple[str, Json, Json]]:
    """(input, LangChain's run, ours) for the PDF and for the same text as Markdown."""
    inputs = {
        f"PDF, {pages} pages": write_pdf(work / "handbook.pdf", pages),
        f"Markdown, {pages} parts": write_markdown(work / "handbook.md", pages),
    }
    peer = (str(interpreter(baselines, "langchain")), str(peer_loader.__file__))
    own = (sys.executable, "-m", MODULE, "--one")
    for number, (what, file) in enumerate(inputs.items()):
        theirs = measured("LangChain", peer, file, work / f"theirs{number}")
        yield what, theirs, measured("tuwen", own, file, work / f"ours{number}")


@contextmanager
def encoder() -> Iterator[Embedder]:
    """The encoder of the settings, without what it remembers."""
    from ..app.config import load_settings
    from ..app.services import open_services

    with tempfile.TemporaryDirectory(prefix="tuwen-speed-") as home:
        settings = load_settings().model_copy(update={"home": Path(home)})
        with open_services(settings) as services:
            yield services.embedder


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--baselines", type=Path, default=default_folder())
    parser.add_argument("--one", nargs=3, metavar=("FILE", "FOLDER", "DIM"), help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.one:
        ingest_here(Path(chosen.one[0]), Path(chosen.one[1]))
        return 0
    if not interpreter(chosen.baselines, "langchain").is_file():
        parser.error(f"run: python -m tuwen.evals.make_baselines --into {chosen.baselines}")
    with tempfile.TemporaryDirectory(prefix="tuwen-speed-") as work:
        rows = list(compare(chosen.pages, chosen.baselines, Path(work)))
    print(HEAD)
    with encoder() as embedder:
        embedder.embed_passages(["warm up"])
        for what, theirs, ours in rows:
            beside = encoded(theirs, embedder)
            print(beside.line(what, beside))
            print(encoded(ours, embedder).line(what, beside), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
