"""Questions whose evidence is at hand and whose answer stands nowhere in words.

To count the charts of a report, to work out a ratio of two of its tables or to tell the colour of a
logo needs someone who looks and calculates. To say of those "not in the documents" would be wrong:
the nearest evidence is quoted, with the word that a model has to do the rest. What the documents do
not speak of at all is still said to be missing.
"""

import re
from collections.abc import Sequence

from ..core.ports import Tokenizer
from .extractive_concepts import asked_terms, terms_in
from .extractive_forms import Line
from .extractive_values import asks_difference, of_two
from .extractive_words import Work, holds_kind
from .passages import Passage

# Of the words that are not about the work, this share is said by the best passage.
ABOUT = 0.4

_PARTS = (
    r"charts?|graphs?|tables?|figures?|pictures?|images?|photos?|diagrams?|illustrations?|pages?"
    r"|slides?|sections?|subsections?|chapters?|paragraphs?|lines?|rows?|columns?|bars?|icons?"
    r"|logos?|arrows?|boxes|steps?|quiz(?:zes)?|exercises?|examples?|bullet points?|footnotes?"
    r"|references|equations?|appendi(?:x|ces)"
)
_DOCUMENT = (
    r"(?:report|document|paper|article|guide(?:book)?|manual|handbook|book|course|presentation"
    r"|slides?|deck|file|list|figure|table|chart|graph|page|section|chapter|appendix|assignments?)"
)
_PICTURED = (
    r"charts?|graphs?|diagrams?|pictures?|photos?|photographs?|images?|screenshots?|illustrations?"
    r"|logos?|icons?|figures? (?:\d|that|with|at|on|in)"
    r"|(?:first|second|third|last|tree|the|which|this) figure"
)
# What is asked of a picture that its caption does not say.
_DETAIL = (
    r"how many|number of|colou?rs?|what percent(?:age)?|what value"
    r"|what (?:is|are) the (?:name|value)s?|in the figure|according to the (?:chart|graph|figure)"
)
_DETAIL_ZH = "(?:几[个根条种张幅]|多少|什么颜色|何种颜色)"
_COLOUR = r"(?:red|green|blue|yellow|gr[ea]y|black|white|orange|purple|pink|brown|dark|light)"
_WORK: tuple[tuple[Work, re.Pattern[str]], ...] = (
    (
        "look",
        re.compile(
            rf"^(?=.*\b(?:{_DETAIL})\b).*\b(?:{_PICTURED})\b"
            r"|\bcolou?r of\b.{0,30}\b(?:bar|line|box|text|area|curve)"
            rf"|\b{_COLOUR}[ \-](?:colou?red )?"
            r"(?:bars?|lines?|boxes|box|background|arrows?|dots?|curves?|logos?)\b"
            r"|\b(?:date|year|author|publisher|title) of (?:the|this) "
            r"(?:document|report|paper|file)\b"
            r"|\b(?:this|the) (?:document|report|paper|file) (?:was |is )?(?:most likely )?"
            r"(?:published|written|issued|dated|released)\b"
            r"|\bhighlighted\b|\b(?:top|bottom|left|right)(?: side| corner)? of (?:the )?page\b"
            r"|[这本该][份篇个]?(?:文档|报告|文件|论文)(?:的?(?:日期|作者|标题|封面)"
            r"|是?(?:哪一?年|什么时候|何时|谁)(?:发布|出版|编[写制]|写))"
            rf"|^(?=.*{_DETAIL_ZH}).*(?:图片|照片|插图|图标|[柱饼折线]状?图|示意图|截图)"
            r"|标志的?颜色|柱子|曲线的?颜色|高亮"
            r"|[红绿蓝黄黑白灰橙紫]色的?(?:柱|线|框|箭头|背景|曲线|圆点)",
            re.I,
        ),
    ),
    (
        "count",
        re.compile(
            rf"\bhow many (?:\w+[ \-]){{0,4}}?(?:{_PARTS})\b"
            rf"|\b(?:number|count) of (?:\w+ ){{0,3}}(?:{_PARTS})\b"
            r"|\bhow many\b.{1,90}\b(?:in|on|by|of|to|throughout) (?:the|this|that|all(?: the)?) "
            rf"(?:\w+ )?{_DOCUMENT}\b"
            rf"|\bhow many\b.{{1,60}}\b(?:unit|section|chapter|table|page|figure)s? (?:\d|[IVX]+\b)"
            rf"|\b(?:all|which) pages\b|\b{_DOCUMENT}s? (?:has|have|had|with) exactly\b"
            r"|(?:几|多少)[个张幅页步道处条]?(?:图表?|表格?|页|步骤|章节?|小节|例子|案例|示例|习题|题目)"
            r"|(?:这|本|该|全)[份本篇个]?(?:报告|文档|手册|论文|文件|书|表|图|章|节).{0,16}(?:几|多少)[个张幅条项种处]",
            re.I,
        ),
    ),
    (
        "compute",
        re.compile(
            r"\b(?:difference|sum|ratio|combined|altogether|in total|average|turnover|growth rate"
            r"|net change)\b"
            r"|\bhow (?:much|many)(?: \w+){0,2} "
            r"(?:higher|lower|more|less|fewer|greater|larger|smaller|bigger|longer)\b"
            r"|\b(?:increase|decrease|decline|grow|grew|change|drop|rise|improve)\w*\b.{0,60}"
            r"\b(?:from|between|vs\.?|versus|compared|year over year)\b"
            r"|\b(?:margins?|EBITDA\w*|working capital|return on|as a percent(?:age)? of"
            r"|percent(?:age)? of .{2,40} total|numerator|year[- ]over[- ]year)\b"
            r"|\bcompared (?:to|with)\b|\btimes (?:as|more|higher)\b|\b(?:total|sum) .{1,60} and \b"
            r"|相差|之[和差]|差[值额]|[高低多少大小]多少|合计|总共|一共|平均|同比|环比|增长率"
            r"|占比|占.{1,16}(?:比例|百分之)|几倍|多少倍|比[例率]是",
            re.I,
        ),
    ),
    (
        "compare",
        re.compile(
            r"\b(?:which|what|who|whose|among)\b.{1,120}\b(?:higher|lower|greater|fewer|larger|smaller"
            r"|highest|lowest|largest|smallest|most|least|fewest|greatest|best|worst|top|exactly"
            r"|at least|more than|less than)\b"
            r"|\b(?:is|are|was|were|did|does|has|have)\b.{1,120}\b(?:more|higher|lower|greater|less)\b"
            r".{1,80}\bor\b|\bwhich\b.{1,80}\bboth\b|\bbut not\b"
            r"|\b(?:descending|ascending|alphabetical) order\b|\btop[ \-]?\d+\b"
            r"|哪[个一家种些年项类][^，。？?]{0,24}(?:最|更|较|超过|低于|高于)|(?:最|更)[高低多少大小长短快慢]的是(?:哪|什么)"
            r"|由[高大多]到[低小少]|从[高大多低小少]到|排[序列名]|对比一?下?",
            re.I,
        ),
    ),
)
# Words that tell the work and not the subject.
_WORK_WORDS = re.compile(
    rf"\b(?:{_PARTS}|{_DOCUMENT}s?|how many|number|count|total|sum|difference|ratio|average"
    r"|combined|percent(?:age)?|higher|lower|more|less|fewer|greater|larger|smaller|highest|lowest"
    r"|largest|smallest|most|least|exactly|compared?|between|among|which|list|all|name|show[ns]?"
    r"|appear\w*|according|respectively|order|top|bottom|first|last|distinct|different|used?|include[ds]?|provided?|there|entire|calculate\w*|much)\b"
    r"|多少|几|哪|一共|总共|合计|相差|平均|最|更|列出|所有|图片?|表格?|页|这份|本",
    re.I,
)


