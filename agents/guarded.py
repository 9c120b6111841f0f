"""A chat model whose tokens pass a guard before anyone sees them."""

from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import ConfigDict

from ..core.errors import ModelError, PermanentError

INTERRUPTED = "interrupted"
"""Finish reason of an answer that the endpoint broke off after its first words."""


class Guard(Protocol):
    """Filters a stream of text: removes what must not be shown, holds back what is not decided."""

    def feed(self, delta: str) -> str:
        """What may be shown now."""
        ...

    def flush(self) -> str:
        """What is left at the end."""
        ...


def no_reasoning(text: str) -> None:
    """Drops reasoning."""


class GuardedChat(BaseChatModel):
    """Streams `inner` through `guard` under one message id.

    LangGraph's `messages` mode sees these tokens only: the inner model is called below its
    callbacks. Reasoning goes to `on_reasoning` and never into the message. An endpoint that fails
    after the first words ends the message with finish reason `interrupted`; before them its error
    is raised. One without any words is a PermanentError with reason `empty`.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    inner: BaseChatModel
    guard: Any
    on_reasoning: Callable[[str], None] = no_reasoning
    message_id: str | None = None

    @property
    def _llm_type(self) -> str:
        return f"guarded-{self.inner._llm_type}"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return dict(self.inner._identifying_params)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        said = False
        last = AIMessageChunk(content="")
        try:
            async for message in self._inner(messages, stop, kwargs):
                self._pass_reasoning(message)
                last = _facts(last, message)
                if text := self.guard.feed(message.text):
                    said = said or bool(text.strip())
                    yield ChatGenerationChunk(message=self._chunk(text))
        except ModelError as error:
            if not said:
                raise
            last.response_metadata = {
                "finish_reason": INTERRUPTED,
                "problem": str(error),
                "problem_zh": error.said("zh"),
            }
        rest = self.guard.flush()
        if not said and not rest.strip():
            raise empty_answer(last.response_metadata.get("finish_reason"))
        final = self._chunk(rest)
        final.response_metadata = last.response_metadata
        final.usage_metadata = last.usage_metadata
        final.chunk_position = "last"
        yield ChatGenerationChunk(message=final)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        from langchain_core.language_models.chat_models import agenerate_from_stream

        return await agenerate_from_stream(self._astream(messages, stop, **kwargs))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise TypeError("GuardedChat streams: call ainvoke or astream.")

    async def _inner(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]
    ) -> AsyncIterator[BaseMessage]:
        kind = type(self.inner)
        streams = (
            kind._astream is not BaseChatModel._astream or kind._stream is not BaseChatModel._stream
        )
        if streams:
            async for chunk in self.inner._astream(messages, stop, **kwargs):
                yield chunk.message
        else:
            result = await self.inner._agenerate(messages, stop, **kwargs)
            yield result.generations[0].message

    def _pass_reasoning(self, message: BaseMessage) -> None:
        reasoning = message.additional_kwargs.get("reasoning_content")
        if isinstance(reasoning, str) and reasoning:
            self.on_reasoning(reasoning)

    def _chunk(self, text: str) -> AIMessageChunk:
        return AIMessageChunk(content=text, id=self.message_id)


def _facts(known: AIMessageChunk, message: BaseMessage) -> AIMessageChunk:
    """Usage and finish reason so far."""
    usage = message.usage_metadata if isinstance(message, AIMessage) else None
    return AIMessageChunk(
        content="",
        response_metadata={**known.response_metadata, **message.response_metadata},
        usage_metadata=usage or known.usage_metadata,
    )


def empty_answer(finish: str | None) -> PermanentError:
    """The error for a reply without words."""
    if finish == "length":
        return PermanentError(
            "The model used up its answer budget before it said anything, most likely on "
            "reasoning. Raise chat.max_tokens, or turn its thinking off in chat.extra_body.",
            reason="empty",
            zh="模型还没开口就用完了回答长度，多半花在了思考上。请调大 chat.max_tokens，"
            "或在 chat.extra_body 里关掉思考。",
        )
    return PermanentError(
        "The model gave an empty answer. Ask again, or try another model.",
        reason="empty",
        zh="模型给出了空的回答。请重试，或换用其他模型。",
    )
