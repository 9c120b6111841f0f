"""The ingestion graph: `discover`, then one subgraph a file, several at once, then `report`.

A file: parse -> (unchanged or duplicate: end) -> structure -> describe -> embed -> commit.
Whatever fails ends in that file's report; the batch goes on.
"""

import asyncio
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import get_runtime
from langgraph.types import Send

from ..core.document import FileReport
from ..core.errors import DocumentError, NoTextError, TuwenError
from ..core.options import IngestOptions
from .nodes import ingest
from .nodes.ingest import Guard
from .nodes.workbench import Workbench
from .policies import RETRY, Node, degrading
from .routes import unless_done
from .services import Services
from .state import FileState, IngestInput, IngestOutput, IngestState, Json


def any_path(path: str) -> Path:
    """The guard of local use: the user's own rights decide.

    Absolute, so that a document's source is found from another working folder too.
    """
    return Path(path).absolute()


def fan_out(state: IngestState) -> list[Send] | str:
    """One `ingest_file` a task."""
    sends = [Send("ingest_file", {"task": task}) for task in state["tasks"]]
    return sends or "report"


def build_ingest_graph(
    services: Services, *, guard: Guard = any_path
) -> StateGraph[Any, Any, Any, Any]:
    """The graph without checkpointer; `guard` decides which paths may be read."""
    bench = Workbench()
    graph = StateGraph(
        IngestState,
        context_schema=IngestOptions,
        input_schema=IngestInput,
        output_schema=IngestOutput,
    )
    graph.add_node("discover", ingest.make_discover(services, bench, guard))
    graph.add_node("ingest_file", make_ingest_file(services, bench))
    graph.add_node("report", ingest.report)
    graph.add_edge(START, "discover")
    graph.add_conditional_edges("discover", fan_out, ["ingest_file", "report"])
    graph.add_edge("ingest_file", "report")
    graph.add_edge("report", END)
    return graph


def make_ingest_file(services: Services, bench: Workbench) -> Node:
    """One file through its subgraph; few at once, so that a large batch does not fill the memory
    while one file is parsed and another embedded."""
    files = build_file_graph(services, bench).compile()
    gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    async def ingest_file(state: FileState) -> Json:
        loop = asyncio.get_running_loop()
        gate = gates.setdefault(loop, asyncio.Semaphore(services.settings.ingest.parallel_files))
        async with gate:
            with bench.holding(state["task"]["token"]):
                done = await files.ainvoke(state)
        return {"reports": done["reports"]}

    return ingest_file


def build_file_graph(services: Services, bench: Workbench) -> StateGraph[Any, Any, Any, Any]:
    """One file's way; every step's failure ends it with a report."""

    def refuse(name: str, state: FileState, error: Exception) -> Json:
        task = state["task"]
        work = bench.clear(task["token"])
        runtime = get_runtime(IngestOptions)
        failed = failed_report(task["path"], error)
        # A path that does not exist is a slip of the pen: no file that could be missing later.
        known = work is not None and work.hash and work.source.kind != "missing"
        if work is not None and known and failed.reason != "store":
            failed = failed.model_copy(update={"doc_id": work.doc_id})
            services.catalog.note_failure(runtime.context.collection, work.doc_id, failed)
        return {"done": True, "reports": [ingest.finished(services, work, task, runtime, failed)]}

    steps = {
        "parse": ingest.make_parse(services, bench),
        "structure": ingest.make_structure(services, bench),
        "describe": ingest.make_describe(services, bench),
        "embed": ingest.make_embed(services, bench),
        "commit": ingest.make_commit(services, bench),
    }
    graph = StateGraph(FileState, context_schema=IngestOptions)
    graph.set_node_defaults(retry_policy=RETRY)
    graph.add_edge(START, "parse")
    for name, following in zip(steps, [*list(steps)[1:], END], strict=True):
        graph.add_node(name, degrading(steps[name], refuse))
        graph.add_conditional_edges(name, unless_done(following), [following, END])
    return graph


def failed_report(path: str, error: BaseException) -> FileReport:
    """One clear line on what happened and what to do; the trace of a defect goes to the log."""
    if isinstance(error, TuwenError):
        reason = error.reason if isinstance(error, DocumentError) else "store"
        pages = error.pages if isinstance(error, NoTextError) else None
        said = error.said("en")
        return FileReport(path=path, state="failed", reason=reason, error=said, pages=pages)
    said = f"内部错误，请附日志反馈 / an internal error, please report it with the log: {error!r}"
    return FileReport(path=path, state="failed", reason="internal", error=said[:500])
