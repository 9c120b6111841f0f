"""Which sentences answer a question: words shared, meaning shared, and the right kind of thing."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..core.label import parse_label
from ..core.ports import Embedder, Tokenizer
from ..core.text import language, sentences
from .extractive_concepts import asked_terms, han_folded, occurs, terms_in
from .extractive_quantities import extremes, quantity_asked
from .extractive_stems import is_marked, stem
from .extractive_words import answer_kind, asked_unit, holds_kind
from .passages import Passage

# A sentence's score is the sum of: the question's words it has, those its whole passage has, the
# character pairs it shares with the question (long common phrases), its cosine, whether it holds
# the kind of thing asked for, the unit and the superlative asked for, less for later passages.
W_TERMS = 1.0
W_CONTEXT = 0.35
W_PAIRS = 0.6
W_MEANING = 1.0
W_KIND = 0.25
W_UNIT = 0.15
W_QUANTITY = 0.2
W_EXTREME = 0.15
W_TITLE = 0.2
W_PLACE = 0.1
# A word that only the passage's title or section says is half said by each of its sentences.
TITLE_WORD = 0.6
# A sentence about other years than the one asked for, and a passage that never names that one.
W_OTHER_YEAR, W_NO_YEAR = 0.15, 0.3
# A caption or a line of a program repeats the question's words and says nothing.
W_EMPTY = 0.4
# Sentences that are embedded at most: those with the most words in common.
MAX_EMBEDDED = 96
# One of the choices below an exam question; without its question it says nothing.
OPTION = re.compile(r"^\s*[(（]?[A-H][)）.．、]\s*\S")
_ALNUM = re.compile(r"\w")
_LETTERS = re.compile(r"[^\W\d_]")
# Figures that stand on lines of their own below what they are of: no page number.
_FIGURES = re.compile(r"[$¥€£]|\d[.,]\d|[%％]")
_MOST_FIGURES, _LONGEST_LABEL = 8, 80
_ENDED = re.compile(r"[。！？!?；;.:：]\s*$")
# A line of a paragraph that a text file broke in the middle of a sentence.
_WRAPPED = re.compile(r"(?<=[a-z,])\n(?=[a-z(])")
# The same in Chinese: a full line that stops inside a sentence, and goes on without a number.
_WRAPPED_HAN = re.compile(
    r"(?m)^((?![|<#])[^\n]{23,}[一-鿿，、])\n"
    r"(?=[一-鿿，、])(?![一-鿿]{1,8}[:：])(?!第[一二三四五六七八九十百\d]+[条章节款]|[一二三四五六七八九十]{1,3}[、.．])"
)
_CODE = re.compile(
    r"^\s*(?:def|class|import|from|return|print|for|if|while|var|let|const|public|private)\b.*[:({;=)]"
    r"|\"\"\"|^\s*[#{}]|[{};]\s*$"
    r"|^\s*(?:[$>]\s*)?(?:python3?|pip3?|bash|sh|cd|npm|npx|docker|git|sudo|conda|make|curl)\s+[\w./\-]+"
    r"(?:\s+[\w./=:\-]+)*\s*$"
)
# "（三）实际控制人", "2、主要产品的产销情况": a numbered line that says nothing of anything.
_HEADING = re.compile(
    r"^\s*(?:第[一二三四五六七八九十\d]{1,3}[章节部分]|[一二三四五六七八九十]{1,3}[、.．]"
    r"|[(（][一二三四五六七八九十\d]{1,3}[)）]|\d{1,2}(?:\.\d{1,2}){0,3}[、.．\s]|[①-⑳])\s*"
    r"(?=[^\d]*[一-鿿])[^\d，。；：:！？?;,=＝%]{2,30}$"
)
# "单位：元", "√适用 □不适用", "其他说明：": forms around a table.
_FORM = re.compile(
    r"^\s*(?:(?:金额)?(?:单位|币种)\s*[:：].{0,16}|[√□☑☐■\s]*(?:不?适用|是|否)(?:\s*[√□☑☐■]\s*(?:不?适用|是|否))+"
    r"|(?:其他)?(?:说明|注释?|备注)\s*[:：]?)\s*$"
)
# "详细情况请参见第五节": where it is said, and not what.
_POINTER = re.compile(r"^[^，,；;：:]{0,40}(?:详见|参见|参阅|请见|见本)[^，；;]{2,}$")
_SAYS = re.compile(
    r"是|为(?!主|例)|(?<![所拥没])有(?!关|限|效|无|机|色|益|害)|须|应(?![收付急用对])|不得|可以|能够"
)
_BLANK = re.compile(r"[_＿]{2,}|[（(]\s{2,}[)）]|[（(]\u3000+[)）]")
_YEAR = re.compile(r"(?<![\d.])(?:19|20)\d{2}(?![\d.]*\d)")
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")


class Candidate(NamedTuple):
    """A sentence of passage number `passage` (index) with its features and score."""

    passage: int
    order: int
    text: str
    terms: float
    context: float
    pairs: float
    kind: bool
    meaning: float = 0.0
    score: float = 0.0
    quantity: bool = True
    """Holds the quantity asked for, with its unit; True where none is asked."""
    extreme: bool = False
    empty: bool = False
    own: float = 0.0
    """`terms` without what only the passage's title says."""
    foreign: bool = False
    """In another language than the question: no words to share."""


