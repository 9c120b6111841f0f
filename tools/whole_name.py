"""A document that a question names in full, and the question without that name.

A prospectus says "the company" and "the issuer" where the question says which company it is. The
name says which document is meant; inside it, it tells nothing, and every page that has it in its
head is as near to the question as the one that answers.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from ..core.analysis import Analysis
from ..core.document import DocumentRecord, split_name
from ..core.text import has_cjk
from .named import plain_name
from .request import asked_for

LEAST_HAN, LEAST_LATIN = 4, 2
"""Characters of a name that can stand for a document in a question."""
LEAST_SHORT = 3
"""Characters of a short name that stands beside the full one."""
_LEAST_LEFT = 2
_PIECES = re.compile(r"[\s_\-—–·,，、:：()（）《》〈〉【】\[\]“”\"'’/|.]+")
_LEGAL = re.compile(r"(?:股份有限公司|有限责任公司|股份公司|有限公司|集团公司|控股集团|集团|公司)$")
# Where firms are registered: "北京七星华创电子" is "七星华创" for short.
_PLACE = re.compile(
    r"^(?:中国|北京|上海|天津|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川"
    r"|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆|香港|澳门|广州|深圳|珠海|汕头|佛山|东莞|中山|惠州|江门|湛江"
    r"|厦门|福州|泉州|漳州|南京|苏州|无锡|常州|南通|扬州|镇江|徐州|盐城|泰州|杭州|宁波|温州|嘉兴|湖州|绍兴|金华|台州|合肥"
    r"|芜湖|蚌埠|济南|青岛|烟台|潍坊|威海|淄博|临沂|郑州|洛阳|武汉|宜昌|襄阳|长沙|株洲|湘潭|岳阳|南昌|九江|赣州|成都|绵阳"
    r"|德阳|贵阳|昆明|西安|宝鸡|兰州|西宁|银川|太原|大同|石家庄|唐山|保定|沈阳|大连|鞍山|长春|哈尔滨|大庆|呼和浩特|包头"
    r"|南宁|柳州|桂林|海口|三亚|拉萨|乌鲁木齐)(?:省|市)?"
)
_ORGANISATION = re.compile(
    r"^[一-鿿A-Za-z\d]{2,}(?:公司|集团|大学|学院|中学|小学|医院|银行|研究院|研究所|设计院|协会|基金会|委员会|管理局"
    r"|电厂|水厂|电站|水库|机场|港口|证券|保险)"
)
_KIND = (
    r"招股(?:意向书|说明书)|募集说明书|说明书|(?:年度|半年度|季度|月度|可行性研究|审计|检测|试验|检验|评估|调研|研究|工作)报告"
    r"|[半]?年报|季报|月报|快报|公报|简报|白皮书|报告书?|手册|办法|条例|规定|细则|守则|准则|章程|规程|制度|规则|规范|标准|指南"
    r"|方案|合同|协议|纪要|通知|公告|计划书?"
)
_OF_KIND = re.compile(rf"(?:{_KIND})$")
_KIND_ALONE = re.compile(rf"(?:{_KIND})+")
_DATED = r"(?:19|20)\d{2}\s*年?度?的?\s*"
_DATE = re.compile(r"[\d\s年月日度第季上下半一二三四]+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)(?!\s?[\-./]\s?\d)")  # no day it was filed
_TAIL = re.compile(
    rf"^(?:\s*》)?(?:\s*[（(][^）)]{{1,12}}[）)])?(?:\s*》)?(?:\s*(?:的|之)?(?:{_DATED})?(?:首次公开发行[一-鿿A-Za-z]{{0,6}})?(?:{_KIND})"
    r"(?:数据|全文|原文|摘要)?)?\s*(?:里面?|中|内|上)?(?:的?(?:披露|显示|所述|记载|列示|提[到及]))?(?:[，,：:、]|的(?!是))?"
)
# What is left of "根据 X 2019年的年报数据，" where the name comes later.
_REST = re.compile(
    rf"^(?:根据|按照|依据|从|在)\s*(?P<year>(?:19|20)\d{{2}}年?)?度?的?(?:{_KIND})(?:数据|全文)?(?:来看|里面?|中|内|上)?[，,]\s*"
)
_LEAD = re.compile(
    r"(?:(?:请问|请)?(?:根据|按照?|依据|依照|参照|查阅|关于|对于|针对|在|从|就)\s*)?《?\s*$"
)
_LATIN_KIND = re.compile(
    r"^(?:(?:19|20)\d{2}(?:q[1-4])?|fy\d{2,4}|q[1-4]|10-?[kq]|8-?k|20-?f|ar|annual|quarterly|interim"
    r"|report|earnings|prospectus|filing|statement|inc|corp|corporation|co|company|plc|ltd|limited"
    r"|llc|group|holdings?|university|hospital|bank)$",
    re.IGNORECASE,
)
_LATIN_LEAD = re.compile(r"(?:\b(?:for|of|by|at|in|from|to|according to)\s+)?(?:the\s+)?$", re.I)
_LATIN_TAIL = re.compile(
    r"^(?:,?\s*(?:inc|corp|corporation|co|company|plc|ltd|limited|llc)\b\.?)?(?:['’]s?)?"
    r"(?:\s+(?:annual report|10-?[kq]|8-?k|prospectus|filing))?",
    re.IGNORECASE,
)
_CODED_NAME = re.compile(r"(?=.*[A-Za-z])[\w.\-]*(?:_[\w.\-]+|[A-Za-z]\d|\d[A-Za-z])[\w.\-]*$")
_ASKING = re.compile(
    r"请问|是|有|什么|哪些|哪个|哪里|怎么样?|如何|为什么|多少|几|谁|吗|呢|的|了|做|介绍|一下|简介|概况|情况|内容|主要|讲|说"
    r"|\b(?:what|which|who|where|when|how|is|are|was|were|do|does|did|has|have|the|a|an|about|much"
    r"|many|of|for|in|it|its)\b",
    re.IGNORECASE,
)


class Named(NamedTuple):
    """The words of a question that name documents, as written, and those documents."""

    words: str
    docs: tuple[str, ...]
    year: str = ""
    """The year of the question that the names of all of them say."""


def named_whole(question: str, documents: Sequence[DocumentRecord]) -> Named | None:
    """The document (several, where they are called alike) that the question names in full: an
    organisation whose report it is, or a title that says what kind of document it is; None: it
    names none, or two of different names, or asks nothing else."""
    plain, places = _placed(question)
    folded = question.casefold()
    found: dict[tuple[int, int], list[str]] = {}
    for document in documents:
        heads, stem, firms = _begins(document.titles, document.name)
        told = [key for head, key in heads if head in plain]
        spans = [span for key in told for span in _spans(key, plain, places, question)]
        if stem and stem in folded:
            spans += _file_spans(document.name, question)
        if not spans and firms and any(firm in question for firm in firms):
            spans = list(_short_spans(document.titles, question))
        if spans:
            longest = max(spans, key=lambda span: (span[1] - span[0], -span[0]))
            found.setdefault(longest, []).append(document.doc_id)
    outer = [a for a in found if not any(b[0] <= a[0] and a[1] <= b[1] for b in found if b != a)]
    if len(outer) != 1:
        return None
    words = question[slice(*outer[0])]
    docs = found[outer[0]]
    left = _ASKING.sub("", without_name(question, words))
    if sum(character.isalnum() for character in left) < _LEAST_LEFT:
        return None
    return of_the_year(Named(words, tuple(docs)), question, documents)


def latin_names(documents: Sequence[DocumentRecord]) -> dict[str, tuple[str, ...]]:
    """The Latin names of organisations whose reports the documents are, with those documents."""
    found: dict[str, list[str]] = {}
    for document in documents:
        for key in _keys(document.titles):
            if key.name.isascii():
                found.setdefault(key.name, []).append(document.doc_id)
    return {name: tuple(docs) for name, docs in found.items()}


def of_the_year(named: Named, question: str, documents: Sequence[DocumentRecord]) -> Named:
    """Of several documents those whose names say a year of the question; none does: all."""
    asked = set(_YEAR.findall(question.replace(named.words, " ")))
    names = {d.doc_id: " ".join(d.titles) for d in documents if d.doc_id in named.docs}
    said = {doc: asked.intersection(_YEAR.findall(names[doc])) for doc in named.docs}
    docs = tuple(doc for doc in named.docs if said[doc]) or named.docs
    common = set.intersection(*(said[doc] for doc in docs))
    return Named(named.words, docs, min(common, default=""))


def inner_question(analysis: Analysis) -> str:
    """The question as it is asked inside the documents that it names."""
    return asked_inside(analysis.rewritten, analysis.named)


def asked_inside(text: str, words: str) -> str:
    """What is asked of the documents that these words of the text name; as it is without any."""
    return asked_for(without_name(text, words)) if words else text


def without_year(question: str, year: str) -> str:
    """The question without a year that the name of its document says."""
    return re.sub(
        rf"(?:\b(?:in|of|for) )?(?<!\d){year}(?!\d)\s*年?度?末?的?", "", question, count=1
    )


def without_name(text: str, words: str) -> str:
    """The text without these words and what binds them to it ("根据 X 招股书，", "of X"); as it
    is where it does not hold them."""
    start = text.find(words) if words else -1
    if start < 0:
        return text
    before, after = text[:start], text[start + len(words) :]
    if has_cjk(before + after) or not re.search(r"[A-Za-z]", before + after):
        rest = f"{_LEAD.sub('', before)}{_TAIL.sub('', after)}".strip()
        return _REST.sub(lambda found: found["year"] or "", rest)
    rest = f"{_LATIN_LEAD.sub('', before)} {_LATIN_TAIL.sub('', after)}"
    rest = re.sub(r"\s+([?.,;:])", r"\1", " ".join(rest.split()))
    return rest.lstrip(" ,;:")


class _Key(NamedTuple):
    """A name, plain, and how many of its first characters say it."""

    name: str
    least: int


class _Begins(NamedTuple):
    """What a question that names a document holds at least: thousands are asked of every question
    and nearly all hold nothing of it."""

    heads: tuple[tuple[str, _Key], ...]
    """Of each of its names the first characters, plain, that say it."""
    stem: str
    """The file's name without case; empty where it is too short to be one."""
    firms: tuple[str, ...]
    """The first two characters of its firms."""