_SAYS_CHANGE = re.compile(
    r"差|增[减长幅加]|变[化动]|[同环]比|\b(?:change|difference|growth|increase|decrease)",
    re.IGNORECASE,
)
_HOW_MANY = r"how many|number of|colou?r|几|多少|颜色"


def work_asked(question: str) -> Work | None:
    """What has to be done with the evidence beside reading it; None: nothing."""
    return next((work for work, asked in _WORK if asked.search(question)), None)


def unread(work: Work | None, question: str, lines: Sequence[Line]) -> Work | None:
    """What remains to be done where these lines are said: to count or to look, where they say no
    number themselves; to work out what needs two cells, where they are one."""
    if work == "compute" and len(lines) == 1 and " · " in lines[0][1]:
        head = lines[0][1].rpartition("：")[0] or lines[0][1].rpartition(": ")[0]
        asked = of_two(question) or asks_difference(question)
        return work if asked and not _SAYS_CHANGE.search(head) else None
    if work not in ("count", "look") or not re.search(_HOW_MANY, question, re.I):
        return None
    return None if any(holds_kind("number", text, question) for _, text in lines) else work


def beyond_reading(
    work: Work | None, question: str, passages: Sequence[Passage], tokenizer: Tokenizer
) -> Work | None:
    """The work, where the passages are such that it can be done on them; None where none of them
    speaks of the question's subject."""
    if work is None or not passages:
        return None
    if work in ("count", "look"):
        return work
    if work == "compare" and not any(_tabled(p) for p in passages):
        return None
    terms = asked_terms(_WORK_WORDS.sub(" ", question), tokenizer)
    said = max(len(terms_in(_whole(p), terms, tokenizer)) for p in passages)
    return work if said >= ABOUT * len(terms) else None


def _tabled(passage: Passage) -> bool:
    """Whether the passage holds a table or a picture, whose values can be compared."""
    pictured = passage.chunk_type in ("image", "chart", "table")
    return pictured or bool(passage.html) or "\n|" in f"\n{passage.text}"


def _whole(passage: Passage) -> str:
    return f"{passage.title} {passage.section_path} {passage.text}"
