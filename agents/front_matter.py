"""Who wrote a document, where they work and when it came out: lines of its first page.

Under the title of a paper the authors stand without a label, so they are told by their form; in
other documents only a line that says whose work it is counts ("编写：…", "prepared by …").
"""

import re
from collections.abc import Sequence
from typing import Literal

from ..core.chunk import Chunk
from ..core.text import has_cjk
from .exam_facts import cover_lines

Said = Literal["authors", "affiliation", "date"]
_MOST_CHUNKS = 6
_MOST_LINES = 24
_MOST_SAID = 8
_LONGEST = 400
_BODY = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*\.?\s*)?(?:abstract|introduction|contents|table of contents|preface"
    r"|摘\s*要|目\s*录|引\s*言|前\s*言|绪\s*论|第[一1]章)",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"^\W*(?:abstract|摘\s*要|summary)\b", re.IGNORECASE)
_SUP = re.compile(r"<sup>.*?</sup>|\$\s*\^.*?\$|[∗*†‡§¶⋆⁎]+")
_LABELLED = re.compile(
    r"^\W*(?:作\s*者|编\s*者|编\s*著|主\s*编|编\s*写(?:人|者|单位)?|撰\s*[稿写]人?|执\s*笔人?"
    r"|编\s*制(?:人|单位)?|起\s*草(?:人|单位)?|(?:主讲|授课)(?:人|教师|老师)|报告人"
    r"|记\s*录(?:人|员)?|authors?|written by|prepared by|edited by|editors?|lecturer|instructor"
    r"|presented by|(?:minutes )?(?:taken|recorded) by)"
    r"\s*[:：]\s*\S"
    r"|^\W*(?:written|prepared|edited|compiled|authored|presented) (?:for .{2,60}? )?by\s+\S"
    r"|^by\s+[A-Z]"
    r"|由[^，。；]{2,20}(?:编制|编写|撰写|起草|制定|主编)"
    r"|^[一-鿿]{2,16}\s*(?:编|著|编著|主编|编写|编制|编印)$",
    re.IGNORECASE,
)
_AUTHORSHIP = re.compile(
    r"作者|编者|主编|[编撰]写|编著|编制|起草|执笔|撰稿|[写编著]于|记录[人员]"
    r"|\b(?:authors?|authored|wrote|writer|editors?|edited|compiled|prepared for .{2,60}? by"
    r"|(?:written|prepared|taken|recorded|produced|issued) by)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"universit|institut|college|school of|department|laborator|\blabs?\b|academ|faculty|research"
    r"|cent(?:er|re)\b|\b(?:inc|corp|ltd|llc|gmbh)\b|company|services|hospital|google|amazon|\bmeta\b"
    r"|microsoft|\bibm\b|nvidia|openai|alibaba|tencent|huawei|bytedance|baidu|healthcare"
    r"|technolog|大学|学院|研究[所院]|实验室|公司|中学|小学|医院|科学院",
    re.IGNORECASE,
)
_CONTACT = re.compile(r"@|https?://|\bdoi\b|\bemail\b|e-mail", re.IGNORECASE)
_ADDRESS = re.compile(r"\d{4,}|,\s*[A-Z]{2}\b")
_NAME = (
    r"[A-Z][\w.'’\-]*(?:\s(?:[A-Z]\.?|de|van|von|der|den|di|da|la|le|bin|al))*"
    r"(?:\s[A-Z][\w'’\-]+){1,3}"
)
_NAMES = re.compile(rf"{_NAME}(?:\s*[,;&·]\s*(?:and\s+)?{_NAME}|\s+and\s+{_NAME}|\s+{_NAME})*[,;]?")
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方"
    "石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文施洪严温翁樊兰殷葛"
)
_HAN_NAME = rf"[{_SURNAMES}]\s?[一-鿿](?:\s?[一-鿿])?"
_HAN_NAMES = re.compile(
    rf"(?:[一-鿿]{{2,12}}(?:大学|学院)\s*)?{_HAN_NAME}\s*\d*(?:\s*[、，,\s]\s*{_HAN_NAME}\s*\d*)*"
    r"\s*(?:(?:副?教授|讲师|博士|老师|研究员|院士|主编|编著?|著))?"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    rf"(?:19|20)\d{{2}}\s*年(?:\s*\d{{1,2}}\s*月)?|\b{_MONTH}\s+(?:\d{{1,2}}(?:\s*[–-]\s*\d{{1,2}})?,?\s+)?"
    rf"(?:19|20)\d{{2}}\b|\b\d{{1,2}}\s+{_MONTH}\s+(?:19|20)\d{{2}}\b"
    r"|(?<!\d)(?:19|20)\d{2}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?!\d)"
    r"|(?:published|accepted|received|copyright|©|\(c\)|版权|出版|发布|印发|proceedings|conference"
    r"|journal|\bconf\.|\bvol\.?)"
    r".{0,60}?(?<!\d)(?:19|20)\d{2}(?!\d)|(?<!\d)(?:19|20)\d{2}\s+\w+ (?:conf|proceedings)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[。；]|^第[一二三四五六七八九十百\d]+条|(?:\S+\s+){7,}\S*\w\.$")
