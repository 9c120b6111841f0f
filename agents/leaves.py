"""Kinds of leave from work or school: one is not the other, whatever they have in common."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_EN = {
    "annual": "年",
    "sick": "病",
    "medical": "病",
    "marriage": "婚",
    "maternity": "产",
    "paternity": "陪产",
    "parental": "育儿",
    "bereavement": "丧",
    "compassionate": "丧",
    "unpaid": "事",
    "study": "学",
}
# No 今年假期, 上半年假.
_LEAVE = re.compile(
    r"(?P<zh>陪产|育儿|探亲|工伤|哺乳|护理|(?<![\d一二三四五六七八九〇零今明去每全上半])年休?|[病事婚产丧寒暑])假"
    rf"(?![设如装定冒])|\b(?P<en>{'|'.join(_EN)}) leave\b",
    re.IGNORECASE,
)


class Leave(NamedTuple):
    """Where a text names a kind of leave, as written, and its name in either language."""

    start: int
    written: str
    name: str


def leaves(text: str) -> Iterator[Leave]:
    """The kinds of leave that a text names, in order."""
    for found in _LEAVE.finditer(text):
        name = found["zh"] or _EN[found["en"].lower()]
        yield Leave(found.start(), found.group(), "年" if name == "年休" else name)
