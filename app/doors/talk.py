"""One turn of the chat graph for a door in this process: events as they come, then `finish`."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage

from ...core.errors import UsageError
from ...core.options import RunOptions
from ...core.text import digest
from ..ask import RECURSION_LIMIT, trace_of
from . import metrics
from .dress import BASE_KEY
from .opened import Graph, Opened
from .saver import TidySaver
from .scope import OWNER_KEY

Json = dict[str, Any]


class BusyThreadError(UsageError):
    """Another turn of the same thread is running."""

    def __init__(self) -> None:
        super().__init__(
            "Another turn of this thread is running. Wait for its finish event, or use another"
            " thread."
        )


@dataclass
class Talk:
    """Runs turns; `saver` keeps the threads of `/chat/stream`."""

    opened: Opened
    saver: TidySaver | None = None
    busy: set[str] = field(default_factory=set)
    _kept: Graph | None = None

    async def graph(self, thread: str) -> Graph:
        """The chat graph; with the saver when there is a thread to keep."""
        bare = await self.opened.agraph("chat")
        if not thread or self.saver is None:
            return bare
        if self._kept is None:
            self._kept = bare.copy({"checkpointer": self.saver})
        return self._kept

    def refuse_busy(self, owner: str, thread: str) -> None:
        """Raises BusyThreadError while a turn of the thread is running."""
        if thread and thread_key(owner, thread) in self.busy:
            raise BusyThreadError

    async def turn(
        self,
        messages: Sequence[BaseMessage],
        options: RunOptions,
        *,
        owner: str,
        thread: str = "",
        base: str = "",
    ) -> AsyncGenerator[Json]:
        """`token`, the graph's typed events, `trace`, and `finish` as the last.

        The same `thread` of two owners is two threads. Raises BusyThreadError before any event.
        """
        self.refuse_busy(owner, thread)
        key = thread_key(owner, thread) if thread else ""
        if key:
            self.busy.add(key)
        run_id = uuid.uuid4()
        run = self._run(messages, options, owner=owner, thread=key, base=base, run_id=run_id)
        try:
            async with aclosing(run), metrics.turn(str(run_id), options.collection) as seen:
                async for event in run:
                    seen(event)
                    yield event
        finally:
            self.busy.discard(key)

    async def _run(
        self,
        messages: Sequence[BaseMessage],
        options: RunOptions,
        *,
        owner: str,
        thread: str,
        base: str,
        run_id: uuid.UUID,
    ) -> AsyncGenerator[Json]:
        graph = await self.graph(thread)
        chosen = {OWNER_KEY: owner, BASE_KEY: base, **({"thread_id": thread} if thread else {})}
        config: Any = {
            "recursion_limit": RECURSION_LIMIT,
            "configurable": chosen,
            "run_id": run_id,
            "run_name": "chat",
        }
        state: Json = {}
        finish: Json = {}
        stream: Any = graph.astream(
            {"messages": list(messages)},
            config,
            context=options,
            stream_mode=["values", "messages", "custom"],
            durability="exit" if thread else None,
        )
        async with aclosing(stream):
            async for mode, part in stream:
                if mode == "values":
                    state = part
                elif mode == "messages":
                    if text := token_text(part[0]):
                        yield {"type": "token", "text": text}
                elif part.get("type") == "finish":
                    finish = part
                else:
                    yield part
        yield {"type": "trace", "run_id": str(run_id), **await self.trace(state)}
        yield finish

    async def trace(self, state: Json) -> Json:
        """What ran, each hit with its document and page."""
        shown = trace_of(state)
        services = await self.opened.aservices()
        ids = [hit["chunk_id"] for hit in shown["hits"]]
        chunks = await asyncio.to_thread(services.catalog.chunks, ids)
        known = {chunk.chunk_id: chunk for chunk in chunks}
        hits = []
        for hit in shown["hits"]:
            chunk = known.get(hit["chunk_id"])
            where = (
                {
                    "doc": chunk.doc_title,
                    "page": chunk.page_start,
                    "section_path": chunk.section_path,
                    "text": chunk.text[:200],
                }
                if chunk
                else {}
            )
            hits.append({**hit, **where})
        return {**shown, "hits": hits}


def thread_key(owner: str, thread: str) -> str:
    """The checkpointer's id of an owner's thread."""
    return f"door-{digest(owner, thread, length=32)}"


def token_text(message: BaseMessage) -> str:
    """The text of a streamed piece of the answer; whole messages come with `finish`."""
    if isinstance(message, AIMessageChunk) and isinstance(message.content, str):
        return message.content
    return ""