@lru_cache(1 << 15)
def _begins(titles: tuple[str, ...], name: str) -> _Begins:
    stem = _file_name(name)[0].casefold()
    return _Begins(
        tuple((key.name[: key.least], key) for key in _keys(titles)),
        stem if len(stem) >= LEAST_LATIN else "",
        tuple(sorted({core[:2] for core in _firms(titles)})),
    )


@lru_cache(1 << 15)
def _keys(titles: tuple[str, ...]) -> tuple[_Key, ...]:
    """What the titles call the document: names of organisations with and without their legal form
    and place, titles that end in a kind of document, names before a year or filing."""
    return tuple(dict.fromkeys(key for title in titles for key in _named_by(title)))


def _whole(name: str) -> _Key:
    plain = plain_name(name)
    return _Key(plain, len(plain))


def _named_by(title: str) -> Iterator[_Key]:
    pieces = [piece for piece in _PIECES.split(title) if piece]
    owned = any(map(_ORGANISATION.match, pieces))
    for piece in pieces:
        if found := _ORGANISATION.match(piece):
            yield from _organisation(found.group())
        elif _OF_KIND.search(piece):
            if _han(piece) >= LEAST_HAN and not _KIND_ALONE.fullmatch(piece):
                yield _whole(piece)
        elif owned and _han(piece) >= LEAST_SHORT and not _DATE.fullmatch(piece):
            yield _whole(piece)  # what the organisation is called for short
    kind = next((i for i, piece in enumerate(pieces) if _LATIN_KIND.match(piece)), 0)
    name = "".join(pieces[:kind])
    if len(name) >= LEAST_LATIN and name.isascii() and any(c.isalpha() for c in name):
        yield _whole(name)


