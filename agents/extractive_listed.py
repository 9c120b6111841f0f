"""The cell beside a name, and the column that names those who are asked for."""

import re

from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_concepts import han_folded
from .extractive_heads import Grid, column_heads, header_rows
from .extractive_lookup import SUMS
from .extractive_tables import SURE, Reading
from .extractive_values import number

_LISTED = re.compile(
    r"^(?:(?:19|20)\d{2}年?末?度?的?)?(?P<zh>[^，。？?\d]{2,16}?)(?:都|分别|主要)?(?:是|有|为|包括)(?:谁|哪些人?|哪几[个家位名人]?|哪[家位])[？?。]*$"
    r"|^who (?:is|are|was|were) (?:the )?(?P<en>[^?,]{3,40}?)\W*$",
    re.I,
)
_CALLED = re.compile(r"(?:姓名|名称|名单|名字|\bnames?|s)$", re.I)
_MOST_LISTED = 12


def beside(name: str, grid: Grid, tokenizer: Tokenizer) -> list[Reading]:
    """The cell beside the one that says `name`, in a row of several such pairs ("简称 | … | 代码 |
    …") that heads no columns; empty: there is none."""
    plain = han_folded(name, tokenizer).strip()
    for r, row in enumerate(grid):
        filled = [c for c, cell in enumerate(row) if cell.strip()]
        if len(filled) < 4 or len(filled) % 2:
            continue
        below = grid[r + 1] if r + 1 < len(grid) else []
        if any(c < len(below) and below[c].strip() for c in filled[2::2]):
            continue
        for key, place in zip(filled[::2], filled[1::2], strict=True):
            if han_folded(row[key], tokenizer).strip() == plain:
                mark = "：" if has_cjk(row[key]) else ": "
                said = f"{row[key].strip()}{mark}{row[place].strip()}"
                return [Reading(said, row[place], SURE, row[key].strip())]
    return []


def listed(question: str, grid: Grid, tokenizer: Tokenizer) -> list[Reading]:
    """The column that names those who are asked for ("实际控制人是谁": 实际控制人姓名), as one
    reading; empty: there is none."""
    found = _LISTED.match(question.strip())
    if not found or len(grid) < 2:
        return []
    name = _CALLED.sub("", tokenizer.fold(found["zh"] or found["en"]).strip())
    heads = header_rows(grid)
    for c, head in enumerate(column_heads(grid, heads)):
        if not head or _CALLED.sub("", tokenizer.fold(head).strip()).strip() != name:
            continue
        cells = [row[c].strip() for row in grid[heads:] if c < len(row) and row[c].strip()]
        longest = 3 * min(map(len, cells), default=0)  # beyond that it is another part's heading
        cells = [x for x in dict.fromkeys(cells) if len(x) <= longest and not SUMS.search(x)]
        if cells and len(cells) <= _MOST_LISTED and all(number(cell) is None for cell in cells):
            zh = has_cjk(head)
            value = ("、" if zh else ", ").join(cells)
            return [Reading(f"{head.strip()}{'：' if zh else ': '}{value}", value, SURE, "")]
    return []
