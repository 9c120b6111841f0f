"""Questions in exam papers and exercise sheets: where they start, their parts and marks."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ...core.text import has_cjk
from ..marks import marks_of
from ..numbering import han_number
from .split import Span

_HAN = "一二三四五六七八九十百"
# Stars and daggers before a number say how hard a question is.
_LEAD = (
    r"(?:^[ \t]*(?:#{1,6}[ \t]*)?(?:[*∗†‡•]{1,3}[ \t]*)?"
    r"|(?<=[.。?？] )[*∗†‡]{1,3}[ \t]+)"
)
_WORDED = re.compile(
    _LEAD + r"(?:Question|Problem|Exercise|Q)[ \t]*[.:]?[ \t]*(?P<n>\d+(?:\.\d+)?[A-Za-z]?)\b",
    re.M | re.I,
)
_HAN_WORDED = re.compile(
    rf"^[ \t]*(?:#+[ \t]*)?第[ \t]*(?P<n>\d+|[{_HAN}]+)[ \t]*[题題](?![图圖])",
    re.M,
)
_PLAIN = re.compile(
    _LEAD + r"(?P<n>\d{1,3})[ \t]*(?:[.．、](?!\d)|[)）])[ \t]*(?=\S)",
    re.M,
)
_PART = re.compile(rf"^[ \t]*(?:#+[ \t]*)?(?P<n>[{_HAN}]+)[ \t]*[、.．]", re.M)
_SUB = re.compile(r"(?:^|(?<=\s))[(（](?P<n>[a-z])[)）](?=\s|$|\S)", re.M)
_SOLUTION = re.compile(
    r"^[ \t]*(?:Solutions?|Answers?|Model answer|解答|【(?:解答|解析|答案)】|参考答案|答案|答|解)"
    r"[ \t]*(?:[:：.】]|$)",
    re.M | re.I,
)
_PART_REACH = 200
_PART_JUMP = 30  # numbers that the part before may hold without their being seen


@dataclass(frozen=True)
class Question:
    """Where a question starts in the text; `part` is the section ("一") that numbers it."""

    number: str
    start: int
    part: str = ""


def questions(text: str, breaks: Sequence[tuple[int, str]] = ()) -> list[Question]:
    """The questions in reading order, by whichever way of numbering finds most.

    Words that count up from one ("Q1", "Question 2", 第三题) leave no doubt: plain numbers inside
    are items of a question then. `breaks` are (start, title) of headings: numbering may start again
    after them, as it may after "一、", "二、".
    """
    parts = sorted([*((m.start(), m["n"]) for m in _PART.finditer(text)), *breaks])
    worded = max(_worded(text, _WORDED), _worded(text, _HAN_WORDED), key=len)
    if _counts_up([question.number for question in worded]):
        return worded
    return max(worded, _plain(text, parts), key=len)


def _counts_up(numbers: Sequence[str]) -> bool:
    """Whether the numbers are 1, 2, 3, …, each with its parts ("1.1A") or alone."""
    whole = [int(digits.group()) for n in numbers if (digits := re.match(r"\d+", n))]
    steps = [after - before for before, after in pairwise(whole)]
    return len(set(whole)) > 1 and whole[0] == 1 and all(step in (0, 1) for step in steps)


def _worded(text: str, pattern: "re.Pattern[str]") -> list[Question]:
    found: list[Question] = []
    for match in pattern.finditer(text):
        raw = match["n"]
        number = str(han_number(raw)) if raw[0] in _HAN else raw
        if not found or found[-1].number != number:
            found.append(Question(number, match.start()))
    return found


def _plain(text: str, parts: Sequence[tuple[int, str]]) -> list[Question]:
    """Numbers that count up; a new part may start again at 1 or go on behind a gap, an option's
    number counts not."""
    places = [at for at, _ in parts]
    found: list[Question] = []
    last, part = 0, 0
    for match in _PLAIN.finditer(text):
        number = int(match["n"])
        here = bisect_right(places, match.start())
        fresh = here != part and (number == 1 or last < number <= last + _PART_JUMP)
        if fresh or last < number <= last + 3:
            name = parts[here - 1][1] if here else ""
            found.append(Question(str(number), match.start(), name))
            last, part = number, here
    return found


def starts_with_parts(text: str, found: Sequence[Question]) -> list[int]:
    """Where each question's piece begins: a part's heading ("二、") goes with what follows."""
    starts: list[int] = []
    for question in found:
        least = max(starts[-1] + 1 if starts else 0, question.start - _PART_REACH)
        heads = [m.start() for m in _PART.finditer(text, least, question.start)]
        starts.append(heads[0] if heads else question.start)
    return starts


def called(question: Question, text: str, sub: str = "") -> str:
    """How a reader names it: 第17题 in Chinese text, else Question 17; with the part's letter."""
    part = f"({sub})" if sub else ""
    named = f"第{question.number}题{part}" if has_cjk(text) else f"Question {question.number}{part}"
    return f"{question.part} {named}" if question.part and len(question.part) <= 2 else named


def facts(text: str, question: Question) -> dict[str, Any]:
    """`question`, its `part` and its `marks` where the text says them."""
    meta: dict[str, Any] = {"question": question.number}
    if question.part:
        meta["part"] = question.part
    marks = marks_of(text[:600])
    return meta if marks is None else {**meta, "marks": marks}


def sub_questions(text: str, start: int, end: int) -> list[tuple[str, list[Span]]]:
    """(letter, spans) of the parts (a), (b), …, each with the solution of the same letter.

    The stem before (a) comes first under an empty letter; without parts it is all there is.
    """
    mark = _SOLUTION.search(text, start, end)
    middle = mark.start() if mark else end
    asked = _lettered(text, start, middle)
    answered = dict(_lettered(text, middle, end)) if mark else {}
    if len(asked) == 1 and len(answered) <= 1:
        return [("", [(start, end)])]
    paired: list[tuple[str, list[Span]]] = []
    for letter, span in asked:
        spans = [span, answered.pop(letter)] if letter in answered else [span]
        paired.append((letter, spans))
    paired.extend((letter, [span]) for letter, span in answered.items())
    return paired


def _lettered(text: str, start: int, end: int) -> list[tuple[str, Span]]:
    cuts = [("", start)]
    for match in _SUB.finditer(text, start, end):
        expected = "a" if not cuts[-1][0] else chr(ord(cuts[-1][0]) + 1)
        if match["n"] == expected:
            cuts.append((expected, match.start()))
    ends = [at for _, at in cuts[1:]] + [end]
    return [(letter, (at, to)) for (letter, at), to in zip(cuts, ends, strict=True)]
