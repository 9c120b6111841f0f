"""Timetables: the cell below a day of the week, in the row of a lesson or a shift."""

import re
import unicodedata
from collections.abc import Sequence

from ..core.text import has_cjk
from .extractive_heads import Grid
from .extractive_tables import SURE, Reading, statement

_FEWEST = 3
"""Days that make a table a timetable."""
_DAYS_ZH = {han: n for n, han in enumerate("一二三四五六日", 1)} | {"天": 7}
_DAYS_EN = {day: n for n, day in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), 1)}
DAY = re.compile(
    r"(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])"
    r"|\b(?P<en>mon|tue|wed|thu|fri|sat|sun)(?:s|day|sday|nesday|r|rs|rsday|urday)?s?\b",
    re.I,
)
_ORDINAL = re.compile(r"(?<=第)[一二三四五六七八九十]")
_LIST = re.compile(
    r"有(?:哪[些几]|什么|几)|哪些|什么课|课表|安排"
    r"|\b(?:which|what) (?:\w+ ){1,3}(?:on|are|is|do|does|have)\b"
    r"|\bwhat(?:['’]s| is| are)? on\b|\bwhat do\b",
    re.I,
)
_HALVES = (
    (re.compile(r"上午|早上|\bmornings?\b", re.I), range(4, 12)),
    (re.compile(r"下午|\bafternoons?\b", re.I), range(12, 18)),
    (re.compile(r"晚上|\bevenings?\b", re.I), range(18, 24)),
)
_HOUR = re.compile(r"(?<!\d)(\d{1,2})[:：]\d{2}")
_MOST = 12
_NUMBERED = re.compile(r"\b(\d)(?:st|nd|rd|th) (period|lesson|shift|session)", re.I)


def on_weekday(question: str, grid: Grid) -> Reading | None:
    """The cell of the one day and the one row that the question names, or all of that day where
    they are asked for; None: the table has no days at its heads, or neither is asked."""
    days = {day_of(m) for m in DAY.finditer(question)}
    if len(days) != 1 or len(grid) < 2:
        return None
    for table in (grid, [list(column) for column in zip(*grid, strict=False)]):
        heads = [_only_day(cell) for cell in table[0]]
        if sum(day is not None for day in heads) < _FEWEST:
            continue
        columns = [c for c, day in enumerate(heads) if day in days]
        rows = _named_rows(question, table)
        if len(columns) == 1 and len(rows) == 1:
            return _reading(table, rows[0], columns[0])
        if len(columns) == 1 and not rows and (held := _holding(question, table, columns[0])):
            return _reading(table, held, columns[0])
        if len(columns) == 1 and not rows and _LIST.search(question):
            return _of_day(question, table, columns[0])
    return None


def names_day(question: str, grid: Grid) -> bool:
    """Whether a day is asked about that heads a column or a row of the timetable: no other cell
    of it answers."""
    days = {day_of(m) for m in DAY.finditer(question)}
    cells = [*grid[0], *(row[0] for row in grid if row)] if grid else []
    named = [day for cell in cells if (day := _only_day(cell)) is not None]
    return len(named) >= _FEWEST and bool(days & set(named))


def _holding(question: str, table: Sequence[Sequence[str]], column: int) -> int:
    """The one row whose cell of that day the question says; 0: none, or several."""
    asked = unicodedata.normalize("NFKC", question).lower()
    rows = [
        r
        for r, row in enumerate(table[1:], 1)
        if column < len(row)
        and len(row[column].strip()) > 1
        and row[column].strip().lower() in asked
    ]
    return rows[0] if len(rows) == 1 else 0


def _of_day(question: str, table: Sequence[Sequence[str]], column: int) -> Reading | None:
    """What stands below a day, each with its row's name; of the half of the day that is asked for
    where the rows have their times."""
    half = next((hours for words, hours in _HALVES if words.search(question)), None)
    rows = [row for row in table[1:] if column < len(row) and row[column].strip()]
    if half is not None:
        rows = [row for row in rows if (m := _HOUR.search(" ".join(row))) and int(m[1]) in half]
    if not 1 <= len(rows) <= _MOST:
        return None
    zh = has_cjk(table[0][column])
    said = [f"{row[0].strip()} {row[column].strip()}" for row in rows]
    value = ("、" if zh else ", ").join(said)
    head = table[0][column].strip()
    return Reading(f"{head}{'：' if zh else ': '}{value}", value, SURE, head)


def _reading(table: Sequence[Sequence[str]], row: int, column: int) -> Reading | None:
    cells = table[row]
    if column >= len(cells) or not cells[column].strip():
        return None
    name, head = cells[0].strip(), table[0][column].strip()
    return Reading(statement(name, head, cells[column]), cells[column], SURE, name)


def day_of(found: re.Match[str]) -> int:
    """The day that a match of `DAY` names, 1 Monday to 7 Sunday."""
    return _DAYS_ZH[found["zh"]] if found["zh"] else _DAYS_EN[found["en"].lower()]


def _only_day(cell: str) -> int | None:
    found = DAY.fullmatch(cell.strip())
    return day_of(found) if found else None


def _named_rows(question: str, table: Sequence[Sequence[str]]) -> list[int]:
    asked = _numbered(question)
    return [
        r
        for r, row in enumerate(table[1:], 1)
        if (name := _numbered(row[0])) and re.search(rf"(?<!\d){re.escape(name)}(?!\d)", asked)
    ]


def _numbered(text: str) -> str:
    """The text with its ordinal numbers in digits: 第2节 for 第二节, "period 2" for "2nd"."""
    plain = unicodedata.normalize("NFKC", text).strip().lower()
    plain = _ORDINAL.sub(lambda m: str("一二三四五六七八九十".index(m.group()) + 1), plain)
    return _NUMBERED.sub(r"\2 \1", plain)
