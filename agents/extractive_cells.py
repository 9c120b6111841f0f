"""The cells of the evidence's tables that answer a question."""

import re
from collections.abc import Iterator, Sequence

from ..core.analysis import Analysis
from ..core.chunk import Figure
from ..core.ports import Tokenizer
from .extractive_concepts import han_folded
from .extractive_lookup import looked_up
from .extractive_tables import Grid, Reading, html_grids, markdown_grids, read_cells
from .passages import Passage

# A cell is read when its headers cover this share of the question's words; alone, when SURE.
MIN_CELL, SURE_CELL = 0.55, 0.75
# Cells within this much of the best one are equally good; so many are told at most.
_EQUAL, _MOST = 0.02, 2
_ASKS_VALUE = re.compile(
    r"多少|几|多久|是什么|哪[一个]|谁|电话|\bwhat (?:is|was|are|were)\b|\bhow\b|\bwho\b", re.I
)


def cells(
    part: Analysis,
    question: str,
    passages: Sequence[Passage],
    figures: Sequence[Figure],
    tokenizer: Tokenizer,
) -> list[tuple[int, Reading]]:
    """The best readings of all tables with their passage's number, all from one passage."""
    found: list[tuple[int, Reading]] = []
    for passage, tables in _tables(part, passages, figures):
        about = f"{passage.title} {passage.section_path} {_without_rows(passage.text)}"
        for grid in tables:
            readings = looked_up(question, grid, tokenizer) or read_cells(
                question, grid, tokenizer, about=han_folded(about, tokenizer)
            )
            found += [(passage.n, reading) for reading in readings]
    least = MIN_CELL if _asks_value(part) else SURE_CELL
    good = [pair for pair in found if pair[1].score >= least]
    good.sort(key=lambda pair: -pair[1].score)
    return [
        p for p in good[:_MOST] if p[0] == good[0][0] and p[1].score >= good[0][1].score - _EQUAL
    ]


def _tables(
    part: Analysis, passages: Sequence[Passage], figures: Sequence[Figure]
) -> Iterator[tuple[Passage, list[Grid]]]:
    """The tables to read: only the labelled one where a table is asked for by its label."""
    labels = [label for label in part.labels if label.kind == "table"]
    named = [f for f in figures if f.html and f.label is not None and f.label in labels]
    for figure in named:
        holder = next((p for p in passages if p.n == citing(figure, passages)), None)
        if holder is not None:
            yield holder, html_grids(figure.html)
    if not named:
        yield from ((passage, grids(passage)) for passage in passages)


def citing(figure: Figure, passages: Sequence[Passage]) -> int:
    """Number of the passage that holds the figure or its caption; 0: none."""
    for passage in passages:
        if figure.chunk_id and figure.chunk_id in passage.chunk_ids:
            return passage.n
    for passage in passages:
        if figure.caption and figure.caption in passage.text:
            return passage.n
    return 0


def grids(passage: Passage) -> list[Grid]:
    """The passage's tables."""
    return html_grids(passage.html) if passage.html else markdown_grids(passage.text)


def _without_rows(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("|"))


def _asks_value(analysis: Analysis) -> bool:
    if analysis.question_type in ("numeric", "calculation"):
        return True
    return _ASKS_VALUE.search(analysis.rewritten) is not None
