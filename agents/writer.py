"""Writes the answer with a chat model, from numbered passages, as a guarded stream."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import Field

from .. import prompts
from ..core.analysis import Analysis
from ..core.chunk import Figure
from ..core.errors import PermanentError
from ..core.evidence import Notice
from ..core.model import Noun
from ..core.settings import ChatSettings
from .budget import Budget, answered, clip_middle, compact_history
from .guarded import INTERRUPTED, Guard, GuardedChat, no_reasoning
from .passages import Passage, context_form, estimate_tokens
from .usage import UsageMeter, call_config

NO_ANSWER = {"zh": "资料中没有找到答案", "en": "The sources do not answer this"}
"""How the model is told to begin when the sources do not answer; recognised in what it writes."""
_FENCE_TOKENS = 40
_HISTORY_SHARE = 5
_NOTICES = {
    ("length", "zh"): "回答达到长度上限，已被截断。",
    ("length", "en"): "The answer reached its length limit and was cut short.",
    (INTERRUPTED, "zh"): "模型中途断开，回答不完整：{problem}",
    (INTERRUPTED, "en"): "The model broke off, the answer is incomplete: {problem}",
    ("unknown", "zh"): "模型没有说明回答是否结束，回答可能不完整。",
    ("unknown", "en"): "The model did not say that it had finished: the answer may be incomplete.",
    ("content_filter", "zh"): "模型服务的内容过滤截断了回答。",
    ("content_filter", "en"): "The endpoint's content filter cut the answer short.",
}


class Written(Noun):
    """An answer as it was streamed: `text` is exactly what the tokens add up to."""

    text: str
    message_id: str
    abstained: bool = False
    cut: bool = False
    notices: tuple[Notice, ...] = ()
    usage: dict[str, float] = Field(default_factory=dict)
    prompt_version: str = ""


class AnswerModel:
    """A model that writes answers. `make_guard` makes the filter of one answer from the number of
    its sources."""

    def __init__(
        self,
        model: BaseChatModel,
        settings: ChatSettings,
        *,
        make_guard: Callable[[int], Guard],
    ) -> None:
        self._model = model
        self._settings = settings
        self._make_guard = make_guard

    def budget(self) -> Budget:
        """The tokens of one call, as the settings say."""
        return Budget(window=self._settings.context_tokens, max_tokens=self._settings.max_tokens)


class ModelWriter(AnswerModel):
    """Writes the answer."""

    async def write(  # noqa: PLR0913  one keyword for each part of the prompt
        self,
        analysis: Analysis,
        passages: Sequence[Passage],
        *,
        figures: Sequence[Figure] = (),
        history: Sequence[tuple[str, str]] = (),
        pictures: Sequence[dict[str, Any]] = (),
        language: str = "zh",
        message_id: str | None = None,
        on_reasoning: Callable[[str], None] = no_reasoning,
        meter: UsageMeter | None = None,
    ) -> Written:
        """Stream the answer to the rewritten question; what was streamed is returned.

        A model that says nothing, or fails before its first word, raises ModelError. A window that
        is smaller than the settings say is met with one shorter request. `meter` also counts calls
        that fail. `pictures` are the question's picture blocks: what a model that cannot see makes
        of them is its adapter's business.
        """
        meter = meter or UsageMeter()
        budget = self.budget()
        guarded = GuardedChat(
            inner=self._model,
            guard=self._make_guard(len(passages)),
            on_reasoning=on_reasoning,
            message_id=message_id,
        )
        for last_try in (False, True):
            messages = build_messages(
                analysis,
                passages,
                figures=figures,
                history=history,
                language=language,
                budget=budget,
            )
            if pictures:
                asked = messages.pop().text
                messages.append(HumanMessage([{"type": "text", "text": asked}, *pictures]))
            limit = budget.completion([message.text for message in messages])
            try:
                reply = await guarded.ainvoke(messages, call_config(meter), max_tokens=limit)
                return _written(reply, language, meter)
            except PermanentError as error:
                if last_try or error.reason != "too_long":
                    raise
                budget = budget.smaller()
        raise AssertionError("the second try returns or raises")


def build_messages(
    analysis: Analysis,
    passages: Sequence[Passage],
    *,
    figures: Sequence[Figure],
    history: Sequence[tuple[str, str]],
    language: str,
    budget: Budget,
) -> list[BaseMessage]:
    """System prompt, recent turns, and the sources with the question; all within the budget.

    The question always fits (a long paste loses its middle); then come the sources by rank; recent
    turns get what a fifth of the room holds.
    """
    prompt = prompts.load("write_answer", language)
    question = clip_middle(analysis.rewritten, budget.usable // 4)
    room = max(budget.room(prompt.text, question) - _FENCE_TOKENS, 0)
    turns = answered(compact_history(history, room // _HISTORY_SHARE))
    room -= sum(estimate_tokens(text) + 8 for _, text in turns)
    sources = context_form(passages, figures, room)
    system, user = prompt.parts(
        sources=prompts.fence(sources),
        question=question,
        no_answer=NO_ANSWER.get(language, NO_ANSWER["en"]),
    )
    return [
        SystemMessage(content=system),
        *(HumanMessage(text) if role == "user" else AIMessage(text) for role, text in turns),
        HumanMessage(content=user),
    ]


def _written(reply: AIMessage, language: str, meter: UsageMeter) -> Written:
    text = reply.text
    finish = str(reply.response_metadata.get("finish_reason", "unknown"))
    form = _NOTICES.get((finish, "zh" if language == "zh" else "en"), "")
    spoken = "problem_zh" if language == "zh" else "problem"
    problem = str(reply.response_metadata.get(spoken, ""))
    notice = Notice(code="answer_cut", text=form.replace("{problem}", problem))
    return Written(
        text=text,
        message_id=reply.id or "",
        abstained=abstains(text),
        cut=bool(form),
        notices=(notice,) if form else (),
        usage=meter.spent,
        prompt_version=prompts.load("write_answer", language).version,
    )


def abstains(text: str) -> bool:
    """Whether an answer says that the sources do not answer."""
    head = text.lstrip(" \n*“\"'").lower()
    return any(head.startswith(phrase.lower()) for phrase in NO_ANSWER.values())
