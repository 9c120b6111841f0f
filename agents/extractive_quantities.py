"""Kinds of quantity that a question asks for, and how each is written in Chinese and English.

A unit says the same in every language, so it also points at the answer in a foreign text.
"""

import re
import unicodedata
from collections.abc import Sequence

from .extractive_words import LONG_ASKED, answer_kind, holds_kind

_N = r"(?:\d[\d\s,.]*|[一二两三四五六七八九十百千万亿]+)\s?(?:[万亿]|million |billion |thousand )?"
# Asked by these words or units; written in this way. The first that is asked wins.
_QUANTITIES: tuple[tuple[str, str], ...] = (
    (
        r"(?:千瓦|兆瓦|度电|kW|MW|GW)·?[时h]|发电量|电量|能耗|\benergy\b",
        rf"{_N}(?:[kMGT]?Wh|[kMG]?W·h|千瓦·?时|兆瓦·?时|度|[kMG]?J\b|焦)",
    ),
    (
        r"功率|容量.{0,6}千瓦|千瓦|兆瓦|\bkW\b|\bMW\b|\b(?:power|kilowatts?|megawatts?)\b",
        rf"{_N}(?:[kMG]?W\b(?!·?h)|千瓦(?!·?时)|兆瓦|瓦|kilowatt|megawatt|hp\b|马力)",
    ),
    (
        r"多少钱|价格|售价|单价|造价|费用|成本|花费|收入|营收|利润|票房|金额|预算|多少[亿万]*[美欧日]?元"
        r"|\b(?:cost|price|priced|worth|revenue|salary|budget|fee|fine|paid)\b|how much money",
        rf"[$¥€£￥]\s?\d|{_N}(?:[美欧日港]?元|块|人民币|dollars?|euros?|pounds?|yuan|USD|EUR|RMB|cents?)",
    ),
    (
        r"温度|气温|摄氏|\btemperatures?\b|how (?:hot|cold)",
        rf"{_N}(?:℃|°\s?[CF]|摄氏|度|degrees?|K\b)",
    ),
    (
        r"百分之几|百分比|占比|增长率|比例|比重|\bpercent(?:age)?\b",
        rf"{_N}(?:%|％|‰|percent|个?百分点|成)|百分之|千分之",
    ),
    (
        r"面积|平方|\barea\b",
        rf"{_N}(?:[kc]?m[²2]|平方|公顷|亩|square|hectares?|acres?|sq\b)",
    ),
    (r"流量|\b(?:discharge|flow rate)\b", rf"{_N}(?:m[³3]/[sh]|立方米|L/s|L/min|升|个?流量)"),
    (r"压力|压强|\bpressure\b", rf"{_N}(?:[kMG]?Pa|bar\b|帕|atm|psi|mmHg)"),
    (
        r"时速|速度|转速|多快|\b(?:speed|velocity)\b|how fast",
        rf"{_N}(?:k?m/[sh]|r/min|rpm|米/|公里/|转|km ?/ ?h|mph|迈)",
    ),
    (
        r"多(?:[高宽深厚远]|长(?!的?时间))|水位|高程|高度|长度|宽度|深度|厚度|直径|半径|里程|海拔|距离|口径"
        r"|\b(?:height|length|width|depth|thickness|diameter|distance|elevation|levels?|altitude)\b"
        r"|how (?:high|tall|long is|wide|deep|thick|far)",
        rf"{_N}(?:[kcdmμn]?m\b(?![²³2-9/])|[厘毫公千]?米(?!/)|公里|里|英尺|英里|丈|尺|feet|foot|ft\b|inch(?:es)?"
        r"|miles?|kilomet|met(?:re|er)|centimet)",
    ),
    (
        r"多重|重量|质量|体重|\b(?:weight|mass)\b|how heavy",
        rf"{_N}(?:[kmμ]?g\b|t\b|克|千克|公斤|吨|斤|pounds?|lbs?|tons?|tonnes?)",
    ),
    (r"电压|\bvoltage\b", rf"{_N}(?:[km]?V\b|伏)"),
    (r"噪[声音]|分贝|\b(?:noise|decibels?|loud)\b", rf"{_N}(?:dB|分贝|decibel)"),
)
_COMPILED = tuple((re.compile(a, re.I), re.compile(b)) for a, b in _QUANTITIES)


def quantity_asked(question: str) -> re.Pattern[str] | None:
    """How the asked quantity is written with its unit; None: no quantity with a unit is asked.

    "How often is the water level read?" asks for no level, nor does "When was the highest level?".
    """
    text = unicodedata.normalize("NFKC", question)
    kind = answer_kind(question)
    if kind in ("frequency", "duration", "person", "place"):
        return None
    # Of a wall as well as of a strike.
    if kind == "date" and not LONG_ASKED.search(text):
        return None
    return next((written for asked, written in _COMPILED if asked.search(text)), None)


_GROUPS = {
    "high": r"最[高大多强长快深重好佳远广]|峰值|极大|居首"
    r"|\b(?:highest|largest|most|maximum|max|best|greatest|peak|biggest|longest|tallest|top)\b",
    "low": r"最[低小少弱短慢浅轻差近]|谷值|极小"
    r"|\b(?:lowest|smallest|least|minimum|weakest|worst|shortest|fewest)\b",
    "first": r"最早|首[次个位任]|第一|\b(?:earliest|first)\b",
    "last": r"最[新后]|最近|末[次位]|\b(?:latest|newest|last|most recent)\b",
}
_EXTREMES = {name: re.compile(pattern, re.I) for name, pattern in _GROUPS.items()}


