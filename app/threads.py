"""The chat graph compiled with the checkpointer that its use needs."""

import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import aiosqlite
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph.state import CompiledStateGraph

from ..graph.chat import build_chat_graph
from ..graph.services import Services

THREADS_FILE = "threads.sqlite"


class Deflate:
    """Checkpoints at a sixth of their size.

    SQLite's saver writes the whole state at every step. What LangGraph calls a cipher is its hook
    for turning bytes into other bytes; nothing is encrypted here. Files written without it stay
    readable.
    """

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """(name, packed)."""
        return "zlib", zlib.compress(plaintext)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        """What was packed."""
        return zlib.decompress(ciphertext)


def thread_serializer() -> EncryptedSerializer:
    """The serializer of every SQLite saver on the threads file. Plain values only: no pickle."""
    return EncryptedSerializer(Deflate(), JsonPlusSerializer(pickle_fallback=False))


@asynccontextmanager
async def chat_graph(
    services: Services, keep: Literal["none", "memory", "disk"]
) -> AsyncIterator[CompiledStateGraph[Any, Any, Any, Any]]:
    """The compiled graph; `disk` keeps threads in the home folder, so they survive the process."""
    builder = build_chat_graph(services)
    if keep == "disk":
        path = services.settings.home / THREADS_FILE
        async with aiosqlite.connect(str(path), timeout=30) as connection:
            saver = AsyncSqliteSaver(connection, serde=thread_serializer())
            yield builder.compile(checkpointer=saver)
    else:
        yield builder.compile(checkpointer=InMemorySaver() if keep == "memory" else None)
