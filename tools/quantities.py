"""Numbers, percentages, units and dates of running text, in one form for both languages.

1,577 · 1577.00 · １５７７ · 15.77亿 · 1.577 billion · 一千五百七十七 · 百分之五 · five percent ·
2021年3月5日 · March 5, 2021 are read into values that compare.
"""

import math
import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple


class Quantity(NamedTuple):
    """A number: value with its scale word applied, unit ("" when none is known), span, precision.

    `step` is the value of one in the last written digit (15.77亿: 1 000 000); `words` tells that
    it was written in words ("two", 三), which is often no measurement.
    """

    value: float
    unit: str
    start: int
    end: int
    step: float
    words: bool = False


class Date(NamedTuple):
    """A date; 0 for what is not written."""

    year: int
    month: int
    day: int
    start: int
    end: int


_SCALES = {
    "十亿": 1e9,
    "百亿": 1e10,
    "千亿": 1e11,
    "万亿": 1e12,
    "兆亿": 1e20,
    "亿": 1e8,
    "千万": 1e7,
    "百万": 1e6,
    "十万": 1e5,
    "万": 1e4,
    "千": 1e3,
    "百": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "mn": 1e6,
    "bn": 1e9,
}
# unit -> (base unit, factor)
_UNITS: dict[str, tuple[str, float]] = {}
for _base, _factor, _words in (
    ("%", 1, "% percent 百分点 pct"),
    ("m", 1, "m 米 metre metres meter meters"),
    ("m", 1000, "km 千米 公里 kilometre kilometres kilometer kilometers"),
    ("m", 0.01, "cm 厘米 公分"),
    ("m", 0.001, "mm 毫米"),
    ("m", 1e-6, "μm um 微米"),
    ("m", 1e-9, "nm 纳米"),
    ("m2", 1, "m2 m² ㎡ 平方米"),
    ("m2", 1e6, "km2 km² 平方公里 平方千米"),
    ("m2", 1e4, "ha 公顷"),
    ("m3", 1, "m3 m³ 立方米 方"),
    ("m3", 0.001, "L 升 liter liters litre litres"),
    ("m3", 1e-6, "mL ml 毫升"),
    ("kg", 1, "kg 千克 公斤"),
    ("kg", 0.001, "g 克 gram grams"),
    ("kg", 1e-6, "mg 毫克"),
    ("kg", 1000, "t 吨 ton tons tonne tonnes"),
    ("s", 1, "s 秒 sec second seconds"),
    ("s", 0.001, "ms 毫秒"),
    ("s", 60, "min 分钟 minute minutes"),
    ("s", 3600, "h 小时 hour hours hr hrs"),
    ("s", 86400, "d 天 日 day days"),
    ("week", 1, "周 星期 week weeks"),
    ("month", 1, "个月 月 month months"),
    ("year", 1, "年 years year"),
    ("Pa", 1, "Pa 帕"),
    ("Pa", 1e3, "kPa 千帕"),
    ("Pa", 1e6, "MPa 兆帕"),
    ("W", 1, "W 瓦"),
    ("W", 1e3, "kW 千瓦"),
    ("W", 1e6, "MW 兆瓦"),
    ("Wh", 1e3, "kWh 千瓦时"),
    ("V", 1, "V 伏 伏特"),
    ("V", 1e3, "kV 千伏"),
    ("A", 1, "A 安 安培"),
    ("A", 1e-3, "mA 毫安"),
    ("Hz", 1, "Hz 赫兹"),
    ("Hz", 1e3, "kHz"),
    ("Hz", 1e6, "MHz"),
    ("Hz", 1e9, "GHz"),
    ("N", 1, "N 牛 牛顿"),
    ("N", 1e3, "kN 千牛"),
    ("degC", 1, "℃ °C 摄氏度"),
    ("CNY", 1, "元 人民币 yuan RMB CNY"),
    ("USD", 1, "美元 dollars dollar USD US$ $"),
    ("EUR", 1, "欧元 euros euro EUR €"),
    ("person", 1, "人 名 people persons"),
    ("time", 1, "次 times"),
):
    _UNITS |= dict.fromkeys(_words.split(), (_base, float(_factor)))

