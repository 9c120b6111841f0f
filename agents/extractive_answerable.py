"""Whether the evidence bears on the question at all, or is only about the same things."""

import re
from collections.abc import Sequence

from ..core.chunk import Figure
from ..core.label import Label, find_labels
from ..core.ports import Tokenizer
from ..core.text import language
from .analyst_rules import folded
from .extractive_agreement import disagree
from .extractive_bridge import bridged
from .extractive_concepts import concepts, unmet
from .extractive_quantities import quantity_asked
from .extractive_sentences import Candidate
from .extractive_words import answer_kind
from .passages import Passage
from .subjects import absent_identifiers, naming, unanswered_subjects

# A logistic fit, on questions over the paragraphs of one article with and without the one that
# answers, in Chinese and English; OFFSET leans to answering: below zero is an abstention.
W_WORDS = 0.4
W_MEANING = 1.95
W_PAIRS = 0.75
W_FORM = 1.2
W_ALONE = 3.2
W_AHEAD = 1.05
OFFSET = 3.05
# What an only passage is taken to be ahead of others, and an encoder that fails to have said.
USUAL_LEAD, USUAL_MEANING = 0.4, 0.4
# Text in another language shares no words with the question: the cosine decides, with the form.
ENOUGH_FOREIGN = 0.34
FORM = 0.1
W_BRIDGED = 0.3
# A typed answer beside this share of the question's words needs no other sign.
PLAIN = 0.75
# A sentence without the kind of thing asked for (a number, a date) is that much worse.
WRONG_KIND = 0.6

# What is asked of anything is not said in so many words.
_ANY_PROPERTY = re.compile(
    r"地[点址区方]|时[间候]|日期|年[份代]|名[字称]|原因|作用|数量|人数|次数|情况|方[式法面]|特[点征]|内容|意思|结果|目的|区别"
    r"|关系|含义|大小|多少|总数|比例|位置|标志|代表|称[呼号]|别[称名]|简称|全称|成绩|得主|父|母|妻|子|出身"
)
_PROPERTY = re.compile(
    r"的([一-鿿]{2,5}?)(?:分别|一般|通常|大概|大约)?(?:是|为|叫|有)?(?:谁|什么|多少|哪|几|多[大高长重久远])"
)


def useful(question: str, ranked: Sequence[Candidate], tokenizer: Tokenizer) -> list[Candidate]:
    """The sentences that may be quoted, best first: those in the question's language when they
    answer it, else those in another one; none: neither do."""
    native = [c for c in ranked if not c.foreign]
    if answerable(question, native):
        return [] if disagree(question, native, tokenizer) else native
    foreign = [
        c._replace(score=_foreign_bearing(question, c)) for c in ranked if c.foreign and not c.empty
    ]
    foreign.sort(key=lambda c: (-c.score, c.passage, c.order))
    return foreign if foreign and foreign[0].score >= ENOUGH_FOREIGN else []


def _foreign_bearing(question: str, candidate: Candidate) -> float:
    """The cosine, more for an answer's form and less without it."""
    form = 0.0
    if answer_kind(question) != "any":
        form += FORM if candidate.kind else -FORM
    if quantity_asked(question) is not None:
        form += FORM if candidate.quantity else -FORM
    form += FORM if candidate.extreme else 0.0
    return candidate.meaning + form + W_BRIDGED * bridged(question, candidate.text)


def answerable(question: str, ranked: Sequence[Candidate]) -> bool:
    """Whether some sentence is close enough to the question to be an answer, or holds the kind of
    thing asked for with nearly all of the question's words."""
    if not ranked:
        return False
    asks = answer_kind(question) != "any"
    plain = any(c.terms >= PLAIN and c.kind and c.quantity and not c.empty for c in ranked)
    return (asks and plain) or bearing(question, ranked) >= 0.0


def bearing(question: str, ranked: Sequence[Candidate]) -> float:
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


def evidence_text(passage: Passage) -> str:
    """All that names what the passage is about, with its text and tables."""
    return "\n".join((passage.title, passage.section_path, passage.text, passage.html))


def missing_from(question: str, passages: Sequence[Passage]) -> list[str]:
    """What the question distinctly asks and the passages do not hold: names, numbers, properties.

    Names are written otherwise in another language: there only numbers are looked for.
    """
    texts = [evidence_text(p) for p in passages]
    native = any(language(p.text) == language(question) for p in passages)
    names = (
        [*unanswered_subjects(question, texts), *_absent_property(question, texts)]
        if native
        else []
    )
    return [*absent_identifiers(question, texts), *names, *unmet(question, texts)]


def _absent_property(question: str, texts: Sequence[str]) -> list[str]:
    """The Y of "X 的 Y 是…" where no two characters of it stand together in any text."""
    found = _PROPERTY.search(question)
    if not found or concepts(found[1]) or _ANY_PROPERTY.search(found[1]):
        return []
    name, plain = found[1], [folded(text) for text in texts]
    pairs = {name[i : i + 2] for i in range(len(name) - 1)}
    return [] if any(pair in text for pair in pairs for text in plain) else [name]


def about_subject(question: str, passages: Sequence[Passage]) -> list[Passage]:
    """The passages that can be of the question's subject: where some documents name it, theirs."""
    named = naming(question, [evidence_text(p) for p in passages])
    of_it = {p.doc_id for p, good in zip(passages, named, strict=True) if good}
    return [
        p
        for p, good in zip(passages, named, strict=True)
        if good or (p.doc_id and p.doc_id in of_it)
    ]


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
