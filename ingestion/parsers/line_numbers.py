"""The numbers of lines in the margins of drafts and contracts, taken out of the text.

Layout analysis gives them as blocks of their own or, worse, between the words of a paragraph:
"VertAt-262 tack is able".
"""

import re
from collections.abc import Sequence

from ...core.document import Block

_EDGE = 0.07  # of the page's width: where margins are
_ENOUGH = 8
_LINES = 60  # that a column has at most: how far a count goes on inside paragraphs
_STEP = 3  # from one number inside a paragraph to the next
_ROW = re.compile(r"\s*\d{1,4}(?:\s+\d{1,4})*\s*")
_NUMBER = re.compile(r"(?<![\w.,%$€£¥/-])(\d{1,4})(?=\s|$)\s?|(?<=[a-z])-(\d{1,4})\s+(?=[a-z])")


def without_line_numbers(blocks: Sequence[Block]) -> list[Block]:
    """A page's blocks; where its margins count lines, those numbers are page furniture and are
    removed from the paragraphs that reach into the margin."""
    known = _counted(blocks)
    if not known:
        return list(blocks)
    return [_cleaned(block, known) for block in blocks]


def _counted(blocks: Sequence[Block]) -> set[int]:
    """Numbers of lines, those between the first and the last of each count included."""
    loose = sorted({n for b in blocks if _in_margin(b) and _row(b) for n in _numbers(b)})
    runs: list[list[int]] = []
    for number in loose:
        if runs and number - runs[-1][-1] <= _ENOUGH:
            runs[-1].append(number)
        else:
            runs.append([number])
    return {n for r in runs if _dense(r) for n in range(r[0] - _LINES, r[-1] + _LINES + 1)}


def _dense(run: Sequence[int]) -> bool:
    return len(run) >= _ENOUGH and len(run) * 2 > run[-1] - run[0]


def _cleaned(block: Block, known: set[int]) -> Block:
    if block.kind not in ("text", "page_number", "title", "list", "unknown") or not _in_margin(
        block
    ):
        return block
    if _row(block) and set(_numbers(block)) <= known:
        return block.model_copy(update={"kind": "page_number", "raw_type": "line_number"})
    found = {_number(match) for match in _NUMBER.finditer(block.text)} & known
    counted = {n for n in found if any(n + d in found for d in range(-_STEP, _STEP + 1) if d)}

    def gone(match: "re.Match[str]") -> str:
        return match.group() if _number(match) not in counted else ""

    text = _NUMBER.sub(gone, block.text).strip()
    return block.model_copy(update={"text": text}) if text else block


def _number(match: "re.Match[str]") -> int:
    return int(match.group(1) or match.group(2))


def _in_margin(block: Block) -> bool:
    box = block.bbox
    return box is not None and (box.x0 < _EDGE or box.x1 > 1 - _EDGE)


def _row(block: Block) -> bool:
    return _ROW.fullmatch(block.text) is not None


def _numbers(block: Block) -> list[int]:
    return [int(number) for number in block.text.split()]
