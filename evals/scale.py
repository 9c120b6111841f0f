"""`python -m tuwen.evals.scale --home FOLDER --chunks 1000000`: a round over very many chunks.

Everything is the store's own, the vectors' engine excepted: searches read only the rows beside
Chroma, whose graph over a million vectors takes hours to build and is left out here. The home is
kept; a second call goes on where the first one stopped, and asks again. Vectors are hashed
character pairs; texts are those of `tuwen.evals.benchmark`, shuffled.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..backends.assets import FileAssets
from ..backends.catalog import SqliteCatalog
from ..backends.commit import Store
from ..backends.keyword import PostingsIndex
from ..backends.lock import StoreLock
from ..backends.tokenizer import JiebaTokenizer
from ..backends.vector_rows import VectorRows
from ..core.ports import VectorRecord, Vectors
from ..graph.services import Services
from .benchmark import (
    PER_DOCUMENT,
    TimedEmbedder,
    chosen_chunks,
    command_line,
    counted,
    megabytes,
    peak_megabytes,
    questions_from,
    retrieve,
)
from .harness import COLLECTION, commit_passages, temporary_services
from .progress import say
from .sets import Passage

Json = dict[str, Any]
_REMEMBERED = 3_000_000


class RowsIndex:
    """The vector index without its engine: the rows alone, of one collection without pictures."""

    def __init__(self, folder: Path, dim: int) -> None:
        self._rows = VectorRows(folder, dim)

    def upsert(self, collection: str, records: Sequence[VectorRecord], vectors: Vectors) -> None:
        """Keep the vectors."""
        self._rows.put([record.id for record in records], vectors)

    def search(
        self,
        collection: str,
        vector: Vectors,
        n: int,
        *,
        allowed: Collection[str] | None = None,
        visual: bool = False,
    ) -> list[tuple[str, float]]:
        """Best n (id, cosine), ties by id; there are no pictures."""
        found = [] if visual else self._rows.nearest(vector, n, allowed=allowed)
        return sorted(((i, float(s)) for i, s in found), key=lambda pair: (-pair[1], pair[0]))[:n]

    def vectors(self, collection: str, ids: Sequence[str]) -> Mapping[str, Vectors]:
        """Vectors of those ids that exist."""
        return dict(zip(*self._rows.get(ids), strict=True))

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Forget them."""
        self._rows.remove(ids)

    def ids(self, collection: str) -> set[str]:
        """Every id."""
        return set(self._rows.ids())

    def drop(self, collection: str) -> None:
        """Forget all."""
        self._rows.drop()


class CutOnce:
    """jieba, for text that repeats itself: a run of Chinese that was cut once is remembered."""

    def __init__(self, jieba: Any) -> None:
        self.cut_for_search: Callable[[str], tuple[str, ...]] = lru_cache(_REMEMBERED)(
            lambda run: tuple(jieba.cut_for_search(run))
        )


class RememberingTokenizer(JiebaTokenizer):
    """The same words at less cost."""

    def load(self) -> None:
        """Load the dictionaries."""
        super().load()
        if not isinstance(self._jieba, CutOnce):
            self._jieba = CutOnce(self._jieba)


def run(home: Path, chunks: Sequence[str], *, questions: int) -> Json:
    """Build what is missing below `home`, then time retrieval rounds, the first ones apart."""
    asked = questions_from(chunks, questions)
    shuffled = random.Random(1).sample(chunks, len(chunks))
    with temporary_services(cached=False) as opened:
        start = time.process_time()
        store, services, encoders = _services(opened, home)
        opening = time.process_time() - start
        report: Json = {"chunks": len(chunks), "opening_cpu_seconds": round(opening, 2)}
        report["build"] = _build(services, shuffled)
        report["first"] = retrieve(services, encoders, asked)
        report["again"] = retrieve(services, encoders, asked)
        store.close()
    return report | {"memory_mb": peak_megabytes(), "disk_mb": megabytes(home)}


def _services(opened: Services, home: Path) -> tuple[Store, Services, Sequence[TimedEmbedder]]:
    """The home's own store, services over it, and their encoders."""
    tokenizer = RememberingTokenizer(home / "jieba")
    store = Store(
        catalog=SqliteCatalog(home / "catalog.sqlite"),
        vectors=RowsIndex(home / "rows", opened.embedder.dim),
        keywords=PostingsIndex(home / "words", tokenizer),
        assets=FileAssets(home / "assets"),
        embedder=opened.embedder,
        tokenizer=tokenizer,
        lock=StoreLock(home, wait_seconds=0.0).acquire(),
    )
    own = replace(
        opened,
        catalog=store.catalog,
        vectors=store.vectors,
        keywords=store.keywords,
        store=store,
        tokenizer=tokenizer,
    )
    return store, *counted(own, hashed=True)


def _build(services: Services, chunks: Sequence[str]) -> Json:
    there = len(services.catalog.documents(COLLECTION)) * PER_DOCUMENT
    start, busy = time.perf_counter(), time.process_time()
    for first in range(there, len(chunks), PER_DOCUMENT):
        part = chunks[first : first + PER_DOCUMENT]
        passages = [Passage(id=f"c{first + i:07}", text=text) for i, text in enumerate(part)]
        commit_passages(services, passages, title=f"document {first // PER_DOCUMENT}")
        if first % (50 * PER_DOCUMENT) == 0:
            say(f"{first + len(part)}/{len(chunks)} chunks")
    return {
        "chunks": max(0, len(chunks) - there),
        "seconds": round(time.perf_counter() - start, 1),
        "cpu_seconds": round(time.process_time() - busy, 1),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: one JSON report on standard output."""
    parser = command_line(__doc__)
    parser.add_argument("--home", type=Path, required=True, help="folder that is built and kept")
    chosen = parser.parse_args(arguments)
    report = run(chosen.home, chosen_chunks(chosen), questions=chosen.questions)
    sys.stdout.write(json.dumps(report, ensure_ascii=False, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