def passage_sentences(passage: Passage) -> list[str]:
    """The passage's sentences in order; a `Candidate.order` counts them."""
    text = _WRAPPED_HAN.sub(r"\1", _WRAPPED.sub(" ", passage.text))
    return _with_labels([text[start:end] for start, end in sentences(text)])


def _with_labels(lines: Sequence[str]) -> list[str]:
    """The lines with figures that stand alone ("$", "109,433") behind the label that they are
    below; figures below none stay as they are."""
    told: list[str] = []
    at = 0
    while at < len(lines):
        label, end = lines[at], at + 1
        while end < len(lines) and end - at <= _MOST_FIGURES and not _LETTERS.search(lines[end]):
            end += 1
        run = lines[at + 1 : end]
        labels = _LETTERS.search(label) and len(label) <= _LONGEST_LABEL and label[0] not in "|<"
        if run and labels and not _ENDED.search(label) and any(map(_FIGURES.search, run)):
            told.append(" ".join([label, *run]))
        else:
            told += lines[at:end]
        at = end
    return told


def prose(passage: Passage) -> list[str]:
    """The passage's sentences without the rows of its tables."""
    return [s for s in passage_sentences(passage) if not s.lstrip().startswith(("|", "<"))]


def rank_sentences(
    question: str,
    passages: Sequence[Passage],
    tokenizer: Tokenizer,
    embedder: Embedder,
    *,
    whole: str = "",
) -> list[Candidate]:
    """The sentences of the passages' text, best first, ties by place.

    `whole` is the question that `question` is a part of: passages are weighed by all its words.
    """
    found = _lexical(question, passages, tokenizer, whole or question)
    found.sort(key=lambda c: (-(c.terms + W_PAIRS * c.pairs), c.passage, c.order))
    near = found[:MAX_EMBEDDED]
    meaning = _cosines(question, [c.text for c in near], embedder) if near else []
    titles = [_title_share(question, passage, tokenizer) for passage in passages]
    unit = asked_unit(question)
    years = [year_clash(question, f"{p.title} {p.section_path} {p.text}") for p in passages]
    ranked = []
    for candidate, cosine in zip(near, meaning, strict=True):
        score = (
            W_TERMS * candidate.terms
            + W_CONTEXT * candidate.context
            + W_PAIRS * candidate.pairs
            + W_MEANING * cosine
            + W_TITLE * titles[candidate.passage]
            + (W_UNIT if unit and _unit_near(unit, tokenizer.fold(candidate.text)) else 0.0)
            + _fitting(question, candidate)
            - W_NO_YEAR * years[candidate.passage]
            - W_OTHER_YEAR * year_clash(question, candidate.text)
            - W_PLACE * candidate.passage / max(1, len(passages))
        )
        ranked.append(candidate._replace(meaning=cosine, score=score))
    return sorted(ranked, key=lambda c: (-c.score, c.passage, c.order))


def year_clash(question: str, text: str) -> bool:
    """Whether the text names years and the question asks for others."""
    asked, said = set(_YEAR.findall(question)), set(_YEAR.findall(text))
    return bool(asked and said and not asked & said)


def _fitting(question: str, candidate: Candidate) -> float:
    """How far the sentence is of the form of an answer, whatever its words."""
    asks, quantity = answer_kind(question) != "any", quantity_asked(question) is not None
    return (
        (W_KIND if candidate.kind and asks else 0.0)
        + (W_QUANTITY if candidate.quantity and quantity else 0.0)
        + (W_EXTREME if candidate.extreme else 0.0)
        - (W_EMPTY if candidate.empty else 0.0)
    )


def _lexical(
    question: str, passages: Sequence[Passage], tokenizer: Tokenizer, whole: str
) -> list[Candidate]:
    """Every sentence with the features that need no encoder."""
    found = _collect(passages)
    plain = [han_folded(text, tokenizer) for _, _, text in found]
    folded = [tokenizer.fold(text) for text in plain]
    words = [set(tokenizer.tokens(text)) for _, _, text in found]
    weights = term_weights(asked_terms(question, tokenizer), words, folded)
    wide = term_weights(asked_terms(whole, tokenizer), words, folded)
    context = _contexts(passages, wide, tokenizer)
    named = [terms_in(f"{p.title} {p.section_path}", weights, tokenizer) for p in passages]
    own = [covered(weights, w, f) for w, f in zip(words, folded, strict=True)]
    pairs = _bigrams(tokenizer.fold(question))
    kind, tongue = answer_kind(question), language(question)
    led = [_led(passages[p], order, plain[i]) for i, (p, order, _) in enumerate(found)]
    quantity, extreme = quantity_asked(question), extremes(question)
    return [
        Candidate(
            passage=passage,
            order=order,
            text=text,
            own=own[i],
            terms=own[i] + TITLE_WORD * _unsaid(weights, words[i], folded[i], named[passage]),
            context=context[passage],
            pairs=_gram_share(pairs, folded[i]),
            kind=holds_kind(kind, led[i], question),
            quantity=quantity is None or quantity.search(plain[i]) is not None,
            extreme=bool(extreme & extremes(plain[i])),
            empty=says_nothing(text),
            foreign=language(text) != tongue,
        )
        for i, (passage, order, text) in enumerate(found)
    ]


