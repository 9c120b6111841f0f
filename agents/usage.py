"""Counts model calls and tokens, also of endpoints that report none."""

import threading
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, merge_configs
from langgraph.constants import TAG_NOSTREAM

from .passages import estimate_tokens

NOSTREAM = (TAG_NOSTREAM, "langsmith:nostream")
"""Tags of internal calls: their tokens stay out of the chat's stream. The first is what LangGraph
looks for, the second what chat pages look for."""


class UsageMeter(BaseCallbackHandler):
    """Sums the calls that it is attached to. Tokens that an endpoint does not report are estimated
    and counted in `estimated` as well."""

    run_inline = True

    def __init__(self) -> None:
        self.calls = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.estimated = 0
        self._prompts: dict[UUID, int] = {}
        self._lock = threading.Lock()

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        **kwargs: Any,
    ) -> None:
        """A call begins: it counts whether or not it succeeds."""
        size = sum(estimate_tokens(message.text) for batch in messages for message in batch)
        with self._lock:
            self.calls += 1
            self._prompts[run_id] = size

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """A call ended: add the tokens."""
        message = _message(response)
        with self._lock:
            prompt = self._prompts.pop(run_id, 0)
            if message is None:
                return
            if message.usage_metadata is not None:
                self.prompt_tokens += message.usage_metadata["input_tokens"]
                self.completion_tokens += message.usage_metadata["output_tokens"]
                return
            completion = estimate_tokens(message.text)
            self.prompt_tokens += prompt
            self.completion_tokens += completion
            self.estimated += prompt + completion

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A call failed: no tokens are known."""
        with self._lock:
            self._prompts.pop(run_id, None)

    @property
    def spent(self) -> dict[str, float]:
        """`model_calls`, `prompt_tokens`, `completion_tokens`, and how many are estimated."""
        return {
            "model_calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "estimated_tokens": self.estimated,
        }


def _message(response: LLMResult) -> AIMessage | None:
    """The reply; chunks are AIMessages too."""
    for generations in response.generations:
        for generation in generations:
            if isinstance(generation, ChatGeneration) and isinstance(generation.message, AIMessage):
                return generation.message
    return None


def call_config(meter: UsageMeter | None, *tags: str) -> RunnableConfig:
    """The running node's config with the meter and the tags added; nothing of it is replaced."""
    own = RunnableConfig(tags=list(tags))
    if meter is not None:
        own["callbacks"] = [meter]
    return merge_configs(ensure_config(), own)
