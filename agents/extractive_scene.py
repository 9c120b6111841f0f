"""What all parts of a question are answered from, and which of its sentences answer."""

from collections.abc import Sequence
from typing import NamedTuple

from ..core.chunk import Figure
from ..core.ports import Embedder, Tokenizer
from .extractive_answerable import useful
from .extractive_foreign import foreign_answers
from .extractive_sentences import Candidate
from .foreign_name import name_unmet, owner_named
from .passages import Passage
from .row_question import row_asked
from .row_words import unsaid_across

# Inside one document, beside a sentence with this share of the question's words, one with fewer of
# them (share of its own) is about something else.
ALL_WORDS, AS_MANY = 0.9, 0.75


class Scene(NamedTuple):
    """What all parts of a question are answered from."""

    whole: str
    passages: Sequence[Passage]
    figures: Sequence[Figure]
    tokenizer: Tokenizer
    embedder: Embedder
    wide: Embedder
    inside: bool = False
    """The passages are those of the document that the question names: what it says once holds."""


def good_sentences(question: str, ranked: Sequence[Candidate], scene: Scene) -> list[Candidate]:
    """The sentences that answer: in the question's language, else in another one."""
    native = useful(
        question, ranked, scene.passages, scene.tokenizer, scene.wide, vote=not scene.inside
    )
    if scene.inside and native and native[0].own >= ALL_WORDS:
        native = [c for c in native if c.own >= AS_MANY * native[0].own]
    return native or _foreign(question, ranked, scene)


def _foreign(question: str, ranked: Sequence[Candidate], scene: Scene) -> list[Candidate]:
    """The sentences in another language, none where they do not speak of whose figure is asked
    for; of an item of a statement those that name it."""
    asked = row_asked(question)
    found = foreign_answers(question, ranked, scene.passages, scene.wide)
    texts = [f"{p.title.title()} {p.text}" for p in scene.passages]
    if found and name_unmet(owner_named(question), texts, scene.embedder):
        return []
    return [c for c in found if not asked or not unsaid_across(asked.item, c.text)]
