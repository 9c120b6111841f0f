"""Doubles for tests: deterministic, small, no network."""

import asyncio
import hashlib
import re
import unicodedata
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from numpy.typing import NDArray
from pydantic import ConfigDict, Field

_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)*|[\u3400-\u9fff]")


def words(text: str) -> list[str]:
    """Latin words, numbers, Chinese characters and their pairs."""
    found = _WORD.findall(unicodedata.normalize("NFKC", text).lower())
    pairs = [a + b for a, b in pairwise(found) if not (a + b).isascii()]
    return found + pairs


class HashEmbedder:
    """A bag of hashed words as a unit vector: texts that share words are close."""

    def __init__(self, dim: int = 64) -> None:
        self.dim = dim
        self.calls: list[list[str]] = []

    @property
    def name(self) -> str:
        return f"hash-{self.dim}"

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text) or ["\0"]:
                code = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
                row[code % self.dim] += 1.0 if code >> 63 else -1.0
            if not row.any():
                row[0] = 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.embed_passages(texts)


class OverlapReranker:
    """Score: share of the question's words that the text has."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[str]]] = []

    @property
    def name(self) -> str:
        return "overlap"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.calls.append((query, list(texts)))
        wanted = set(words(query))
        return [len(wanted & set(words(text))) / max(len(wanted), 1) for text in texts]


class ScriptedChat(BaseChatModel):
    """Plays replies in order, the last one for ever; records the messages and arguments it got.

    A reply is a text, a message (with finish reason, reasoning, usage as wanted) or an exception.
    `piece` characters make a token; `delay` seconds pass before each.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    replies: list[Any] = Field(default_factory=lambda: ["ok"])
    calls: list[list[BaseMessage]] = Field(default_factory=list)
    kwargs: list[dict[str, Any]] = Field(default_factory=list)
    piece: int = 2
    delay: float = 0.0
    endpoint: str = "scripted"

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _next(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> AIMessage:
        reply = self.replies[min(len(self.calls), len(self.replies) - 1)]
        self.calls.append(list(messages))
        self.kwargs.append(kwargs)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, AIMessage):
            return reply
        return AIMessage(content=reply, response_metadata={"finish_reason": "stop"})

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        reply = self._next(messages, kwargs)
        return ChatResult(generations=[ChatGeneration(message=reply.model_copy())])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        await asyncio.sleep(self.delay)
        return self._generate(messages, stop, **kwargs)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        reply = self._next(messages, kwargs)
        if reasoning := reply.additional_kwargs.get("reasoning_content"):
            extra = {"reasoning_content": reasoning}
            yield ChatGenerationChunk(message=AIMessageChunk(content="", additional_kwargs=extra))
        text = reply.text
        for start in range(0, len(text), self.piece):
            await asyncio.sleep(self.delay)
            piece = text[start : start + self.piece]
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
        last = AIMessageChunk(
            content="",
            response_metadata=reply.response_metadata,
            usage_metadata=reply.usage_metadata,
            chunk_position="last",
        )
        yield ChatGenerationChunk(message=last)
