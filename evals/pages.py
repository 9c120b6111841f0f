"""`tuwen eval pages`: do the evidence pages of PDFs come first, within the file and over all."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..app.ingest import ingest
from ..core.options import IngestOptions, RunOptions
from ..graph.ingest import build_ingest_graph
from ..graph.services import Services
from . import metrics
from .harness import COLLECTION, temporary_services
from .page_peers import peer_rankings
from .progress import say
from .rankings import Rankings, as_asked, rank_all, understand
from .retrieval import plain_rrf
from .sets import PageQuestion, PageSet

Json = dict[str, Any]
TOP_K = 100
"""Chunks asked for, as many as each leg gives: ten pages need more of them than an answer does."""


def ingest_files(services: Services, files: Sequence[str]) -> dict[str, str]:
    """Ingest into the evaluation's collection; document ids by file name. Failures are told.

    A file that could not be ingested has an id that no document has: its questions count and
    find nothing.
    """
    graph = build_ingest_graph(services).compile()

    def tell(event: Json) -> None:
        if event.get("stage") == "done":
            say(f"{event['index']}/{event['total']} {event['path']}: {event['state']}")

    options = IngestOptions(collection=COLLECTION)
    reports = asyncio.run(ingest(graph, files, options=options, on_event=tell))
    for report in reports:
        if report.state == "failed":
            say(f"{report.path}: {report.error}")
    names = {Path(file).name: f"not ingested: {Path(file).name}" for file in files}
    return names | {Path(report.path).name: report.doc_id for report in reports if report.doc_id}


def pages_of_chunks(services: Services) -> dict[str, list[str]]:
    """The pages of every chunk, first page first, as `doc_id#page`."""
    table: dict[str, list[str]] = {}
    for record in services.catalog.documents(COLLECTION):
        for chunk in services.catalog.chunks_of(record.doc_id):
            if chunk.page_start is not None:
                last = chunk.page_end or chunk.page_start
                table[chunk.chunk_id] = [
                    page_key(record.doc_id, page) for page in range(chunk.page_start, last + 1)
                ]
    return table


def table_documents(table: dict[str, list[str]]) -> list[str]:
    """The documents that have pages."""
    return [page.rpartition("#")[0] for pages in table.values() for page in pages]


def page_key(doc_id: str, page: int) -> str:
    """A page as an id for rankings."""
    return f"{doc_id}#{page}"


def page_ranking(chunk_ids: Sequence[str], table: dict[str, list[str]]) -> list[str]:
    """Pages in the order in which the chunks first touch them."""
    return list(dict.fromkeys(page for chunk in chunk_ids for page in table.get(chunk, [])))


def evaluate_pages(loaded: PageSet, *, baselines: Path, answers: bool = True) -> Json:
    """The report of `tuwen eval pages --json`.

    `legs`, `fused`, `final` and `baselines` are within the question's own document,
    `all_documents` holds the same over the whole heap. Without `answers` no question is answered
    and abstention is not measured.
    """
    from .answers import abstentions, ask_pages

    start = time.perf_counter()
    with temporary_services() as services:
        doc_ids = ingest_files(services, loaded.files)
        ingested = round(time.perf_counter() - start, 1)
        scored = [q for q in loaded.questions if q.answerable and q.pages]
        table = pages_of_chunks(services)
        own = [{"doc_id": doc_ids[question.doc]} for question in scored]
        within = _rank(services, scored, own, f"{loaded.name}: own document")
        over = _rank(services, scored, [{}] * len(scored), f"{loaded.name}: all documents")
        peers = peer_rankings(services, loaded.files, scored, doc_ids, baselines)
        abstain = abstentions(*ask_pages(services, loaded, doc_ids)) if answers else None
        encoder = services.embedder.name
    report = {
        "set": loaded.name,
        "questions": len(scored),
        "files": len(loaded.files),
        "files_ingested": len(set(table_documents(table))),
        "left_out": loaded.left_out,
        "encoder": encoder,
        "ingest_seconds": ingested,
        **_scores(scored, within, doc_ids, table, peers.within),
        "all_documents": _scores(scored, over, doc_ids, table, peers.over_all),
        "abstain": abstain,
        "notes": peers.notes,
    }
    return {**report, "seconds": round(time.perf_counter() - start, 1)}


def _rank(
    services: Services, questions: Sequence[PageQuestion], filters: Sequence[Json], what: str
) -> list[Rankings]:
    analyses = [as_asked(understand(services, q.text, COLLECTION)) for q in questions]
    options = [RunOptions(collection=COLLECTION, filters=f, top_k=TOP_K) for f in filters]
    return rank_all(services, analyses, options, what=what)


def _scores(
    questions: Sequence[PageQuestion],
    found: Sequence[Rankings],
    doc_ids: dict[str, str],
    table: dict[str, list[str]],
    peers: dict[str, list[list[str]] | None],
) -> Json:
    relevant = [{page_key(doc_ids[q.doc], page) for page in q.pages} for q in questions]
    texts = [question.text for question in questions]

    def values(rankings: Sequence[Sequence[str]]) -> dict[str, list[float]]:
        return metrics.ranking_values(list(zip(rankings, relevant, strict=True)), hits=True)

    def of_chunks(rankings: Sequence[Sequence[str]]) -> dict[str, list[float]]:
        return values([page_ranking(ranking, table) for ranking in rankings])

    legs = {
        leg: of_chunks([ranks.legs.get(leg, []) for ranks in found])
        for leg in ("keyword", "dense", "visual")
    }
    stages = {
        stage: of_chunks([ranks.stages.get(stage, []) for ranks in found])
        for stage in ("fused", "diversified", "reranked", "final")
    }
    base: dict[str, dict[str, list[float]] | None] = {"rrf": of_chunks(plain_rrf(found, texts))}
    base |= {name: None if ranks is None else values(ranks) for name, ranks in peers.items()}
    return {
        "legs": {name: metrics.means(row) for name, row in legs.items()},
        "fused": metrics.means(stages["fused"]),
        "stages": {name: metrics.means(stages[name]) for name in ("diversified", "reranked")},
        "final": metrics.means(stages["final"]),
        "baselines": {n: None if row is None else metrics.means(row) for n, row in base.items()},
        "intervals": {"final": metrics.intervals(stages["final"])},
    }
