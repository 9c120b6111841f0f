"""Retrieval alone: the subgraph of the chat, with each hit's text and reasons."""

import asyncio
from typing import Any

from ..agents.analyst import analyse
from ..core.analysis import Analysis, Focus
from ..core.chunk import Chunk
from ..core.options import RunOptions
from ..graph.nodes.search import filter_notices
from ..graph.retrieval import build_retrieval_graph
from ..graph.services import Services
from .ask import counted

Json = dict[str, Any]


async def search(services: Services, query: str, options: RunOptions) -> Json:
    """The query, what was searched, the hits with their text and `explain`, and notices."""
    analysis = await asyncio.to_thread(
        analyse, query, focus=Focus(), history=[], tokenizer=services.tokenizer
    )
    graph = build_retrieval_graph(services).compile()
    state = await graph.ainvoke(_round(analysis), context=options)
    hits = state.get("hits", [])
    wrong = await asyncio.to_thread(filter_notices, services, options, analysis.language)
    chunks = await asyncio.to_thread(services.catalog.chunks, [hit["chunk_id"] for hit in hits])
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    found = [
        _shown(hit, chunk) for hit in hits if (chunk := by_id.get(hit["chunk_id"])) is not None
    ]
    return {
        "query": query,
        "queries": list(analysis.queries),
        "hits": [hit for hit in found if not hit["explain"].get("dropped")],
        "dropped": [hit for hit in found if hit["explain"].get("dropped")],
        "notices": [*wrong, *state.get("notices", [])],
        **counted(state.get("spent", {})),
    }


def _shown(hit: Json, chunk: Chunk) -> Json:
    return {
        "explain": {},
        **hit,
        "doc": chunk.doc_title,
        "doc_id": chunk.doc_id,
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "section_path": chunk.section_path,
        "chunk_type": chunk.chunk_type,
        "text": chunk.text,
        "figure_id": chunk.figure_id,
    }


def _round(analysis: Analysis) -> Any:
    return {
        "analysis": analysis.model_dump(mode="json"),
        "queries": list(analysis.queries) or [analysis.question],
        "hits": [],
    }
