"""An answer is made while somebody waits for it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import HTTPException, Request

T = TypeVar("T")
GONE = 499
"""What nginx calls a client that closed its request; nobody reads it."""


async def while_waiting(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The work's result. When the client leaves, the work is cancelled: a model's call too."""
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise HTTPException(GONE, "The client has left.")
        return task.result()
    finally:
        task.cancel()
        leaving.cancel()
        await asyncio.wait({task, leaving})


async def _left(request: Request) -> None:
    """Ends when the client closes the connection; the request's body has been read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
