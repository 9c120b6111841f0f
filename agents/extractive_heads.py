"""Which rows and columns of a table name what its cells are of."""

import re
from collections.abc import Sequence
from itertools import pairwise

NUMERIC = re.compile(r"^[\s(（\-−–+±≤≥<>~≈$¥€£]*\d[\d\s,.，%‰)）eE×x*^/\-–~+±°℃A-Za-zμµΩ²³]*$")
_BARE = re.compile(r"[(（\-–−+$¥€£]?\d[\d\s,.，]*[%‰)）]?")
YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_COUNT = re.compile(r"^\(?\d{1,3}(?:\.\d{1,3})*[.)）、]?$")
_CLAUSE = re.compile(r"^\d{1,3}(?:\.\d{1,3}){1,3}\.?$")
_COUNT_HEAD = re.compile(
    r"^(?:序号?|编号|项次|项目?号|行号?|no\.?|nr\.?|s/n|#|item(?: no\.?)?)\s*$", re.I
)
Grid = list[list[str]]


def without_numbering(grid: Grid) -> Grid:
    """The table without a first column that only counts its rows ("1.1.14", "序号 3"): the name of
    such a row stands in the second column."""
    if width(grid) < 3 or any(len(row) < 3 for row in grid):
        return grid
    cells = [row[0].strip() for row in grid]
    body = [cell for cell in cells[1:] if cell]
    if not body or len(set(body)) < len(body) or not all(_COUNT.match(cell) for cell in body):
        return grid
    if not _COUNT_HEAD.match(cells[0]) and not all(_CLAUSE.match(cell) for cell in body):
        return grid
    if any(NUMERIC.match(row[1]) or not row[1].strip() for row in grid[1:]):
        return grid  # the numbers are what the rows are named by
    return [row[1:] for row in grid]


def column_heads(grid: Grid, heads: int) -> list[str]:
    """Each column's head: the texts of its first `heads` rows, each once."""
    return [
        " ".join(dict.fromkeys(row[c] for row in grid[:heads] if c < len(row)))
        for c in range(width(grid))
    ]


def header_rows(grid: Grid) -> int:
    """How many first rows are headers: those before the first row with figures, at most 3."""
    for r, row in enumerate(grid[:4]):
        body = row[1:] if len(row) > 1 else row
        figures = [cell for cell in body if NUMERIC.match(cell)]
        if figures and not (_year_heads(grid, r, body, figures) or (not r and _worded(grid))):
            return max(r, 1) if r else (1 if _all_text(row) else 0)
    if len(grid) > 2 and (_parted(grid[0], grid[1]) or _begun(grid[0], grid[1])):
        return 2
    return 1


def _begun(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the first row is only where some heads of the second begin: a head of two lines, as
    table readers cut it."""
    over = [c for c, cell in enumerate(first) if cell.strip()]
    below = sum(1 for cell in second if cell.strip())
    return 0 not in over and bool(over) and len(over) * 2 <= below and _all_text(second)


def _parted(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the first row's name of the rows spans both rows, and one of its heads several
    columns that the second row tells apart: 频次 over 汛期 and 非汛期."""
    if not first or not second or not first[0].strip() or first[0] != second[0]:
        return False
    cells = list(zip(first, second, strict=False))
    return any(
        one.strip() and one == other and below != beside
        for (one, below), (other, beside) in pairwise(cells[1:])
    )


def _year_heads(grid: Grid, r: int, body: Sequence[str], figures: Sequence[str]) -> bool:
    """Whether a row's figures are years at the head of columns: the first row's, or a lower one's
    under the same or no first cell. "额定蒸发量 | 2028 | t/h" is a row of values."""
    if not all(YEAR.fullmatch(cell.strip()) for cell in figures):
        return False
    alone = len(figures) == sum(1 for cell in body if cell.strip())
    stub = r == 0 or not grid[r][0].strip() or grid[r][0] == grid[0][0]
    return stub and (alone or len(figures) > 1)


def _worded(grid: Grid) -> bool:
    """Whether the figures of the first row have words behind them and stand over bare numbers:
    "2022 visits", "1st half" are heads, "2.5 MPa" over "4 MPa" is a value."""
    below = grid[1:]
    columns = [c for c, cell in enumerate(grid[0]) if c and NUMERIC.match(cell)]
    return bool(below) and all(
        re.search(r"[A-Za-z]{2}|[\u4e00-\u9fff]", grid[0][c])
        and all(_BARE.fullmatch(row[c].strip()) for row in below if c < len(row) and row[c].strip())
        and any(c < len(row) and row[c].strip() for row in below)
        for c in columns
    )


def _all_text(row: Sequence[str]) -> bool:
    return not any(NUMERIC.match(cell) for cell in row if cell)


def stub_columns(grid: Grid, heads: int) -> int:
    """How many first columns name the row: 1, or 2 when the second holds no figures either."""
    body = grid[heads:]
    if width(grid) < 3 or not body:
        return 1
    second = [row[1] for row in body if len(row) > 1 and row[1]]
    rest = [cell for row in body for cell in row[2:] if cell]
    wordy = bool(second) and not any(NUMERIC.match(cell) for cell in second)
    figures = sum(1 for cell in rest if NUMERIC.match(cell))
    return 2 if wordy and rest and figures > len(rest) / 2 else 1


def width(grid: Grid) -> int:
    """How many columns it has."""
    return max((len(row) for row in grid), default=0)
