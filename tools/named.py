"""Which document a question names: by title, quoted or in passing, file name, kind, code or year.

A regulation inside a compilation is named like a document of its own.
"""

import re
import unicodedata
from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..core.chunk import Chunk
from ..core.document import DocumentRecord
from ..core.label import find_labels
from ..core.text import has_cjk

QUOTED, CODED, DATED, TYPED = 1000.0, 300.0, 60.0, 30.0
SURE_WORDS = 10.0
"""A name of one word that stands in the question as it is."""
_LONG_RUNS = 1.5
"""One run of nine characters says more than runs of two and seven."""
_RUN = 2
"""Chinese characters in a row that a question must share with a name."""
_WORD = re.compile(r"[a-z]{2,}[a-z0-9]*|\d{2,}")
_OWNER = re.compile(r"\s*(?:\([^)]*\)\s*)?,?\s*(?:of|in|from|for|on)\b(?P<x>.*)", re.I | re.S)
_POSSESSIVE = re.compile(r"['’]s?\s*$")
_QUOTED = re.compile(r"《([^》]{2,80})》|[“\"]([^”\"]{4,80})[”\"]")
_CODE = re.compile(
    r"(?<![A-Za-z\d])(?:[A-Z]{2,6}(?:/[TZ])?[\s\-]?(?:EN[\s\-]?"
    r"|ISO[\s\-]?)?\d{2,6}(?:[.\-]\d{1,5})*[A-Z]?)(?![A-Za-z\d])"
)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})(?!\d)")
_OWN_YEAR = re.compile(
    r"(?<!\d)((?:19|20)\d{2})(?!\d)(?:\s*年?\s*(?:级|版|的)?\s*(?:第?[一二三四]学期|春季|秋季"
    r"|期[中末])?\s*(?:的)?"
    r"(?:试[卷题]|考[试卷]|真题|卷子?|标准|年报|报告|手册|版|规定|办法|条例|课件))"
    r"|\b((?:19|20)\d{2})\s+(?:\w+\s+)?(?:exam(?:ination)?|paper|test|quiz|edition|version"
    r"|report|standard|manual"
    r"|handbook|slides)s?\b"
    r"|\b(?:exam(?:ination)?|paper|test|edition|report|standard|manual|handbook)s? (?:of|from"
    r"|in|for) ((?:19|20)\d{2})\b",
    re.IGNORECASE,
)
_KINDS: tuple[tuple[frozenset[str], str, re.Pattern[str]], ...] = (
    (
        frozenset({"solution"}),
        "solution",
        re.compile(
            r"答案卷|参考答案(?=第|的第|里|中)|\b(?:solutions?|answers?"
            r"|marking scheme)(?: (?:sheet|paper|file|document|key)s?)\b"
            r"|\b(?:exam|paper)'?s? (?:solutions|answers)\b",
            re.IGNORECASE,
        ),
    ),
    (
        frozenset({"exam", "solution"}),
        "exam",
        re.compile(
            r"试[卷题](?!库)|考卷|真题|卷子|(?:期[中末]|模拟|本次|这次)考试"
            r"|\b(?:exam|examination|test|question)(?:[ -]?papers?)?\b(?! cases?)"
            r"|\b(?:past|mock|\d{4}) papers?\b|\bquiz"
            r"|^(?=.*\b(?:question|marks?|points?|q\.? ?\d)\b).*\b(?:the|this|which) papers?\b",
            re.IGNORECASE,
        ),
    ),
    (
        frozenset({"slides"}),
        "slides",
        re.compile(
            r"课件|幻灯片|讲义|\b(?:slides?|slide deck|lecture(?: notes)?)\b", re.IGNORECASE
        ),
    ),
    (
        frozenset({"standard"}),
        "standard",
        re.compile(
            r"(?:国家|行业|该|这份|本)?标准(?=第|的第|里|中|[图表])|\b(?:the|this|\w+) standard\b",
            re.IGNORECASE,
        ),
    ),
)
_ASKING = re.compile(
    r"请问|告诉我|给我|根据|按照?|看看?|一下|概括|总结|归纳|说明|描述|介绍|讲述?|说了?|写了?"
    r"|主要|具体|内容|原文|什么|哪些|哪个"
    r"|怎么|如何|多少|几[个条章节页分]|方面|关于|是否|里面|[的了吗呢吧]"
    r"|\b(?:what|which|where|when|who|how|does|do|did|is|are|was|were|say|says|said|about|cover"
    r"|covers|of|the|in|on|from"
    r"|according|to|tell|me|show|read|quote|please|summari[sz]e|describe|explain|give|and|for"
    r"|many|much|marks?|this|that"
    r"|question|figure|table|section|clause|article|chapter|page|part)\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"(?:my|new|final|draft|full|main|the|an?)?(?:papers?|articles?|reports?|documents?|docs?|files?|slides?"
    r"|lectures?|manuals?|handbooks?|books?|thesis|notes?|exams?|text|main|output|scan|draft|final"
    r"|论文|报告|文档|文件|讲义|课件|手册|教材|试卷|资料|说明书)\d*"
)
_REGULATION = re.compile(
    r"(?:办法|规定|条例|细则|守则|准则|章程|规程|制度|规则|公约|方案|意见"
    r"|[^方做想说看]法)\s*(?:[（(【][^）)】]*[）)】]\s*)*$"
)
_NUMBERED = re.compile(r"^[一二三四五六七八九十百\d]{1,4}\s*[、.．]\s*")


class Names(NamedTuple):
    """What a document, or a regulation inside one, is called."""

    titles: tuple[str, ...]
    kind: str = ""
    years: frozenset[str] = frozenset()
    head: str = ""
    """Words of its first page: course codes, the year."""


def names_of(record: DocumentRecord, head: str = "") -> Names:
    """A document's title, file name, kind and years; "paper" of paper.pdf means any paper."""
    titles = record.titles
    titles = tuple(t for t in titles if not _GENERIC.fullmatch(plain_name(t))) or titles
    years = {y for text in (*titles, head[:600]) for y in _YEAR.findall(text)}
    if year := record.metadata.get("year"):
        years.add(str(year))
    return Names(titles, record.source_type, frozenset(years), head)


def work_of(chunk: Chunk) -> str:
    """The regulation inside a compilation that holds the chunk, as its heading says; else empty."""
    above = chunk.section_path.split(" > ")
    own = next((a for a in reversed(above) if _REGULATION.search(a)), "")
    return own if own and plain_name(own) != plain_name(chunk.doc_title) else ""


def bare_work(heading: str) -> str:
    """A regulation's heading without its number in the compilation."""
    return _NUMBERED.sub("", " ".join(heading.split()))


def naming_part(question: str) -> str:
    """Where a question with a label says whose it is: what stands before the label in Chinese,
    behind "of" or "in" after it in English, and quoted titles anywhere."""
    spans = find_labels(question)
    if not spans:
        return question
    before, after = question[: spans[0].start], question[spans[-1].end :]
    owner = _OWNER.match(after)
    own = has_cjk(question) or _POSSESSIVE.search(before) or _CODE.search(before)
    said = before if own else ""
    quotes = " ".join(f"《{quote}》" for quote in quoted_names(question) if quote not in said)
    return " ".join(filter(None, (said, owner["x"] if owner else "", quotes)))


def marked(title: str) -> str:
    """A title in 《》, which it may have already."""
    return title if "《" in title else f"《{title}》"


def without_names(text: str, names: Sequence[str]) -> str:
    """A question's text without what it says of these names."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
        plain = "".join(name.split()).casefold()
        matcher = SequenceMatcher(None, plain, text.casefold(), autojunk=False)
        for block in reversed(matcher.get_matching_blocks()):
            run = text[block.b : block.b + block.size]
            if block.size >= _RUN and has_cjk(run):
                text = f"{text[: block.b]} {text[block.b + block.size :]}"
        for word in set(_WORD.findall(name.casefold())):
            text = re.sub(rf"(?<![A-Za-z0-9]){word}(?![A-Za-z0-9])", " ", text, flags=re.IGNORECASE)
    for _, _, cue in _KINDS:
        text = cue.sub(" ", text)
    return _CODE.sub(" ", _OWN_YEAR.sub(" ", text))


def scores(question: str, named: Mapping[Hashable, Names]) -> dict[Hashable, float]:
    """How far the question names each of them; 0: not at all, below 0: it names another year."""
    said = quoted_names(question)
    codes = {plain_name(code) for code in _CODE.findall(question)}
    own_years = years_asked(question)
    years = set(_YEAR.findall(question))
    kinds = [kind for kind in _KINDS if kind[2].search(question)][:1]
    shared = _Shared(question, [title for names in named.values() for title in names.titles])
    out: dict[Hashable, float] = {}
    for key, names in named.items():
        if own_years and names.years and not own_years & names.years:
            out[key] = -1.0
            continue
        score = max((_quoted(quote, names.titles) for quote in said), default=0.0)
        text = plain_name(" ".join((*names.titles, names.head)))
        score += CODED * any(code in text for code in codes)
        score += DATED * bool(years & names.years)
        for wanted, main, cue in kinds:
            # A short quiz is no exam to the parser, and yet the quiz that is asked for.
            said_so = any(cue.search(title) for title in names.titles)
            score += TYPED * (names.kind in wanted or said_so) + (names.kind == main)
        out[key] = score + max((shared.with_title(t) for t in names.titles), default=0.0)
    return out


def best_named(question: str, named: Mapping[Hashable, Names]) -> tuple[set[Hashable], float]:
    """Those that the question names most, and how far; none where it names nothing."""
    found = scores(question, named)
    top = max(found.values(), default=0.0)
    return ({key for key, score in found.items() if score == top}, top) if top > 0 else (set(), 0.0)


def years_asked(question: str) -> set[str]:
    """Years that are said of a document: "the 2021 paper", "2021年试卷"."""
    return {y for groups in _OWN_YEAR.findall(question) for y in groups if y}


def kind_asked(question: str) -> frozenset[str]:
    """Source types that a question's word for the document means; empty: it says none."""
    return next((kinds for kinds, _, cue in _KINDS if cue.search(question)), frozenset())


def quoted_names(question: str) -> list[str]:
    """Titles in 《》 or quotation marks."""
    return [next(filter(None, groups)) for groups in _QUOTED.findall(question)]


def _quoted(quote: str, titles: Sequence[str]) -> float:
    plain = plain_name(quote)
    fits = [t for t in map(plain_name, titles) if plain in t or (len(t) > _RUN and t in plain)]
    return QUOTED + len(plain) - min(abs(len(t) - len(plain)) for t in fits) / 100 if fits else 0.0


def without_asking(question: str) -> str:
    """What is left of a question without its labels and asking words."""
    for span in reversed(find_labels(question)):
        question = f"{question[: span.start]} {question[span.end :]}"
    return _ASKING.sub(" ", question)


class _Shared:
    """How much of a title a question uses; what every name of several holds tells nothing. What
    does not depend on the title is worked out once: a collection has thousands of them."""

    def __init__(self, question: str, titles: Sequence[str]) -> None:
        asked = without_asking(question).casefold()
        self._text = "".join(unicodedata.normalize("NFKC", asked).split())
        self._words = frozenset(_WORD.findall(asked))
        self._alone = {plain_name(word) for word in asked.split()}
        self._known = {plain_name(title) for title in titles}
        self._held: dict[str, bool] = {}
        self._matcher = SequenceMatcher(None, "", self._text, autojunk=False)

    def with_title(self, title: str) -> float:
        """Characters of the title that the question uses, in words and runs."""
        plain, words = plain_name(title), set(_WORD.findall(title.casefold()))
        same = words & self._words
        if not same and not self._common(plain):
            return 0.0
        latin = sum(len(word) for word in same if not self._in_all(word))
        self._matcher.set_seq1(plain)
        runs = [plain[m.a : m.a + m.size] for m in self._matcher.get_matching_blocks()]
        told = [r for r in runs if len(r) >= _RUN and has_cjk(r) and not self._in_all(r)]
        whole = SURE_WORDS * (bool(words) and plain in self._alone)
        return latin + whole + sum((float(len(run)) ** _LONG_RUNS for run in told), 0.0)

    def _common(self, plain: str) -> bool:
        """Whether two characters in a row are in both: a cheap look before the costly one."""
        return any(plain[i : i + _RUN] in self._text for i in range(len(plain) - 1))

    def _in_all(self, part: str) -> bool:
        if part not in self._held:
            known = self._known
            self._held[part] = len(known) > 1 and all(part in name for name in known)
        return self._held[part]


def plain_name(text: str) -> str:
    """A name as names are compared: letters and digits, of one width, in lower case."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()
