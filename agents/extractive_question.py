"""The question as the writer reads it: without labels, where to look, and how to write it down."""

import re
from collections.abc import Sequence

from ..core.analysis import Analysis
from ..core.label import find_labels
from ..tools.request import asked_for
from .passages import Passage

# Where to look is not what to look for.
_WHERE = re.compile(
    r"^\s*(?:请问)?(?:根据|按照?|在)?(?:这[份本个]|该|本)?(?:手册|文档|文件|资料|报告|年报|书)(?:[里中上内]|规定|显示)面?(?:的|，|,)?"
    r"|,? ?\b(?:according to|in|of|from) (?:the|this) "
    r"(?:handbook|manual|report|document|file|book)\b,?",
    re.I,
)
# How the answer is to be written: "Answer in thousands.", "Round it to one decimal.", 保留两位小数.
_FORMAT = re.compile(
    r"(?:(?<=[?？.。!！;；,])|^)\s*(?:and )?(?:please |directly |just |only )*"
    r"(?:(?:answer|respond|reply|round|express|format|report)\b(?! (?:to|the question of))"
    r"|write (?:down )?(?:the|your) answer"
    r"|write down|(?:the|your) answer should|give (?:me |us )?(?:an?|the|your) "
    r"(?:integer|number|answer|response|percentage|float|list)\b"
    r"|(?:for example|e\.g\.)[,:]? ?[\[(]|if (?:the question|it) (?:is not|can ?not|isn))"
    r"[^?？]*$"
    r"|[，,。；;？?]?\s*(?:请)?(?:保留|精确到|四舍五入|结果用|答案用|以)[^，。？?]{0,16}"
    r"(?:小数|整数|位|为单位|表示|格式)[^？?]*$",
    re.I,
)
# "FY2015", "FY 2015", "fiscal year 2015": the year.
_FISCAL = re.compile(r"\b(?:FY|CY|fiscal year|calendar year)\s?['’]?(?=(?:19|20)\d{2}\b)", re.I)
_SIDES = (
    re.compile(
        r"^(?P<lead>)(?P<a>[^的，。？?]{1,20}的[^的，。？?]{1,12}?)(?:和|与|以及|及|、)"
        r"(?P<b>[^的，。？?]{1,20}的[^的，。？?]{1,12}?)(?:分别|各)?"
        r"(?P<tail>(?:是|为|有)?(?:多少|几|什么|多[大高长重])[^，。？?]{0,4}[？?]?)$"
    ),
    re.compile(
        r"^(?P<lead>what (?:is|are|was|were) )(?P<a>(?:the )?[^,?]+? of [^,?]+?),? and "
        r"(?P<b>(?:the )?[^,?]+? of [^,?]+?)(?P<tail>\s*\?)?$",
        re.I,
    ),
)
_RELATED = re.compile(
    r"相差|之[和差比]|关系|区别|比较|对比|\b(?:difference|sum|between|relation)\b", re.I
)
_LONG_WORD = re.compile(r"(?<![\w\-])[A-Za-z]{6,}(?![\w\-])")


def without_format(question: str) -> str:
    """The question without the words on how to write the answer; unchanged where nothing of it
    would be left."""
    plain = asked_for(_FISCAL.sub("", question))
    rest = _FORMAT.sub("", plain).strip()
    return rest if re.search(r"\w{2}", rest) else plain


def bare(part: Analysis) -> str:
    """The question without the labels of figures and tables, which are no words to look for."""
    text = part.rewritten
    for span in reversed(find_labels(text)):
        if span.label.kind in ("figure", "table", "scheme"):
            text = text[: span.start] + " " + text[span.end :]
    labelled = text != part.rewritten
    text = _WHERE.sub("", without_format(text))
    return text.strip(" 中里的，,") if labelled else text.strip(" ，,")


