"""Cells whose heads have the question's words and that cannot be what it asks for."""

import re

from .extractive_words import answer_kind

_DIGIT = re.compile(r"\d|[一二两三四五六七八九十百千万亿]|[无—–-]")
_DATE_ALONE = re.compile(
    r"\s*(?:19|20)\d{2}\s*(?:[年\-./]\s*(?:\d{1,2}\s*[月\-./]?\s*(?:\d{1,2}\s*日?)?)?)?\s*[度末底初]?\s*"
)
# Heads of amounts: below "费用（元）" 2000 is no year.
_UNITED = re.compile(
    r"[(（/][^)）]{1,12}[)）]?|[价费额]|金额|数量|\b(?:price|cost|fee|amount|number)s?\b", re.I
)
_SHARE_ASKED = re.compile(
    r"比例|占比|比重|百分之?几|百分比|\b(?:percent(?:age)?|proportion)\b", re.IGNORECASE
)
_SHARE = re.compile(
    r"[%％‰]|比例|占比|比重|率|百分|\b(?:percent(?:age)?|proportion|share|ratio|rate)\b",
    re.IGNORECASE,
)
# A part of something: no amount of it, nor growth.
_SHARE_HEAD = re.compile(r"占[^，。]{0,16}(?:比[例重率]?|百分)|\b(?:share|proportion) of\b", re.I)
_GROWTH_ASKED = re.compile(r"增长率|增幅|增速|\bgrowth rate\b", re.I)
_GROWTH = re.compile(r"[%％]|增|同比|比上年|变[动化]|\b(?:growth|change)", re.I)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_YEAR_HEAD = re.compile(
    r"(?<!\d)((?:19|20)\d{2})\s*(?:年(?!前|后|起|以)|/12/31|-12-31)|\bFY\s?((?:19|20)\d{2})\b"
)
# What is told by a name or in words: no figure of a row answers it.
_WORDS_ASKED = re.compile(
    r"哪些|有谁|是谁|什么[公样人]|哪家|为什么|为何|原因|如何|怎么?样?(?!多)"
    r"|\b(?:why|who|whom|whose|how(?! (?:many|much|often|long|far|old|high|tall|big|large|deep|wide"
    r"|fast|heavy|hot|cold|thick|small|low|short|close|near|quickly|early|late)))\b",
    re.IGNORECASE,
)
_RATE_ASKED = re.compile(
    r"\b(?:tax|interest|growth|income|profit|inflation|turnover|occupancy|unemployment) rates?\b",
    re.IGNORECASE,
)
_FIGURE_ALONE = re.compile(r"[\s(（$¥€£\-−]*\d[\d,.\s]*[%％)）]?\s*")
_NO_NAME = re.compile(r"\s*(?:不适用|适用|[是否无有]|没有|[\-–—/]+|n/?a|yes|no)\s*", re.I)
# One or the other: what is said of one is not said of the other.
_OPPOSITES = tuple(
    (re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE))
    for one, other in (
        (r"长期|\blong[- ]term\b", r"短期|\bshort[- ]term\b"),
        (r"(?<!非)流动|(?<!non)(?<!non-)\bcurrent\b", r"非流动|\bnon-?current\b"),
        (r"应收|\breceivables?\b", r"应付|\bpayables?\b"),
        (r"预收", r"预付"),
        (r"[期年]初|\bopening\b|\bbeginning\b", r"[期年]末|\bclosing\b|\bend(?:ing)?\b"),
        (r"流入|\binflows?\b", r"流出|\boutflows?\b"),
        (r"进口|\bimports?\b", r"出口|\bexports?\b"),
        (r"上半年|\bfirst half\b", r"下半年|\bsecond half\b"),
        (r"固定资产", r"无形资产"),
        (r"境内|国内|\bdomestic\b", r"境外|国外|海外|\b(?:foreign|overseas)\b"),
        (r"入库|入口|进水", r"出库|(?<!进)出口|出水"),
    )
)


def misfit(question: str, heads: str, value: str) -> bool:
    """Whether a cell of these heads is no answer: a figure where words are asked for, no amount,
    share or growth where that is, nobody where somebody is, of another year, or of the
    opposite of what is asked about."""
    kind = answer_kind(question)
    if kind != "number" and _WORDS_ASKED.search(question) and _FIGURE_ALONE.fullmatch(value):
        return True
    if _RATE_ASKED.search(question) and not _SHARE.search(f"{heads} {value}"):
        return True
    if kind == "number" and _other_amount(question, heads, value):
        return True
    if kind in ("person", "place", "date") and _NO_NAME.fullmatch(value):
        return True
    return _other_years(question, heads) or opposite(question, heads)


def _other_amount(question: str, heads: str, value: str) -> bool:
    """Whether an amount of another sort than is asked for stands there, or none."""
    if not _DIGIT.search(value) or (_DATE_ALONE.fullmatch(value) and not _UNITED.search(heads)):
        return True
    if _GROWTH_ASKED.search(question):
        return bool(_SHARE_HEAD.search(heads)) or not _GROWTH.search(f"{heads} {value}")
    if _SHARE_ASKED.search(question):
        return not _SHARE.search(f"{heads} {value}")
    return bool(_SHARE_HEAD.search(heads)) and not _SHARE.search(question)


def _other_years(question: str, heads: str) -> bool:
    """Whether the cell stands under another year than is asked for."""
    asked = set(_YEAR.findall(question))
    own = {one or other for one, other in _YEAR_HEAD.findall(heads)}
    return bool(asked and own) and not asked & own


def opposite(question: str, text: str) -> bool:
    """Whether the question is about one of two opposites and the text only about the other."""
    for one, other in _OPPOSITES:
        asked = bool(one.search(question)), bool(other.search(question))
        said = bool(one.search(text)), bool(other.search(text))
        if any(asked) and asked == said[::-1] and asked != said:
            return True
    return False
