"""The server's checkpointer: SQLite in the home folder, without bytes, and threads found again.

LangGraph's development server keeps the list of threads in memory; what was said is here. `restore`
puts the threads of this file back on the list, so they survive the process, however it ended.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

from ...graph.services import Services
from ..threads import THREADS_FILE, ThreadSaver
from . import uploads
from .access import ANYBODY, thread_collection
from .blocks import strip
from .opened import opened
from .scope import OWNER_KEY

logger = logging.getLogger(__name__)
RESTORED = 2000
"""Threads put back on the list at a start: the newest."""
_THREADS = """
SELECT thread_id, json_extract(CAST(metadata AS TEXT), '$.graph_id'),
       json_extract(CAST(metadata AS TEXT), '$.owner')
FROM checkpoints WHERE checkpoint_ns = ''
GROUP BY thread_id HAVING checkpoint_id = max(checkpoint_id)
ORDER BY checkpoint_id DESC LIMIT ?
"""


_OWNER = """
SELECT json_extract(CAST(metadata AS TEXT), '$.owner') FROM checkpoints
WHERE thread_id = ? AND checkpoint_ns = '' ORDER BY checkpoint_id DESC LIMIT 1
"""
Gone = Callable[[str, str], Awaitable[None]]
"""(owner, thread id): told of a deleted thread."""


class TidySaver(ThreadSaver):
    """The terminal's saver, and: no bytes of uploads, and who owns a thread beside a checkpoint."""

    def __init__(self, connection: aiosqlite.Connection, gone: Gone | None = None) -> None:
        super().__init__(connection)
        self._gone = gone
        self._deleting: set[asyncio.Task[None]] = set()

    async def adelete_thread(self, thread_id: str) -> None:
        """Forget a thread: begun here, done soon after, before any later use of the thread.

        It must not wait: LangGraph's development server looks a thread up in a list, awaits this,
        and then removes whatever stands at that place of the list.
        """
        task = asyncio.get_running_loop().create_task(self._delete(thread_id))
        self._deleting.add(task)
        task.add_done_callback(self._deleting.discard)

    async def _delete(self, thread_id: str) -> None:
        async with self.conn.execute(_OWNER, (thread_id,)) as rows:
            found = await rows.fetchone()
        await super().adelete_thread(thread_id)
        if self._gone is not None and found is not None:
            await self._gone(str(found[0] or ANYBODY), thread_id)

    async def settle(self) -> None:
        """Wait for the deletions that were begun."""
        await asyncio.gather(*self._deleting)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint, its messages without files."""
        values = {key: strip(value) for key, value in checkpoint["channel_values"].items()}
        tidy: Checkpoint = {**checkpoint, "channel_values": values}
        chosen = config.get("configurable", {})
        owned: Any = {**metadata, "owner": chosen.get(OWNER_KEY, "")}
        return await super().aput(config, tidy, owned, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Store pending writes, messages without files."""
        tidy = [(channel, strip(value)) for channel, value in writes]
        await super().aput_writes(config, tidy, task_id, task_path)


@asynccontextmanager
async def open_saver(path: Path, gone: Gone | None = None) -> AsyncIterator[TidySaver]:
    """A saver on that file; several may be open at once."""
    await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
    async with aiosqlite.connect(str(path), timeout=30) as connection:
        await connection.execute("PRAGMA journal_mode = WAL")
        await connection.execute("PRAGMA synchronous = NORMAL")
        saver = TidySaver(connection, gone)
        await saver.setup()
        yield saver
        await saver.settle()


@asynccontextmanager
async def checkpointer() -> AsyncIterator[TidySaver]:
    """What `langgraph.json` names: threads outlive the server's process."""
    settings = await asyncio.to_thread(opened.settings)
    home = await asyncio.to_thread(settings.home.absolute)
    async with open_saver(home / THREADS_FILE, forget_files) as saver:
        yield saver


async def forget_files(owner: str, thread: str) -> None:
    """A deleted thread's uploads go with it."""
    services = await opened.aservices()
    collection = thread_collection(owner, thread)
    if await asyncio.to_thread(services.catalog.fingerprint, collection) is not None:
        await asyncio.to_thread(_drop, services, collection)


def _drop(services: Services, collection: str) -> None:
    for record in services.catalog.documents(collection):
        services.store.delete(record.doc_id)
    uploads.forget_collection(services, collection)


async def kept_threads(path: Path) -> list[tuple[str, str, str]]:
    """(thread id, graph id, owner) of the newest threads; none when there is no file yet."""
    if not await asyncio.to_thread(path.is_file):
        return []
    async with open_saver(path) as saver, saver.conn.execute(_THREADS, (RESTORED,)) as rows:
        return [(str(t), str(g or ""), str(o or "")) async for t, g, o in rows]


async def restore(path: Path) -> int:
    """Put this file's threads back on the server's list; how many. Outside a server: none."""
    from langgraph_sdk import get_client

    count = 0
    async with get_client() as client:
        for thread, graph, owner in await kept_threads(path):
            if not graph:
                continue  # a conversation of another door: its id is no server thread
            metadata = {"graph_id": graph, "assistant_id": graph, "owner": owner}
            await client.threads.create(thread_id=thread, metadata=metadata, if_exists="do_nothing")
            count += 1
    return count
