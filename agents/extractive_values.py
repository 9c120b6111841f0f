"""What a table's cell is worth, so that cells can be compared (a number, or a span of time), and
which values a question asks for at once."""

import operator
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from itertools import product
from typing import NamedTuple

from ..core.text import has_cjk
from ..tools.quantities import han_value

_NUMBER = re.compile(r"[-−–+]?\d+(?:[ ,]\d{3})*(?:\.\d+)?")
_BEFORE = " ≈~约<>≤≥"
_MONEY = "$¥￥€£"
_DAYS = {
    "second": 1 / 86400,
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "month": 30.4,
    "quarter": 91.3,
    "year": 365.25,
}
_UNITS = (
    ("second", r"秒钟?|sec(?:ond)?s?|s"),
    ("minute", r"分钟|分|min(?:ute)?s?"),
    ("hour", r"个?小时|个?钟头|h(?:ou)?rs?|h"),
    ("week", r"周|个?星期|weeks?"),
    ("month", r"个?月|months?"),
    ("quarter", r"个?季度?|quarters?"),
    ("year", r"年|years?|yrs?"),
    ("day", r"个?工作日|天|日|days?|d"),
)
_SPANS = tuple(
    (
        unit,
        re.compile(
            rf"(?:每隔?|间隔|约|every|once (?:a|per|every)|an?|per)?\s?"
            rf"(?P<n>\d+(?:\.\d+)?|半|[一两二三四五六七八九十]{{1,2}})?\s?(?:个)?(?:{names})"
            r"(?P<half>半)?(?:以?[内上下]|一次|1次|检修|检查|左右)?",
            re.I,
        ),
    )
    for unit, names in _UNITS
)
_ADVERBS = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
    "hourly": "hour",
}
# Values that one question may ask for.
MOST_ASKED = 12
_AND = re.compile(r"\s*(?:、|,\s*(?:and\b)?|以及|[和与及]|\band\b|&|\bas well as\b)\s*", re.I)
# What is worked out of cells, or looked for among them, is not read from one.
_WORKED_OUT = re.compile(
    r"之[和差比]|相差|差[值额多]|多多少|[高低大小多少]多少|(?<![占环同])比(?![例率热重])|总[和共]|合计|平均|哪|谁|为[何什]|如何|怎|是否|吗|关系|区别"
    r"|\b(?:sum|total|difference|compared?|than|ratio|average|which|who|why|how|between|relat\w+)\b",
    re.I,
)
_LEAD = re.compile(
    r"^(?:请问|请|告诉我|查一?下|给出|列出|求|我想知道|比较一?下?|对比一?下?)+"
    r"|^(?:please\s+)?(?:what(?:['’]s| is| are| was| were)|give(?: me)?|tell me|list|show(?: me)?"
    r"|find|compare)\s+|^the\s+",
    re.I,
)
_TAIL = re.compile(
    r"(?:是|为|有|等于|达到?)?(?:多少[一-鿿A-Za-z/%³]{0,4}|几|什么|多[大高长重宽深])?[呢?？。.!\s]*$"
)
_HOW_MUCH = re.compile(r"(?:是|为|有)?多少(?=[,、])")
_EACH = re.compile(r"分别|各自|各(?=[是为有])|,?\s*\brespectively\b", re.I)
YEAR_NUMBER = re.compile(r"(?<![\dA-Za-z.\-])(?:19|20)\d{2}(?![\dA-Za-z.\-])")
_YEARS = re.compile(
    rf"(?:\b(?:in|for|of)\s+)?{YEAR_NUMBER.pattern}年?度?"
    rf"(?:\s*(?:、|,\s*(?:and)?|以及|[和与及]|and|&)\s*{YEAR_NUMBER.pattern}年?度?)*的?"
)
_YEAR_RANGE = re.compile(r"(?:19|20)\d{2}年?\s?(?:[至到~—–\-]|to\b)\s?(?:19|20)\d{2}")
# No name, but the rest of a question.
_CLAUSE_EN = re.compile(r"(?:what|how|when|where|do|does|did|would|will|can|should)\b", re.I)
_OF = re.compile(r"的|\b(?:of|for|in)\b|['’]s\b", re.I)


def number(cell: str) -> float | None:
    """The number that the cell is, with or without a unit behind it; None: it is no number, or a
    range."""
    text = cell.strip(_BEFORE + _MONEY)
    found = _NUMBER.match(text)
    if not found or len(re.findall(r"[A-Za-z一-鿿]", text[found.end() :])) > 6:
        return None
    if re.match(r"[-–~～—至/:.]\s?\d|[A-Za-z]\d", text[found.end() :].strip()):
        return None
    return float(
        found.group().replace(",", "").replace(" ", "").replace("−", "-").replace("–", "-")
    )


