"""One question through the real retrieval subgraph, with what every node made of it."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from ..agents.analyst import analyse
from ..core.analysis import Analysis, Focus
from ..core.evidence import LegResult
from ..core.options import RunOptions
from ..graph.policies import Clock
from ..graph.retrieval import build_retrieval_graph
from ..graph.services import Services
from .progress import told

Json = dict[str, Any]
Graph = CompiledStateGraph[Any, Any, Any, Any]
STAGES = {
    "fuse": "fused",
    "diversify": "diversified",
    "rerank": "reranked",
    "apply_rules": "final",
}
"""Nodes that leave a ranking, and what it is called here."""


@dataclass
class Rankings:
    """Chunk ids, best first, of each leg and after each stage; what a stage dropped is left out."""

    legs: dict[str, list[str]] = field(default_factory=dict)
    stages: dict[str, list[str]] = field(default_factory=dict)
    results: list[LegResult] = field(default_factory=list)
    coverage: float = 0.0
    milliseconds: dict[str, float] = field(default_factory=dict)
    notices: list[Json] = field(default_factory=list)


def retrieval_graph(services: Services, *, clock: Clock = time.perf_counter) -> Graph:
    """The production subgraph, its nodes timed by the `clock`."""
    return build_retrieval_graph(services, clock=clock).compile()


def understand(services: Services, question: str, collection: str) -> Analysis:
    """The analysis that the chat graph would make of a first question."""
    documents = services.catalog.documents(collection)
    return analyse(
        question,
        focus=Focus(),
        history=[],
        tokenizer=services.tokenizer,
        documents=documents,
        embedder=services.sentences or services.embedder,
    )


def as_asked(analysis: Analysis) -> Analysis:
    """An evaluation's question is always searched, greeting-like or not."""
    if analysis.queries:
        return analysis
    return analysis.model_copy(update={"queries": (analysis.question,)})


async def rank(graph: Graph, analysis: Analysis, options: RunOptions) -> Rankings:
    """Run the subgraph and keep what each node wrote."""
    return rankings_of(await steps(graph, analysis, options), analysis)


async def steps(graph: Graph, analysis: Analysis, options: RunOptions) -> list[Json]:
    """Run the subgraph: what each node wrote, as it stands."""
    round_input = {
        "analysis": analysis.model_dump(mode="json"),
        "queries": list(analysis.queries),
        "hits": [],
    }
    stream = graph.astream(round_input, context=options, stream_mode="updates")
    return [step async for step in stream]


def rankings_of(written: Iterable[Json], analysis: Analysis) -> Rankings:
    """The rankings that the nodes wrote."""
    found = Rankings()
    for step in written:
        for node, update in step.items():
            if isinstance(update, dict):
                _note(found, node, update)
    found.legs = _leg_ids(found.results, analysis.question)
    _carry(found.stages)
    return found


def rank_all(
    services: Services, analyses: list[Analysis], options: list[RunOptions], *, what: str
) -> list[Rankings]:
    """Every question in turn; all queries are encoded in one batch before."""
    queries = [query for analysis in analyses for query in analysis.queries]
    services.embedder.embed_queries(list(dict.fromkeys(queries)))
    graph = retrieval_graph(services)

    async def run() -> list[Rankings]:
        pairs = list(zip(analyses, options, strict=True))
        return [await rank(graph, a, o) for a, o in told(pairs, what, len(pairs))]

    return asyncio.run(run())


def _note(found: Rankings, node: str, update: Json) -> None:
    found.results += [LegResult.model_validate(leg) for leg in update.get("legs", [])]
    found.notices += update.get("notices", [])
    found.coverage = update.get("coverage", found.coverage)
    for key, value in update.get("spent", {}).items():
        if key.startswith("ms."):
            name = key.removeprefix("ms.")
            found.milliseconds[name] = found.milliseconds.get(name, 0.0) + value
    hits = update.get("ranking", update.get("hits"))
    if node in STAGES and hits is not None:
        found.stages[STAGES[node]] = [hit["chunk_id"] for hit in hits if not _dropped(hit)]


def _carry(stages: dict[str, list[str]]) -> None:
    """A stage that failed leaves the order before it, as in the graph."""
    order: list[str] = []
    for stage in STAGES.values():
        order = stages.setdefault(stage, order)


def _dropped(hit: Json) -> bool:
    return bool((hit.get("explain") or {}).get("dropped"))


def _leg_ids(results: list[LegResult], question: str) -> dict[str, list[str]]:
    """Each leg's ranking for the question as it was asked."""
    asked = [result for result in results if result.query == question] or results
    return {result.leg: list(result.ids) for result in reversed(asked) if result.ids}
