"""The chat graph compiled with the checkpointer that its use needs."""

import lzma
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph.state import CompiledStateGraph

from ..graph.chat import build_chat_graph
from ..graph.services import Services

THREADS_FILE = "threads.sqlite"


# A quarter of a megabyte is more than a state: the default would take 90 MB to pack 20 kB.
FILTERS = [{"id": lzma.FILTER_LZMA1, "preset": 4, "dict_size": 1 << 18}]


class Packed:
    """Checkpoints at a seventh of their size.

    SQLite's saver writes the whole state at every step. What LangGraph calls a cipher is its hook
    for turning bytes into other bytes; nothing is encrypted here. Files written without it stay
    readable.
    """

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """(name, packed)."""
        return "lzma", lzma.compress(plaintext, format=lzma.FORMAT_ALONE, filters=FILTERS)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        """What was packed, also by earlier versions."""
        return zlib.decompress(ciphertext) if ciphername == "zlib" else lzma.decompress(ciphertext)


def thread_serializer() -> EncryptedSerializer:
    """The serializer of every SQLite saver on the threads file. Plain values only: no pickle."""
    return EncryptedSerializer(Packed(), JsonPlusSerializer(pickle_fallback=False))


class ThreadSaver(AsyncSqliteSaver):
    """SQLite's saver, packed, without the pending writes of steps that are over.

    Those writes are for going on after a crash in the middle of a step; once the step's
    checkpoint is stored, everything they hold is in it.
    """

    def __init__(self, connection: aiosqlite.Connection) -> None:
        super().__init__(connection, serde=thread_serializer())

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint; forget the writes before its parent."""
        stored = await super().aput(config, checkpoint, metadata, new_versions)
        chosen = config["configurable"]
        if parent := chosen.get("checkpoint_id"):
            async with self.lock:
                await self.conn.execute(
                    "DELETE FROM writes WHERE thread_id = ? AND checkpoint_ns = ?"
                    " AND checkpoint_id < ?",
                    (str(chosen["thread_id"]), chosen.get("checkpoint_ns", ""), parent),
                )
                await self.conn.commit()
        return stored


@asynccontextmanager
async def chat_graph(
    services: Services, keep: Literal["none", "memory", "disk"]
) -> AsyncIterator[CompiledStateGraph[Any, Any, Any, Any]]:
    """The compiled graph; `disk` keeps threads in the home folder, so they survive the process."""
    builder = build_chat_graph(services)
    if keep == "disk":
        path = services.settings.home / THREADS_FILE
        async with aiosqlite.connect(str(path), timeout=30) as connection:
            yield builder.compile(checkpointer=ThreadSaver(connection))
    else:
        yield builder.compile(checkpointer=InMemorySaver() if keep == "memory" else None)
