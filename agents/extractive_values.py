"""What a table's cell is worth, so that cells can be compared: a number, or a span of time."""

import re
import unicodedata

_NUMBER = re.compile(r"[-−–+]?\d+(?:[ ,]\d{3})*(?:\.\d+)?")
_BEFORE = " ≈~约<>≤≥"
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
_HAN = {c: n for n, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "半": 0.5}


def number(cell: str) -> float | None:
    """The number that the cell is, with or without a unit behind it; None: it is no number, or a
    range."""
    text = cell.strip(_BEFORE)
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
    if len(written) == 2:
        tens, ones = _HAN[written[0]], _HAN[written[1]]
        return float(tens * 10 if written[1] == "十" else tens + ones)
    return float(_HAN[written])


def worths(cells: list[str]) -> list[float | None]:
    """The cells of a column by one measure: time where most of them are times, else numbers."""
    times = [days(cell) for cell in cells]
    said = [cell for cell in cells if cell.strip()]
    if sum(1 for time in times if time is not None) * 2 > len(said):
        return times
    return [number(cell) for cell in cells]
