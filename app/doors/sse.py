"""Server-sent events: unbuffered, with a heartbeat, and cancelled when the client leaves."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from fastapi.responses import StreamingResponse

HEARTBEAT_SECONDS = 10.0
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
Json = dict[str, Any]


def encode(event: Json) -> str:
    """One event, named by its type."""
    name = str(event.get("type", "message"))
    return f"event: {name}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"


async def with_heartbeat(
    parts: AsyncIterator[str], *, seconds: float = HEARTBEAT_SECONDS
) -> AsyncIterator[str]:
    """The parts, and a comment whenever nothing came for `seconds`.

    Closing this iterator cancels whatever makes the parts.
    """
    queue: asyncio.Queue[str | None] = asyncio.Queue(maxsize=64)

    async def pump() -> None:
        try:
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
        with suppress(asyncio.CancelledError):
            await task


def stream(parts: AsyncIterator[str], *, seconds: float = HEARTBEAT_SECONDS) -> StreamingResponse:
    """The response; no proxy between may hold it back."""
    return StreamingResponse(
        with_heartbeat(parts, seconds=seconds), media_type="text/event-stream", headers=HEADERS
    )
