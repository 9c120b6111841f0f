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
    """Whether a cell of these heads is no answer: no figure, or only a date, where an amount is
    asked for; no share where one is; or of the opposite of what is asked about."""
    if answer_kind(question) == "number":
        dated = _DATE_ALONE.fullmatch(value) and not _UNITED.search(heads)
        if not _DIGIT.search(value) or dated:
            return True
        if _SHARE_ASKED.search(question) and not _SHARE.search(f"{heads} {value}"):
            return True
    return opposite(question, heads)


def opposite(question: str, text: str) -> bool:
    """Whether the question is about one of two opposites and the text only about the other."""
    for one, other in _OPPOSITES:
        asked = bool(one.search(question)), bool(other.search(question))
        said = bool(one.search(text)), bool(other.search(text))
        if any(asked) and asked == said[::-1] and asked != said:
            return True
    return False
