"""The written forms of a citation marker, at a position of an answer."""

import re
from typing import Literal, NamedTuple

LIMIT = 60  # a marker is shorter
_WORD = (
    r"(?:ID|sources?|src|docs?|document|ref|refs|citation|cite|来源|资料|文档|引用|文献|证据|片段)"
)
_LIST = r"\d{1,4}(?:\s*(?:[,，、;；/&\-–—~～至到]|and|和)\s*\d{1,4})*"
_BODY = rf"(?:{_WORD}\s*[:：#]?\s*|\^)?(?P<list>{_LIST})\s*\^?(?:†[^\]】]{{0,30}})?"
_MARKER = re.compile(
    rf"\[\[\s*{_BODY.replace('?P<list>', '?P<double>')}\s*\]\]"
    rf"|\[\s*{_BODY.replace('?P<list>', '?P<square>')}\s*\]"
    rf"|［\s*{_BODY.replace('?P<list>', '?P<wide>')}\s*］"
    rf"|【\s*{_BODY.replace('?P<list>', '?P<black>')}\s*】"
    rf"|\{{{{1,2}}\s*{_WORD}\s*[:：]\s*(?P<brace>{_LIST})\s*\}}{{1,2}}",
    re.IGNORECASE,
)
# Array names: one or two letters, or what only an identifier looks like.
_ARRAY = re.compile(
    r"(?:^|[^A-Za-z0-9_])(?:[A-Za-z]{1,2}|[A-Za-z]\w*[_\d]\w*|[a-z]+[A-Z]\w*"
    r"|arr(?:ay)?|list|data|buf(?:fer)?|args?|argv|nums?|vec|items?|values?|matrix|grid|index|dict)$"
)
_MOST = 20  # members of a range


class Marker(NamedTuple):
    """The numbers that a marker names, and where it ends."""

    numbers: tuple[int, ...]
    end: int


def read_marker(text: str, before: str, *, final: bool) -> Marker | Literal["open", "none"]:
    """The marker that `text` starts with; "open" when more text could complete one.

    `before` is the text in front of it: "a[1]" and "x_{[1]}" are no markers, and neither are a
    year or an interval that holds 0.
    """
    found = _MARKER.match(text)
    if found is None:
        return "open" if not final and _may_become(text) else "none"
    numbers = _numbers(next(g for g in found.groups() if g))
    if found["brace"] and found.end() == len(text) and not final:
        return "open"  # the second "}" may follow
    if found.group()[0] == "[" and (before[-1:] in set("{_^\\") or _ARRAY.search(before)):
        return "none"
    if not numbers or (len(numbers) > 1 and 0 in numbers) or any(n > 999 for n in numbers):
        return "none"
    return Marker(tuple(numbers), found.end())


def _may_become(text: str) -> bool:
    head = text[:LIMIT]
    return (
        len(text) < LIMIT
        and not re.search(r"[\n\]］】]|\}\}", head[1:])
        and bool(
            re.fullmatch(
                r"[\[［【{]{1,2}\s*(?:\^|[A-Za-z来源资料文档引用献证据片段]{0,12}\s*[:：#]?)?\s*"
                r"[\d\s,，、;；/&\-–—~～至到and和]*\^?(?:†.{0,30})?[}]?",
                head,
            )
        )
    )


def _numbers(text: str) -> list[int]:
    out: list[int] = []
    for part in re.split(r"\s*(?:[,，、;；/&]|and|和)\s*", text):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 < ends[1] - ends[0] < _MOST:
            ends = list(range(ends[0], ends[1] + 1))
        out += [n for n in ends if n not in out]
    return out
