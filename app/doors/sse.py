"""Server-sent events: unbuffered, with a heartbeat, and cancelled when the client leaves."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

import anyio
from fastapi.responses import StreamingResponse

from .errors import failure

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

HEARTBEAT_SECONDS = 10.0
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
Json = dict[str, Any]


def encode(event: Json) -> str:
    """One event, named by its type."""
    name = str(event.get("type", "message"))
    return f"event: {name}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"


async def encoded(events: AsyncGenerator[Json]) -> AsyncGenerator[str]:
    """The events as text; what fails on the way is an `error` event in words, the last one."""
    try:
        async with aclosing(events) as running:
            async for event in running:
                yield encode(event)
    except Exception as error:  # noqa: BLE001  the border: a stream that has begun has no status
        yield encode({"type": "error", "text": failure(error)[1]})


async def with_heartbeat(
    parts: AsyncGenerator[str], *, seconds: float = HEARTBEAT_SECONDS
) -> AsyncGenerator[str]:
    """The parts, and a comment whenever nothing came for `seconds`.

    Closing this iterator cancels whatever makes the parts.
    """
    queue: asyncio.Queue[str | None] = asyncio.Queue(maxsize=64)

    async def pump() -> None:
        try:
            async with aclosing(parts):
                async for part in parts:
                    await queue.put(part)
        finally:
            with suppress(asyncio.QueueFull):
                queue.put_nowait(None)

    task = asyncio.create_task(pump())
    try:
        while not (task.done() and queue.empty()):
            try:
                part = await asyncio.wait_for(queue.get(), seconds)
            except TimeoutError:
                part = ": heartbeat\n\n"
            if part is None:
                break
            yield part
        await task
    finally:
        task.cancel()
        # The response's own cancellation comes again at every turn of the event loop; passed on, it
        # would break off the graph's clean-up, and the model's call would live on.
        with anyio.CancelScope(shield=True), suppress(asyncio.CancelledError):
            await task


class EventStream(StreamingResponse):
    """Closes what makes the events when the response ends, however it ends.

    Starlette only forgets it: a client that leaves while a piece is being sent would leave the run
    to the garbage collector.
    """

    def __init__(self, parts: AsyncGenerator[str], *, seconds: float) -> None:
        self._events = with_heartbeat(parts, seconds=seconds)
        super().__init__(self._events, media_type="text/event-stream", headers=HEADERS)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Send the events."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                await self._events.aclose()


def stream(parts: AsyncGenerator[str], *, seconds: float = HEARTBEAT_SECONDS) -> EventStream:
    """The response; no proxy between may hold it back."""
    return EventStream(parts, seconds=seconds)
