"""Ingest paths through the ingestion graph."""

from collections.abc import Callable, Sequence
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from ..core.document import FileReport
from ..core.options import IngestOptions

Json = dict[str, Any]


async def ingest(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    paths: Sequence[str],
    *,
    options: IngestOptions | None = None,
    on_event: Callable[[Json], None] = lambda _: None,
) -> list[FileReport]:
    """One report a file, in the order found. `on_event` gets `ingest.file` events."""
    state: Json = {}
    stream: Any = graph.astream(
        {"paths": list(paths)},
        {"recursion_limit": 100},
        context=options or IngestOptions(),
        stream_mode=["values", "custom"],
        subgraphs=True,
    )
    async for namespace, mode, part in stream:
        if mode == "custom":
            on_event(part)
        elif not namespace:
            state = part
    return [load_report(item) for item in state.get("reports", [])]


def load_report(item: Json) -> FileReport:
    """A report from its state form."""
    return FileReport.model_validate({k: v for k, v in item.items() if k != "index"})
