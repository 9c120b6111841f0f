"""What fits a model's window: question first, then sources by rank, then recent history."""

import re
from collections.abc import Sequence

from ..core.model import Noun
from .passages import estimate_tokens

MESSAGE_TOKENS = 8
"""What a chat template adds to a message, at most."""
_MARKERS = re.compile(r"\s?\[\d{1,3}\]")
_ANSWER_CHARS = 600


class Budget(Noun):
    """Tokens of one call: window = prompt + completion, with a margin for the estimate's error."""

    window: int
    max_tokens: int

    @property
    def usable(self) -> int:
        """The window without the margin."""
        return self.window - self.window // 50 - 32

    @property
    def reserve(self) -> int:
        """Completion tokens kept free whatever the prompt: a quarter of the window at most."""
        return min(self.max_tokens, max(self.usable // 4, 16))

    def room(self, *fixed: str) -> int:
        """Prompt tokens left beside texts that must be sent."""
        taken = sum(estimate_tokens(text) + MESSAGE_TOKENS for text in fixed)
        return max(self.usable - self.reserve - taken, 0)

    def completion(self, texts: Sequence[str]) -> int:
        """max_tokens such that prompt and answer fit together; at least 16."""
        prompt = sum(estimate_tokens(text) + MESSAGE_TOKENS for text in texts)
        return max(min(self.max_tokens, self.usable - prompt), 16)

    def smaller(self) -> "Budget":
        """For an endpoint whose window turns out to be smaller than was said."""
        return self.model_copy(update={"window": self.window * 3 // 5})


def clip_middle(text: str, tokens: int) -> str:
    """`text` within `tokens`; what is too much is left out of its middle.

    The end of a long paste usually holds the question, its beginning the subject.
    """
    if estimate_tokens(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(_clipped(text, middle)) <= tokens:
            low = middle
        else:
            high = middle - 1
    return _clipped(text, low)


def _clipped(text: str, chars: int) -> str:
    if chars >= len(text):
        return text
    head = chars // 2
    return f"{text[:head]} … {text[len(text) - (chars - head) :]}"


def compact_history(turns: Sequence[tuple[str, str]], tokens: int) -> list[tuple[str, str]]:
    """The latest (role, text) turns that fit, oldest first, beginning with a user turn.

    Earlier answers are shortened and lose their [n]: those numbers mean other sources now.
    """
    kept: list[tuple[str, str]] = []
    left = tokens
    for role, text in reversed(turns):
        short = _short(text) if role == "assistant" else " ".join(text.split())
        cost = estimate_tokens(short) + MESSAGE_TOKENS
        if not short or cost > left:
            if short:
                break
            continue
        kept.append((role, short))
        left -= cost
    kept.reverse()
    while kept and kept[0][0] != "user":
        kept.pop(0)
    return kept


def answered(turns: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Question and answer in turn: of several in a row the last, no question without its answer.

    A stopped run leaves a question unanswered, and many chat templates refuse two user messages
    in a row.
    """
    kept: list[tuple[str, str]] = []
    for role, text in turns:
        if kept and kept[-1][0] == role:
            kept.pop()
        kept.append((role, text))
    if kept and kept[0][0] != "user":
        kept.pop(0)
    if kept and kept[-1][0] == "user":
        kept.pop()
    return kept


def _short(answer: str) -> str:
    text = _MARKERS.sub("", answer).strip()
    return text if len(text) <= _ANSWER_CHARS else text[:_ANSWER_CHARS].rstrip() + " …"
