"""The one form that every data set is read into."""

from collections.abc import Sequence
from typing import TypeVar

from ..core.model import Noun

T = TypeVar("T")


class Passage(Noun):
    """A unit that is indexed as one chunk. `page` is 1-based; `doc` groups pages of a document."""

    id: str
    text: str
    doc: str = ""
    page: int | None = None


class Question(Noun):
    """A question, the ids of the passages that answer it, and what an answer must hold.

    Every group of `answers` is needed; any text of a group will do.
    """

    id: str
    text: str
    relevant: tuple[str, ...] = ()
    answers: tuple[tuple[str, ...], ...] = ()
    answerable: bool = True


class RetrievalSet(Noun):
    """Passages and the questions over them. `left_out` counts questions that cannot be scored."""

    name: str
    passages: tuple[Passage, ...]
    questions: tuple[Question, ...]
    left_out: int = 0


class PageQuestion(Noun):
    """A question about one document with its evidence pages, 1-based and physical; answers as in
    `Question`."""

    id: str
    text: str
    doc: str
    pages: tuple[int, ...] = ()
    answers: tuple[tuple[str, ...], ...] = ()
    answerable: bool = True


class PageSet(Noun):
    """Questions over files. `left_out` counts questions whose file is not in the folders."""

    name: str
    files: tuple[str, ...]
    questions: tuple[PageQuestion, ...]
    left_out: int = 0


class Turn(Noun):
    """A question in its thread and the self-contained form that a person gave it.

    `history` holds the user's earlier turns. `relevant` are the passages that belong to the
    thread; `own` is a passage made from this very turn, left out of its ranking.
    """

    id: str
    history: tuple[str, ...]
    question: str
    human: str
    relevant: tuple[str, ...] = ()
    own: str = ""


class RewriteSet(Noun):
    """Turns, and the set's own passages to search."""

    name: str
    turns: tuple[Turn, ...]
    passages: tuple[Passage, ...]


def spread(items: Sequence[T], limit: int | None) -> tuple[T, ...]:
    """At most `limit` items, evenly spaced over the whole, the same ones every time."""
    if limit is None or limit >= len(items):
        return tuple(items)
    return tuple(items[i * len(items) // limit] for i in range(limit))
