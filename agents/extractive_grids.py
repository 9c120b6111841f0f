"""Which tables of the evidence a question is read from, and what stands over them."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..core.analysis import Analysis
from ..core.chunk import Figure
from .extractive_heads import Grid, header_rows
from .extractive_tables import html_grids
from .passages import Passage

# "Harbour Light Limited": three capitalised words name one thing.
_NAME = re.compile(r"(?<![\w.\-])[A-Z][a-z]+(?: (?:[A-Z][A-Za-z]*|of|and|the))* [A-Z][A-Za-z]+\b")


def asked_tables(
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
        yield from ((passage, passage.grids) for passage in passages)


def joined(grids: Sequence[Grid]) -> list[Grid]:
    """The tables with the parts of one that was split, each with its head, put together again:
    the largest value of a part need not be that of the table."""
    whole: list[Grid] = []
    for grid in grids:
        heads = header_rows(grid)
        if whole and heads and whole[-1][:heads] == grid[:heads]:
            whole[-1] = [*whole[-1], *grid[heads:]]
        else:
            whole.append(list(grid))
    return whole


def citing(figure: Figure, passages: Sequence[Passage]) -> int:
    """Number of the passage that holds the figure or its caption; 0: none."""
    for passage in passages:
        if figure.chunk_id and figure.chunk_id in passage.chunk_ids:
            return passage.n
    for passage in passages:
        if figure.caption and figure.caption in passage.text:
            return passage.n
    return 0


def over_tables(passage: Passage) -> str:
    """What a passage's tables stand under: title, section path and the lines directly before."""
    return f"{passage.title} {passage.section_path} {before_tables(passage.text)}"


def before_tables(text: str) -> str:
    """The lines that stand directly before a table's first row."""
    lines = [line for line in text.splitlines() if line.strip()]
    leads = pairwise(lines)
    return "\n".join(a for a, b in leads if b.startswith("|") and not a.startswith("|"))


def without_rows(text: str) -> str:
    """The text without the rows of its pipe tables."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("|"))


def of_named(question: str, passages: Sequence[Passage]) -> list[Passage]:
    """The passages that hold the longest name which the question gives ("Harbour Light Limited"),
    where some do and it is no title of all; else all."""
    names = [m.group() for m in _NAME.finditer(question) if len(m.group().split()) > 2]
    for name in sorted(names, key=len, reverse=True):
        words = r"\s+".join(map(re.escape, name.split()))
        holding = [p for p in passages if re.search(words, f"{p.section_path} {p.text}", re.I)]
        if holding and not any(re.search(words, p.title, re.I) for p in passages):
            return holding
    return list(passages)
