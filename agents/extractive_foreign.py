"""Sentences in another language than the question: no words are shared, so meaning chooses.

Two encoders see more than one: their joint cosine puts the right sentence first far more often than
the light one that ranks sentences of the question's own language (.73 against .56 of English
questions over Chinese text). How near the search found the whole passage helps to choose a sentence
and tells nothing of whether there is an answer; how far the best sentence is ahead of the other
passages' does.
"""

from collections.abc import Sequence

from ..core.ports import Embedder
from .extractive_bridge import bridged
from .extractive_quantities import quantity_asked
from .extractive_sentences import Candidate, year_clash
from .extractive_words import answer_kind
from .passages import Passage

# A sentence's place: its cosine, its passage's, the form of an answer, the listed words it says.
W_PASSAGE, W_FORM, W_BRIDGED = 0.5, 0.05, 0.1
# What the search put first, which compared passages token by token, is ahead of its last by this.
W_ORDER = 0.1
# Whether it answers; chosen on one half of XQuAD's parallel questions, reported on the other.
BAR_KIND, BAR_QUANTITY, BAR_EXTREME, BAR_BRIDGED, BAR_AHEAD = 0.03, 0.07, 0.1, 0.12, 0.2
FAR_AHEAD, USUAL_LEAD = 0.3, 0.1
ENOUGH = 0.25
# Sentences that may be the best one; sentences that both encoders compare, the light one's best.
_FIRST, _COMPARED = 3, 24


def foreign_answers(
    question: str, ranked: Sequence[Candidate], passages: Sequence[Passage], embedder: Embedder
) -> list[Candidate]:
    """The sentences in another language that answer the question, best first; none: none does.

    `embedder` compares texts across languages.
    """
    near = nearest_foreign(question, ranked, passages, embedder)
    if not near:
        return []
    plain = sorted(near, key=lambda c: (-c.score, c.passage, c.order))
    bearing = max(_bearing(question, c) for c in plain[:_FIRST])
    return near if bearing + BAR_AHEAD * min(_ahead(plain), FAR_AHEAD) >= ENOUGH else []


def nearest_foreign(
    question: str, ranked: Sequence[Candidate], passages: Sequence[Passage], embedder: Embedder
) -> list[Candidate]:
    """The sentences in another language, the one that answers most likely first."""
    found = [c for c in ranked if c.foreign and not c.empty and not year_clash(question, c.text)]
    if not found:
        return []
    found = sorted(found, key=lambda c: -c.meaning)[:_COMPARED]
    query = embedder.embed_queries([question])
    cosines = embedder.embed_passages([c.text for c in found]) @ query[0]
    near = [c._replace(meaning=float(m)) for c, m in zip(found, cosines, strict=True)]
    near = [c._replace(score=_place(question, c, passages)) for c in near]
    step = W_ORDER / max(1, len(passages))
    return sorted(near, key=lambda c: (step * c.passage - c.score, c.passage, c.order))


def _place(question: str, candidate: Candidate, passages: Sequence[Passage]) -> float:
    kind, quantity = _form(question, candidate)
    return (
        candidate.meaning
        + W_PASSAGE * passages[candidate.passage].meaning
        + W_FORM * (kind + quantity + candidate.extreme)
        + W_BRIDGED * bridged(question, candidate.text)
    )


def _bearing(question: str, candidate: Candidate) -> float:
    kind, quantity = _form(question, candidate)
    said = bridged(question, candidate.text)
    form = BAR_KIND * kind + BAR_QUANTITY * quantity + BAR_EXTREME * candidate.extreme
    return candidate.meaning + form + BAR_BRIDGED * said


def _form(question: str, candidate: Candidate) -> tuple[int, int]:
    """1 with the kind of thing and the unit that is asked for, -1 without; 0: none is asked."""
    kind = 0 if answer_kind(question) == "any" else 2 * candidate.kind - 1
    quantity = 0 if quantity_asked(question) is None else 2 * candidate.quantity - 1
    return kind, quantity


def _ahead(ranked: Sequence[Candidate]) -> float:
    """How far the best sentence is ahead of the other passages' best one."""
    others = [c.score for c in ranked if c.passage != ranked[0].passage]
    return ranked[0].score - max(others) if others else USUAL_LEAD
