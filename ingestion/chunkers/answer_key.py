"""The key of an exam paper: "参考答案：1-5 ABCDA 6. C", "Answers: 1) B 2) D", on one line or more.

Its entries are numbers with letters or marks. Without their being told apart the whole key would
count as the last question's text, and no question would have its answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .split import Span

HEAD = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*)?[【\[（(]?[ \t]*"
    r"(?:(?:参考|參考|标准|試題|试题|选择题|選擇題)?[ \t]*答案(?:[与及和]解析)?"
    r"|Answer[ \t]+Key|Answers?|Key)"
    r"[ \t]*[】\]）)]?[ \t]*(?:[:：][ \t]*|$)",
    re.M | re.I,
)
MARK = r"[A-HＡ-Ｈ]{1,6}|[√×✓✗✔✘]|[对错對錯]|正确|错误|正確|錯誤|True|False|T|F"
_ENTRY = re.compile(
    rf"(?<![\w.])(?:第[ \t]*)?(?P<n>\d{{1,3}})[ \t]*[题題]?[ \t]*[.．、:：)）]?[ \t]*"
    rf"[(（]?(?P<mark>{MARK})[)）]?(?![A-Za-z])",
    re.I,
)
_RANGE = re.compile(
    r"(?<![\w.])(?P<first>\d{1,3})[ \t]*[-–—~～至到][ \t]*(?P<last>\d{1,3})"
    r"[ \t]*[题題]?[ \t]*[:：.．、]?[ \t]*"
    r"(?P<marks>[A-HＡ-Ｈ](?:[ \t,，、]*[A-HＡ-Ｈ])+)(?![A-Za-z])",
)
_LETTER = re.compile(r"[A-HＡ-Ｈ]")
_NUMERAL = r"第?[一二三四五六七八九十]{1,3}(?:部分|大[题題])?[ \t]*[、.．]?"
_KIND = r"(?:(?:单项|多项|單項|多項)?(?:选择|選擇)|判断|判斷)[题題]"
_PART = re.compile(
    rf"{_NUMERAL}[ \t]*(?:{_KIND})?|{_KIND}|(?:Part|Section)[ \t]+(?:[A-H]|\d)\b", re.I
)
_FILLING = re.compile(r"[\s,，;；。、|:：（）()#*【】-]+")
_FEWEST = 2
_MOST_REST = 0.3
"""Of a line of the key: what is neither an entry nor the name of a part."""


@dataclass(frozen=True)
class Entry:
    """The answer to one question; `span` is where it stands, a range's for all of its numbers."""

    number: int
    span: Span


@dataclass(frozen=True)
class Key:
    """A key in a text: where it stands, its heading included, and its entries in order."""

    span: Span
    head: Span
    entries: tuple[Entry, ...]


def answer_key(text: str) -> Key | None:
    """The last key of a text; None when there is none."""
    for head in reversed(list(HEAD.finditer(text))):
        entries, end = _read(text, head.end())
        if len(entries) >= _FEWEST:
            return Key((head.start(), end), head.span(), tuple(entries))
    return None


def _read(text: str, start: int) -> tuple[list[Entry], int]:
    """The entries from `start` on, up to the first line that is no part of a key, and its start."""
    entries: list[Entry] = []
    end = at = start
    for line in text[start:].splitlines(keepends=True):
        found = list(_line(line, at))
        if line.strip() and not found and not _PART.fullmatch(line.strip(" \t\r\n#:：")):
            break
        if found and _rest(line) > _MOST_REST:
            break
        at += len(line)
        entries += found
        end = at if found else end
    return entries, end


def _line(line: str, at: int) -> Iterator[Entry]:
    places: list[tuple[int, int, int]] = []
    for match in _RANGE.finditer(line):
        first, last = int(match["first"]), int(match["last"])
        if len(_LETTER.findall(match["marks"])) == last - first + 1:
            places += [(match.start(), match.end(), n) for n in range(first, last + 1)]
    taken = [(a, b) for a, b, _ in places]
    for match in _ENTRY.finditer(line):
        if not any(a < match.end() and match.start() < b for a, b in taken):
            places.append((match.start(), match.end(), int(match["n"])))
    for a, b, number in sorted(places):
        yield Entry(number, (at + a, at + b))


def _rest(line: str) -> float:
    """Share of a line's characters that no entry and no part's name holds."""
    bare = _FILLING.sub("", _PART.sub("", _ENTRY.sub(" ", _RANGE.sub(" ", line))))
    return len(bare) / max(1, len(_FILLING.sub("", line)))
