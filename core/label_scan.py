"""Finds labels in running text: a kind word, the number behind it, then lists and ranges.

Kind words are those of captions and references in Chinese (simplified, traditional) and English,
and the German ones of bilingual standards. A word that only ends like one (代表, 地图, 形式) does
not count, nor does a number that something counts or measures (图3张, 表10kV).
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from .label_number import CAPTION_LEAD, Number, canonical, fold, read_number
from .label_question import scan_questions

__all__ = ["CAPTION_LEAD", "Found", "LabelKind", "scan"]

LabelKind = Literal[
    "figure", "table", "equation", "section", "appendix", "algorithm", "scheme", "question"
]

_MAX_RANGE = 60  # a longer "range" is a misreading: only its two ends are kept


class Found(NamedTuple):
    """A label's fields and its span in the text."""

    kind: LabelKind
    parts: tuple[str, ...]
    sub: str
    start: int
    end: int


class _Word(NamedTuple):
    """What the kind word said."""

    kind: LabelKind
    zh: bool
    start: int
    plural: bool = False
    solo: bool = True
    prefix: str = ""
    unit: str = ""
    bracket: bool = False


_EN_KINDS: tuple[tuple[str, LabelKind], ...] = (
    ("chart", "figure"),
    ("fig", "figure"),
    ("exh", "figure"),
    ("abb", "figure"),
    ("bil", "figure"),
    ("tab", "table"),
    ("eq", "equation"),
    ("app", "appendix"),
    ("ann", "appendix"),
    ("alg", "algorithm"),
    ("sch", "scheme"),
)
_ZH_KINDS: dict[str, LabelKind] = {
    "图": "figure",
    "表": "table",
    "式": "equation",
    "程": "equation",
    "录": "appendix",
    "法": "algorithm",
    "款": "section",
    "节": "section",
}
_HEAD = re.compile(
    r"第[ ]?(?P<ask>\d{1,3}|[一二三四五六七八九十百]{1,4})[ ]?题[ ]?图[ ]{0,3}"
    r"(?P<askpart>[\u2460-\u2473]|\(\d\)|\d(?!\d))?"
    r"|第[ ]?(?P<nth>[A-Z]?[\d.\-]{1,14}|[零〇一二两三四五六七八九十百]{1,6})[ ]?"
    r"(?P<unit>章|小?节|条款?)(?![课车电鱼河路线建消信街裤件点能程铁])"
    r"|(?<![\d.A-Za-z])(?P<bare>\d{1,2}(?:\.\d{1,2}){1,4})[ ]?"
    r"(?:小?节(?![课车电约省能点日拍奏目])|条款)"
    r"|(?<![A-Za-z\d])\((?P<eqn>[A-Z]?[.\-]?\d{1,3}(?:[.\-]\d{1,3})?)\)[ ]?式"
    r"|(?P<zh>图表|附图|插图|(?<![地意试企力妄贪版蓝拼希供])图"
    r"|附表|续表|(?<![代发列手外仪电水报钟填年量里])表"
    r"|公式|方程式?|表达式|等式|(?<![\u4e00-\u9fff])式"
    r"|(?<=[由据将把见如按用在从以对与和及至到入下上该即为是])式|附录|演?算法|条款|章节)"
    r"|(?<![A-Za-z])(?P<pre>supplementary[ ]|suppl?\.?[ ]|extended[ ]data[ ])?"
    r"(?P<en>figures?|figs?|charts?|exhibits?|abbildung(?:en)?|abb|bild|tables?|tabellen?"
    r"|equations?|eqn?s?|sections?|chapters?|(?:sub-?)?clauses?|articles?|append(?:ix|ices)"
    r"|annex(?:es)?|algorithms?|schemes?|tabs?(?=\.)|sect?s?(?=\.)|(?-i:Sect?s?|Algs?))"
    r"(?![A-Za-z])\.?"
    r"|(?P<sign>§{1,2})",
    re.IGNORECASE,
)
_GAP_EN = re.compile(r"[ \t~]{0,3}(?:No\.?[ ]?|#)?", re.IGNORECASE)
_GAP_BROKEN = re.compile(r"[ ]?\n(?=\d)")  # a reference broken over two lines of a PDF
_NO_EQUATION = re.compile(r"[A-Za-z](?![A-Za-z])|[ ]{0,3}[\\×*=+^]")
_GAP_ZH = re.compile(r"[ \t~:]{0,3}")
_JOIN = re.compile(
    r"[ ]?(?:(?P<range>~|-|至|到|\bto\b|\bthrough\b)"
    r"|(?P<list>(?:[,、;/&]|和|与|及|或|以及)(?:[ ]?(?:and|or)\b)?|\band\b|\bor\b))[ ]?"
)
_SAME_WORD = re.compile(
    r"(?:(?:附|插)?[图表式]|公式|附录|(?:fig(?:ure)?s?|tab(?:le)?s?|eq(?:uation)?s?)\b\.?)[ ]?",
    re.IGNORECASE,
)
_PART_MARK = re.compile(r"\((?P<paren>[a-z])\)|(?P<bare>[a-l])(?![A-Za-z\d])", re.IGNORECASE)
_COUNTED = re.compile(
    r"[ ]?[个张种类台年月日号次组点处人万亿条幅层级只根块段座名家项位米吨度岁元路阶维倍篇份步天"
    r"时分秒]"
)
_CLOSED = re.compile(
    r"[ ]?(?:$|[.,;:)\]?!\n]|show|list|illustr|depict|compar|present|give|are\b|respectively)"
)


