"""Whether passages that all speak of what is asked also agree on an answer.

Where only one passage has the question's words, that it stands out is what tells an answer. Where
several have them, as on a subject that many texts treat, being on the topic proves nothing: then
the answer is what stands beside the question's words in more than one of them.
"""

import re
from collections.abc import Iterator, Sequence

from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_concepts import asked_terms, han_folded
from .extractive_sentences import Candidate
from .extractive_words import Kind, answer_kind

# Passages whose best sentence has on average this share of the most that any sentence has of the
# question's words, at least half of them, are on one topic.
CROWDED, HALF, FEWEST = 0.65, 0.5, 3
# Short questions fit many passages by chance; a sentence this far ahead needs no vote.
FEWEST_WORDS, AHEAD = 4, 0.5
# A logistic fit on news passages about an event with and without those that tell the answer. The
# weights were fitted on one half of the questions; BAR was chosen looking at both halves, so no
# half is left that confirms it. It leans to answering.
W_COVERED, W_AGREED, W_FITTING, W_FULL, BAR = 1.84, 0.73, 0.17, -0.47, 1.8
# A value counts by its sentence's share of the question's words, less without them around it;
# that it also stands in sentences about other things speaks against it.
NEAR, NEAR_SHARE, ELSEWHERE = 25, 0.6, 0.3
ON_TOPIC, GOOD, FULL, OFF_TOPIC = 0.5, 0.75, 0.9, 0.35
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MONTHS = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_DATE = re.compile(
    rf"(?:\d{{4}}年)?\d{{1,2}}月\d{{1,2}}[日号]|(?:19|20)\d{{2}}年|{_MONTHS}\.? \d{{1,2}}"
    rf"|\d{{1,2}} {_MONTHS}|\b(?:19|20)\d{{2}}\b"
)
_RUN = re.compile(r"[\u4e00-\u9fff·•]+|[A-Za-z][\w\-]*")
_CAPITAL = re.compile(r"[A-Z][\w’'\-]+")
_OPENERS = frozenset(
    re.findall(
        r"\w+",
        """The A An In On At It He She They This That When Who What Where Which How After Before And
        But For As With From To Of I By If Is Was His Her Its""",
    )
)
Value = tuple[int, int, str]
"""Start, end and the folded form of something that may be the answer."""


def disagree(question: str, ranked: Sequence[Candidate], tokenizer: Tokenizer) -> bool:
    """Whether several passages are on the topic and no value is told beside the question's words
    by enough of them to be the answer. False where no crowd is on the topic."""
    tops = list(_by_passage(ranked).values())
    most = max((c.own for c in ranked), default=0.0)
    covered = sum(c.own for c in tops) / len(tops) if tops else 0.0
    if len(tops) < FEWEST or most < HALF or covered < CROWDED * most:
        return False
    ahead = tops[0].score - max(c.score for c in tops[1:])
    terms = asked_terms(question, tokenizer)
    if ahead > AHEAD or len(terms) < FEWEST_WORDS:
        return False
    # Each passage's sentence with the most of the question's words.
    widest = _by_passage(sorted(ranked, key=lambda c: -c.own)).values()
    fitting = sum(1 for c in widest if c.own >= GOOD * most and c.kind and c.quantity)
    full = sum(1 for c in widest if c.own >= FULL)
    score = (
        W_COVERED * covered
        + W_AGREED * _agreed(question, terms, ranked, most, tokenizer)
        + W_FITTING * fitting / len(tops)
        + W_FULL * full / len(tops)
    )
    return score < BAR


def _by_passage(ranked: Sequence[Candidate]) -> dict[int, Candidate]:
    """Each passage's first sentence of those given."""
    found: dict[int, Candidate] = {}
    for candidate in ranked:
        found.setdefault(candidate.passage, candidate)
    return found


def _agreed(
    question: str,
    terms: Sequence[str],
    ranked: Sequence[Candidate],
    most: float,
    tokenizer: Tokenizer,
) -> float:
    """The best value's support, summed over passages."""
    kind = answer_kind(question)
    plain = [term for term in terms if not term.startswith("#")]
    support: dict[str, dict[int, float]] = {}
    elsewhere: dict[str, set[int]] = {}
    for c in ranked:
        if OFF_TOPIC * most <= c.own < ON_TOPIC * most:
            continue
        text = han_folded(c.text, tokenizer)
        folded = tokenizer.fold(text)
        spots = [p for term in plain if (p := folded.find(term)) >= 0]
        for start, end, value in _values(kind, text, question, tokenizer):
            if c.own < ON_TOPIC * most:
                elsewhere.setdefault(value, set()).add(c.passage)
                continue
            near = sum(1 for p in spots if min(abs(p - start), abs(p - end)) <= NEAR)
            weight = c.own * (1 - NEAR_SHARE + NEAR_SHARE * near / max(1, len(terms)))
            told = support.setdefault(value, {})
            told[c.passage] = max(weight, told.get(c.passage, 0.0))
    return max(
        (sum(t.values()) - ELSEWHERE * len(elsewhere.get(v, ())) for v, t in support.items()),
        default=0.0,
    )


def _values(kind: Kind, text: str, question: str, tokenizer: Tokenizer) -> Iterator[Value]:
    """What a sentence says of the kind asked for that the question does not say itself."""
    if kind == "date":
        for m in _DATE.finditer(text):
            value = re.sub(r"^\d{4}年(?=\d)", "", m.group().replace("号", "日"))
            if value.rstrip("年日") not in question:
                yield m.start(), m.end(), value.lower()[:9]
    elif kind in ("number", "duration", "frequency"):
        for m in _NUMBER.finditer(text):
            if m.group() not in question:
                yield m.start(), m.end(), m.group().replace(",", "")
    elif has_cjk(question):
        yield from _han_words(text, tokenizer.fold(question), tokenizer)
    else:
        for m in _CAPITAL.finditer(text):
            word = re.sub(r"['’]s$", "", m.group())
            if word not in _OPENERS and len(word) > 2 and word.lower() not in question.lower():
                yield m.start(), m.end(), word.lower()


def _han_words(text: str, asked: str, tokenizer: Tokenizer) -> Iterator[Value]:
    for run in _RUN.finditer(text):
        for word in tokenizer.tokens(run.group()):
            start = text.find(word, run.start()) if len(word) > 1 and word not in asked else -1
            if start >= 0:
                yield start, start + len(word), word
