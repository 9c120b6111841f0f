"""Whether the evidence bears on the question at all, or is only about the same things."""

import re
from collections.abc import Collection, Mapping, Sequence

from ..core.chunk import Figure
from ..core.label import Label, find_labels
from ..core.ports import Embedder, Tokenizer
from ..core.text import language
from .analyst_rules import folded
from .extractive_agreement import disagree
from .extractive_bearing import bearing, meaning_of
from .extractive_bridge import said_across
from .extractive_concepts import concepts, han_folded, unmet
from .extractive_sentences import TITLE_WORD, Candidate
from .extractive_words import answer_kind
from .passages import Passage
from .subjects import absent_identifiers, naming, others_only, unanswered_subjects

# A typed answer beside this share of the question's words needs no other sign.
PLAIN = 0.75
# So much of the question a sentence says itself, the rest its title and section do.
OWN, ALL = 0.2, 0.97
# Kinds whose form alone is telling, beside this share of the question's words: many a text has a
# name, few have an interval.
MEASURED = {"frequency": 0.5, "duration": 0.5, "number": 0.9}

# What is asked of anything is not said in so many words.
_ANY_PROPERTY = re.compile(
    r"地[点址区方]|时[间候]|日期|年[份代]|名[字称]|原因|作用|数量|人数|次数|情况|方[式法面]|特[点征]|内容|意思|结果|目的|区别"
    r"|关系|含义|大小|多少|总数|金额|数额|比例|位置|标志|代表|称[呼号]|别[称名]|简称|全称|成绩|得主|父|母|妻|子|出身"
)
_FRAGMENT = re.compile(r"[？?]\s*(?:那么?|还有)?([一-鿿]{2,6})呢\s*[？?]?$")
_STATED = re.compile(
    r"^(?:请问)?[^，。？?]{2,30}?的(?P<zh>[一-鿿]{2,6}?)(?:是|为|有)?(?:什么|多少|多[久长大高]|怎样的?)[？?。]*$"
    r"|^what(?:['’]s| is| are| was) the (?P<en>[a-z][a-z \-]{2,30}?) (?:of|for|on) [^?]{2,60}\W*$",
    re.I,
)
_WHY = re.compile(r"为什么|为何|\bwhy\b", re.I)
_BECAUSE = re.compile(r"因|由于|所以|\b(?:because|since|due to|owing to|as a result)\b", re.I)
_YEAR = re.compile(r"(?<![\d.])(?:19|20)\d{2}(?![\d.])")
_PROPERTY = re.compile(
    r"的([一-鿿]{2,5}?)(?:分别|一般|通常|大概|大约)?(?:是|为|叫|有)?(?:谁|什么|多少|哪|几|多[大高长重久远])"
)
# "查重率要求是多少": a rate that is asked for without 的.
_RATE = re.compile(r"([一-鿿]{2}率)[一-鿿]{0,4}?(?:是|为|有|达到?)?(?:多少|几)")


def useful(
    question: str,
    ranked: Sequence[Candidate],
    passages: Sequence[Passage],
    tokenizer: Tokenizer,
    embedder: Embedder,
    *,
    vote: bool = True,
) -> list[Candidate]:
    """The sentences in the question's language that may be quoted, best first; none: they do not
    answer it. `embedder` tells how near sentences are to the question; `vote`: whether passages
    that are all on the topic must agree."""
    native = [c for c in ranked if not c.foreign]
    near = meaning_of(question, native, passages, embedder)
    if not _typed(question, native, PLAIN) and (
        not native or bearing(question, native, near, tokenizer) < 0.0
    ):
        return _entire(question, native)
    if _typed(question, native, MEASURED.get(answer_kind(question), 2.0)):
        return native
    return [] if vote and disagree(question, native, passages, tokenizer) else native


def _typed(question: str, ranked: Sequence[Candidate], share: float) -> bool:
    """Whether a sentence holds the kind of thing asked for with this share of the question's
    words."""
    asks = answer_kind(question) != "any"
    return asks and any(c.terms >= share and c.kind and c.quantity and not c.empty for c in ranked)