def corrected(question: str, passages: Sequence[Passage]) -> str:
    """With the long Latin words that no passage has, and that one of its words differs from by one
    letter too many, one too few or two in the wrong order, written as that word is."""
    asked = [w for w in _LONG_WORD.findall(question) if w[0].isalpha()]
    if not asked:
        return question
    texts = (f"{p.title} {p.section_path} {p.text}" for p in passages)
    known = {word.lower(): word for text in texts for word in _LONG_WORD.findall(text)}
    for word in asked:
        if word.lower() in known:
            continue
        near = sorted(other for other in known if _one_off(word.lower(), other))
        if near and near[0].rstrip("s") != word.lower().rstrip("s"):
            question = question.replace(word, known[near[0]])
    return question


def _one_off(one: str, other: str) -> bool:
    """Whether one letter is missing in one of them, or two neighbours have changed places."""
    if one[0] != other[0] or abs(len(one) - len(other)) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if at is None:
        return len(one) != len(other)
    if len(one) == len(other):
        return one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
    short, long = sorted((one, other), key=len)
    return short[at:] == long[at + 1 :]


def sides(question: str) -> list[str]:
    """ "P of A and Q of B" as its two questions; empty where it is none of that form."""
    for form in _SIDES:
        if (found := form.match(question.strip())) and not _RELATED.search(question):
            ends = [found["lead"] or "", found["tail"] or ""]
            return [f"{ends[0]}{found[side].strip()}{ends[1]}" for side in ("a", "b")]
    return []


# "方案B" where a row is called "B：…" below the head 方案; 杭州到广州 where it is 杭州—广州.
_DESIGNATED = re.compile(
    r"^\s*(?P<mark>[A-Za-z\d一二三四五六七八九十甲乙丙丁]{1,3})\s*[:：.、)）]\s*(?P<name>\S.*)$"
)
_ROUTE = re.compile(r"^\s*([一-鿿A-Za-z ]{2,20}?)\s*[—–\-－→~～]+\s*([一-鿿A-Za-z ]{2,20}?)\s*$")


def rows_named(question: str, passages: Sequence[Passage]) -> str:
    """With the rows of tables that are called by their mark ("option B") or their two ends
    ("杭州到广州") named as the table writes them."""
    for passage in passages:
        for grid in passage.grids:
            head = grid[0][0].strip() if grid and grid[0] else ""
            for row in grid[1:]:
                question = _row_named(question, row[0], head) if row else question
    return question


def _row_named(question: str, name: str, head: str) -> str:
    if (found := _DESIGNATED.match(name)) and head:
        mark, called = re.escape(found["mark"]), found["name"]
        by_mark = rf"(?<!\w){re.escape(head.rstrip('s'))}\s*{mark}(?![A-Za-z\d])"
        return re.sub(by_mark, lambda _: called, question, flags=re.I)
    if found := _ROUTE.match(name):
        one, other = map(re.escape, found.groups())
        route = rf"(?:从|from )?{one}\s*(?:到|至|去|往|飞|- ?|to )\s*{other}"
        return re.sub(route, lambda _: name.strip(), question, flags=re.I)
    return question


# Small words that initials leave out.
_LINK = r"(?:(?:of|and|for|the|in|&)[\s\-]+)?"
_INITIALS = re.compile(r"(?<![A-Za-z\d])([A-Z]{2,6})(?![A-Za-z\d])")


def spelled_out(question: str, passages: Sequence[Passage]) -> str:
    """With initials that no passage says in place of the capitalised words that they stand for in
    one: "the CFO" is the Chief Financial Officer."""
    for short in dict.fromkeys(_INITIALS.findall(question)):
        if any(re.search(rf"(?<![A-Za-z]){short}(?![A-Za-z])", p.text) for p in passages):
            continue
        words = rf"[\s\-]+{_LINK}".join(rf"{letter}[a-z]+" for letter in short)
        meant = [m for p in passages for m in re.findall(rf"\b{words}\b", p.text)]
        if meant:
            long = " ".join(max(meant, key=meant.count).split())
            question = re.sub(rf"(?<![A-Za-z\d]){short}(?![A-Za-z\d])", long, question)
    return question
