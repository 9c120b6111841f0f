"""What all parts of a question are answered from, and which of its sentences answer."""

from collections.abc import Sequence
from typing import NamedTuple

from ..core.chunk import Figure
from ..core.ports import Embedder, Tokenizer
from .extractive_answerable import useful
from .extractive_foreign import foreign_answers
from .extractive_sentences import Candidate
from .passages import Passage


class Scene(NamedTuple):
    """What all parts of a question are answered from."""

    whole: str
    passages: Sequence[Passage]
    figures: Sequence[Figure]
    tokenizer: Tokenizer
    embedder: Embedder
    wide: Embedder


def good_sentences(question: str, ranked: Sequence[Candidate], scene: Scene) -> list[Candidate]:
    """The sentences that answer: in the question's language, else in another one."""
    native = useful(question, ranked, scene.passages, scene.tokenizer, scene.wide)
    return native or foreign_answers(question, ranked, scene.passages, scene.wide)