_ISSUED = re.compile(
    r"published|released|issued|printed|copyright|©|发布|印发|出版|公布|通过|签订|编制",
    re.IGNORECASE,
)
_CITES = re.compile(r"[《<〈〔]|号）")
Line = tuple[str, Chunk]


def front_lines(chunks: Sequence[Chunk]) -> list[Line]:
    """The lines before the text begins: of the first page, up to an abstract or a table of
    contents; markup of footnote marks left out."""
    first = [c for c in chunks if (c.page_start or 1) == 1][:_MOST_CHUNKS]
    own: list[Chunk] = []
    for chunk in first:
        if _BODY.match(chunk.section_title):
            break
        own.append(chunk)
    found: dict[str, Line] = {}
    for text, chunk in cover_lines(own):
        plain = " ".join(_SUP.sub(" ", text).split()).replace(" ,", ",")
        if _BODY.match(plain) or len(found) >= _MOST_LINES:
            break
        if plain:
            found.setdefault(plain, (plain, chunk))
    return list(found.values())


def is_paper(chunks: Sequence[Chunk]) -> bool:
    """Whether a document begins like a paper of a journal: with an abstract."""
    return any(
        _ABSTRACT.match(c.section_title) or _ABSTRACT.match(c.text.lstrip("#* ")) for c in chunks
    )


def speaks_of_authors(chunks: Sequence[Chunk]) -> bool:
    """Whether any word of the text may be of who wrote something."""
    return any(_AUTHORSHIP.search(chunk.text) for chunk in chunks)


def said_in_front(kind: Said, lines: Sequence[Line], *, paper: bool, title: str) -> list[Line]:
    """The lines that say it; empty: none does."""
    rest = [(text, chunk) for text, chunk in lines if len(text) <= _LONGEST]
    if kind == "affiliation":
        found = [line for line in rest if _PLACE.search(line[0]) and not _is_title(line[0], title)]
    elif kind == "date":
        found = [x for x in rest if _DATE.search(x[0]) and (paper or not _tells_else(x[0]))]
    else:
        found = [line for line in rest if _LABELLED.search(line[0])]
        found = found or [line for line in rest if _names(line[0], title, paper=paper)]
    return found[:_MOST_SAID]


def _names(text: str, title: str, *, paper: bool) -> bool:
    """Whether a line is but the names of people, or of a paper begins with some."""
    if _is_title(text, title):
        return False
    if has_cjk(text):
        return _HAN_NAMES.fullmatch(text) is not None
    if not paper or _CONTACT.search(text):
        return False
    whole = _NAMES.fullmatch(re.sub(r"(?<=[a-z])\d[\d,]*|\d+", "", text).replace(",,", ","))
    if whole:
        return not (_PLACE.search(text) or _ADDRESS.search(text))
    start = _NAMES.match(text)
    listed = start is not None and "," in text[: start.end() + 12]
    return listed and not _PLACE.search(text[:40]) and not _ADDRESS.search(text[:40])


def _tells_else(text: str) -> bool:
    """Whether a line is a sentence of the text, whose date is of something else: it says nothing
    of publishing, or cites another document."""
    sentence = _SENTENCE.search(text) is not None
    return sentence and (_ISSUED.search(text) is None or _CITES.search(text) is not None)


def _is_title(text: str, title: str) -> bool:
    plain = re.sub(r"\W+", "", text).casefold()
    return bool(plain) and plain in re.sub(r"\W+", "", title).casefold()