def _organisation(name: str) -> Iterator[_Key]:
    """A name; a firm's also without its legal form, without the place before it, and as its first
    characters."""
    yield _whole(name)
    core = _LEGAL.sub("", name)
    if core == name:
        return
    for said in map(plain_name, dict.fromkeys((core, _PLACE.sub("", core)))):
        if len(said) >= LEAST_HAN:
            yield _Key(said, LEAST_HAN)


def _spans(
    key: _Key, plain: str, places: Sequence[int], question: str
) -> Iterator[tuple[int, int]]:
    """Where the question holds as much of the name as it says; a Latin one as words of its own
    that begin like names."""
    at = plain.find(key.name[: key.least])
    while at >= 0:
        both = zip(plain[at:], key.name, strict=False)
        most = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
        for length in range(most, key.least - 1, -1):
            start, end = places[at], places[at + length - 1] + 1
            if not plain[at : at + length].isascii() or _stands_alone(question, start, end):
                yield start, end
                break
        at = plain.find(key.name[: key.least], at + 1)


def _stands_alone(question: str, start: int, end: int) -> bool:
    around = question[max(0, start - 1) : start] + question[end : end + 1]
    return not any(c.isascii() and c.isalnum() for c in around) and not question[start].islower()


def _file_spans(name: str, question: str) -> Iterator[tuple[int, int]]:
    """Where the question says the file's name as it is written: with its ending, or one that is no
    word of a language ("ACME_2023_10K")."""
    stem, ending, coded = _file_name(name)
    pattern = rf"(?<![A-Za-z\d_]){re.escape(stem)}(?P<end>{re.escape(ending) or '(?!)'})?"
    for found in re.finditer(pattern, question, re.I):
        alone = not re.match(r"[A-Za-z\d_]", question[found.end() : found.end() + 1])
        if alone and (found["end"] or coded):
            yield found.span()


