"""Any OpenAI-compatible chat endpoint as a LangChain chat model.

Reasoning never is content: it travels in `additional_kwargs["reasoning_content"]`. Time limits,
retries and errors are tuwen's, the wire is the openai package's.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import cached_property
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import ConfigDict, Field, PrivateAttr

from ..core.errors import ModelError, PermanentError, TransientError
from ..core.settings import ChatSettings
from .openai_client import Clients
from .openai_errors import Endpoint, filtered, timed_out, translate
from .openai_messages import to_wire
from .openai_quirks import Quirks
from .openai_stream import Json, Limits, Piece, read_choice, stream_reply
from .openai_think import ThinkSplitter, split_thinking

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 8.0


class OpenAIChat(BaseChatModel):
    """A chat model at `settings.base_url`.

    `vision` (default: the setting) False: pictures in any message are replaced by their captions.
    `part` names the group of settings in messages. Call keyword arguments override the settings:
    max_tokens, temperature, response_format, tools, extra_body, ... Raises TransientError after
    the retries, or PermanentError, and nothing else.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, ignored_types=(cached_property,))

    settings: ChatSettings
    vision: bool | None = None
    part: str = "chat"
    sleep: Callable[[float], Awaitable[None]] = Field(default=asyncio.sleep, exclude=True)
    pause: Callable[[float], None] = Field(default=time.sleep, exclude=True)
    _quirks: Quirks = PrivateAttr(default_factory=Quirks)

    @property
    def _llm_type(self) -> str:
        return "tuwen-openai"

    @property
    def _identifying_params(self) -> Json:
        return {"model": self.settings.model, "endpoint": self.endpoint}

    @property
    def endpoint(self) -> str:
        """Model and host: what is remembered of an endpoint is remembered under this name."""
        return f"{self.settings.model}@{self._endpoint.host}"

    @cached_property
    def _endpoint(self) -> Endpoint:
        chat = self.settings
        return Endpoint(self.part, chat.model, chat.base_url, chat.api_key)

    @cached_property
    def _clients(self) -> Clients:
        return Clients(self._endpoint, timeout=self.settings.timeout_seconds)

    def load(self) -> None:
        """Import the package and read the certificates now instead of in the first call."""
        self._clients.sync()

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._clients.aclose()

    def close(self) -> None:
        """Close the blocking client's connections, and those of event loops that still run."""
        self._clients.close()

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        """Stream; the caller reports the tokens, so `run_manager` is not used."""
        usage: tuple[int, int] | None = None
        finish, model = "", ""
        async for piece in self._pieces(messages, stop, kwargs):
            usage, finish = piece.usage or usage, piece.finish or finish
            model = piece.model or model
            if piece.text or piece.reasoning:
                yield ChatGenerationChunk(message=_chunk(piece))
        yield ChatGenerationChunk(message=_last_chunk(finish, model, usage))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        """One reply, by a call without streaming unless the endpoint wants streams only."""
        deadline = asyncio.get_running_loop().time() + self.settings.timeout_seconds
        attempt = 0
        while not self._quirks.stream_only:
            params = self._params(messages, stop, kwargs)
            try:
                return _result(await self._complete(params, deadline))
            except ModelError as error:
                left = deadline - asyncio.get_running_loop().time()
                wait = self._next_wait(error, params, attempt=attempt, left=left)
                attempt += isinstance(error, TransientError)
                if wait:
                    await self.sleep(wait)
        pieces = [piece async for piece in self._pieces(messages, stop, kwargs)]
        return _result(_sum(pieces))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        """One reply, blocking: for threads of the ingestion, never in an event loop."""
        deadline = time.monotonic() + self.settings.timeout_seconds
        attempt = 0
        while True:
            params = self._params(messages, stop, kwargs)
            try:
                return _result(self._complete_sync(params))
            except ModelError as error:
                left = deadline - time.monotonic()
                wait = self._next_wait(error, params, attempt=attempt, left=left)
                attempt += isinstance(error, TransientError)
                if wait:
                    self.pause(wait)

    async def _pieces(
        self, messages: Sequence[BaseMessage], stop: list[str] | None, kwargs: Json
    ) -> AsyncIterator[Piece]:
        """Pieces of a streamed reply; a call that fails before its first piece is retried."""
        loop = asyncio.get_running_loop()
        chat = self.settings
        deadline = loop.time() + chat.timeout_seconds
        attempt = 0
        while True:
            limits = Limits(chat.first_token_seconds, chat.idle_seconds, deadline)
            think = ThinkSplitter(opened=chat.opens_thinking or self._quirks.opens_thinking)
            params = self._params(messages, stop, kwargs, stream=True)
            started = False
            try:
                client = await self._clients.running()
                async for piece in stream_reply(
                    client, params, endpoint=self._endpoint, limits=limits, think=think
                ):
                    started = started or bool(piece.text or piece.reasoning)
                    if piece.finish == "content_filter" and not started:
                        raise filtered(self._endpoint)
                    yield piece
                self._quirks.opens_thinking |= think.orphan
                return
            except ModelError as error:
                if started:
                    raise
                left = deadline - loop.time()
                wait = self._next_wait(error, params, attempt=attempt, left=left)
                attempt += isinstance(error, TransientError)
                if wait:
                    await self.sleep(wait)

    async def _complete(self, params: Json, deadline: float) -> Piece:
        client = await self._clients.running()
        try:
            async with asyncio.timeout_at(deadline):
                reply = await client.chat.completions.create(**params)
        except TimeoutError:
            raise timed_out(self._endpoint, "did not answer in time", zh="没有按时回答") from None
        except Exception as error:
            raise translate(error, self._endpoint) from error
        return read_choice(reply, self._endpoint, key="message")

    def _complete_sync(self, params: Json) -> Piece:
        client = self._clients.sync()
        try:
            reply = client.chat.completions.create(**params)
        except Exception as error:
            raise translate(error, self._endpoint) from error
        return read_choice(reply, self._endpoint, key="message")

    def _params(
        self,
        messages: Sequence[BaseMessage],
        stop: list[str] | None,
        kwargs: Json,
        *,
        stream: bool = False,
    ) -> Json:
        """The call's parameters as the endpoint wants them."""
        chat = self.settings
        params: Json = {
            "model": chat.model,
            "messages": to_wire(
                messages,
                vision=chat.vision if self.vision is None else self.vision,
                system_role=not self._quirks.no_system_role,
            ),
            "temperature": chat.temperature,
            "max_tokens": chat.max_tokens,
            **({"stop": stop} if stop else {}),
            **({"stream_options": {"include_usage": True}} if stream else {}),
            **{key: value for key, value in kwargs.items() if key != "stream"},
        }
        if extra := {**chat.extra_body, **kwargs.get("extra_body", {})}:
            params["extra_body"] = extra
        return self._quirks.apply(params)

    def _next_wait(self, error: ModelError, params: Json, *, attempt: int, left: float) -> float:
        """Seconds to wait before the next attempt (0: at once); raises `error` when there is none.

        A wait that the call's time does not allow is not begun: the caller learns of it at once.
        """
        if isinstance(error, PermanentError) and self._quirks.learn(error, params):
            return 0.0
        if not isinstance(error, TransientError) or attempt >= self.settings.max_retries:
            raise error
        pause = min(FIRST_PAUSE_SECONDS * 2**attempt, LONGEST_PAUSE_SECONDS)
        wait = error.retry_after if error.retry_after is not None else pause
        if wait >= left:
            raise error
        return wait


