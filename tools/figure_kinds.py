"""What kind of picture a question asks for, and whether a caption names a picture of that kind.

People name a picture by its kind ("the overall architecture", 流程图, "a scatter plot"), captions
by another word for it and often in the other language ("Framework of …", "Overview", 框架).
"""

import re
from typing import Literal

from ..core.chunk import Figure

Wanted = Literal["table", "picture", "any"]

_TABLE = re.compile(
    r"(?<![代发外仪手])表(?:格|中|里)?(?![示明达现述面扬彰格决演情])|\b(?:tables?|spreadsheets?)\b",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"(?<![企试意贪版妄])图(?!书|谱|灵|案|章)|照片|插画|曲线"
    r"|\b(?:figures?|pictures?|images?|photos?|diagrams?|charts?|plots?|graphs?|drawings?|curves?"
    r"|cross[ -]?sections?|maps?"
    r"|illustrations?|screenshots?|sketch(?:es)?|schematics?)\b",
    re.IGNORECASE,
)
_NAMED_KIND = re.compile(
    r"(?:流程|示意|曲线|柱状|折线|结构|架构|框架|平面|饼|树状|散点)图|图[片表示像]?|照片"
    r"|\b(?:flow|pie|bar|line|scatter|tree|block)[ -]?(?:charts?|diagrams?|plots?|graphs?)\b"
    r"|\b(?:photo\w*|pictures?|images?|tables?)\b",
    re.IGNORECASE,
)
_GRID = re.compile(r"图表|\b(?:overview|comparison|summary)\b", re.IGNORECASE)
_KINDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"架构|框架|体系|结构|构造|总体|整体|总览|概览|全貌"
        r"|\b(?:architectur\w+|framework|overview|structure|bird.?s.eye|layout)",
        r"流程|步骤|过程|工序|怎么(?:工作|运作)|如何(?:工作|运作)|工作原理|总览|概览"
        r"|\b(?:pipeline|workflow|flow ?chart|process|procedure|steps?|stages?|overview|concept"
        r"|how .{1,60} works?)\b",
        r"曲线|走势|趋势|变化|历年|\b(?:curves?|trends?|over time|evolution|trajector\w+)\b",
        r"[术形状谱]树|树状|树形|树图|谱系|分类|脉络|\b(?:trees?|taxonom\w+|hierarch\w+)\b",
        r"散点|相关|关系|影响|\b(?:scatter|correlat\w+|relation\w*|effects? of|affects?)\b",
        r"对比|比较|区别|异同|\b(?:compar\w+|versus|vs\.?|differences?)(?!\w)",
        r"剖面|断面|截面|\b(?:cross[ -]?sections?|profiles?)\b",
        r"饼图|占比|份额|构成|\b(?:pie|shares?|proportions?|breakdown|composition)\b",
        r"分布|\b(?:distribut\w+|histogram)\b",
        r"例子|示例|样例|案例|举例|\b(?:examples?|samples?|instances?|case)\b",
        r"消融|去掉|拿掉|\b(?:ablat\w+|without)\b",
        r"参数|设置|配置|\b(?:hyper-?parameters?|settings?|configurations?)\b",
        r"说明|须知|\b(?:instructions?|guidelines?)\b",
        r"统计|概况|\b(?:statistics|stats)\b",
        r"提示词?|\bprompts?\b",
        r"总结|汇总|一览|\b(?:summar\w+|list of|overview)\b",
        r"误差|错误|失败|\b(?:errors?|fail\w*)\b",
    )
)


def wanted_kind(question: str) -> Wanted:
    """Whether a table is asked for, a picture, or either of them."""
    table = _TABLE.search(_GRID.sub(" ", question)) is not None
    picture = _PICTURE.search(question.replace("图表", " ")) is not None
    if table == picture:
        return "any"
    return "table" if table else "picture"


_AND = re.compile(
    r"\s*(?:以及|[和与及、]|(?:,\s*)?\band\b)\s*(?:the\s+|a\s+|an\s+)?", re.IGNORECASE
)


def wishes_of(question: str) -> list[str]:
    """The things that a question asks to see, each in its own words: "the A chart and the table of
    B" are two. What stands before the first one ("X 的") holds for all."""
    pieces = _AND.split(question)
    if len(pieces) < 2 or not all(_TABLE.search(p) or _PICTURE.search(p) for p in pieces):
        return [question]
    return pieces


def without_kinds(question: str) -> str:
    """The question without the names of kinds of pictures: a flow chart shows no flow of water."""
    return _NAMED_KIND.sub(" ", question)


_ASKING = re.compile(
    r"^\W*(?:请|我想|我要|能否|能不能|可以)*(?:有没有|有无|(?:给|让|帮)我(?:看看?|看一[看下]|展示|找)?"
    r"|看看?|看一[看下]|展示|显示|哪一?[张个幅份])(?:一下)?(?:关于|一[张个幅份])?"
    r"|^\W*(?:(?:can|could|would) you |please |i(?: want to| would like to|'d like to) )?"
    r"(?:(?:show|display|give|see|view|find)(?: me| us)?|(?:is|are) there|do you have"
    r"|(?:which|what)(?= +(?:lists?|shows?|gives?|is|are|has|have|do|does|about)\b)"
    r"|where (?:is|are)|can (?:i|we) see)?\s*(?:(?:an?|any|some|the)\b)?\s*"
    r"(?:(?:of|for|about|with|on|showing|that (?:shows?|lists?))\b)?\s*",
    re.IGNORECASE,
)
_ASKED_END = re.compile(r"(?:的|是什么|在哪里?|有吗|吗|么|给我看看?|[\s?？!！.。])+$")


def subject(question: str) -> str:
    """What is to be seen, without the words that ask for it and say what kind of picture it is;
    the question where nothing is left."""
    bare = _ASKING.sub("", without_kinds(question), count=1)
    return _ASKED_END.sub("", bare).strip() or question


def is_kind(figure: Figure, wanted: Wanted) -> bool:
    """Whether the figure is what is asked for; a table with a figure's number is a picture."""
    numbered = figure.label is not None and figure.label.kind != "table"
    if wanted == "picture":
        return figure.kind != "table" or numbered
    return wanted == "any" or figure.kind == "table"


def same_kind(question: str, caption: str) -> bool:
    """Whether the caption says of the picture what kind it is, as the question does."""
    return bool(caption) and any(k.search(question) and k.search(caption) for k in _KINDS)
