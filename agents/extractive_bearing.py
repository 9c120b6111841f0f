"""How far the evidence answers the question: a logistic score over what the best sentence has and
how far it stands out.

Being on the topic is nothing special where all passages are, as search results are. What counts is
how far the best sentence and passage are ahead of the others, in words and in meaning, and that a
sentence holds both the question's words and the kind of thing asked for.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ..core.ports import Embedder, Tokenizer
from .extractive_concepts import asked_terms, terms_in
from .extractive_sentences import Candidate
from .extractive_words import answer_kind
from .passages import Passage

# A logistic fit over questions on XQuAD (en, zh), CMRC and DuReader with and without the paragraph
# that answers: fitted on the half of the questions whose hash is even, measured on the others
# (precision/recall of abstaining .91/.91, .80/1.0, 1.0/.90, .57/.57). Cosines are those of the
# built-in pair of encoders.
W_MEANING, W_FITTING, W_MEANING_LEAD, W_PASSAGE_LEAD = 9.0, 3.5, 1.4, 3.0
W_UNSAID, W_PAIRS, W_CONTEXT_LEAD, W_SCORE_LEAD, W_FORM = -2.2, 1.1, 1.6, 0.5, 0.9
OFFSET = 6.7
# Taken where there is nothing to compare with, and where an encoder fails: a usual answer's.
USUAL_LEAD, USUAL_SCORE_LEAD, USUAL_MEANING = 0.1, 0.4, 0.5
# Sentences that are compared by both encoders.
_COMPARED, _READ = 8, 40
# A sentence without the kind of thing asked for (a number, a date) is that much worse.
WRONG_KIND = 0.6


class Meaning(NamedTuple):
    """Cosines of the first sentences, in their order, and of the passages by index."""

    sentences: tuple[float, ...]
    passages: tuple[float, ...]


def meaning_of(
    question: str, ranked: Sequence[Candidate], passages: Sequence[Passage], embedder: Embedder
) -> Meaning:
    """How near the first sentences and the passages are; zeros where the encoder tells nothing."""
    texts = [c.text for c in ranked[:_COMPARED]]
    if not texts:
        return Meaning((), ())
    query = embedder.embed_queries([question])
    found = embedder.embed_passages(texts) @ query[0]
    return Meaning(tuple(float(v) for v in found), tuple(p.meaning for p in passages))


def bearing(
    question: str, ranked: Sequence[Candidate], meaning: Meaning, tokenizer: Tokenizer
) -> float:
    """How far the sentences answer the question; 0 is the bar."""
    asks = answer_kind(question) != "any"
    best = max(ranked, key=lambda c: c.score - (WRONG_KIND if asks and not c.kind else 0.0))
    nearest, fitting, ahead = _nearest(ranked, meaning, asks=asks)
    return (
        W_MEANING * nearest
        + W_FITTING * fitting
        + W_MEANING_LEAD * ahead
        + W_PASSAGE_LEAD * _passage_lead(meaning)
        + W_UNSAID * _unsaid(question, ranked, tokenizer)
        + W_PAIRS * best.pairs
        + W_CONTEXT_LEAD * _context_lead(ranked)
        + W_SCORE_LEAD * _score_lead(ranked)
        + W_FORM * (not asks or _kind_near(best, ranked))
        - OFFSET
    )


def _nearest(
    ranked: Sequence[Candidate], meaning: Meaning, *, asks: bool
) -> tuple[float, float, float]:
    """The highest cosine, that of a sentence of the form asked for, and its lead over others."""
    pairs = list(zip(meaning.sentences, ranked, strict=False))
    if not any(meaning.sentences):
        fits = any((c.kind or not asks) and c.quantity for c in ranked)
        return USUAL_MEANING, USUAL_MEANING * fits, USUAL_LEAD
    value, first = max(pairs, key=lambda pair: pair[0])
    fitting = [v for v, c in pairs if (c.kind or not asks) and c.quantity]
    others = [v for v, c in pairs if c.passage != first.passage]
    return value, max(fitting, default=0.0), value - max(others) if others else USUAL_LEAD


def _passage_lead(meaning: Meaning) -> float:
    """How far the nearest passage is ahead of the others on average."""
    if not any(meaning.passages) or len(meaning.passages) < 2:
        return USUAL_LEAD
    first, *others = sorted(meaning.passages, reverse=True)
    return first - sum(others) / len(others)


def _unsaid(question: str, ranked: Sequence[Candidate], tokenizer: Tokenizer) -> float:
    """Share of the question's words that the sentence with the most of them lacks."""
    terms = asked_terms(question, tokenizer)
    most = max((len(terms_in(c.text, terms, tokenizer)) for c in ranked[:_READ]), default=0)
    return 1.0 - most / len(terms) if terms else 0.0


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
    return first.score - max(others) if others else USUAL_SCORE_LEAD
