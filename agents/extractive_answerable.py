"""Whether the evidence bears on the question at all, or is only about the same things."""

from collections.abc import Sequence

from ..core.text import language
from .extractive_sentences import Candidate
from .extractive_words import answer_kind

# A best sentence below ENOUGH bears on something else. Where all passages speak of the same things
# as the question, as search results do, being near is nothing special: the bar rises with the
# share of the question that the passages cover on average, by at most MORE.
ENOUGH = 1.4
MORE = 1.35
ON_TOPIC, ALL_ON_TOPIC = 0.25, 0.4
# Text in another language shares no words with the question: the cosine decides alone.
ENOUGH_MEANING = 0.4
# A sentence without the kind of thing asked for (a number, a date) bears that much less.
WRONG_KIND = 0.6


def answerable(question: str, ranked: Sequence[Candidate]) -> bool:
    """Whether some sentence is close enough to the question to be an answer."""
    if not ranked:
        return False
    if _foreign(question, ranked):
        return max(c.meaning for c in ranked) >= ENOUGH_MEANING
    return bearing(question, ranked) >= bar(ranked)


def bearing(question: str, ranked: Sequence[Candidate]) -> float:
    """The best sentence's score, less when it lacks the kind of thing asked for, plus how much of
    the question the best passage covers."""
    asks = answer_kind(question) != "any"
    best = max(c.score - (WRONG_KIND if asks and not c.kind else 0.0) for c in ranked)
    return best + max(c.context for c in ranked)


def bar(ranked: Sequence[Candidate]) -> float:
    """How much bearing is enough among these passages."""
    shares = {c.passage: c.context for c in ranked}
    mean = sum(shares.values()) / len(shares)
    risen = (mean - ON_TOPIC) / (ALL_ON_TOPIC - ON_TOPIC)
    return ENOUGH + MORE * min(1.0, max(0.0, risen)) if len(shares) > 2 else ENOUGH


def _foreign(question: str, ranked: Sequence[Candidate]) -> bool:
    tongue = language(question)
    return all(language(c.text) != tongue for c in ranked[:5])
