"""Figures asked for by where they stand: "the figure on page 7", 第二张图, "the last table".

Pages are physical ones, as in every citation; of slides the number of the slide.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from ..core.analysis import FigurePlace
from ..core.chunk import Figure
from ..core.evidence import LegResult, Notice
from .labels import OBJECT_SCORE, LabelFinding
from .named import marked

_NOUN_ZH = (
    r"(?:图表|图片|插图|配图|照片|曲线图?|示意图|流程图|[一-鿿]{0,3}图(?!书|谱|纸|案)|表格"
    r"|[一-鿿]{0,2}表(?![示明达现述面]))"
)
_NOUN_EN = (
    r"(?:figures?|figs?\b\.?|charts?|pictures?|images?|diagrams?|photos?|plots?|graphs?|drawings?"
    r"|illustrations?|tables?)"
)
_DIGITS = "零一二三四五六七八九"
_NUMBER_ZH = r"(?:\d{1,4}|[一二三四五六七八九十]{1,3})"
_PAGE_ZH = re.compile(rf"第\s*(?P<n>{_NUMBER_ZH})\s*(?:页|张?幻灯片)")
_PAGE_EN = re.compile(r"\b(?:on|in|of|from)?\s*(?:page|slide|p\.)\s*(?P<n>\d{1,4})\b", re.I)
_NTH_ZH = re.compile(
    rf"(?:第\s*(?P<n>{_NUMBER_ZH})\s*(?:张|幅|个|副)|(?P<last>最后|末尾?)(?:的?一?)(?:张|幅|个|副))(?P<noun>{_NOUN_ZH})"
)
_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_NTH_EN = re.compile(
    rf"\b(?P<w>{'|'.join(_WORDS)}|tenth|(?P<n>\d{{1,2}})(?:st|nd|rd|th)"
    rf"|(?P<last>(?:very )?last|final))\s+"
    rf"(?P<noun>{_NOUN_EN})\b(?P<of>\s+(?:of|in|from)\b)?",
    re.IGNORECASE,
)
_ANY_ZH, _ANY_EN = re.compile(_NOUN_ZH), re.compile(rf"\b{_NOUN_EN}\b", re.IGNORECASE)
_TABLE = re.compile(r"^(?:[一-鿿]{0,2}表格?|tables?)$", re.IGNORECASE)
_NEAR = 24
"""Characters between a page and the figure on it."""


def asked_place(question: str) -> FigurePlace | None:
    """Where the figure that is asked for stands; None: it is not asked for in this way."""
    text = unicodedata.normalize("NFKC", question)
    return _on_page(text) or _nth(text)


_ASKS_FOR = re.compile(
    r"(?:看|在|从|把|将|对|用|给|据|按|按照|参照|关于|解释|解读|说明|描述|分析|总结|概括|介绍|结合|参考|展示|显示|打开|放大|问|是|和|与|跟"
    r"|及|请|再|那么?|就|我|你|您|一下|下载|翻译|比较|对比|刚才|刚刚|上面|前面|之前|提到|提供|给出|里|中)的?$"
)
_NEXT = re.compile(
    rf"^\W*(?:(?:那么?|再|然后|还有|接着|看看?|给我看?|请)[，,\s]*)*"
    rf"[下后]面?一?(?:张|幅|个|副)(?P<noun>{_NOUN_ZH})?"
    r"(?:呢|吧|是什么|看看?|讲什么|说明什么|画的是?什么)?\W*$"
    rf"|^\W*(?:(?:and|so|then|ok(?:ay)?|now|show(?: me)?|(?:what|how) about|what is)\b[,\s]*)*"
    rf"(?:the )?(?:next|following) (?P<en>{_NOUN_EN}|one)\W*$",
    re.IGNORECASE,
)


_ITS_PAGE = re.compile(
    rf"^\W*(?:那么?|请问)?[这那该上此]一?(?:张|幅|个|副)?(?P<noun>{_NOUN_ZH})是?(?:在|位于|出自)?(?:文档|论文|报告|书)?的?"
    r"(?:第几|哪一?)(?:页|张幻灯片)\W*$"
    rf"|^\W*(?:on |and )*(?:which|what) (?:page|slide)(?: number)? (?:is|does|was) "
    rf"(?:this|that|the|it)(?: (?P<en>{_NOUN_EN}))?(?: (?:on|from|stand on|in))?\W*$",
    re.IGNORECASE,
)


def says_which(before: str) -> bool:
    """Whether what stands before 那张图 says which figure that is, and does not only ask for it."""
    return bool(re.search(r"[\u4e00-\u9fffA-Za-z\d]{2}$", before)) and not _ASKS_FOR.search(before)


def asked_its_page(message: str) -> bool:
    """Whether the page of the figure in focus is asked for, and nothing else."""
    return _ITS_PAGE.match(unicodedata.normalize("NFKC", message)) is not None


def asked_next(question: str) -> FigurePlace | None:
    """The figure after the one in focus, where the message asks for it and for nothing else."""
    found = _NEXT.match(unicodedata.normalize("NFKC", question))
    if found is None:
        return None
    noun = found["noun"] or found["en"] or ""
    return FigurePlace(kind=_kind(noun) if noun not in ("", "one") else "any", step=1)


def _on_page(text: str) -> FigurePlace | None:
    for page, noun in ((_PAGE_ZH, _ANY_ZH), (_PAGE_EN, _ANY_EN)):
        found = page.search(text)
        things = [m for m in noun.finditer(text) if found and _beside(found, m)]
        if found and things:
            kinds = {_kind(thing.group()) for thing in things}
            kind = kinds.pop() if len(kinds) == 1 else "any"
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            return FigurePlace(kind=kind, page=_value(found["n"]), words=noun.sub(" ", rest))
    return None


def _beside(page: re.Match[str], thing: re.Match[str]) -> bool:
    between = max(page.start() - thing.end(), thing.start() - page.end())
    return between <= _NEAR


def _nth(text: str) -> FigurePlace | None:
    found = _NTH_ZH.search(text)
    if found is None:
        found = _NTH_EN.search(text)
        if found is None or (found["last"] and not found["of"]):
            return None  # "the last figure" is the one just shown
    nth = -1 if found["last"] else _value(found["n"]) if found["n"] else _ordinal(found)
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    return FigurePlace(kind=_kind(found["noun"]), nth=nth, words=rest) if nth else None


def _ordinal(found: re.Match[str]) -> int:
    word = found["w"].lower()
    return 10 if word == "tenth" else _WORDS.index(word) + 1


def _kind(noun: str) -> Literal["picture", "table"]:
    return "table" if _TABLE.match(noun) else "picture"


def _value(number: str) -> int:
    """12 of "12" and of "十二"."""
    if number.isdecimal():
        return int(number)
    tens, ten, ones = number.partition("十")
    if not ten:
        return _DIGITS.index(number) if len(number) == 1 else 0
    return 10 * (_DIGITS.index(tens) if tens else 1) + (_DIGITS.index(ones) if ones else 0)


def standing_at(place: FigurePlace, figures: Sequence[Figure]) -> list[Figure]:
    """The figures of one document that stand there, in order; parts of one figure together.

    The n-th table or picture is counted among those with a number where the document numbers them.
    """
    own = [f for f in figures if not f.decoration and _is(f, place.kind)]
    if place.page:
        own = [f for f in own if f.page and f.page <= place.page <= (f.page_end or f.page)]
        return own if not place.nth else own[place.nth - 1 : place.nth]
    numbered = [f for f in own if f.label is not None]
    inside = [f for f in own if f.caption or (f.page or 2) > 1]  # a cover's picture is none of them
    own = inside or own
    units: dict[str, list[Figure]] = {}
    for figure in numbered or own:
        key = figure.label.key if figure.label else figure.group or figure.figure_id
        units.setdefault(key, []).append(figure)
    every = list(units.values())
    at = place.nth - 1 if place.nth > 0 else place.nth
    return every[at] if -len(every) <= at < len(every) else []


def after(place: FigurePlace, focused: Figure, figures: Sequence[Figure]) -> list[Figure]:
    """The figures `step` after the one in focus, of its own kind where none is named: numbered ones
    in the order of their numbers, else in the document's."""
    kind = place.kind
    if kind == "any":
        kind = "table" if _is(focused, "table") else "picture"
    own = [f for f in figures if not f.decoration and _is(f, kind)]
    numbered = focused.label is not None
    keys: dict[tuple[tuple[int, str], ...], list[Figure]] = {}
    for figure in own:
        if (figure.label is not None) == numbered:
            keys.setdefault(_order(figure), []).append(figure)
    later = sorted(key for key in keys if key > _order(focused))
    return keys[later[place.step - 1]] if len(later) >= place.step else []


