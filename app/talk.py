"""The terminal conversation."""

from typing import Any

from langgraph.graph.state import CompiledStateGraph

from ..core.options import RunOptions
from ..graph.services import Services
from .ask import ask
from .cli import err, out
from .render import answer_view
from .threads import chat_graph


async def talk(services: Services, collection: str, thread: str) -> None:
    """Read questions until `:q`, end of input or Ctrl-C."""
    from .commands import picture_path

    options = RunOptions(collection=collection, ask_back=True)
    show_sources = True
    err.print("tuwen · :q 退出 / quit · :s 来源 / sources")
    async with chat_graph(services, "disk" if thread else "memory") as graph:
        while True:
            line = _read()
            if line is None or line == ":q":
                return
            if line == ":s":
                show_sources = not show_sources
                err.print(f"sources: {'on' if show_sources else 'off'}")
                continue
            finish = await _turn(graph, line, thread or "terminal", options)
            out.print(
                answer_view(finish, lambda i: picture_path(services, i), sources=show_sources)
            )


def _read() -> str | None:
    try:
        return input("> ").strip()
    except (EOFError, KeyboardInterrupt):
        return None


async def _turn(
    graph: CompiledStateGraph[Any, Any, Any, Any], line: str, thread: str, options: RunOptions
) -> dict[str, Any]:
    asked = await ask(graph, line, thread=thread, options=options)
    return asked.finish
