"""The retrieval subgraph: four legs at once, then one ranking.

search_dense | search_visual | search_keyword | search_labels
  -> fuse -> diversify -> rerank -> apply_rules -> gather
"""

import time
from typing import Any

from langgraph.graph import END, START, StateGraph

from ..core.options import RunOptions
from .nodes import search
from .policies import RETRY, Clock, Fallback, degrading, timed
from .services import Services
from .state import Json, RetrievalInput, RetrievalState, Turn
from .words import cause, notice, spoken

STEPS = {"diversify": "去重", "rerank": "重排"}


def drop_leg(seconds: float) -> Fallback:
    """A leg that failed, or took longer than `seconds`, is left out, and it is said why."""

    def drop(name: str, state: RetrievalState, error: Exception) -> Json:
        language = spoken(state)
        leg, why = name.removeprefix("search_"), cause(error, language, seconds)
        zh = f"检索分支 {leg} 没有结果，已跳过：{why}"
        en = f"The {leg} leg of the search was skipped: {why}"
        return {"legs": [], "notices": [notice(f"leg_failed.{leg}", language, zh, en)]}

    return drop


def keep_order(n: int, seconds: float) -> Fallback:
    """A ranking step that failed leaves the first `n` of the order before it; it is said why."""

    def cut(name: str, state: RetrievalState, error: Exception) -> Json:
        language = spoken(state)
        why = cause(error, language, seconds)
        zh = f"{STEPS.get(name, name)}没有完成，保留原有顺序：{why}"
        en = f"The step {name} did not finish; the order before it stands: {why}"
        given = notice(f"{name}_failed", language, zh, en)
        return {"ranking": state.get("ranking", [])[:n], "notices": [given]}

    return cut


def build_retrieval_graph(
    services: Services, *, clock: Clock = time.perf_counter
) -> StateGraph[Any, Any, Any, Any]:
    """Legs run in one superstep; `fuse` waits for all of them (`defer`). Nodes are timed by the
    `clock`."""
    numbers = services.settings.retrieval
    legs = (
        search.make_search_dense(services, visual=False),
        search.make_search_dense(services, visual=True),
        search.make_search_keyword(services),
        search.make_search_labels(services),
    )
    graph = StateGraph(
        RetrievalState, context_schema=RunOptions, input_schema=RetrievalInput, output_schema=Turn
    )
    graph.set_node_defaults(retry_policy=RETRY)
    for leg in legs:
        safe = degrading(leg, drop_leg(numbers.leg_seconds), seconds=numbers.leg_seconds)
        graph.add_node(leg.__name__, timed(safe, clock))
        graph.add_edge(START, leg.__name__)
        graph.add_edge(leg.__name__, "fuse")
    graph.add_node("fuse", timed(search.make_fuse(services), clock), defer=True)
    seconds = numbers.leg_seconds
    fallback = keep_order(numbers.mmr_n, seconds)
    diversify = degrading(search.make_diversify(services), fallback, seconds=seconds)
    graph.add_node("diversify", timed(diversify, clock))
    limit = services.settings.rerank.timeout_seconds
    fallback = keep_order(numbers.rerank_n, limit)
    reranker = degrading(search.make_rerank(services), fallback, seconds=limit)
    graph.add_node("rerank", timed(reranker, clock))
    graph.add_node("apply_rules", timed(search.make_apply_rules(services), clock))
    graph.add_node("gather", timed(search.make_gather(services), clock))
    graph.add_edge("fuse", "diversify")
    graph.add_edge("diversify", "rerank")
    graph.add_edge("rerank", "apply_rules")
    graph.add_edge("apply_rules", "gather")
    graph.add_edge("gather", END)
    return graph
