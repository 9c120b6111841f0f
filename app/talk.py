"""The terminal conversation."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from ..core.errors import TuwenError
from ..core.options import RunOptions
from ..graph.services import Services
from .ask import ask
from .cli import err, out
from .render import answer_view
from .threads import chat_graph


def talk(services: Services, collection: str, thread: str) -> None:
    """Read questions until `:q`, end of input or Ctrl-C.

    Ctrl-C while an answer is made stops that answer only; what fails is said, and the conversation
    goes on.
    """
    from .commands import picture_path

    options = RunOptions(collection=collection, ask_back=True)
    show_sources = True
    err.print("tuwen · :q 退出 / quit · :s 来源 / sources · Ctrl-C 停止 / stop")
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        keep = chat_graph(services, "disk" if thread else "memory")
        graph = runner.run(stack.enter_async_context(keep))
        while (line := _read()) not in (None, ":q"):
            if line == ":s":
                show_sources = not show_sources
                err.print(f"sources: {'on' if show_sources else 'off'}")
                continue
            finish = _turn(runner, graph, line or "", thread or "terminal", options)
            if finish:
                view = answer_view(
                    finish, lambda i: picture_path(services, i), sources=show_sources
                )
                out.print(view)
        runner.run(stack.aclose())


def _read() -> str | None:
    try:
        return input("> ").strip()
    except (EOFError, KeyboardInterrupt):
        return None


def _turn(
    runner: asyncio.Runner,
    graph: CompiledStateGraph[Any, Any, Any, Any],
    line: str,
    thread: str,
    options: RunOptions,
) -> dict[str, Any]:
    """The finish event; empty when the turn was stopped or failed."""
    try:
        return runner.run(ask(graph, line, thread=thread, options=options)).finish
    except KeyboardInterrupt:
        err.print("已停止 / stopped")
    except TuwenError as error:
        err.print(f"✗ {error}", style="red", markup=False, highlight=False)
    return {}
