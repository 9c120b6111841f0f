"""The retrieval subgraph: four legs at once, then one ranking.

search_dense | search_visual | search_keyword | search_labels
  -> fuse -> diversify -> rerank -> apply_rules -> gather
"""

from typing import Any

from langgraph.graph import END, START, StateGraph

from ..core.evidence import Notice
from ..core.options import RunOptions
from .nodes import search
from .policies import RETRY, Fallback, degrading, timed
from .services import Services
from .state import Json, RetrievalInput, RetrievalState, Turn


def drop_leg(name: str, state: RetrievalState, error: Exception) -> Json:
    """A leg that failed or was slow is left out, and said."""
    return {"legs": [], "notices": [search.leg_notice(name, error).model_dump()]}


def keep_order(n: int) -> Fallback:
    """A ranking step that failed leaves the first `n` of the order before it, and it is said."""

    def cut(name: str, state: RetrievalState, error: Exception) -> Json:
        notice = Notice(
            code=f"{name}_failed",
            text=f"步骤 {name} 失败，保留原有顺序。 / {name} failed; the order before it stands.",
        )
        return {"ranking": state.get("ranking", [])[:n], "notices": [notice.model_dump()]}

    return cut


def build_retrieval_graph(services: Services) -> StateGraph[Any, Any, Any, Any]:
    """Legs run in one superstep; `fuse` waits for all of them (`defer`)."""
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
        safe = degrading(leg, drop_leg, seconds=numbers.leg_seconds)
        graph.add_node(leg.__name__, timed(safe))
        graph.add_edge(START, leg.__name__)
        graph.add_edge(leg.__name__, "fuse")
    graph.add_node("fuse", timed(search.make_fuse(services)), defer=True)
    diversify = degrading(
        search.make_diversify(services), keep_order(numbers.mmr_n), seconds=numbers.leg_seconds
    )
    graph.add_node("diversify", timed(diversify))
    limit = services.settings.rerank.timeout_seconds
    reranker = degrading(search.make_rerank(services), keep_order(numbers.rerank_n), seconds=limit)
    graph.add_node("rerank", timed(reranker))
    graph.add_node("apply_rules", timed(search.make_apply_rules(services)))
    graph.add_node("gather", timed(search.make_gather(services)))
    graph.add_edge("fuse", "diversify")
    graph.add_edge("diversify", "rerank")
    graph.add_edge("rerank", "apply_rules")
    graph.add_edge("apply_rules", "gather")
    graph.add_edge("gather", END)
    return graph