def scan(text: str) -> Iterator[Found]:
    """Labels of `text` in order of their kind words; an item's own picture (第3题图) is no item."""
    t = fold(text)
    objects = list(_scan_objects(t))
    taken = [(found.start, found.end) for found in objects]
    items = [
        Found("question", *item)
        for item in scan_questions(t)
        if not any(item.start < end and start < item.end for start, end in taken)
    ]
    yield from sorted([*objects, *items], key=lambda found: found.start) if items else objects


def _scan_objects(t: str) -> Iterator[Found]:
    """Labels of all kinds but exam items, in folded text."""
    pos = 0
    while (head := _HEAD.search(t, pos)) is not None:
        pos = head.end() if head.end() > head.start() + 2 else head.start() + 1
        for found in _read(t, head):
            yield found
            pos = max(pos, found.end)


def _read(t: str, head: re.Match[str]) -> Iterator[Found]:
    if head["ask"]:
        part = head["askpart"] or ""
        sub = str(ord(part) - 0x245F) if part and ord(part[0]) > 0x245F else part.strip("()")
        number = canonical(head["ask"])
        if number is not None:
            yield Found("figure", (f"Q{number}",), sub, head.start(), head.end())
        return
    if head["nth"] or head["bare"] or head["eqn"]:
        yield from _enclosed(t, head)
        return
    word = _word(t, head)
    if head.group().endswith(".") and len(head["en"]) > 5 and word.kind not in {"figure", "table"}:
        return  # a sentence ends in "algorithm."; what follows is another matter
    first = _item(t, _number_start(t, head, word), word)
    if first is not None:
        yield from _expand(word, _entries(t, first, word))


def _number_start(t: str, head: re.Match[str], word: _Word) -> int:
    if not word.zh and word.solo and (broken := _GAP_BROKEN.match(t, head.end())):
        return broken.end()
    gap = (_GAP_ZH if word.zh else _GAP_EN).match(t, head.end())
    return gap.end() if gap else head.end()


