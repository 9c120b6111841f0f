"""Numbers of exam items in running text: 第17题, 第三大题第2小题, Question 3(b), part (c) of Q4.

Q1 to Q4 alone are quarters of a year unless the text speaks of an exam.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .label_number import HAN_NUMBER, canonical

PART = "P"
"""Before the number of a paper's part: 第三大题第2小题 has the parts ("P3", "2")."""
_MOST = 40  # members of a range; a longer one is a misreading
_N = rf"(?:\d{{1,3}}|{HAN_NUMBER})"
_LIST = rf"(?:[ ]?(?:[-~至到、,/&]|和|与|及|或)[ ]?{_N})*"


def _sub_zh(name: str) -> str:
    """(2), 第(2)问, ②, 第二小问, a behind the number of an item."""
    return (
        rf"(?:(?:[ ]?的)?[ ]?(?P<{name}>(?:第[ ]?)?(?:\([ ]?(?:[a-z]|{_N})[ ]?\)|[\u2460-\u2473])"
        rf"[ ]?(?:小题|小问|问|题)?|第[ ]?{_N}[ ]?(?:小题|小问|问)|[a-h](?![A-Za-z])))?"
    )


_WORD_EN = r"(?:(?<!research )questions?|problems?|exercises?|(?-i:Q))"
_ZH = re.compile(
    rf"第[ ]?(?P<part>{_N})[ ]?(?:大题|部分)(?:[ ]?的)?[ ]?[,、]?[ ]?"
    rf"第[ ]?(?P<inner>{_N}{_LIST})[ ]?道?(?:小题|题(?![目图型库材])){_sub_zh('isub')}"
    rf"|第[ ]?(?P<alone>{_N})[ ]?大题"
    rf"|第[ ]?(?P<n>{_N}{_LIST})[ ]?道?(?:小题|题(?![图型库材])){_sub_zh('sub')}"
    r"|(?<![\d.\-~至到第共])(?P<short>\d{1,3})[ ]?题(?=[ ]?(?:的)?(?:答案|解析|解答|解法|选|怎么"
    r"|为什么|为何|得分|\(\d))",
    re.IGNORECASE,
)
_EN = re.compile(
    r"(?:\bparts?[ ]?\(?(?P<pre>[a-z])\)?[ ]of[ ](?:the[ ])?)?"
    rf"(?<![A-Za-z])(?P<word>{_WORD_EN})(?![A-Za-z])[ \t]*(?:no\.?|number|\#|\.)?[ \t~]{{0,3}}"
    r"(?P<n>\d{1,3}(?:\.\d{1,3}){0,2})"
    r"(?P<more>(?:[ ]?(?:,|&|-|\band\b|\bto\b)[ ]?\d{1,3}(?![\d.]))*)"
    r"(?P<letter>[A-Za-z](?![A-Za-z\d]))?(?![\dA-Za-z%]|\.\d)"
    r"(?P<sub>[ ]?\([ ]?(?P<paren>[a-z]|\d)[ ]?\)(?:[ ]?\((?:[ivx]+|\d)\))?"
    r"|,?[ ]part[ ]?\(?(?P<after>[a-z])\)?(?![A-Za-z]))?"
    r"(?![ ]?(?:minutes?|hours?|times?|days?|years?|percent|weeks?)\b)",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.(\[])(?P<n>\d{1,2})[ ]?\([ ]?(?P<sub>[a-h])[ ]?\)(?!\w)")
_LONGEST_BARE = 200  # characters of a text whose "2(b)" is a question's number
_EXAM = re.compile(
    r"\b(?:answers?|solutions?|exam\w*|papers?|marks?|sheets?|tutorials?|quiz|homework|solve)\b"
    r"|答案|解析|解答|试卷|考|题",
    re.IGNORECASE,
)
_SUB_VALUE = re.compile(rf"[a-z]|{_N}|[\u2460-\u2473]", re.IGNORECASE)
_PAIR = re.compile(rf"({_N})(?:[ ]?(?P<join>[-~至到]|\bto\b))?", re.IGNORECASE)


class Asked(NamedTuple):
    """An exam item: number parts, sub-question, span."""

    parts: tuple[str, ...]
    sub: str
    start: int
    end: int


def scan_questions(t: str) -> Iterator[Asked]:
    """Exam items that folded text names, in order."""
    found = [*_chinese(t), *_english(t)]
    found = found or list(_bare(t))
    yield from sorted(found, key=lambda item: item.start)


def _chinese(t: str) -> Iterator[Asked]:
    for match in _ZH.finditer(t):
        if match["alone"]:
            yield from _items([f"{PART}{canonical(match['alone'])}"], "", "", match)
            continue
        first = [f"{PART}{canonical(match['part'])}"] if match["part"] else []
        sub = _SUB_VALUE.search(match["isub"] or match["sub"] or "")
        yield from _items(
            first, match["inner"] or match["n"] or match["short"], sub[0] if sub else "", match
        )


def _english(t: str) -> Iterator[Asked]:
    exam = None
    for match in _EN.finditer(t):
        quarter = match["word"].upper() == "Q" and match["n"] in {"1", "2", "3", "4"}
        sub = match["pre"] or match["paren"] or match["after"] or match["letter"] or ""
        if quarter and not sub:
            exam = _EXAM.search(t) is not None if exam is None else exam
            if not exam:
                continue
        plural = match["word"].lower().endswith("s")
        number = match["n"]
        if "." in number:
            yield Asked(_dotted(number), sub.lower(), match.start(), match.end())
            continue
        end = match.end() if plural or not match["more"] else match.start("more")
        numbers = number + match["more"] if plural else number
        for item in _items([], numbers, sub, match):
            yield item._replace(end=end)


def _bare(t: str) -> Iterator[Asked]:
    """2(b) in a short text that speaks of an exam."""
    if len(t) <= _LONGEST_BARE and _EXAM.search(t):
        for match in _BARE.finditer(t):
            yield Asked((match["n"],), match["sub"], match.start(), match.end())


def _dotted(number: str) -> tuple[str, ...]:
    return tuple(str(int(part)) for part in number.split("."))


def _items(first: list[str], numbers: str, sub: str, match: re.Match[str]) -> Iterator[Asked]:
    """One item a number of a list or range ("3、4", "17-19")."""
    sub = _sub(sub)
    if not numbers:
        yield Asked(tuple(first), sub, match.start(), match.end())
        return
    for value in _members(numbers):
        yield Asked((*first, str(value)), sub, match.start(), match.end())


def _members(numbers: str) -> list[int]:
    out: list[int] = []
    ranged = False
    for pair in _PAIR.finditer(numbers):
        value = int(canonical(pair[1]) or 0)
        if ranged and out and 0 < value - out[-1] <= _MOST:
            out += range(out[-1] + 1, value + 1)
        elif value:
            out.append(value)
        ranged = pair["join"] is not None
    return out


def _sub(text: str) -> str:
    if not text:
        return ""
    if "\u2460" <= text <= "\u2473":
        return str(ord(text) - 0x245F)
    return text.lower() if text.isascii() and text.isalpha() else canonical(text) or ""