def stated(question: str) -> re.Pattern[str] | None:
    """How a sentence begins that says the P of "what is the P of X", "X的P是什么": "The P is …";
    None: it is not asked for so."""
    found = _STATED.match(question.strip())
    if found is None:
        return None
    name = re.escape(found["zh"] or found["en"])
    if found["zh"]:
        return re.compile(rf"(?:^|[，；。])[^，；。]{{0,8}}{name}[^，；。]{{0,4}}(?:为|是|：)")
    return re.compile(
        rf"^\W*(?:the |its )?{name} (?:\w+ )?(?:is|are|was|were|lasts?|amounts?)\b", re.I
    )


def _entire(question: str, ranked: Sequence[Candidate]) -> list[Candidate]:
    """The sentences that hold the kind of thing asked for, or the reason, or begin with the
    property, and say all of the question that their title and section do not say."""
    why = _WHY.search(question) is not None
    states = stated(question)
    if not why and states is None and answer_kind(question) == "any":
        return []
    return [
        c
        for c in ranked
        if c.kind
        and c.quantity
        and not c.empty
        and (not why or _BECAUSE.search(c.text))
        and (states is None or answer_kind(question) != "any" or states.search(c.text))
        and c.own >= OWN
        and c.own + (c.terms - c.own) / TITLE_WORD >= ALL
    ]


def evidence_text(passage: Passage, tokenizer: Tokenizer) -> str:
    """All that names what the passage is about, with its text and tables, in simplified Chinese as
    the question is: 單價 is the 单价 that is asked for."""
    parts = (passage.title, passage.section_path, passage.text, passage.html)
    return han_folded("\n".join(parts), tokenizer)


def missing_from(
    question: str, passages: Sequence[Passage], evidence: Mapping[int, str]
) -> list[str]:
    """What the question distinctly asks and the passages do not hold: names, numbers, properties.
    `evidence` has their `evidence_text` by number.

    Names are written otherwise in another language: there only numbers are looked for.
    """
    texts = [evidence[p.n] for p in passages]
    native = any(language(p.text) == language(question) for p in passages)
    names = (
        [*unanswered_subjects(question, texts), *_absent_property(question, texts)]
        if native
        else others_only(question, texts)
    )
    others = [t for p, t in zip(passages, texts, strict=True) if _foreign(p, question)]
    names = [name for name in names if not any(said_across(name, text) for text in others)]
    held = [*absent_identifiers(question, texts), *_absent_fragment(question, texts, native=native)]
    return [*held, *names, *unmet(question, texts)]


def _foreign(passage: Passage, question: str) -> bool:
    return language(passage.text) != language(question)


def _absent_fragment(question: str, texts: Sequence[str], *, native: bool) -> list[str]:
    """The thing of a follow-up that stands behind its topic ("六级多少分？托福呢？"), where no text
    says it."""
    found = _FRAGMENT.search(question) if native else None
    plain = [folded(text) for text in texts]
    said = found is None or any(folded(found[1]) in text for text in plain)
    return [] if said or found is None else [found[1]]


def other_year(
    question: str, docs: Collection[str], passages: Sequence[Passage], evidence: Mapping[int, str]
) -> bool:
    """Whether the question is of a year that the quoted documents do not say."""
    asked = set(_YEAR.findall(question))
    own = [evidence[p.n] for p in passages if p.doc_id in docs]
    return bool(asked and own) and not any(year in text for year in asked for text in own)


def _absent_property(question: str, texts: Sequence[str]) -> list[str]:
    """The Y of "X 的 Y 是…" where no two characters of it stand together in any text."""
    found = _PROPERTY.search(question) or _RATE.search(question)
    if not found or concepts(found[1]) or _ANY_PROPERTY.search(found[1]):
        return []
    name, plain = found[1], [folded(text) for text in texts]
    pairs = {name[i : i + 2] for i in range(len(name) - 1)}
    return [] if any(pair in text for pair in pairs for text in plain) else [name]


def about_subject(
    question: str, passages: Sequence[Passage], evidence: Mapping[int, str]
) -> list[Passage]:
    """The passages that can be of the question's subject: where some documents name it, theirs."""
    named = naming(question, [evidence[p.n] for p in passages])
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
