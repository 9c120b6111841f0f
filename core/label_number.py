"""Reads one label number at a position of folded text: 2.3, A-1, S2, IV, 二十一, 5.1.2-1, 3(b).

Folding replaces one character by one character, so that every offset is the text's own.
"""

import re
import unicodedata
from typing import NamedTuple

CAPTION_LEAD = " \t\r\n\u3000*#_>【[(（<《「-•·"
"""What may stand before a caption's label."""

_FOLD = {
    **dict.fromkeys("‐‑‒–—―−﹣－─", "-"),
    **dict.fromkeys("～〜∼˜", "~"),
    **dict.fromkeys("．·・‧∙•", "."),
    **dict(
        zip(
            "圖図節條錄題與續發儀電報試貪藍鐘個張兩種類見據將從對為顯給說裡裏頁號臺點組處萬億錶",
            "图图节条录题与续发仪电报试贪蓝钟个张两种类见据将从对为显给说里里页号台点组处万亿表",
            strict=True,
        )
    ),
    **dict(zip("ⅠⅤⅩ", "IVX", strict=True)),
    "$": " ",  # "图 $3$": a parser's mathematics around the number
    "\u200b": " ",
    "\ufeff": " ",
}
_ASCII_FOLD = str.maketrans({"$": " "})
# Superscripts are footnote marks and ① marks a part: neither is a digit of the number.
_KEEP = re.compile(r"[\u00b2\u00b3\u00b9\u2070-\u2099\u2460-\u24ff]")


def fold(text: str) -> str:
    """One width, one dash, one dot, simplified kind words; as long as `text`."""
    return text.translate(_ASCII_FOLD) if text.isascii() else "".join(map(_fold_char, text))


def _fold_char(char: str) -> str:
    if char in _FOLD:
        return _FOLD[char]
    if char < "\x80" or _KEEP.match(char):
        return char
    plain = unicodedata.normalize("NFKC", char)
    return plain if len(plain) == 1 else char


class Number(NamedTuple):
    """A number as read: canonical parts, the separators between them, sub-figures, its span.

    `bare`: the sub-figure is written without brackets ("3a").
    """

    parts: tuple[str, ...]
    seps: tuple[str, ...]
    start: int
    end: int
    subs: tuple[str, ...] = ("",)
    bare: bool = False


