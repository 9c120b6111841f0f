"""Facts of a document as a whole that no sentence of it says: pages, chapters, figures, authors.

They are asked in few forms, and only of a document ("这份文件有多少页", "who wrote the paper");
what asks for more ("how many pages deal with pumps") is none of these.
"""

import re
from typing import NamedTuple

from ..core.label import find_labels
from .overview import END, POLITE

_LONGEST = 120
_UNITS = (
    ("pages", r"页数?|pages?"),
    ("chapters", r"章节?数?|chapters?"),
    ("sections", r"小?节数?|部分|sections?"),
    ("articles", r"条款?|articles|clauses?"),
    ("tables", r"表格?|tables?"),
    ("figures", r"图片?|插图|配图|figures?|pictures?|images?|diagrams?|illustrations?"),
    ("slides", r"张幻灯片|slides?"),
)
_UNIT_ZH = r"(?P<unit>页|章节|章|小节|节|部分|条款|条|图片|插图|配图|图|表格|表|张幻灯片)"
_UNIT_EN = (
    r"(?P<unit>pages?|chapters?|sections?|articles|clauses?|tables?|figures?|pictures?|images?"
    r"|diagrams?|illustrations?|slides?)"
)
_ALL_ZH = r"(?:一共|总共|共计?|都|大概|大约|到底)*"
_WROTE_ZH = r"(?:写|编写|撰写|编制|起草|编|创作|著)"
_OUT_ZH = r"(?:发表|出版|发布|编写|编制|写|印发|公布)"
_DAY_ZH = r"(?:什么时候|何时|什么时间|哪一?年|哪个?月|哪一?天|几[几年]年?)"
_WROTE_EN = r"(?:wrote|authored|prepared|edited|compiled)"
_OUT_EN = r"(?:published|released|issued|written|printed|dated)"
_WORK_EN = r"(?:university|institution|institute|organi[sz]ation|company|school|lab\w*)"
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            "count",
            rf"^(?P<x>.{{0,40}}?)(?:里面?|中|内|上)?{_ALL_ZH}(?:有|含有?|包含|包括|分为?|分成|是)?"
            rf"{_ALL_ZH}(?:几|多少)(?:个|张|幅|副)?{_UNIT_ZH}(?:纸|内容)?$",
        ),
        (
            "count",
            rf"^(?P<x>.{{1,40}}?)的?(?:总)?{_UNIT_ZH}(?:的?(?:数量|总数|数))?(?:是|有|为)?(?:多少|几)$",
        ),
        ("count", r"^(?P<x>.{1,40}?)的?(?:总)?(?P<unit>页)数(?:是|有|为)?(?:多少|几)?$"),
        (
            "count",
            rf"^how many {_UNIT_EN}(?: long)?"
            r"(?:(?: are there| are| is| does| do| has)(?: in| of)?| in| of|$)"
            r" ?(?P<x>.{0,80}?)(?: have| has| contain| contains| include| comprise| long)?"
            r"(?: in total| altogether)?$",
        ),
        (
            "count",
            rf"^(?:what(?:'s| is) )?(?:the )?(?:total )?number of {_UNIT_EN} (?:in|of)"
            r" (?P<x>.{2,80})$",
        ),
        ("title", r"^(?P<x>.{1,40}?)的?(?:题目|标题|题名|名称)(?:是|叫)(?:什么|啥)$"),
        ("title", r"^what(?:'s| is) the title of (?P<x>.{2,80})$"),
        (
            "authors",
            r"^(?P<x>.{0,40}?)的?(?:作者|编者|编写者|编写人|撰稿人|主编)们?(?:都|分别)?(?:是|有|叫)?"
            r"(?:谁|哪些人?|哪几[位个]人?|哪位|什么名字)?$",
        ),
        ("authors", rf"^(?:谁|哪[些位]人?){_WROTE_ZH}了?的?(?P<x>.{{1,40}})$"),
        (
            "authors",
            rf"^(?P<x>.{{1,40}}?)(?:是|由)(?:谁|哪[位些]人?|什么人|哪个?(?:部门|单位|机构|人)){_WROTE_ZH}出?的?$",
        ),
        ("authors", rf"^who {_WROTE_EN} (?P<x>.{{2,80}})$"),
        (
            "authors",
            r"^(?:who (?:is|are|was|were)|list|name|what are the names of)? ?(?:the )?authors?"
            r"(?: names?)?(?: of (?P<x>.{2,80}))?$",
        ),
        (
            "authors",
            r"^(?:who|by whom) (?:is|was) (?P<x>.{2,80}?) (?:written|authored|prepared)(?: by)?$",
        ),
        (
            "affiliation",
            r"^(?P<x>.{0,40}?)的?作者们?的?(?:都)?(?:来自|在|属于|是|就职于|所在|单位)*(?:哪|什么)?(?:些|个|所|家|几[个所家])?的?"
            r"(?:大学|学校|单位|机构|学院|公司|研究所)(?:的)?(?:是|有)?(?:什么|哪些|哪里)?$",
        ),
        (
            "affiliation",
            rf"^(?:which|what) {_WORK_EN}(?:s|ies)? (?:are|is|do|does|did|were) (?:the )?authors?"
            r"(?: of (?P<x>.{2,60}?))?"
            r" (?:from|at|in|belong to|work (?:at|for|in)|affiliated with)$",
        ),
        (
            "affiliation",
            rf"^(?:which|what) {_WORK_EN}(?:s|ies)? (?:is|does|did) (?P<x>.{{2,60}}?)"
            r" (?:come )?from$",
        ),
        (
            "affiliation",
            r"^(?:where (?:are|is|do)|what (?:is|are) the (?:affiliations?|institutions?) of)"
            r" (?:the )?authors?(?: of (?P<x>.{2,60}?))?(?: (?:come )?from| work)?$",
        ),
        ("date", rf"^(?P<x>.{{1,40}}?)是?(?:于|在)?{_DAY_ZH}{_OUT_ZH}出?来?的?$"),
        (
            "date",
            rf"^(?P<x>.{{1,40}}?)的?{_OUT_ZH}(?:时间|日期|年份|年月)(?:是|为)?(?:{_DAY_ZH}|多少|什么)?$",
        ),
        (
            "date",
            rf"^(?:when|(?:in )?(?:which|what) year) (?:was|were|is) (?P<x>.{{2,80}}?) {_OUT_EN}$",
        ),
        (
            "date",
            r"^(?:what (?:is|was) )?the (?:publication|release|issue) (?:date|year) of"
            r" (?P<x>.{2,80})$",
        ),
    )
)


class AskedOf(NamedTuple):
    """A fact that is asked for ("pages", "authors", …) and the words for its document."""

    kind: str
    words: str


def asked_of_document(question: str) -> AskedOf | None:
    """Which fact of a document the question asks for; None: none, or more than that. A question
    for something in the document that has a label ("第三章有几节") asks for more."""
    plain = " ".join(question.split())
    if len(plain) > _LONGEST or find_labels(plain):
        return None
    text = END.sub("", POLITE.sub("", plain))
    for kind, form in _FORMS:
        if found := form.match(text):
            words = (found["x"] or "").strip(" 的，,")
            return AskedOf(_unit(found["unit"]) if kind == "count" else kind, words)
    return None


def _unit(said: str) -> str:
    return next(kind for kind, words in _UNITS if re.fullmatch(words, said, re.I))
