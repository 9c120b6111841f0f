"""`tuwen eval retrieval`: every leg, fusion and stage on a set of passages, with baselines."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.options import RunOptions
from ..graph.services import Services
from ..tools.fusion import rrf
from . import metrics
from .harness import COLLECTION, commit_passages, temporary_services
from .peers import PEERS, run_peer
from .progress import say
from .rankings import Rankings, as_asked, rank_all, understand
from .sets import RetrievalSet

Json = dict[str, Any]
RRF_K = 60
RRF_LEGS = frozenset({"keyword", "dense"})


def evaluate_retrieval(loaded: RetrievalSet, *, baselines: Path) -> Json:
    """The report of `tuwen eval retrieval --json`."""
    start = time.perf_counter()
    with temporary_services() as services:
        say(f"{loaded.name}: indexing {len(loaded.passages)} passages")
        commit_passages(services, loaded.passages, title=loaded.name)
        analyses = [
            as_asked(understand(services, question.text, COLLECTION))
            for question in loaded.questions
        ]
        options = [RunOptions(collection=COLLECTION)] * len(analyses)
        found = rank_all(services, analyses, options, what=loaded.name)
        others, notes = _baselines(services, loaded, found, baselines)
        return _report(
            loaded, found, others, notes, services.embedder.name, time.perf_counter() - start
        )


def _baselines(
    services: Services, loaded: RetrievalSet, found: Sequence[Rankings], folder: Path
) -> tuple[dict[str, list[list[str]] | None], dict[str, str]]:
    """Rankings of plain RRF and of the peers; a peer that is absent is None and has a note."""
    texts = [question.text for question in loaded.questions]
    others: dict[str, list[list[str]] | None] = {"rrf": plain_rrf(found, texts)}
    notes: dict[str, str] = {}
    for peer in PEERS:
        say(f"{loaded.name}: {peer}")
        result = run_peer(
            peer,
            folder,
            passages=loaded.passages,
            questions=texts,
            embedder=services.embedder,
        )
        others[peer], notes[peer] = result.rankings, result.note
    return others, notes


def plain_rrf(found: Sequence[Rankings], questions: Sequence[str]) -> list[list[str]]:
    """Reciprocal rank fusion, k = 60, of the keyword and the dense leg, equally weighted."""
    return [
        [
            hit.chunk_id
            for hit in rrf(
                [leg for leg in ranks.results if leg.leg in RRF_LEGS and leg.query == question],
                k=RRF_K,
            )
        ]
        for ranks, question in zip(found, questions, strict=True)
    ]


def _report(
    loaded: RetrievalSet,
    found: Sequence[Rankings],
    others: dict[str, list[list[str]] | None],
    notes: dict[str, str],
    encoder: str,
    seconds: float,
) -> Json:
    relevant = [set(question.relevant) for question in loaded.questions]
    several = any(len(ids) > 1 for ids in relevant)

    def values(rankings: Sequence[Sequence[str]]) -> dict[str, list[float]]:
        return metrics.ranking_values(list(zip(rankings, relevant, strict=True)), hits=several)

    legs = {
        leg: values([ranks.legs.get(leg, []) for ranks in found])
        for leg in ("keyword", "dense", "visual", "label")
        if leg in ("keyword", "dense") or any(ranks.legs.get(leg) for ranks in found)
    }
    stages = {
        stage: values([ranks.stages.get(stage, []) for ranks in found])
        for stage in ("fused", "diversified", "reranked", "final")
    }
    base = {name: None if ranks is None else values(ranks) for name, ranks in others.items()}
    return {
        "set": loaded.name,
        "questions": len(loaded.questions),
        "passages": len(loaded.passages),
        "left_out": loaded.left_out,
        "encoder": encoder,
        "seconds": round(seconds, 1),
        "legs": {name: metrics.means(row) for name, row in legs.items()},
        "fused": metrics.means(stages["fused"]),
        "stages": {name: metrics.means(stages[name]) for name in ("diversified", "reranked")},
        "final": metrics.means(stages["final"]),
        "baselines": {n: None if row is None else metrics.means(row) for n, row in base.items()},
        "intervals": {
            "legs": {name: metrics.intervals(row) for name, row in legs.items()},
            "fused": metrics.intervals(stages["fused"]),
            "final": metrics.intervals(stages["final"]),
            "baselines": {n: row and metrics.intervals(row) for n, row in base.items()},
        },
        "milliseconds": stage_milliseconds(found),
        "notes": notes,
    }


def stage_milliseconds(found: Sequence[Rankings]) -> dict[str, dict[str, float]]:
    """p50 and p95 per node; cached vectors are not the encoder's time."""
    names = sorted({name for ranks in found for name in ranks.milliseconds})
    rows = {name: [ranks.milliseconds.get(name, 0.0) for ranks in found] for name in names}
    return {
        name: {
            "p50": round(metrics.percentile(row, 0.5), 2),
            "p95": round(metrics.percentile(row, 0.95), 2),
        }
        for name, row in rows.items()
    }