def extremes(text: str) -> frozenset[str]:
    """Which superlatives a text holds: high, low, first, last."""
    plain = unicodedata.normalize("NFKC", text)
    return frozenset(name for name, pattern in _EXTREMES.items() if pattern.search(plain))


_COUNTED = (
    r"(?<![第\d,一二三四五六七八九十百])(?:\d[\d,]*万?|[一二两三四五六七八九十百千万]+"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|single|no))(?:\s|-)*"
)
_UNITED = re.compile(
    r"\d\s?(?:[kM]?Wh?|GWh|[km]?V|m?A|[MkG]?Hz|[Mk]?Pa|bar|kg|[km]m|cm|m³/s|m3/h|m³|L/s|°C|℃|K)(?![A-Za-z])"
)
_COUNT_ASKED = re.compile(
    r"\bhow many (?!(?:more |other )?(?:days?|hours?|minutes?|seconds?|weeks?|months?|years?|times?"
    r"|percent|points?|dollars?|euros?|degrees?|met(?:er|re)s?|miles?|feet|inches|kilo\w*|mega\w*|k?m"
    r"|[MkG]?Wh?|volts?|watts?|amps?|tons?|tonnes?|lit(?:er|re)s?|acres?|square|cubic)\b)[a-z]"
    r"|(?:几|多少)[个台名位家所座只辆艘套件]",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"[价费薪]|多少[钱元]|工资|收入|\b(?:price|cost|fee|salary|revenue|income)", re.I
)
_MONEY_ASKED = re.compile(r"多少[钱元]|\bhow much (?:money|does .{1,60} cost)\b", re.IGNORECASE)
_AMOUNT_ASKED = re.compile(r"多少|(?<![哪第])几[^乎何率]|\bhow (?:many|much)\b", re.IGNORECASE)
_ALL_OR_NONE = re.compile(
    r"没有|无[^论]|免[费收交]|不[收限设用]|全[部额]|\b(?:no|none|not|free|unlimited|all|every|any)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?<![\d.,A-Za-z])\d{1,3}(?:,\d{3})*(?![\d,]*\.?\d)(?!\s?(?:[kM]?Wh?|GWh|[km]?V|m?A|[MkG]?Hz|[Mk]?Pa|bar"
    r"|kg|[km]m|cm|m|m³|m3|L|°|℃|%|‰)(?![A-Za-z]))|(?<![\d.])\d{4,}(?![\d.])"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?"
    r"|millions?|billions?|both|single|no|none|several|pair|couple)\b"
    r"|[一二两三四五六七八九十百千万亿单双零]|[\d.]+\s?[万亿]"
    r"|\d+(?:\.\d+)? (?:million|billion|thousand)",
    re.IGNORECASE,
)


# Parts of a document: a count of them is written with their name, in whatever language.
_PARTS = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(rf"{_COUNTED}{written}", re.IGNORECASE))
    for asked, written in (
        (r"\bhow many pages\b|(?:几|多少)页", r"(?:页|(?:[\w-]+ ){0,3}pages?\b)"),
        (r"\bhow many chapters\b|(?:几|多少)(?:个)?章", r"(?:个?章|(?:[\w-]+ ){0,3}chapters?\b)"),
        (r"(?:几|多少)[张幅副]图(?!书)", r"[张幅副个][^，。；]{0,6}图"),
        (r"\bhow many slides\b|(?:几|多少)张幻灯片", r"(?:张|(?:[\w-]+ ){0,3}slides?\b)"),
    )
)


def counts_things(question: str) -> bool:
    """Whether it is asked how many of a thing there are."""
    return _COUNT_ASKED.search(question) is not None


def other_quantity(question: str, texts: Sequence[str]) -> bool:
    """Whether a quantity with a unit is asked for and the texts hold only others, or no number:
    5 W is no voltage."""
    asked = quantity_asked(question)
    # Money is written without its unit as well.
    if asked is None or _PRICED.search(question) or any(asked.search(text) for text in texts):
        return False
    plain = [unicodedata.normalize("NFKC", text) for text in texts]
    none = answer_kind(question) == "number" and not any(holds_kind("number", t, "") for t in plain)
    return none or any(map(_UNITED.search, plain))


def _says_amount(text: str, question: str) -> bool:
    """Whether a text says a number that is not the question's, or that it is all or none."""
    return holds_kind("number", text, question) or _ALL_OR_NONE.search(text) is not None


def uncounted(question: str, texts: Sequence[str]) -> bool:
    """Whether it is asked how many things there are and the texts hold no count, only measures:
    "below 40 %" says nothing of how many turbines there are; pages or chapters, and no count of
    them is said; or for an amount, and they hold no number."""
    if _MONEY_ASKED.search(question):
        return not any(holds_kind("number", text, "") for text in texts)
    part = next((written for asked, written in _PARTS if asked.search(question)), None)
    if part is not None:
        return not any(part.search(unicodedata.normalize("NFKC", text)) for text in texts)
    if not _COUNT_ASKED.search(question):
        asked = answer_kind(question) == "number" and _AMOUNT_ASKED.search(question)
        return bool(asked) and not any(_says_amount(text, question) for text in texts)
    return not any(_COUNT.search(unicodedata.normalize("NFKC", text)) for text in texts)