def days(cell: str) -> float | None:
    """The time that the cell is ("每24个月", "2 years", "每年一次"), in days; None: it is none."""
    text = unicodedata.normalize("NFKC", cell).strip(f"{_BEFORE}。.")
    if (unit := _ADVERBS.get(text.lower())) is not None:
        return _DAYS[unit]
    for unit, pattern in _SPANS:
        found = pattern.fullmatch(text)
        if found and (found["n"] or re.match(r"每|every|once|a|per", text, re.I)):
            count = _count(found["n"]) + (0.5 if found["half"] else 0.0)
            return count * _DAYS[unit]
    return None


def _count(written: str | None) -> float:
    """ "24", 两, 十二, 半; one where nothing is written."""
    if not written:
        return 1.0
    if written[0].isdigit():
        return float(written)
    return 0.5 if written == "半" else han_value(written) or 0.0


def worths(cells: list[str]) -> list[float | None]:
    """The cells of a column by one measure: time where most of them are times, else numbers."""
    times = [days(cell) for cell in cells]
    said = [cell for cell in cells if cell.strip()]
    if sum(1 for time in times if time is not None) * 2 > len(said):
        return times
    return [number(cell) for cell in cells]


class Asked(NamedTuple):
    """The items of a question, one tuple for each thing they are of: rows, columns, years."""

    groups: tuple[tuple[str, ...], ...]

    @property
    def combinations(self) -> list[tuple[str, ...]]:
        """Every combination of one item of each group."""
        return list(product(*self.groups))


def asked_of(question: str) -> Asked | None:
    """What "A和B的 P、Q分别是多少", "P and Q of A" and "X年和Y年 P" ask for, `Asked` of A, B; P, Q;
    None: it asks otherwise."""
    text = unicodedata.normalize("NFKC", question).strip()
    for _ in range(2):
        text = _LEAD.sub("", text).strip()
    if _WORKED_OUT.search(text) or _YEAR_RANGE.search(text):
        return None
    text = _TAIL.sub("", _HOW_MUCH.sub("", _EACH.sub("", text)))
    years = list(dict.fromkeys(YEAR_NUMBER.findall(text)))
    rest = [part.strip(" ,，") for part in _OF.split(_YEARS.sub("的", text))]
    groups = [tuple(dict.fromkeys(map(_item, _AND.split(part)))) for part in rest if part]
    if years:
        groups.append(tuple(years))
    items = [item for group in groups for item in group]
    if not items or any(not item or _CLAUSE_EN.match(item) for item in items):
        return None
    asked = Asked(tuple(groups))
    return asked if len(asked.combinations) <= MOST_ASKED else None


def _item(text: str) -> str:
    return re.sub(r"^(?:the|an?)\s+", "", text.strip(), flags=re.I)


def phrase(key: Sequence[str], *, chinese: bool) -> str:
    """ "2024年员工人数", "flow of ABC-200 in 2022"."""
    year = next((item for item in key if YEAR_NUMBER.fullmatch(item)), "")
    rest = [item for item in key if item != year]
    if chinese:
        return (f"{year}年" if year else "") + "的".join(rest)
    return " of ".join(rest) + (f" in {year}" if year else "")


def namesakes(one: str, other: str) -> bool:
    """Whether two Chinese names end in the same word and begin otherwise."""
    found = re.fullmatch(r"([一-鿿]+)([一-鿿]{2})\n([一-鿿]+)\2", f"{one}\n{other}")
    return found is not None and found[1] not in found[3] and found[3] not in found[1]


# Quantities of one thing, each with the words that name it.
_MEASURES = tuple(
    re.compile(words, re.I)
    for words in (
        r"压力|压强|\bpressures?\b",
        r"温度|\btemperatures?\b",
        r"流量|\bflow(?: rate)?\b|\bdischarge\b",
        r"功率|\bpower\b",
        r"扬程|水头|\bhead\b",
        r"转速|速度|\bspeeds?\b",
        r"电压|\bvoltages?\b",
        r"电流|\bcurrent\b(?! (?:assets|liabilit|ratio|year))",
        r"频率|\bfrequency\b",
        r"重量|质量|\bweights?\b|\bmass\b",
        r"高度|\bheights?\b",
        r"长度|\blengths?\b",
        r"宽度|\bwidths?\b",
        r"厚度|\bthickness\b",
        r"直径|口径|管径|\bdiameters?\b",
        r"容量|容积|体积|\bcapacity\b|\bvolumes?\b",
        r"效率|\befficiency\b",
        r"面积|\bareas?\b",
        r"收入|营收|销售额|\brevenues?\b|\bsales\b",
        r"成本|费用|支出|\bcosts?\b|\bexpenses?\b",
        r"利润|\bprofits?\b|\bearnings\b|\bnet income\b",
        r"毛利率|净利率|\bmargins?\b",
        r"负债|\bliabilities\b|\bdebts?\b",
        r"人数|\bheadcount\b|\bemployees\b",
    )
)


