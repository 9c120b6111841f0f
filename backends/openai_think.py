"""Reasoning that models write into their text, between <think> and </think>: split off."""

import re

_OPEN = re.compile(r"<(?:think|thinking|reasoning|thought)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking|reasoning|thought)>", re.IGNORECASE)
_TAGS = tuple(
    f"<{slash}{name}>"
    for name in ("think", "thinking", "reasoning", "thought")
    for slash in ("", "/")
)
_SHORTEST_HALF = 3
"""A rest as short as "<t" at the end may be text ("x<t"); "<th" is half a tag."""


class ThinkSplitter:
    """Splits a stream of text into (content, reasoning), whatever way it is cut into pieces.

    `opened`: the model's template opens the reasoning itself, so that the text begins inside it
    and only the closing tag appears. Then text is held back until that tag; if it never comes, the
    text was the answer. `orphan` is set when a closing tag without an opening one was met: the
    next reply of this endpoint should be read with `opened`.
    """

    def __init__(self, *, opened: bool = False) -> None:
        self.orphan = False
        self._pending = ""
        self._assumed = opened
        self._inside = opened
        self._trim = True

    def feed(self, text: str) -> tuple[str, str]:
        """What is certain so far of (content, reasoning)."""
        self._pending += text
        content: list[str] = []
        reasoning: list[str] = []
        while self._step(content, reasoning):
            pass
        return self._content("".join(content)), "".join(reasoning)

    def flush(self) -> tuple[str, str]:
        """The rest at the end of the stream. Half a tag is nobody's text."""
        rest, self._pending = self._pending, ""
        if (half := _half_tag(rest)) >= _SHORTEST_HALF:
            rest = rest[:-half]
        if self._inside and not self._assumed:
            return "", rest
        return self._content(rest), ""

    def _step(self, content: list[str], reasoning: list[str]) -> bool:
        """Consume up to the next tag; False when no whole tag is left."""
        if self._inside:
            return self._step_inside(reasoning)
        found = _OPEN.search(self._pending)
        close = _CLOSE.search(self._pending)
        if close and (found is None or close.start() < found.start()):
            self.orphan = True
            reasoning.append(self._pending[: close.start()])
            self._pending, self._trim = self._pending[close.end() :], True
            return True
        if found is None:
            keep = _half_tag(self._pending)
            content.append(self._pending[: len(self._pending) - keep])
            self._pending = self._pending[len(self._pending) - keep :]
            return False
        content.append(self._pending[: found.start()])
        self._pending, self._inside, self._assumed = self._pending[found.end() :], True, False
        return True

    def _step_inside(self, reasoning: list[str]) -> bool:
        if self._assumed and (found := _OPEN.match(self._pending.lstrip())):
            # The template did not open it after all: the model did.
            self._pending, self._assumed = self._pending.lstrip()[found.end() :], False
            return True
        close = _CLOSE.search(self._pending)
        if close is None:
            if not self._assumed:
                keep = _half_tag(self._pending)
                reasoning.append(self._pending[: len(self._pending) - keep])
                self._pending = self._pending[len(self._pending) - keep :]
            return False
        reasoning.append(self._pending[: close.start()])
        self._pending, self._inside = self._pending[close.end() :], False
        self._assumed, self._trim = False, True
        return True

    def _content(self, text: str) -> str:
        """White space before the answer, or between the reasoning and it, is dropped."""
        if self._trim:
            text = text.lstrip()
            self._trim = not text
        return text


def split_thinking(text: str) -> tuple[str, str]:
    """(content, reasoning) of a whole reply; an orphan closing tag ends what came before it."""
    opened = (close := _CLOSE.search(text)) is not None and not _OPEN.search(text[: close.start()])
    splitter = ThinkSplitter(opened=opened)
    content, reasoning = splitter.feed(text)
    rest, more = splitter.flush()
    return content + rest, reasoning + more


def _half_tag(text: str) -> int:
    """How many characters at the end of `text` may begin a tag."""
    start = text.rfind("<")
    if start < 0:
        return 0
    tail = text[start:].lower()
    return len(tail) if any(tag.startswith(tail) and tag != tail for tag in _TAGS) else 0