def _word(t: str, head: re.Match[str]) -> _Word:
    if head["zh"]:
        text = head["zh"]
        kind: LabelKind = "figure" if text == "图表" else _ZH_KINDS[text[-1]]
        prefix = "附" if text in {"附图", "附表"} else ""
        # "如图A、B是圆上两点" names points, not pictures
        solo = t[max(0, head.start() - 1) : head.start()] != "如"
        bracket = text in {"方程", "等式", "表达式", "方程式"}
        return _Word(kind, True, head.start(), solo=solo, prefix=prefix, bracket=bracket)
    if head["sign"]:
        return _Word("section", False, head.start(), plural=head["sign"] == "§§")
    text = head["en"].lower()
    kind = next((k for start, k in _EN_KINDS if text.startswith(start)), "section")
    prefix = {"s": "S", "e": "ED"}.get((head["pre"] or "")[:1].lower(), "")
    return _Word(
        kind,
        False,
        head.start(),
        plural=text.endswith("s") or text.endswith("en"),
        solo=head["en"][0].isupper(),
        prefix=prefix,
        unit="条" if text.startswith("art") else "",
    )


def _enclosed(t: str, head: re.Match[str]) -> Iterator[Found]:
    """第3.1节, 3.1 节, (3.1)式: the number stands before the word."""
    group = next(g for g in ("nth", "bare", "eqn") if head[g])
    unit = (head["unit"] or "")[-1:] if head["unit"] in {"节", "小节", "条"} else ""
    item = read_number(t[: head.end(group)], head.start(group), zh=True)
    if item is None or item.end != head.end(group) or item.subs != ("",):
        return
    kind: LabelKind = "equation" if group == "eqn" else "section"
    plural = head["unit"] in {"章", "条"}
    word = _Word(kind, True, head.start(), plural=plural, unit=unit)
    for found in _expand(word, [("", item)]):
        yield found._replace(end=head.end())


def _item(t: str, pos: int, word: _Word) -> Number | None:
    """The number at `pos`; an equation's may stand in brackets, and must after 方程 or 等式."""
    equation = word.kind == "equation"
    bracket = equation and t.startswith("(", pos)
    if word.bracket and not bracket:
        return None
    item = read_number(t, pos + bracket, zh=word.zh, solo=word.solo)
    if item is None or not bracket:
        return None if item and equation and _NO_EQUATION.match(t, item.end) else item
    if not re.search(r"\d", t[item.start : item.end]):
        return None  # 简易方程（二） is a title
    return item._replace(start=pos, end=item.end + 1) if t.startswith(")", item.end) else None


_Entries = list[tuple[str, Number]]
"""How an item is joined to the one before ("", "list", "range"), and the item."""


def _entries(t: str, first: Number, word: _Word) -> _Entries:
    entries: _Entries = [("", first)]
    while (join := _JOIN.match(t, entries[-1][1].end)) is not None:
        entry = _next_part(t, join, entries[-1][1]) or _next_item(t, join, entries, word)
        if entry is None:
            break
        entries.append(entry)
    return entries


def _next_part(t: str, join: re.Match[str], last: Number) -> tuple[str, Number] | None:
    """A further sub-figure of the same figure: 3(a) and (b), 3a-c."""
    mark = _PART_MARK.match(t, join.end())
    if mark is None or last.subs == ("",) or (mark["bare"] and not last.bare):
        return None
    sub = (mark["paren"] or mark["bare"]).lower()
    item = last._replace(subs=(sub,), start=mark.start(), end=mark.end())
    return ("range" if join["range"] else "list"), item


def _next_item(
    t: str, join: re.Match[str], entries: _Entries, word: _Word
) -> tuple[str, Number] | None:
    last = entries[-1][1]
    again = _SAME_WORD.match(t, join.end()) if join["range"] else None
    item = _item(t, again.end() if again else join.end(), word)
    if item is None:
        return None
    if join["range"]:
        plain_dash = join["range"] == "-" and not (again or word.plural)
        lettered = last.subs != ("",) or not last.parts[0].isdecimal()
        ok = not plain_dash or lettered
        ok = ok and (_alike(last, item, word) or len(item.parts) == 1)
        return ("range", item) if ok and entries[-1][0] != "range" else None
    listed = _alike(last, item, word) and _listed(t, join["list"].strip(), item, word)
    return ("list", item) if listed else None


