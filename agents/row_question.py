"""Which row of a statement a question asks the figures of: its item, its years, and whether it asks
if they rose or fell."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from ..core.text import has_cjk
from ..tools.named import plain_name

_YEAR = r"(?:19|20)\d{2}"
_YEAR_ZH = re.compile(
    rf"(?:截[至止])?(?:在)?(?<!\d)({_YEAR})(?!\d)\s*(?:财政年度|会计年度|财年|年度|年)?"
    r"(?:度?[末底初]|期[末初]|\s*\d{1,2}\s*月\s*\d{1,2}\s*日)?(?:的?时候)?(?:的)?"
)
_YEAR_EN = re.compile(
    r"(?:\b(?:in|for|of|at|as of|as at|during|by)\s+)?(?:the\s+)?(?:(?:year-?\s?)?end\s+of\s+)?"
    r"(?:the\s+)?(?:fiscal(?:\s+year)?s?|FY|financial year|years?)?[\s\-]*"
    rf"(?<!\d)({_YEAR})(?!\d)(?:['’]s)?",
    re.IGNORECASE,
)
_BEFORE_ZH = re.compile(
    rf"(?:相?[比较]|与|同|跟)(?:于)?(?:(?P<year>{_YEAR})年?度?[末底]?|(?:上一?年|去年|前一?年|上年)度?(?:同期|[末底])?)"
    r"(?:的)?(?:相比|比较?|来说)?|同比"
)
_BEFORE_EN = re.compile(
    rf"(?:\bcompared\s+(?:to|with)|\b(?:from|than|over|versus|vs\.?))\s+(?:that\s+(?:of|in)\s+)?"
    rf"(?:in\s+)?(?:(?:fiscal(?:\s+year)?\s+|FY\s?)?(?P<year>{_YEAR})"
    r"|(?:the\s+)?(?:prior|previous|last|preceding)\s+(?:fiscal\s+)?year)",
    re.IGNORECASE,
)
_MOVES = r"(?:增加|增长|上升|提高|上涨|下降|下滑|减少|降低|增|减|多|少|高|低)"
_TREND_ZH = re.compile(
    rf"(?:是否|有没有|有无|是)?(?:有所)?{_MOVES}了?(?:还是{_MOVES}了?)?(?:没有|[吗么嘛])[？?。]*$"
    rf"|(?:是否|有没有)(?:有所)?{_MOVES}了?[？?。]*$|是?{_MOVES}了?还是{_MOVES}了?[？?。]*$"
)
_MOVED = (
    r"(?:increas|decreas|grow|rise|fall|declin|drop|go(?:ne)? (?:up|down)|higher|lower|more|less"
    r"|rose|fell|grew|chang)\w*"
)
_TREND_EN = re.compile(
    rf"^(?:did|has|have|is|was|were|do|does)\b.*?\b(?P<verb>{_MOVED}(?:\s+or\s+{_MOVED})?)",
    re.IGNORECASE,
)
_VALUE_ZH = re.compile(
    r"(?:分别|各|一共|总共|大概|大约|约|又)?(?:是|为|有|等于|达到?|共)(?:了)?(?:多少|几)"
    r"(?:[千百万亿]*(?:[美欧日港]?元|人民币|人|名|个))?[呢？?。]*$"
)
_VALUE_EN = re.compile(
    r"^(?:what(?:['’]s|\s+is|\s+are|\s+was|\s+were)|how\s+much(?:\s+(?:is|are|was|were))?)\s+",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"^(?:did|does|do|has|have|is|was|were)\s+(?:(?:it|they|the company|we)\s+)?"
    r"(?:(?:spend|spent|paid)\s+(?:on|for)|earn|report|record|have|had|pay)?\s*",
    re.IGNORECASE,
)
_ITEM_ZH = re.compile(r"[\w（）()、/·\-— ]{2,24}")
_ITEM_EN = re.compile(r"[A-Za-z][\w&,()'’/\- ]{1,70}")
_NO_ITEM = re.compile(
    r"谁|什么|哪|怎|如何|为何|多少|几|是否|吗|占"
    r"|\b(?:who|what|which|where|when|why|how|because|between|that|if|did|does|do)\b",
    re.IGNORECASE,
)


_SEVERAL_ZH = re.compile(r"(?<=[^\W\d])(?:[、和与]|以及)(?=\w)")


_LEAST = 3
_SHORT_ZH, _SHORT_EN = 8, 4


class RowAsked(NamedTuple):
    """The item whose figures are asked for, the years in the order of the question; with `trend`,
    whether they rose or fell against the second year, or the year before the first."""

    item: str
    years: tuple[str, ...]
    trend: bool = False


def is_short(item: str) -> bool:
    """Whether an item is a name that texts repeat as it is, and no phrase that they say in other
    words."""
    return len(item) <= _SHORT_ZH if has_cjk(item) else len(item.split()) <= _SHORT_EN


def row_asked(question: str) -> RowAsked | None:
    """What a question asks of one row ("2023年流动负债合计是多少", "did net sales rise in 2023");
    None: it asks otherwise."""
    text = unicodedata.normalize("NFKC", question).strip(" ,，。.？?!！")
    return _chinese(text) if has_cjk(text) else _english(text)


def _chinese(text: str) -> RowAsked | None:
    trend, value = _TREND_ZH.search(text), _VALUE_ZH.search(text)
    if not (trend or value):
        return None
    text = text[: (trend or value).start()]  # type: ignore[union-attr]
    before = _BEFORE_ZH.search(text)
    if before and not trend:
        return None  # by how much
    others = [before["year"]] if before and before["year"] else []
    rest = _BEFORE_ZH.sub(" ", text)
    years = [*_YEAR_ZH.findall(rest), *others]
    item = re.sub(r"^[的在请问,，\s]+|[的是有\s,，]+$", "", _YEAR_ZH.sub(" ", rest)).strip()
    item = re.sub(r"^(?:公司|本公司|报告期内?|当年|全年)的?(?=\S{2})", "", item)
    item = re.sub(r"(?<![A-Za-z\d])\s+|\s+(?![A-Za-z\d])", "", item)  # of Latin names they stay
    if not _ITEM_ZH.fullmatch(item) or _NO_ITEM.search(item) or _SEVERAL_ZH.search(item):
        return None
    return RowAsked(item, tuple(dict.fromkeys(years)), trend is not None)


def _english(text: str) -> RowAsked | None:
    trend, value = _TREND_EN.search(text), _VALUE_EN.search(text)
    if not (trend or value):
        return None
    before = _BEFORE_EN.search(text)
    others = [before["year"]] if before and before["year"] else []
    rest = _BEFORE_EN.sub(" ", text)
    years = [*_YEAR_EN.findall(rest), *others]
    if trend:
        rest = rest[: trend.start("verb")] + rest[trend.end("verb") :]
    rest = _DOES.sub("", _VALUE_EN.sub("", _YEAR_EN.sub(" ", rest).strip()))
    item = " ".join(re.sub(r"^['’]s\s+", "", rest.strip()).split()).strip(" ,.'’")
    item = re.sub(
        r"^(?:the|an?|its|their|our)\s+|\s+(?:of|by|for|in|at|the)$", "", item, flags=re.I
    )
    if not _ITEM_EN.fullmatch(item) or _NO_ITEM.search(item):
        return None
    return RowAsked(item, tuple(dict.fromkeys(years)), trend is not None)


def without_owner(asked: RowAsked, titles: Sequence[str]) -> RowAsked:
    """Without the name in front whose item it is, where all of these titles say it."""
    found = re.match(r"(?P<name>[A-Z][\w&.\- ]*?)['’]s? (?=\w)", asked.item)
    name = plain_name(found["name"]) if found else ""
    if not found or len(name) < _LEAST or not all(name in plain_name(t) for t in titles):
        return asked
    return asked._replace(item=asked.item[found.end() :])
