"""Hours in running text: the clause of the day of the week that a question asks about."""

import re
from collections.abc import Iterator, Sequence

from ..core.ports import Tokenizer
from ..core.text import language
from .extractive_concepts import asked_terms, terms_in
from .extractive_forms import Line
from .extractive_sentences import prose
from .extractive_timetable import DAY, day_of
from .passages import Passage

_WEEK, _WORK, _END = frozenset(range(1, 8)), frozenset(range(1, 6)), frozenset((6, 7))
_GROUPS = (
    (re.compile(r"周末|双休日|\bweekends?\b", re.I), _END),
    (re.compile(r"工作日|平日|\b(?:weekdays|working days)\b", re.I), _WORK),
    (re.compile(r"每[天日]|天天|\b(?:daily|every ?day)\b", re.I), _WEEK),
)
_RANGE = re.compile(
    rf"(?P<first>{DAY.pattern.replace('zh>', 'a>').replace('en>', 'b>')})\s*"
    r"(?:[至到~～—–\-]+|to|through|until)\s*"
    r"(?:周|星期|礼拜)?(?P<last>[一二三四五六日天]|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)",
    re.I,
)
_HOURS_ASKED = re.compile(
    r"几点|什么时[候间]|何时|开[放门馆到]|关门|闭馆|营业|[上下]班|时间"
    r"|\b(?:when|what time|hours?|open|close[sd]?|closing|opening|shut)\b",
    re.I,
)
_HOURS = re.compile(
    r"(?<!\d)\d{1,2}\s*[:：]\s*\d{2}|\d{1,2}\s*(?:点|时(?!间)|[ap]\.?m\b)|闭馆|休[息馆]|关闭|不[开营]"
    r"|\bclosed\b|\bnoon\b",
    re.I,
)
_CLAUSE = re.compile(r"[，,；;。]\s*|\.\s+|\n")
_MOST = 3


def hours_on(question: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    """The clauses that say the hours of the days that the question names, also where they stand in
    a range or under a name of several days ("周三": 周一至周五; "weekend": Saturday and Sunday).

    Of several those whose passage says most of the question's other words, in the question's
    language where there are any. Empty: the question asks no hours of a day, or names something
    that no such passage speaks of.
    """
    days = days_said(question)
    if not days or not _HOURS_ASKED.search(question):
        return []
    words = asked_terms(_HOURS_ASKED.sub(" ", _without_days(question)), tokenizer)
    found: list[tuple[bool, int, Line]] = []
    for passage in passages:
        about = f"{passage.title} {passage.section_path}"
        own = language(passage.text) == language(question)
        for text in prose(passage):
            for clause in _clauses(text):
                if _HOURS.search(clause) and days <= days_said(clause):
                    said = len(terms_in(f"{about} {text}", words, tokenizer))
                    found.append((own, said, (passage.n, clause)))
    if words and not any(said for _, said, _ in found):
        return []  # whose hours they are is not said
    best = max(((own, said) for own, said, _ in found), default=(False, 0))
    lines = [line for own, said, line in found if (own, said) == best]
    return list(dict.fromkeys(lines))[:_MOST]


def days_said(text: str) -> frozenset[int]:
    """The days of the week that a text names, 1 Monday to 7 Sunday, with those of ranges."""
    days: set[int] = set()
    for words, group in _GROUPS:
        if words.search(text):
            days |= group
    for found in _RANGE.finditer(text):
        first, last = _named(found["first"]), _named(found["last"])
        if first is not None and last is not None and first <= last:
            days |= set(range(first, last + 1))
    # "sun" and "sat" in small letters are words.
    days |= {day_of(m) for m in DAY.finditer(text) if len(m.group()) > 3 or not m.group().islower()}
    return frozenset(days)


def _named(text: str) -> int | None:
    found = DAY.fullmatch(text) or DAY.fullmatch(f"周{text}")
    return day_of(found) if found else None


def _without_days(question: str) -> str:
    for words, _ in _GROUPS:
        question = words.sub(" ", question)
    return DAY.sub(" ", question)


def _clauses(text: str) -> Iterator[str]:
    """The clauses of a text; one that names days goes on to the hours: "Saturday, Sunday 9–17"."""
    start = 0
    for end in _CLAUSE.finditer(text):
        piece = text[start : end.start()]
        if days_said(piece) and not _HOURS.search(piece):
            continue
        if piece.strip():
            yield piece.strip()
        start = end.end()
    if text[start:].strip():
        yield text[start:].strip()
