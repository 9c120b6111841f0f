"""Answers made safe for Markdown and HTML viewers, whole or while streaming.

Removed: pictures that are not the answer's own, scripts, frames, event handlers and other HTML
(its text stays, tables become Markdown tables), links and addresses (the link's text stays, a bare
address becomes code without its query), reasoning in <think>. Untouched: code, formulas, `a[1]`.

Mathematics has one documented form: `$…$` inline and `$$…$$` displayed, the latter in one line or
with its marks on lines of their own.
"""

from collections.abc import Mapping

from .answer_scan import Scanner


def sanitise(text: str, *, figures: Mapping[str, str] | None = None) -> str:
    """The text without anything live. `figures`: picture ids that may be shown -> addresses."""
    return _whole(Scanner(figures=figures), text)


def math_form(text: str) -> str:
    r"""\( \) and \[ \] as $ and $$; code, money and unclosed marks stay as they are."""
    return _whole(Scanner(html=False, math=True), text)


def clean_answer(
    text: str, n_sources: int | None = None, *, figures: Mapping[str, str] | None = None
) -> str:
    """What `AnswerGuard` makes of the whole text."""
    return _whole(Scanner(math=True, markers=n_sources, figures=figures), text)


class StreamGuard:
    """`sanitise` for a stream: the pieces joined are the whole text's result for any cutting."""

    def __init__(self, figures: Mapping[str, str] | None = None) -> None:
        self._scanner = Scanner(figures=figures)

    def feed(self, delta: str) -> str:
        """Safe text so far; what could still become live is held back."""
        return self._scanner.feed(delta)

    def flush(self) -> str:
        """The rest, at the end of the stream."""
        return self._scanner.flush()


class AnswerGuard(StreamGuard):
    """The writer's guard: safe text, one form of mathematics, markers [n] of existing sources.

    `n_sources` None leaves markers alone.
    """

    def __init__(
        self, n_sources: int | None = None, figures: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(figures)
        self._scanner = Scanner(math=True, markers=n_sources, figures=figures)


def _whole(scanner: Scanner, text: str) -> str:
    return scanner.feed(text) + scanner.flush()
