"""Asks a model whether the evidence is enough: reflection's grey zone only."""

from collections.abc import Sequence
from typing import Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field, field_validator

from .. import prompts
from ..core.analysis import Sufficiency
from ..core.settings import ChatSettings
from .budget import Budget, clip_middle
from .passages import Passage, context_form
from .structured import Capabilities, ask_in_time
from .usage import UsageMeter

MAX_QUERIES = 3
_REPLY_TOKENS = 400


class JudgeReply(BaseModel):
    """What the model is asked to reply."""

    verdict: Literal["answer", "caveat", "gap", "conflict", "unanswerable"]
    reason: str = ""
    missing: list[str] = Field(default_factory=list)
    queries: list[str] = Field(default_factory=list)

    @field_validator("verdict", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value

    @field_validator("missing", "queries", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        if value is None:
            return []
        return [value] if isinstance(value, str) else value


class ModelJudge:
    """Judges with a chat model, within `settings.helper_seconds`."""

    def __init__(
        self, model: BaseChatModel, settings: ChatSettings, *, capabilities: Capabilities
    ) -> None:
        self._model = model
        self._settings = settings
        self._capabilities = capabilities

    async def judge(
        self,
        question: str,
        passages: Sequence[Passage],
        *,
        tried: Sequence[str] = (),
        meter: UsageMeter | None = None,
    ) -> Sufficiency | None:
        """The verdict; None when the model was slow, failed or said nothing usable.

        `queries` of a gap never repeat a tried one; a gap without a new query becomes a caveat.
        """
        messages = self._messages(question, passages, tried)
        reply = await ask_in_time(
            self._model,
            messages,
            JudgeReply,
            seconds=self._settings.helper_seconds,
            capabilities=self._capabilities,
            meter=meter,
        )
        return None if reply is None else to_sufficiency(reply, tried)

    def _messages(
        self, question: str, passages: Sequence[Passage], tried: Sequence[str]
    ) -> list[SystemMessage | HumanMessage]:
        budget = Budget(window=self._settings.context_tokens, max_tokens=_REPLY_TOKENS)
        prompt = prompts.load("judge")
        question = clip_middle(question, budget.usable // 4)
        listed = "\n".join(f"- {query}" for query in tried) or "-"
        room = budget.room(prompt.text, question, listed)
        evidence = prompts.fence(context_form(passages, (), room - 2 * 16))
        system, user = prompt.parts(question=question, evidence=evidence, tried=listed)
        return [SystemMessage(content=system), HumanMessage(content=user)]


def to_sufficiency(reply: JudgeReply, tried: Sequence[str]) -> Sufficiency:
    """The verdict in tuwen's terms."""
    known = {_folded(query) for query in tried}
    queries: list[str] = []
    for query in reply.queries:
        if query.strip() and _folded(query) not in known:
            known.add(_folded(query))
            queries.append(" ".join(query.split()))
    verdict = reply.verdict
    if verdict == "gap" and not queries:
        verdict = "caveat"
    return Sufficiency(
        verdict=verdict,
        reason=" ".join(reply.reason.split())[:300],
        missing=tuple(" ".join(item.split()) for item in reply.missing if item.strip()),
        queries=tuple(queries[:MAX_QUERIES]) if verdict == "gap" else (),
    )


def _folded(query: str) -> str:
    return "".join(query.lower().split()).strip("?？。.!！")