_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?P<pre>US\$|[$€¥]\s?)?(?<![A-Za-z\d.])(?P<n>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?!\.?\d)"
    rf"(?:[ ]?(?P<scale>{_SCALE})(?![a-z]))?(?:[ -]?(?P<unit>{_UNIT})(?![A-Za-z]))?"
)
_HAN = "零一二三四五六七八九"
_HAN_DIGITS = "〇零一二两三四五六七八九"
_HAN_UNIT = "|".join(
    sorted((re.escape(u) for u in _UNITS if not u.isascii()), key=len, reverse=True)
)
_HAN_NUMBER = re.compile(
    rf"(?P<cent>百分之)?(?P<n>[{_HAN_DIGITS}十百千万亿]*[{_HAN_DIGITS}十百千万亿](?:点[{_HAN_DIGITS}]+(?:万亿|[万亿])?)?)"
    rf"(?P<unit>{_HAN_UNIT})?"
)
_EN_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_EN = {w: i for i, w in enumerate(_EN_ONES.split())} | {
    w: 10 * i for i, w in enumerate(_EN_TENS.split(), 2)
}
_EN_NUMBER = re.compile(
    rf"\b(?P<n>(?:{'|'.join(_EN)})(?:[ -](?:{'|'.join(list(_EN)[1:10])}))?)\b"
    rf"(?:[ -](?P<scale>hundred|thousand|million|billion))?(?:[ -](?P<unit>{_UNIT})(?![A-Za-z]))?",
    re.IGNORECASE,
)
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(?P<mon>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATES = (
    re.compile(
        r"(?P<y>(?:19|20)\d{2})\s*年(?:\s*(?P<m>\d{1,2})\s*月(?:\s*(?P<d>\d{1,2})\s*[日号])?)?"
    ),
    re.compile(r"(?<!\d)(?P<y>(?:19|20)\d{2})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(r"(?P<m>(?<!\d)\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*[日号]"),
    re.compile(rf"\b{_MONTH}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>(?:19|20)\d{{2}})", re.I),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH},?\s+(?P<y>(?:19|20)\d{{2}})", re.I),
    re.compile(rf"\b{_MONTH},?\s+(?P<y>(?:19|20)\d{{2}})", re.I),
)


def fold(text: str) -> str:
    """Full-width to half-width, one character for one."""
    if text.isascii():
        return text
    out = []
    for char in text:
        plain = unicodedata.normalize("NFKC", char)
        out.append(plain if len(plain) == 1 and char not in "²³℃" else char)
    return "".join(out)


def dates(text: str) -> list[Date]:
    """Dates of folded text in order, without overlaps."""
    found: list[Date] = []
    for pattern in _DATES:
        for m in pattern.finditer(text):
            if any(m.start() < d.end and d.start < m.end() for d in found):
                continue
            parts = m.groupdict()
            month = parts.get("m") or 0
            if parts.get("mon"):
                month = MONTHS.index(parts["mon"].lower()) + 1
            found.append(
                Date(int(parts.get("y") or 0), int(month), int(parts.get("d") or 0), *m.span())
            )
    return sorted(found, key=lambda d: d.start)


def quantities(text: str) -> list[Quantity]:
    """Numbers of folded text in order, those inside dates included."""
    found = list(_arabic(text))
    taken = [(q.start, q.end) for q in found]
    for q in (*_chinese(text), *_english(text)):
        if not any(q.start < b and a < q.end for a, b in taken):
            found.append(q)
    return sorted(found, key=lambda q: q.start)


def _arabic(text: str) -> Iterator[Quantity]:
    for m in _NUMBER.finditer(text):
        number = m["n"].replace(",", "")
        scale = _SCALES.get((m["scale"] or ""), 1.0)
        decimals = len(number.partition(".")[2])
        unit = m["unit"] or (m["pre"] or "").strip().replace("¥", "元")
        base, factor = _UNITS.get(unit, ("", 1.0))
        value = float(number) * scale * factor
        yield Quantity(value, base, *m.span(), step=scale * factor / 10**decimals)


def _chinese(text: str) -> Iterator[Quantity]:
    for m in _HAN_NUMBER.finditer(text):
        value = han_value(m["n"])
        if value is None or (m["n"] in {"万", "亿", "百", "千"}):
            continue
        base, factor = ("%", 1.0) if m["cent"] else _UNITS.get(m["unit"] or "", ("", 1.0))
        short = len(m["n"]) < 2 and not m["cent"]
        yield Quantity(value * factor, base, *m.span(), step=0.0, words=short)


def _english(text: str) -> Iterator[Quantity]:
    for m in _EN_NUMBER.finditer(text):
        value = float(sum(_EN[w] for w in re.split(r"[ -]", m["n"].lower())))
        scale = {"hundred": 100.0}.get(
            m["scale"] or "", _SCALES.get((m["scale"] or "").lower(), 1.0)
        )
        base, factor = _UNITS.get(m["unit"] or "", ("", 1.0))
        yield Quantity(value * scale * factor, base, *m.span(), step=0.0, words=not m["unit"])


def han_value(text: str) -> float | None:
    """一千五百七十七 -> 1577, 二〇二一 -> 2021, 三点五 -> 3.5, 两万 -> 20000."""
    whole, _, rest = text.replace("〇", "零").replace("两", "二").partition("点")
    scale = 1e12 if rest.endswith("万亿") else {"万": 1e4, "亿": 1e8}.get(rest[-1:], 1.0)
    digits = rest.rstrip("万亿")
    fraction = float("0." + "".join(str(_HAN.index(c)) for c in digits)) if digits else 0.0
    if scale > 1:
        return ((han_value(whole) or 0.0) + fraction) * scale
    if len(whole) > 1 and not set(whole) & set("十百千万亿"):
        return float("".join(str(_HAN.index(c)) for c in whole)) + fraction
    total, section, digit = 0.0, 0.0, 0.0
    for char in whole:
        if char in _HAN:
            digit = float(_HAN.index(char))
        elif char in "十百千":
            section += (digit or 1.0) * {"十": 10, "百": 100, "千": 1000}[char]
            digit = 0.0
        else:
            total = (total + section + digit or 1.0) * {"万": 1e4, "亿": 1e8}[char]
            section = digit = 0.0
    return total + section + digit + fraction


def same_value(claim: Quantity, other: Quantity) -> bool:
    """Equal, or equal after rounding to the claim's own precision (three digits at least)."""
    if math.isclose(claim.value, other.value, rel_tol=1e-9, abs_tol=1e-12):
        return True
    if not claim.step or abs(claim.value) < 100 * claim.step:
        return False
    return abs(claim.value - other.value) <= 0.5000001 * claim.step


def scales_named(text: str) -> tuple[float, ...]:
    """Scales that a table or its caption applies to bare numbers: "in millions", 单位：万元."""
    out = [
        value
        for word, value in _SCALES.items()
        if re.search(
            rf"\b{word}s?\b" if word.isascii() else rf"(?:单位|人民币|[（(])[^\n]{{0,6}}{word}元?",
            text,
            re.IGNORECASE,
        )
    ]
    return tuple(sorted(set(out)))