def _chunk(piece: Piece) -> AIMessageChunk:
    extra = {"reasoning_content": piece.reasoning} if piece.reasoning else {}
    return AIMessageChunk(content=piece.text, additional_kwargs=extra)


def _last_chunk(finish: str, model: str, usage: tuple[int, int] | None) -> AIMessageChunk:
    return AIMessageChunk(
        content="",
        response_metadata={"finish_reason": finish or "unknown", "model_name": model},
        usage_metadata=_usage_metadata(usage),
        chunk_position="last",
    )


def _usage_metadata(usage: tuple[int, int] | None) -> UsageMetadata | None:
    if usage is None:
        return None
    return UsageMetadata(
        input_tokens=usage[0], output_tokens=usage[1], total_tokens=usage[0] + usage[1]
    )


def _sum(pieces: Sequence[Piece]) -> Piece:
    return Piece(
        text="".join(piece.text for piece in pieces),
        reasoning="".join(piece.reasoning for piece in pieces),
        finish=next((piece.finish for piece in pieces if piece.finish), ""),
        usage=next((piece.usage for piece in pieces if piece.usage), None),
        model=next((piece.model for piece in pieces if piece.model), ""),
    )


def _result(piece: Piece) -> ChatResult:
    text, thought = split_thinking(piece.text)
    reasoning = piece.reasoning + thought
    message = AIMessage(
        content=text,
        additional_kwargs={"reasoning_content": reasoning} if reasoning else {},
        response_metadata={
            "finish_reason": piece.finish or "unknown",
            "model_name": piece.model,
        },
        usage_metadata=_usage_metadata(piece.usage),
    )
    return ChatResult(generations=[ChatGeneration(message=message)])
