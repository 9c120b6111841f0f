"""A compound question: its parts are searched at the same time and answered together."""

import asyncio
from collections.abc import Sequence
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Overwrite, Send

from ...core.options import RunOptions
from ..policies import Node
from ..services import Services
from ..state import ChatState, Json
from ..words import spoken
from .search import labelled

GROUPS_A_PART = 3
MOST_GROUPS = 10
Retrieval = CompiledStateGraph[Any, Any, Any, Any]


def send_parts(state: ChatState) -> list[Send]:
    """One `retrieve_part` for the whole question as it was asked, and one a part."""
    analyses = [state["analysis"], *state["parts"]]
    shared = {"focus": state.get("focus") or {}, "language": spoken(state)}
    return [
        Send("retrieve_part", {**shared, "part": number, "analysis": item})
        for number, item in enumerate(analyses)
    ]


def make_retrieve_part(retrieval: Retrieval) -> Node:
    """Runs the retrieval subgraph for one part."""

    async def retrieve_part(task: Json, runtime: Runtime[RunOptions]) -> Json:
        asked = {
            "analysis": task["analysis"],
            "queries": task["analysis"]["queries"],
            "focus": task["focus"],
            "language": task["language"],
        }
        found = await retrieval.ainvoke(asked, context=runtime.context)
        kept = {key: found.get(key) for key in ("hits", "evidence", "coverage")}
        return {
            "found": [{"part": task["part"], **kept}],
            "notices": found.get("notices", []),
            "spent": found.get("spent", {}),
        }

    return retrieve_part


def make_combine(services: Services) -> Node:
    """Joins what the parts found; evidence is taken from each part in turn."""
    groups = services.settings.retrieval.evidence_groups

    async def combine(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        found = state["found"]
        most = min(max(groups, GROUPS_A_PART * len(state["parts"])), MOST_GROUPS)
        # What the labels of the whole question name.
        finding = await asyncio.to_thread(labelled, services, state, runtime.context)
        return {
            "found": Overwrite([]),
            "hits": [hit for item in found for hit in item["hits"] or []],
            "coverage": min((item["coverage"] or 0.0 for item in found), default=0.0),
            "evidence": in_turn([item["evidence"] or [] for item in found], most),
            "finding": finding.model_dump(mode="json", exclude_defaults=True) if finding else {},
        }

    return combine


def in_turn(lists: Sequence[Sequence[Json]], most: int) -> list[Json]:
    """Evidence groups, the best of each list first, no group twice, numbered from 1."""
    longest = max(map(len, lists), default=0)
    rows = [groups[rank] for rank in range(longest) for groups in lists if rank < len(groups)]
    seen: set[str] = set()
    kept: list[Json] = []
    for group in rows:
        if group["chunk_id"] in seen or len(kept) == most:
            continue
        seen.update(group["chunk_ids"])
        kept.append({**group, "n": len(kept) + 1})
    return kept
