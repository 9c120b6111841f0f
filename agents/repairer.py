"""The one repair: the model corrects sentences that their evidence does not support."""

from collections.abc import Mapping, Sequence

from langchain_core.messages import AIMessage, HumanMessage

from .. import prompts
from ..core.analysis import Analysis
from ..core.chunk import Figure
from ..core.errors import ModelError
from .critic import Checked, check_answer, repair_request
from .guarded import GuardedChat
from .passages import Passage, estimate_tokens
from .usage import NOSTREAM, UsageMeter, call_config
from .writer import AnswerModel, abstains, build_messages

_TELLING = 12
"""Characters of an unsupported sentence that is worth a call; "好的 [1]。" is not."""


def worth_repair(checked: Checked) -> bool:
    """Whether a sentence states something that nothing supports: facts, or at some length."""
    return any(
        check.missing or (check.verdict == "unsupported" and len(check.text) >= _TELLING)
        for check in checked.sentences
    )


def better(old: Checked, new: Checked) -> bool:
    """Whether the repaired answer says less that is not supported, and still cites something."""

    def bad(checked: Checked) -> tuple[int, int]:
        verdicts = [check.verdict for check in checked.sentences]
        return verdicts.count("unsupported"), verdicts.count("partly")

    return bool(new.verdicts) and bad(new) < bad(old)


class ModelRepairer(AnswerModel):
    """Repairs an answer; its tokens are not streamed."""

    async def repair(
        self,
        draft: str,
        analysis: Analysis,
        passages: Sequence[Passage],
        texts: Mapping[int, str],
        *,
        figures: Sequence[Figure] = (),
        language: str = "zh",
        meter: UsageMeter | None = None,
    ) -> str:
        """The better answer: the repaired one where it has fewer unsupported sentences.

        `texts` are what a citation's facts may come from, by number. One call; a model that fails
        leaves the draft as it is.
        """
        before = check_answer(draft, texts)
        request = prompts.load("repair", language).render(problems=repair_request(before))
        said = estimate_tokens(draft) + estimate_tokens(request)
        whole = self.budget()
        room = whole.model_copy(update={"window": max(whole.window - said, whole.window // 2)})
        messages = build_messages(
            analysis, passages, figures=figures, history=(), language=language, budget=room
        )
        messages += [AIMessage(draft), HumanMessage(request)]
        limit = whole.completion([message.text for message in messages])
        guarded = GuardedChat(inner=self._model, guard=self._make_guard(len(passages)))
        try:
            reply = await guarded.ainvoke(messages, call_config(meter, *NOSTREAM), max_tokens=limit)
        except ModelError:
            return draft
        text = reply.text.strip()
        usable = (
            text and not abstains(text) and reply.response_metadata.get("finish_reason") == "stop"
        )
        return text if usable and better(before, check_answer(text, texts)) else draft