def other_measure(question: str, heads: str) -> bool:
    """Whether the heads of a cell name quantities and none of those that are asked for: pressure
    is not flow, whatever it is of."""
    asked = {m for m in _MEASURES if m.search(question)}
    named = {m for m in _MEASURES if m.search(heads)}
    return bool(asked and named) and not asked & named


_MORE_ZH = (
    r"(?:[多少高低大小快慢长短重轻远近贵宽窄厚薄深早晚]|便宜|增[加长多]|减少|上[涨升]|下[降跌])"
)
_MORE_EN = (
    r"(?:more|less|fewer|better|worse|bigger|higher|lower|greater|larger|smaller|longer|shorter|cheaper"
    r"|dearer|heavier|lighter|taller|wider|deeper|thicker|faster|slower|older|younger)"
)
_DIFFERENCE = re.compile(
    rf"相差|之差|差[值额多]|{_MORE_ZH}(?:了|出)?(?:多少|几)"
    rf"|\bdifference\b|\bhow (?:much|many)\b.{{0,20}}\b{_MORE_EN}\b",
    re.I,
)
_SUM = re.compile(
    r"之和|总和|合计|一共|总共|[加共]一?起来?(?:是|有)?多少|\bsum of\b|\bcombined\b|\bin total\b"
    r"|\baltogether\b|\btogether\b",
    re.I,
)


# What a comparison without a noun is of.
_PROPERTY_OF = tuple(
    (re.compile(words, re.I), noun)
    for words, noun in (
        (r"贵|便宜", "价格"),
        (r"[重轻](?:了|出)?(?:多少|几)", "重量"),
        (r"\b(?:cheaper|dearer|expensive|costs?)\b", "price"),
        (r"\b(?:heavier|lighter|weighs?)\b", "weight"),
        (r"\b(?:taller|higher)\b", "height"),
        (r"\b(?:longer|shorter)\b", "length"),
        (r"\b(?:faster|slower)\b", "speed"),
        (r"\bwider\b", "width"),
        (r"\bdeeper\b", "depth"),
    )
)
_YEAR_OF = r"(?:19|20)\d{2}"
# Questions for a difference or a sum, and what is asked for the two cells that it is made of.
_OF_TWO = tuple(
    (re.compile(asked, re.I), cells)
    for asked, cells in (
        (
            r"^(?P<a>[^，。？?比]{1,30}?)的(?P<p>[^，。？?的比]{1,16}?)比(?P<b>[^，。？?的比]{1,30}?)"
            rf"(?:的(?P=p))?(?:要|还)?{_MORE_ZH}(?:了|出)?多少[^，。？?]{{0,6}}[？?]?$",
            r"\g<a>和\g<b>的\g<p>",
        ),
        (
            rf"^(?P<p>[^，。？?比]{{2,20}}?)(?P<a>{_YEAR_OF})年度?的?比(?P<b>{_YEAR_OF})年度?的?"
            rf"{_MORE_ZH}(?:了|出)?多少[^，。？?]{{0,4}}[？?]?$",
            r"\g<a>年和\g<b>年\g<p>",
        ),
        (
            rf"^(?P<a>{_YEAR_OF})年度?的?(?P<p>[^，。？?比]{{2,20}}?)比(?P<b>{_YEAR_OF})年度?的?"
            rf"{_MORE_ZH}(?:了|出)?多少[^，。？?]{{0,4}}[？?]?$",
            r"\g<a>年和\g<b>年\g<p>",
        ),
        (
            rf"^(?P<a>[^，。？?的比]{{1,30}})比(?P<b>[^，。？?的比]{{1,30}}?)(?:要|还)?{_MORE_ZH}"
            r"(?:了|出)?(?:多少|几)[^，。？?]{0,4}[？?]?$",
            r"\g<a>和\g<b>的",
        ),
        (
            r"^(?P<x>[^，。？?]{3,60}?)(?:之间)?(?:的)?(?:相差|之差|差[值额]|之和|总和|合计|[加共]一?起来?|一共|总共)"
            r"(?:了|是|为|有|要)?(?:多少|几)?[^，。？?]{0,6}[？?]?$",
            r"\g<x>",
        ),
        (
            r"^(?:what(?:'s| is| was)? )?the (?:difference|sum) (?:in|of) (?:the )?(?P<p>.{2,40}?)"
            r" (?:between|of|for) (?P<x>.{3,80}? and .{1,60}?)\W*$",
            r"\g<p> of \g<x>",
        ),
        (
            r"^how much (?:is|are|do|does|will) (?:the )?(?P<x>.{2,60}? and .{1,60}?)"
            r"(?: cost| come to)?(?: (?:per|a|each) \w+)?"
            r" (?:in total|altogether|combined|together)\W*$",
            r"\g<x>",
        ),
        (
            r"^what (?:do|does|would|will) (?:the )?(?P<x>.{2,60}? and .{1,60}?) (?:cost|come to)"
            r" (?:in total|altogether|combined|together)\W*$",
            r"\g<x>",
        ),
        (
            r"^(?:what(?:'s| is| was)? )?the (?:sum|total) of (?:the )?(?P<x>.{2,60}? and .{1,40}?)"
            r"(?: charges?| costs?| fees?)?\W*$",
            r"\g<x>",
        ),
        (
            rf"^how much {_MORE_EN} (?:is|was|are|were) (?:the )?(?P<p>[^?]{{2,40}}?) of"
            r" (?:the )?(?P<a>[^?]{1,40}?) than (?:that of |of )?(?:the )?(?P<b>[^?]{1,40}?)\W*$",
            r"\g<p> of \g<a> and \g<b>",
        ),
        (
            rf"^how much {_MORE_EN} (?:is|was|are|were|did) (?:the )?(?P<a>[^?]{{1,40}}?)"
            r"(?: score)? (?:compared (?:to|with)|than) (?:the )?(?P<b>[^?]{1,40}?)"
            r" (?:on|in|for|at) (?P<p>[^?]{2,40}?)\W*$",
            r"\g<p> of \g<a> and \g<b>",
        ),
        (
            rf"^how much {_MORE_EN}(?: expensive)? (?:is|was|are|were|do|does|did) (?:the |an? )?"
            r"(?P<a>[^?]{1,40}?)(?: cost| weigh)? than (?:the |an? )?(?P<b>[^?]{1,40}?)"
            r"(?: is| does| costs?| weighs?)?\W*$",
            r" of \g<a> and \g<b>",
        ),
        (
            r"^how many (?:more|fewer|less) (?P<p>[^?]{2,30}?) (?:do|does|did|has|have|is|are)"
            r" (?:the )?(?P<a>[^?]{1,40}?)(?: \w+)? than (?:the )?(?P<b>[^?]{1,40}?)(?: \w{2,})?"
            r"\W*$",
            r"\g<p> of \g<a> and \g<b>",
        ),
    )
)


