"""Retries, time limits, timing and what happens when a node fails: the same for every node."""

import asyncio
import functools
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langgraph.errors import GraphBubbleUp
from langgraph.types import Overwrite, RetryPolicy

from ..core.errors import TransientError, TuwenError

logger = logging.getLogger(__name__)

Node = Callable[..., Awaitable[Mapping[str, Any]]]
Clock = Callable[[], float]
Fallback = Callable[[str, Any, Exception], Mapping[str, Any]]
"""(node name, state, error) -> the update that takes the node's place."""


def is_transient(error: Exception) -> bool:
    """Only errors that the adapters call transient are worth a retry.

    The chat adapter already retries inside its own budget, so its errors end here.
    """
    return isinstance(error, TransientError) and error.retry_after is not None


RETRY = RetryPolicy(max_attempts=2, retry_on=is_transient)


def timed(node: Node, clock: Clock = time.perf_counter) -> Node:
    """Add the node's milliseconds by the `clock` (in seconds) to the `spent` of its update."""

    @functools.wraps(node)
    async def run(*args: Any, **kwargs: Any) -> dict[str, Any]:
        start = clock()
        update = dict(await node(*args, **kwargs))
        milliseconds = round((clock() - start) * 1000, 2)
        spent = update.get("spent", {})
        own = {f"ms.{node.__name__}": milliseconds}
        if isinstance(spent, Overwrite):
            update["spent"] = Overwrite({**spent.value, **own})
        else:
            update["spent"] = {**spent, **own}
        return update

    return run


def degrading(node: Node, fallback: Fallback, *, seconds: float | None = None) -> Node:
    """A node whose failure or slowness costs its own work only: `fallback` updates the state.

    This is the one broad `except` of the graphs. LangGraph's `error_handler` would do the same, but
    its extra nodes hide a subgraph from Studio's drawing and hide the way on from the reader.
    """

    @functools.wraps(node)
    async def run(state: Any, *args: Any, **kwargs: Any) -> Mapping[str, Any]:
        try:
            async with asyncio.timeout(seconds):
                return await node(state, *args, **kwargs)
        except GraphBubbleUp:
            raise
        except Exception as error:
            known = isinstance(error, TuwenError | TimeoutError)  # reported where it matters
            level = logging.INFO if known else logging.ERROR
            logger.log(level, "%s failed: %r", node.__name__, error, exc_info=not known)
            # In a thread: a fallback may write to the catalog, which must not stop the event loop.
            return await asyncio.to_thread(fallback, node.__name__, state, error)

    return run
