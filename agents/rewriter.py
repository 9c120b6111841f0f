"""Asks a model to make a follow-up self-contained, when rules are unsure; checks what it made."""

import re
import unicodedata
from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel

from .. import prompts
from ..core.settings import ChatSettings
from ..core.text import language
from .budget import compact_history
from .structured import Capabilities, ask_in_time
from .usage import UsageMeter

_HISTORY_TOKENS = 1500
# Identifiers and numbers: GB/T 7714-2015, RX-78, 2.3, 50%.
_IDENTIFIER = re.compile(r"[A-Za-z]*\d(?:[\w./%-]*[\w%])?|[A-Z]{2,}(?:[\w/-]*\w)?", re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_QUOTED = re.compile(r"[“\"「『《]([^”\"」』》]{1,80})[”\"」』》]")
_NEGATION_ZH = re.compile(r"不|没有|未|无法|非")
_NEGATION_EN = re.compile(r"\b(?:not|no|never|without|except|cannot)\b|n't\b", re.IGNORECASE)


class RewriteReply(BaseModel):
    """What the model is asked to reply."""

    self_contained: bool = False
    question: str = ""


class ModelRewriter:
    """Rewrites with a chat model, within `settings.helper_seconds`."""

    def __init__(
        self, model: BaseChatModel, settings: ChatSettings, *, capabilities: Capabilities
    ) -> None:
        self._model = model
        self._settings = settings
        self._capabilities = capabilities

    async def rewrite(
        self,
        question: str,
        history: Sequence[tuple[str, str]],
        *,
        meter: UsageMeter | None = None,
    ) -> str | None:
        """The self-contained question (unchanged when it is one already).

        None when the model was slow, failed, or made something that lost or invented facts.
        `history` is (role, text), oldest first.
        """
        turns = "\n".join(f"{r}: {t}" for r, t in compact_history(history, _HISTORY_TOKENS))
        system, user = prompts.load("rewrite").parts(
            history=prompts.fence(turns, "conversation"), question=question
        )
        messages = [SystemMessage(content=system), HumanMessage(content=user)]
        reply = await ask_in_time(
            self._model,
            messages,
            RewriteReply,
            seconds=self._settings.helper_seconds,
            capabilities=self._capabilities,
            meter=meter,
        )
        if reply is None:
            return None
        if reply.self_contained:
            return question
        rewritten = " ".join(reply.question.split())
        return rewritten if faithful(question, rewritten, turns) else None


def faithful(question: str, rewritten: str, history: str) -> bool:
    """Whether a rewrite keeps what must survive and takes new facts from the conversation only.

    Kept: identifiers, numbers, quoted words, negation, language. Added numbers must occur in
    `history`; the length stays in proportion.
    """
    ask, new, past = (unicodedata.normalize("NFKC", t) for t in (question, rewritten, history))
    if not new.strip() or len(new) > 4 * len(ask) + 200 or language(ask) != language(new):
        return False
    kept = [*_IDENTIFIER.findall(ask), *_QUOTED.findall(ask)]
    if any(item.lower() not in new.lower() for item in kept):
        return False
    if not set(_NUMBER.findall(new)) <= {*_NUMBER.findall(ask), *_NUMBER.findall(past)}:
        return False
    return all(
        bool(rule.search(new)) or not rule.search(ask) for rule in (_NEGATION_ZH, _NEGATION_EN)
    )