def _order(figure: Figure) -> tuple[tuple[int, str], ...]:
    if figure.label is None:
        return ((figure.ordinal, ""),)
    return tuple((int(p), "") if p.isdecimal() else (0, p) for p in figure.label.parts)


def _is(figure: Figure, kind: str) -> bool:
    label = figure.label
    table = label.kind == "table" if label else figure.kind == "table"
    return kind == "any" or table == (kind == "table")


def placed_finding(figures: Sequence[Figure], query: str) -> LabelFinding:
    """Figures found by their place, as the label leg gives what it finds."""
    ids = list(dict.fromkeys(f.chunk_id for f in figures if f.chunk_id))
    scores = tuple(OBJECT_SCORE - at * 1e-4 for at in range(len(ids)))
    leg = LegResult(leg="label", query=query, ids=tuple(ids), scores=scores)
    return LabelFinding(result=leg, figure_ids=tuple(f.figure_id for f in figures))


def nothing_there(
    place: FigurePlace, title: str, figures: Sequence[Figure], language: str
) -> Notice:
    """That the document has no such figure there, and on which pages it has some."""
    zh = language == "zh"
    nouns = {"table": ("表", "table"), "picture": ("图", "figure"), "any": ("图或表", "figure")}
    noun = nouns[place.kind][0 if zh else 1]
    own = [f for f in figures if not f.decoration and _is(f, place.kind)]
    pages = sorted({f.page for f in own if f.page}, key=lambda p: (abs(p - place.page), p))
    some = [str(page) for page in sorted(pages[:3] if place.page else [])]
    if place.step:
        text = (
            f"{marked(title)}里后面没有{noun}了。"
            if zh
            else f"There is no further {noun} in {title}."
        )
    elif place.page:
        text = (
            f"{marked(title)}第 {place.page} 页没有{noun}。"
            if zh
            else f"There is no {noun} on page {place.page} of {title}."
        )
    else:
        count = len(own)
        text = (
            f"{marked(title)}只有 {count} 个{noun}。"
            if zh
            else f"{title} has only {count} {noun}{'' if count == 1 else 's'}."
        )
    if some:
        text += (
            f"最近的在第 {'、'.join(some)} 页。" if zh else f" The nearest: page {', '.join(some)}."
        )
    return Notice(code="figure_missing", text=text)