def _alike(a: Number, b: Number, word: _Word) -> bool:
    """Whether two numbers of a list are written alike (3 and 4, 2.1 and 2.2)."""
    count_a, count_b = (
        1 if word.plural and n.seps == ("-",) and n.parts[0].isdecimal() else len(n.parts)
        for n in (a, b)
    )
    return count_a == count_b and a.parts[0].isdecimal() == b.parts[0].isdecimal()


def _listed(t: str, mark: str, item: Number, word: _Word) -> bool:
    """Whether the number behind a list mark is a member: not a count, not a new clause."""
    several = len(item.parts) > 1
    if word.zh:
        return not _COUNTED.match(t, item.end) and (mark != "," or several)
    return word.plural or several or (mark != "," and _CLOSED.match(t, item.end) is not None)


def _expand(word: _Word, entries: _Entries) -> Iterator[Found]:
    start = word.start
    labels_not_ranges = len(entries) > 1 and len({e[1].parts[0] for e in entries}) == 1
    for i, (_, item) in enumerate(entries):
        if i + 1 < len(entries) and entries[i + 1][0] == "range":
            continue  # the lower end is expanded with the upper one
        if i and entries[i][0] == "range":
            low = entries[i - 1][1]
            members = _between(low, item)
        elif word.plural and item.seps == ("-",) and not labels_not_ranges:
            members = _pair(item)
        else:
            members = _split(item)
        for parts, sub in members:
            unit = word.unit if len(parts) == 1 else ""
            yield Found(word.kind, _prefixed(parts, word.prefix), sub or unit, start, item.end)
        start = item.end


_Member = tuple[tuple[str, ...], str]


def _prefixed(parts: tuple[str, ...], prefix: str) -> tuple[str, ...]:
    return (prefix, *parts) if prefix and parts[0].isdecimal() else parts


def _split(item: Number) -> list[_Member]:
    """One label; or "2.1-2.3" and "2-1-2-3", which are ranges written with the label's own dash."""
    half = len(item.parts) // 2
    low, high = item.parts[:half], item.parts[half:]
    dashed = len(item.parts) == 4 and set(item.seps) == {"-"}
    middle = half > 1 and len(low) == len(high) and item.seps[half - 1] == "-"
    dotted = middle and "-" not in item.seps[: half - 1] + item.seps[half:]
    if dotted or (middle and dashed and low[0] == high[0]):
        members = _run(low, high)
        if members:
            return members
    return [(item.parts, sub) for sub in item.subs]


def _pair(item: Number) -> list[_Member]:
    """ "Figures 2-4": a range, because the word is plural."""
    return _run(item.parts[:1], item.parts[1:]) or [(item.parts, sub) for sub in item.subs]


def _between(low: Number, high: Number) -> list[_Member]:
    if low.parts == high.parts and len(low.subs[-1]) == 1 and low.subs[-1] < high.subs[0]:
        codes = range(ord(low.subs[-1]), ord(high.subs[0]) + 1)
        return [(low.parts, sub) for sub in low.subs[:-1]] + [(low.parts, chr(c)) for c in codes]
    high_parts = high.parts
    if len(high_parts) < len(low.parts):  # 图2.1~3
        high_parts = low.parts[: -len(high_parts)] + high_parts
    if low.subs == high.subs == ("",) and (members := _run(low.parts, high_parts)):
        return members
    ends = [(low.parts, sub) for sub in low.subs]
    return ends + [(high_parts, sub) for sub in high.subs]


def _run(low: tuple[str, ...], high: tuple[str, ...]) -> list[_Member]:
    """2.1 and 2.3 -> 2.1, 2.2, 2.3; empty when the two are no ascending pair."""
    if len(low) != len(high) or low[:-1] != high[:-1]:
        return []
    a, b = low[-1], high[-1]
    if a.isdecimal() and b.isdecimal() and 0 < int(b) - int(a) < _MAX_RANGE:
        return [((*low[:-1], str(n)), "") for n in range(int(a), int(b) + 1)]
    if len(a) == len(b) == 1 and a.isalpha() and b.isalpha() and a < b:
        return [((*low[:-1], chr(c)), "") for c in range(ord(a), ord(b) + 1)]
    return []
