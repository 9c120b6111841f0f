"""Which text names which figure, both ways."""

import re
from collections.abc import Mapping, Sequence

from ..core.chunk import Chunk, Figure
from ..core.label import Label, find_labels

_ABOVE = re.compile(r"[上前][图圖表](?!书)|(?:figure|table)\s+above|above\s+(?:figure|table)", re.I)
_BELOW = re.compile(
    r"(?:如|见|見)?下[图圖表]|(?:figure|table)\s+below|(?:following|next)\s+(?:figure|table)", re.I
)


class FigureIndex:
    """Figures of one document by label, for finding what a text names."""

    def __init__(self, figures: Sequence[Figure]) -> None:
        self._by_key: dict[str, list[str]] = {}
        self._by_base: dict[str, list[str]] = {}
        for figure in figures:
            if figure.label is not None and not figure.decoration:
                self._by_key.setdefault(figure.label.key, []).append(figure.figure_id)
                self._by_base.setdefault(_base(figure.label), []).append(figure.figure_id)

    def named(self, text: str) -> list[str]:
        """Ids of the figures that the text names, in order, each once.

        A part that is no figure of its own ("图5(b)") names the whole; the whole names its parts.
        """
        found: list[str] = []
        for span in find_labels(text):
            label = span.label
            ids = self._by_key.get(label.key)
            if ids is None:
                ids = self._by_base.get(_base(label), [])
            found.extend(one for one in ids if one not in found)
        return found


def _base(label: Label) -> str:
    return label.model_copy(update={"sub": ""}).key


def nearby(text: str, before: str, after: str) -> list[str]:
    """Figures that "上图" and "下表" mean: the neighbours' ids (empty: none)."""
    found = []
    if before and _ABOVE.search(text):
        found.append(before)
    if after and _BELOW.search(text):
        found.append(after)
    return found


def link(
    chunks: Sequence[Chunk], figures: Sequence[Figure], named: Mapping[str, Sequence[str]]
) -> tuple[list[Chunk], list[Figure]]:
    """Write the mentions (figure ids by chunk id) into both sides."""
    back: dict[str, list[str]] = {}
    linked = []
    for chunk in chunks:
        ids = [one for one in named.get(chunk.chunk_id, ()) if one != chunk.figure_id]
        for one in ids:
            back.setdefault(one, []).append(chunk.chunk_id)
        linked.append(chunk.model_copy(update={"mentions": tuple(ids)}) if ids else chunk)
    return linked, [
        figure.model_copy(update={"mentions": tuple(back.get(figure.figure_id, ()))})
        for figure in figures
    ]