@lru_cache(1 << 15)
def _file_name(name: str) -> tuple[str, str, bool]:
    """A file's name and its ending, and whether the name is no word of a language."""
    stem, ending = split_name(name)
    return stem, ending, _CODED_NAME.search(stem) is not None


def _short_spans(titles: tuple[str, ...], question: str) -> Iterator[tuple[int, int]]:
    """Where the question calls a firm by four characters of its name, in their order and not in a
    row, the first two its first: 海天精工 of 宁波海天精密工业股份有限公司."""
    cores = [core for core in _firms(titles) if core[:2] in question]
    for run in re.finditer(r"[\u4e00-\u9fff]{4,}", question) if cores else ():
        for at in range(len(run.group()) - LEAST_HAN + 1):
            said = run.group()[at : at + LEAST_HAN]
            if any(_shortens(said, core) for core in cores):
                yield run.start() + at, run.start() + at + LEAST_HAN


@lru_cache(1 << 15)
def _firms(titles: tuple[str, ...]) -> frozenset[str]:
    """Firms that the titles begin with, without the place before their names."""
    names = (m.group() for t in titles for m in [_ORGANISATION.match(t)] if m)
    return frozenset(_PLACE.sub("", name) for name in names if _LEGAL.search(name))


def _shortens(said: str, name: str) -> bool:
    rest = iter(name[2:])
    return name.startswith(said[:2]) and all(character in rest for character in said[2:])


def _placed(text: str) -> tuple[str, list[int]]:
    """The plain text, and for each of its characters where it stands in the text."""
    pairs = [(c, place) for place, char in enumerate(text) for c in plain_name(char)]
    return "".join(c for c, _ in pairs), [place for _, place in pairs]


def _han(text: str) -> int:
    return sum(map(has_cjk, text))
