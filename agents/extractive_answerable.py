"""Whether the evidence bears on the question at all, or is only about the same things."""

from collections.abc import Sequence

from ..core.chunk import Figure
from ..core.label import Label, find_labels
from .analyst_rules import folded
from .extractive_bridge import bridged
from .extractive_quantities import quantity_asked
from .extractive_sentences import Candidate
from .extractive_words import answer_kind
from .passages import Passage
from .sufficiency import asked_identifiers

# A logistic fit, on questions over the paragraphs of one article with and without the one that
# answers, in Chinese and English; OFFSET leans to answering: below zero is an abstention.
W_WORDS = 0.4
W_MEANING = 1.95
W_PAIRS = 0.75
W_FORM = 1.2
W_ALONE = 3.2
W_AHEAD = 1.05
W_ABSENT = 3.3
OFFSET = 3.05
# What an only passage is taken to be ahead of others, and an encoder that fails to have said.
USUAL_LEAD, USUAL_MEANING = 0.4, 0.4
# Text in another language shares no words with the question: the cosine decides, with the form.
ENOUGH_FOREIGN = 0.34
FORM = 0.1
W_BRIDGED = 0.3
# A sentence without the kind of thing asked for (a number, a date) is that much worse.
WRONG_KIND = 0.6


def useful(
    question: str, ranked: Sequence[Candidate], passages: Sequence[Passage]
) -> list[Candidate]:
    """The sentences that may be quoted, best first: those in the question's language when they
    answer it, else those in another one; none: neither do."""
    native = [c for c in ranked if not c.foreign]
    if answerable(question, native, passages):
        return native
    foreign = [c._replace(score=_foreign_bearing(question, c)) for c in ranked if c.foreign]
    foreign.sort(key=lambda c: (-c.score, c.passage, c.order))
    if not foreign or foreign[0].score < ENOUGH_FOREIGN:
        return []
    return [] if _identifier_absent(question, passages) else foreign


def _foreign_bearing(question: str, candidate: Candidate) -> float:
    """The cosine, more for an answer's form and less without it."""
    if candidate.empty:
        return candidate.meaning - FORM
    form = 0.0
    if answer_kind(question) != "any":
        form += FORM if candidate.kind else -FORM
    if quantity_asked(question) is not None:
        form += FORM if candidate.quantity else -FORM
    form += FORM if candidate.extreme else 0.0
    return candidate.meaning + form + W_BRIDGED * bridged(question, candidate.text)


def answerable(question: str, ranked: Sequence[Candidate], passages: Sequence[Passage]) -> bool:
    """Whether some sentence is close enough to the question to be an answer."""
    return bool(ranked) and bearing(question, ranked, passages) >= 0.0


def bearing(question: str, ranked: Sequence[Candidate], passages: Sequence[Passage]) -> float:
    """How far the evidence answers the question; 0 is the bar.

    Being on the topic is nothing special where all passages are, as search results are: what
    counts is how far the best passage and sentence stand out, and that a sentence holds both the
    question's words and the kind of thing asked for.
    """
    asks = answer_kind(question) != "any"
    best = max(ranked, key=lambda c: c.score - (WRONG_KIND if asks and not c.kind else 0.0))
    fitting = [c for c in ranked if (c.kind or not asks) and c.quantity]
    meaning = max((c.meaning for c in fitting), default=0.0)
    if not any(c.meaning for c in ranked):
        meaning = USUAL_MEANING
    return (
        W_WORDS * max((c.terms for c in fitting), default=0.0)
        + W_MEANING * meaning
        + W_PAIRS * best.pairs
        + W_FORM * (not asks or _kind_near(best, ranked))
        + W_ALONE * _context_lead(ranked)
        + W_AHEAD * _score_lead(ranked)
        - W_ABSENT * _identifier_absent(question, passages)
        - OFFSET
    )


def _kind_near(best: Candidate, ranked: Sequence[Candidate]) -> bool:
    """Whether the sentence or one beside it holds the kind of thing asked for."""
    return any(
        c.kind for c in ranked if c.passage == best.passage and abs(c.order - best.order) <= 1
    )


def _context_lead(ranked: Sequence[Candidate]) -> float:
    """How much more of the question the best passage covers than the others do on average."""
    shares = sorted({c.passage: c.context for c in ranked}.values(), reverse=True)
    others = shares[1:]
    return shares[0] - sum(others) / len(others) if others else shares[0]


def _score_lead(ranked: Sequence[Candidate]) -> float:
    """How far the best sentence is ahead of the other passages' best one."""
    first = ranked[0]
    others = [c.score for c in ranked if c.passage != first.passage]
    return first.score - max(others) if others else USUAL_LEAD


def _identifier_absent(question: str, passages: Sequence[Passage]) -> bool:
    """Whether the question names a year, a model number or a quantity that no passage holds."""
    texts = [folded(f"{p.title} {p.section_path} {p.text} {p.html}") for p in passages]
    return any(
        not any(folded(name) in text for text in texts) for name in asked_identifiers(question)
    )


def label_absent(
    labels: Sequence[Label], passages: Sequence[Passage], figures: Sequence[Figure]
) -> bool:
    """Whether a figure or table is asked for by a label that nothing here carries or names."""
    asked = {(a.kind, a.parts) for a in labels if a.kind in ("figure", "table", "scheme")}
    if not asked:
        return False
    known = {(f.label.kind, f.label.parts) for f in figures if f.label is not None}
    for passage in passages:
        known |= {(s.label.kind, s.label.parts) for s in find_labels(passage.text)}
    return not asked & known
