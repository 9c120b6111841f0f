"""The process's stores and graphs, opened by whoever needs them first."""

import asyncio
import threading
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import get_runtime

from ...core.errors import UsageError
from ...core.options import IngestOptions
from ...core.settings import Settings
from ...graph.answer_door import build_answer_graph
from ...graph.chat import build_chat_graph
from ...graph.ingest import build_ingest_graph
from ...graph.nodes.ingest import Guard
from ...graph.services import Services
from ..config import load_settings
from ..services import open_services
from .access import may_use
from .dress import make_dress
from .pictures import signer
from .receive import make_receive
from .scope import caller, scoped
from .uploads import PREFIX, find_upload

Graph = CompiledStateGraph[Any, Any, Any, Any]
DRAWING = "chat.drawing"
"""The chat graph for looking at: the same nodes, the retrieval subgraph open."""


class Opened:
    """Opens once, in a thread; hands out services and compiled graphs."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._settings = settings
        self._services: Services | None = None
        self._graphs: dict[str, Graph] = {}

    def settings(self) -> Settings:
        """The process's settings, read once."""
        if self._settings is None:
            self._settings = load_settings()
        return self._settings

    def services(self) -> Services:
        """The services; opening them blocks, so call it in a thread."""
        with self._lock:
            if self._services is None:
                services = self._stack.enter_context(open_services(self.settings()))
                services = replace(services, sign=signer(self.settings().server))
                self._graphs = compile_graphs(services)
                self._services = services
            return self._services

    def graph(self, name: str) -> Graph:
        """A compiled graph, without checkpointer: the server brings its own."""
        self.services()
        return self._graphs[name]

    async def aservices(self) -> Services:
        """The services, opened in a thread."""
        services = self._services
        return services if services is not None else await asyncio.to_thread(self.services)

    async def agraph(self, name: str) -> Graph:
        """A compiled graph, opened in a thread."""
        found = self._graphs.get(name)
        return found if found is not None else await asyncio.to_thread(self.graph, name)

    def close(self) -> None:
        """Release the store."""
        with self._lock:
            self._services = None
            self._graphs = {}
            self._stack.close()


def compile_graphs(services: Services) -> dict[str, Graph]:
    """`chat`, `answer` and `ingest` as the server runs them; `chat` alone takes files."""
    local = build_ingest_graph(services).compile(checkpointer=False)
    visible = scoped(services)
    receive = make_receive(services, lambda: local)
    dress = make_dress(services)
    # Takes no files, so that its drawing shows only what may be kept.
    plain_chat = build_chat_graph(visible, dress=dress).compile()
    guard = import_guard(services.settings.server.import_dir, services)
    return {
        "chat": build_chat_graph(visible, receive=receive, dress=dress).compile(),
        DRAWING: build_chat_graph(visible, receive=receive, dress=dress, drawn=True).compile(),
        "answer": build_answer_graph(plain_chat).compile(),
        "ingest": build_ingest_graph(services, guard=guard).compile(),
        "local_ingest": local,
    }


def import_guard(folder: str, services: Services | None = None) -> Guard:
    """What a client of the server may have ingested: upload ids, paths below the import folder."""

    def guard(path: str) -> Path:
        _refuse_foreign()
        if services is not None and path.startswith(PREFIX):
            return _upload(services, path)
        if not folder:
            raise UsageError(
                "The server ingests no paths: set TUWEN_SERVER__IMPORT_DIR to allow it."
            )
        if "\0" in path:
            raise UsageError("That is no path.")
        root = Path(folder).resolve()
        resolved = (root / path).resolve()
        if not resolved.is_relative_to(root):
            raise UsageError("That path is outside the import folder.")
        return resolved

    return guard


def _collection() -> str:
    try:
        return get_runtime(IngestOptions).context.collection
    except RuntimeError:  # outside of a run
        return ""


def _refuse_foreign() -> None:
    if not may_use(caller().owner, _collection()):
        raise UsageError("That collection belongs to somebody else.")


def _upload(services: Services, token: str) -> Path:
    return find_upload(services, _collection(), token)


opened = Opened()
"""The one of this process: the server's entry points and routes share it."""