def of_two(question: str) -> str:
    """The question for the two values that a difference or a sum is asked of ("A和B的流量" of
    "A和B的流量相差多少？"); empty: it asks for neither."""
    text = _LEAD.sub("", unicodedata.normalize("NFKC", question).strip())
    text = text if has_cjk(text) else unicodedata.normalize("NFKC", question).strip()
    found = next(((m, cells) for asked, cells in _OF_TWO if (m := asked.match(text))), None)
    if not found:
        return ""
    pair = found[0].expand(found[1])
    if not pair.startswith(" of ") and not pair.endswith("的"):
        return pair
    noun = next((noun for words, noun in _PROPERTY_OF if words.search(text)), "")
    return (f"{noun}{pair}" if pair.startswith(" of ") else f"{pair}{noun}") if noun else ""


def asks_difference(question: str) -> bool:
    """Whether it is asked by how much two things differ."""
    return _DIFFERENCE.search(question) is not None


def worked_out(question: str, cells: Sequence[str]) -> str:
    """The difference or the sum of two cells where the question asks for it ("32.5 − 18.2 = 14.3"),
    exactly; empty: it asks otherwise, or they are no two plain numbers of one unit."""
    values = [exact(cell) for cell in cells]
    if len(values) != 2 or None in values:
        return ""
    (one, unit), (other, second) = sorted((v for v in values if v), reverse=True)
    if unit != second:
        return ""
    for asked, sign, work in ((_DIFFERENCE, "−", operator.sub), (_SUM, "+", operator.add)):
        if asked.search(question):
            result = f"{work(one, other):,f}"
            sum_of = f"{unit}{result}" if unit and unit in _MONEY else f"{result}{unit}"
            return f"{one:,f} {sign} {other:,f} = {sum_of}"
    return ""


def exact(cell: str) -> tuple[Decimal, str] | None:
    """A cell's number as written and its unit; None: it is no plain number."""
    text = cell.strip()
    money = text[:1] if text[:1] in _MONEY else ""
    plain = r"(-?\d+(?:,\d{3})*(?:\.\d+)?)\s*([^\d,.\-~～–]{0,12})"
    found = re.fullmatch(plain, text.removeprefix(money).strip())
    if found is None or (money and found[2].strip()):
        return None
    return Decimal(found[1].replace(",", "")), money or found[2].strip()
