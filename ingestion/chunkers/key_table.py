"""The key of an exam paper as a table: numbers over or beside letters, written as lines."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ..structure import Placed
from ..tables import read_table
from .answer_key import HEAD, MARK

_NUMBER = re.compile(r"(?:第\s*|Q(?:uestion)?\.?\s*|No\.?\s*)?(\d{1,3})\s*[题題.．、:：)）]?", re.I)
_ANSWER = re.compile(rf"[(（]?\s*({MARK})\s*[)）]?[.。]?", re.I)
_WORD = re.compile(
    r"(?:参考|參考|标准|正确)?\s*(?:答案|选项)|(?:correct\s+)?answers?|(?:answer\s+)?key", re.I
)
_FEWEST = 2
_MOST_UNANSWERED = 0.2
"""Of the numbers in a key: those without a mark."""

Grid = Sequence[Sequence[str]]
_BELOW, _BESIDE = (1, 0), (0, 1)


def with_key_lines(items: Sequence[Placed]) -> list[Placed]:
    """The items with each table that is a key as the lines of one ("3. B"), behind a heading where
    it has none, so that it is read like a key in lines."""
    done: list[Placed] = []
    headed = False
    for item in items:
        block = item.block
        entries = key_entries(block.html, headed=headed) if block.kind == "table" else []
        if entries:
            lines = [] if headed else [_heading(block.captions)]
            lines += [f"{number}. {mark}" for number, mark in entries]
            block = block.model_copy(update={"kind": "text", "text": "\n".join(lines), "html": ""})
        elif block.text.strip():
            # The part of a paper that the next table answers stands between two tables.
            headed = HEAD.match(block.text) is not None or (headed and len(block.text) < _PART)
        headed = headed or bool(entries)
        done.append(replace(item, block=block))
    return done


_PART = 20
"""Characters of a line between two tables of one key, at most."""


def key_entries(html: str, *, headed: bool = False) -> list[tuple[int, str]]:
    """Numbers and their answers in a table; empty where it is no key. Unless it stands `headed`
    as one it must say so itself."""
    if not html.strip():
        return []
    rows = read_table(html).rows
    if not headed and not any(_WORD.fullmatch(cell.strip()) for row in rows for cell in row):
        return []
    found = max((_entries(rows, way) for way in (_BELOW, _BESIDE)), key=len)
    numbers = [number for number, _ in found]
    return found if len(found) >= _FEWEST and len(set(numbers)) == len(numbers) else []


def _entries(rows: Grid, way: tuple[int, int]) -> list[tuple[int, str]]:
    """The numbers with a mark in the next cell that way; empty where many have none."""
    found: list[tuple[int, str]] = []
    bare = 0
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            number = _NUMBER.fullmatch(cell.strip())
            if number is None:
                continue
            mark = _ANSWER.fullmatch(_cell(rows, r + way[0], c + way[1]))
            found += [(int(number[1]), mark[1])] if mark else []
            bare += mark is None
    return found if bare <= _MOST_UNANSWERED * len(found) else []


def _cell(rows: Grid, r: int, c: int) -> str:
    return rows[r][c].strip() if r < len(rows) and c < len(rows[r]) else ""


def _heading(captions: Sequence[str]) -> str:
    return next((text for text in captions if HEAD.fullmatch(text.strip())), "答案")