HAN_NUMBER = r"[零〇一二两三四五六七八九十百]{1,6}"
_HAN = "零一二三四五六七八九"
# What may follow a Chinese numeral in running text: 图三所示, but not 图三角形 or 表一致.
_AFTER_HAN = re.compile(
    r"$|[^\u4e00-\u9fff]|[中里为是的呢吗上内有或和与及至到]|所示|显示|给出|表明|列出|说明|可见|可知"
    r"|可以|展示|反映|描述|表示|之间|图|表|讲|画|写|如何|怎么|什么"
)
_NOT_AFTER_HAN = re.compile(
    r"[角边维次般致样个种些分元级相旦直起定切共者律下面点条张幅步方项年月日]|对应"
)
_ROMAN = re.compile(r"(?:[IVX]{1,8}|ii|iii|iv|vi|vii|viii|ix)(?![A-Za-z\d])")
_ROMAN_VALUE = re.compile(r"(X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_CHARS = "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ"
_LETTER = re.compile(r"(?:[A-Z]|[a-z](?=[.\-]?\d))(?![A-Za-z])")
_DIGITS = re.compile(r"\d{1,3}(?!\d)")
_ZH_PART = re.compile(rf"\d{{1,3}}(?!\d)|{HAN_NUMBER}")
_SEP_EN = re.compile(r"[.\-](?=\d)|[ ]-[ ](?=\d{1,3}(?:[ ]*[:.)]|[ ]*$))")
_SEP_ZH = re.compile(
    rf"[.\-之点](?=\d|{HAN_NUMBER})|[ ][.\-][ ]?(?=\d)|-[ ](?=\d)"
    r"|\.[ ](?=\d{1,3}(?:[ ]*$|[ ]+[\u4e00-\u9fff]|[):]))"
)
_CIRCLED = re.compile(r"[\u2460-\u2473]")
_SUB = re.compile(
    r"[ ]?\([ ]?(?P<paren>i{2,3}|iv|vi{1,3}|[A-Za-z])(?P<more>(?:[ ]?[,、\-/&][ ]?[A-Za-z])*)[ ]?\)"
    r"|\((?P<digit>\d)\)"
    r"|-?(?P<bare>[A-La-l])(?![A-Za-z\d]|[.\-]\d)"
    r"|[ ]?(?P<half>[a-z])\)"
    r"|[ ]{0,3}(?P<circled>[\u2460-\u2473])"
)
_NOT_LABEL = re.compile(
    r"[ ]?(?:%|‰|°|℃|(?:million|billion|trillion|thousand|percent|people|met(?:re|er)s?|[kMG]?Pa"
    r"|k[gmVWN]|[kM]?W|mm|cm|kHz|MHz|GHz|Hz|mg|ml|dB|hours?|minutes?|seconds?|days?)(?![A-Za-z]))"
    r"|[-.]\d|\d"
    r"|(?:年(?![度均际龄代级报鉴径])|月(?![度均平])|日(?![均常期照志])|[万亿]|个(?![体人别股性税])"
    r"|张(?![力量拉开弛角紧贴度])|幅(?![度值频])|份(?!额)|篇(?![章幅])|倍|本书|余|元|岁|号(?![码线])|时(?![间刻段程期域序])"
    r"|人(?![员口均才体数工类群民力事物机为]))"
)
_SOLID = re.compile(r"[23][Dd](?=[\u4e00-\u9fff])(?!..?(?:所示|中|显示|为|是|的))")


def canonical(part: str) -> str | None:
    """ "03" -> "3", "二十一" -> "21", "一百零二" -> "102"; None for what is no number."""
    if part.isdecimal():
        return str(int(part))
    digits = part.replace("〇", "零").replace("两", "二")
    if not set(digits) & set("十百"):
        return str(int("".join(str(_HAN.index(c)) for c in digits)))
    total, last = 0, 1000
    pending: int | None = None
    for char in digits:
        if char not in "十百":
            pending = _HAN.index(char)
            continue
        size = 10 if char == "十" else 100
        if size >= last:
            return None
        total += (1 if pending is None else pending or 1) * size
        last, pending = size, None
    return str(total + (pending or 0))


def read_number(t: str, pos: int, *, zh: bool, solo: bool = True) -> Number | None:
    """The number at `pos` of folded text with its sub-figures, or None.

    `solo` allows a letter alone ("Table A"), which a lower-case kind word does not have.
    """
    first = _first_part(t, pos, zh)
    if first is None:
        return None
    parts, end = first
    seps: list[str] = []
    if parts[0].isalpha() and (glued := _DIGITS.match(t, end)):  # S2, A1
        parts, seps, end = [parts[0], str(int(glued.group()))], [""], glued.end()
    part_re, sep_re = (_ZH_PART, _SEP_ZH) if zh else (_DIGITS, _SEP_EN)
    while sep := sep_re.match(t, end):
        number = part_re.match(t, sep.end())
        value = canonical(number.group()) if number else None
        if number is None or value is None:
            break
        parts.append(value)
        seps.append(sep.group().strip())
        end = number.end()
    if not solo and len(parts) == 1 and t[pos].isalpha() and t[pos].isascii() and end == pos + 1:
        return None
    item = Number(tuple(parts), tuple(seps), pos, end)
    return _with_sub(t, item) if _plausible(t, item, zh) else None


def _first_part(t: str, pos: int, zh: bool) -> tuple[list[str], int] | None:
    """The first part: a Roman numeral, a circled digit, a letter, or a number."""
    if roman := _roman(t, pos):
        return [roman[0]], roman[1]
    if zh and (circled := _CIRCLED.match(t, pos)):
        return [_circled(circled.group())], circled.end()
    if letter := _LETTER.match(t, pos):
        return [letter.group().upper()], letter.end()
    number = (_ZH_PART if zh else _DIGITS).match(t, pos)
    value = canonical(number.group()) if number else None
    return ([value], number.end()) if number and value is not None else None


def _roman(t: str, pos: int) -> tuple[str, int] | None:
    if t[pos : pos + 1] and t[pos] in _ROMAN_CHARS:
        return str(_ROMAN_CHARS.index(t[pos]) + 1), pos + 1
    found = _ROMAN.match(t, pos)
    value = _ROMAN_VALUE.fullmatch(found.group().upper()) if found else None
    if found is None or value is None:
        return None
    ones = {"IX": 9, "IV": 4}.get(value[2], 5 * value[2].count("V") + value[2].count("I"))
    return str(10 * len(value[1]) + ones), found.end()


def _circled(char: str) -> str:
    return str(ord(char) - 0x245F)


def _plausible(t: str, item: Number, zh: bool) -> bool:
    """Whether what follows leaves it a label: no unit, no rest of a word."""
    if _NOT_LABEL.match(t, item.end) or (zh and _SOLID.match(t, item.end - 1)):
        return False
    if not re.search(HAN_NUMBER, t[item.start : item.end]):
        return True
    line = t[t.rfind("\n", 0, item.start) + 1 : item.start]
    if len(line.strip(CAPTION_LEAD)) <= 2:  # a caption may be glued: 图三系统结构
        return _NOT_AFTER_HAN.match(t, item.end) is None
    return _AFTER_HAN.match(t, item.end) is not None


def _with_sub(t: str, item: Number) -> Number:
    """Add the sub-figures written behind the number, if any."""
    found = _SUB.match(t, item.end)
    if found is None or (found["bare"] and item.parts[-1].isalpha()):
        return item
    if found["paren"]:
        subs = letters(found["paren"], found["more"])
    elif found["circled"]:
        subs = (_circled(found["circled"]),)
    else:
        subs = ((found["digit"] or found["half"] or found["bare"]).lower(),)
    return item._replace(subs=subs, end=found.end(), bare=found["bare"] is not None)


def letters(first: str, more: str) -> tuple[str, ...]:
    """ "a" and ", b-d" -> a, b, c, d."""
    out = [first.lower()]
    for mark, letter in re.findall(r"([,、\-/&])[ ]?([A-Za-z])", more):
        last, new = out[-1], letter.lower()
        if mark == "-" and len(last) == 1 and last < new:
            out += [chr(c) for c in range(ord(last) + 1, ord(new) + 1)]
        else:
            out.append(new)
    return tuple(out)
