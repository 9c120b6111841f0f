"""Whether passages that all speak of what is asked also agree on an answer.

Where only one passage has the question's words, that it stands out is what tells an answer. Where
several have them, as on a subject that many texts treat, being on the topic proves nothing: then
the answer is what stands beside the question's words in more than one of them.
"""

import re
from collections.abc import Iterator, Sequence

from ..core.ports import Tokenizer
from ..core.text import has_cjk, language
from ..tools.quantities import MONTHS
from .extractive_concepts import asked_terms, han_folded, terms_in
from .extractive_sentences import Candidate
from .extractive_words import Kind, answer_kind
from .passages import Passage

# A crowd: so many passages, all near the question (mean cosine), as near as the nearest (share of
# its cosine), and with so much of the question's words, of which there are some.
FEWEST, NEAR_ALL, LIKE_NEAREST, SAID_BY_ALL, FEWEST_WORDS = 3, 0.28, 0.75, 0.5, 3
# A sentence this far ahead needs no vote, nor one whose words no other passage has so many of.
AHEAD, ALSO = 0.8, 0.4
# A logistic fit on 131 Chinese questions about events with and without the news that tell the
# answer, half of a set (area under the curve .91 and .81 on it, .75 to .80 on sets of other
# questions, Chinese and English). English values are single words, of which fewer agree.
W_AGREED, W_NEAR = 1.5, 13.0
OFFSET = {"zh": 9.2, "en": 8.6}
# A value counts by its sentence's share of the question's words, less without them around it;
# that it also stands in sentences about other things speaks against it.
NEAR, NEAR_SHARE, ELSEWHERE = 25, 0.6, 0.3
ON_TOPIC, OFF_TOPIC = 0.5, 0.35
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
# Behind a number that dates or counts up and says no quantity.
_ORDERS = re.compile(r"\s?(?:年(?!轻|级)|月|日|号|[:：]\d|届)|(?:st|nd|rd|th)\b")
_MONTH = rf"(?:{'|'.join(MONTHS)})[a-z]*"
_DATE = re.compile(
    r"(?:\d{4}年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]"
    r"|(?<![\d.])(?:19|20)\d{2}(?P<mark>[\-/.])(?P<m>\d{1,2})(?P=mark)(?P<d>\d{1,2})(?![\d.])"
    rf"|\b(?P<name>{_MONTH})\.? (?P<of>\d{{1,2}})\b|\b(?P<on>\d{{1,2}}) (?P<called>{_MONTH})"
    r"|(?P<year>(?:19|20)\d{2})年|\b(?:19|20)\d{2}\b",
    re.I,
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


def disagree(
    question: str,
    ranked: Sequence[Candidate],
    passages: Sequence[Passage],
    tokenizer: Tokenizer,
) -> bool:
    """Whether several passages are on the topic and no value is told beside the question's words
    by enough of them to be the answer. False where no crowd is on the topic."""
    wanted = asked_terms(question, tokenizer)
    # What a title says is said of all that stands below it.
    titled = set().union(*(terms_in(p.title, wanted, tokenizer) for p in passages))
    terms = [term for term in wanted if term not in titled]
    near = [passage.meaning for passage in passages]
    if len(terms) < FEWEST_WORDS or not _crowded(ranked, near):
        return False
    most = max((c.own for c in ranked), default=0.0)
    agreed = _agreed(question, terms, ranked, most, tokenizer)
    return W_AGREED * agreed + W_NEAR * sum(near) / len(near) < OFFSET[language(question)]


def _crowded(ranked: Sequence[Candidate], near: Sequence[float]) -> bool:
    shares = {c.passage: c.context for c in ranked}
    if len(shares) < FEWEST or not near:
        return False
    rest = [c.score for c in ranked if c.passage != ranked[0].passage]
    if ranked[0].score - max(rest) > AHEAD:
        return False
    if max(c.own for c in ranked if c.passage != ranked[0].passage) < ALSO * ranked[0].own:
        return False
    first, *others = sorted(near, reverse=True)
    return (
        sum(near) / len(near) > NEAR_ALL
        and bool(others)
        and sum(others) / len(others) > LIKE_NEAREST * first
        and sum(shares.values()) / len(shares) > SAID_BY_ALL
    )


def _agreed(
    question: str,
    terms: Sequence[str],
    ranked: Sequence[Candidate],
    most: float,
    tokenizer: Tokenizer,
) -> float:
    """The best value's support, summed over passages."""
    kind = answer_kind(question)
    plain, years = [t for t in terms if not t.startswith("#")], set(_YEAR.findall(question))
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
            if years and _of_other_year(text[:start], years):
                continue
            near = sum(1 for p in spots if min(abs(p - start), abs(p - end)) <= NEAR)
            weight = c.own * (1 - NEAR_SHARE + NEAR_SHARE * near / max(1, len(terms)))
            told = support.setdefault(value, {})
            told[c.passage] = max(weight, told.get(c.passage, 0.0))
    return max(
        (sum(t.values()) - ELSEWHERE * len(elsewhere.get(v, ())) for v, t in support.items()),
        default=0.0,
    )


def _of_other_year(before: str, years: set[str]) -> bool:
    """Whether the last year that is named before a value is none of those asked for."""
    named = _YEAR.findall(before)
    return bool(named) and named[-1] not in years


def _values(kind: Kind, text: str, question: str, tokenizer: Tokenizer) -> Iterator[Value]:
    """What a sentence says of the kind asked for that the question does not say itself."""
    if kind == "date":
        said = {_dated(m) for m in _DATE.finditer(question)}
        for m in _DATE.finditer(text):
            if (value := _dated(m)) not in said:
                yield m.start(), m.end(), value
    elif kind in ("number", "duration", "frequency"):
        for m in _NUMBER.finditer(text):
            dated = kind == "number" and (
                _YEAR.fullmatch(m.group()) or _ORDERS.match(text, m.end())
            )
            if m.group() not in question and not dated:
                yield m.start(), m.end(), m.group().replace(",", "")
    elif has_cjk(question):
        yield from _han_words(text, tokenizer.fold(question), tokenizer)
    else:
        for m in _CAPITAL.finditer(text):
            word = re.sub(r"['’]s$", "", m.group())
            if word not in _OPENERS and len(word) > 2 and word.lower() not in question.lower():
                yield m.start(), m.end(), word.lower()


def _dated(found: re.Match[str]) -> str:
    """A date however it is written: its month and day, or its year where no day is said."""
    named = found["name"] or found["called"]
    month = str(MONTHS.index(named[:3].lower()) + 1) if named else found["month"] or found["m"]
    day = found["of"] or found["on"] or found["day"] or found["d"]
    return f"{int(month)}-{int(day)}" if month else found["year"] or found.group()


def _han_words(text: str, asked: str, tokenizer: Tokenizer) -> Iterator[Value]:
    for run in _RUN.finditer(text):
        for word in tokenizer.tokens(run.group()):
            start = text.find(word, run.start()) if len(word) > 1 and word not in asked else -1
            if start >= 0:
                yield start, start + len(word), word
