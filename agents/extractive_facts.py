"""Sentences that say the same fact as the cell of a table that answers."""

import re
from collections.abc import Sequence

from .analyst_rules import folded
from .extractive_forms import Line
from .extractive_scene import Scene
from .extractive_sentences import Candidate, passage_sentences
from .extractive_tables import Reading
from .subjects import subjects


def named_fact(
    question: str, cell: tuple[int, Reading], ranked: Sequence[Candidate], scene: Scene
) -> list[Line]:
    """The best sentence where it names the question's subject, of the same row: a cell does not."""
    names = [folded(name) for name in subjects(question)]
    best = next((c for c in ranked[:1] if c.kind and c.quantity and not c.empty), None)
    if best is None or not any(name in folded(best.text) for name in names):
        return []
    row, said = scene.tokenizer.tokens(cell[1].row), set(scene.tokenizer.tokens(best.text))
    return [(scene.passages[best.passage].n, best.text)] if said & set(row) else []


def same_fact(cell: tuple[int, Reading], scene: Scene) -> list[Line]:
    """A sentence of the same passage that says the cell's value of the same row."""
    n, reading = cell
    row = set(scene.tokenizer.tokens(reading.row))
    value = re.compile(rf"(?<![\d.]){re.escape(reading.value.strip())}(?![\d]|\.\d)")
    for passage in scene.passages:
        if passage.n != n:
            continue
        for text in passage_sentences(passage):
            plain = not text.startswith("|") and value.search(text)
            if plain and row & set(scene.tokenizer.tokens(text)):
                return [(n, text)]
    return []