def _led(passage: Passage, order: int, text: str) -> str:
    """The item of a list with the words that it goes on from, which may name who does it."""
    if not is_marked(text):
        return text
    lead = stem(passage_sentences(passage), passage.section_path, order)
    return f"{lead} {text}" if lead else text


def says_nothing(text: str) -> bool:
    """Whether a line has words and tells nothing: a caption, a heading, a line of a program, or
    where it is told."""
    formal = is_caption(text) or is_heading(text)
    return formal or any(p.search(text) for p in (_CODE, _POINTER, _FORM))


def has_blank(text: str) -> bool:
    """Whether something is left out to be filled in: a question, whatever it says besides."""
    return _BLANK.search(text) is not None


def is_heading(text: str) -> bool:
    """Whether the line is a numbered heading inside the text: it names what stands under it."""
    return _HEADING.match(text) is not None and _SAYS.search(text) is None


def is_caption(text: str) -> bool:
    """Whether the line is the caption of a figure or a table, not a sentence about one."""
    label = parse_label(text)
    if label is None or label.kind not in ("figure", "table", "scheme", "algorithm"):
        return False
    return (
        len(text) <= 120
        and re.search(
            r"[.。；;！？]\s*$|所示|[可见列]|\b(?:shows?|lists?|gives?|compares?|is|are)\b", text
        )
        is None
    )


def term_weights(
    wanted: Sequence[str], words: Sequence[set[str]], folded: Sequence[str]
) -> dict[str, float]:
    """Inverse document frequency of the terms among the texts at hand, normalised to sum 1."""
    raw = {}
    for term in wanted:
        seen = sum(1 for w, f in zip(words, folded, strict=True) if occurs(term, w, f))
        raw[term] = math.log(1 + (len(words) + 1) / (seen + 0.5))
    total = math.fsum(raw.values())
    return {term: weight / total for term, weight in raw.items()} if total else {}


def covered(weights: Mapping[str, float], words: set[str], folded: str) -> float:
    """Weighted share of the terms that occur, 0..1."""
    return math.fsum(weight for term, weight in weights.items() if occurs(term, words, folded))


def _collect(passages: Sequence[Passage]) -> list[tuple[int, int, str]]:
    """(passage index, order, sentence) without table source and repeats."""
    found: list[tuple[int, int, str]] = []
    seen: set[str] = set()
    for index, passage in enumerate(passages):
        for order, text in enumerate(passage_sentences(passage)):
            key = "".join(_ALNUM.findall(text))
            if (
                not _LETTERS.search(text)
                or len(key) < 2
                or key in seen
                or text.startswith(("|", "<t", "</"))
            ):
                continue
            seen.add(key)
            found.append((index, order, text))
    return found


def _unsaid(weights: Mapping[str, float], words: set[str], folded: str, named: set[str]) -> float:
    """The weighted share of the terms that only the sentence's title says."""
    return math.fsum(w for t, w in weights.items() if t in named and not occurs(t, words, folded))


def _contexts(
    passages: Sequence[Passage], weights: Mapping[str, float], tokenizer: Tokenizer
) -> list[float]:
    """How much of the question the whole passage, its title and section cover."""
    shares = []
    for passage in passages:
        whole = f"{passage.title} {passage.section_path} {passage.text}"
        folded = tokenizer.fold(whole)
        shares.append(covered(weights, set(tokenizer.tokens(whole)), folded))
    return shares


def _title_share(question: str, passage: Passage, tokenizer: Tokenizer) -> float:
    """Share of the words of the passage's own section title that the question says."""
    leaf = passage.section_path.rpartition(" > ")[2]
    words = [w for w in dict.fromkeys(tokenizer.tokens(leaf)) if not _NUMBERS.fullmatch(w)]
    return len(terms_in(question, words, tokenizer)) / len(words) if words else 0.0


def _cosines(question: str, texts: Sequence[str], embedder: Embedder) -> list[float]:
    query = embedder.embed_queries([question])
    matrix = embedder.embed_passages(list(texts))
    return [float(value) for value in matrix @ query[0]]


def _bigrams(folded: str) -> Counter[str]:
    plain = "".join(_ALNUM.findall(folded))
    return Counter(plain[i : i + 2] for i in range(len(plain) - 1))


def _gram_share(grams: Counter[str], folded: str) -> float:
    """Share of the question's character bigrams that occur: rewards long common phrases."""
    total = sum(grams.values())
    if not total:
        return 0.0
    other = _bigrams(folded)
    return sum(count for gram, count in grams.items() if gram in other) / total


def _unit_near(unit: str, folded: str) -> bool:
    return (
        re.search(
            rf"[\d一二两三四五六七八九十百千万亿余多]\s?[个位名]?{re.escape(unit[:1])}", folded
        )
        is not None
    )
