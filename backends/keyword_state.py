"""An immutable view of a collection's postings, over all its segments."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from .bm25 import Floats, Posting, length_norms
from .keyword_segment import Mask, Segment
from .keyword_terms import FIELDS

Part = tuple[str, Segment, Mask | None]
"""A segment's name, the segment, and which of its rows are dead (None: no row)."""


class State:
    """An immutable view of a collection's index."""

    def __init__(
        self,
        version: int,
        parts: Sequence[Part],
        written: tuple[int, int] = (0, 0),
    ) -> None:
        self.version = version
        self.written = written
        self.parts = tuple(parts)
        sizes = [len(segment.ids) for _, segment, _ in self.parts]
        self.starts = [0, *np.cumsum(sizes).tolist()] if sizes else [0]

    @property
    def rows(self) -> int:
        """Rows, dead ones included."""
        return int(self.starts[-1])

    @cached_property
    def ids(self) -> list[str]:
        """Id of every row."""
        return [i for _, segment, _ in self.parts for i in segment.ids]

    @cached_property
    def alive(self) -> Mask:
        """Which rows count."""
        masks = [
            np.ones(len(segment.ids), dtype=bool) if dead is None else ~dead
            for _, segment, dead in self.parts
        ]
        return np.concatenate(masks) if masks else np.zeros(0, dtype=bool)

    @cached_property
    def chunks(self) -> int:
        """Live chunks."""
        return int(self.alive.sum())

    @cached_property
    def norms(self) -> list[Floats]:
        """BM25's length term of every row, for each stream."""
        lengths = np.concatenate([s.lengths for _, s, _ in self.parts], axis=1)
        totals = lengths[:, self.alive].sum(axis=1, dtype=np.int64)
        return [length_norms(lengths[f], int(totals[f]) / self.chunks) for f in range(len(FIELDS))]

    def postings(self, keys: Sequence[int]) -> dict[int, Posting]:
        """Posting of each distinct key over all segments; keys that no chunk holds are absent."""
        distinct = list(dict.fromkeys(keys))
        found: dict[int, list[Posting]] = {}
        for (_, segment, dead), start in zip(self.parts, self.starts, strict=False):
            for key, posting in zip(distinct, segment.postings(distinct, dead), strict=True):
                if posting is not None:
                    rows = posting[0] + np.int32(start) if start else posting[0]
                    found.setdefault(key, []).append((rows, posting[1]))
        return {key: _joined(pieces) for key, pieces in found.items()}

    def row_of(self, chunk_id: str) -> int | None:
        """The live row of an id."""
        for (_, segment, dead), start in zip(self.parts, self.starts, strict=False):
            row = segment.index.get(chunk_id)
            if row is not None and (dead is None or not dead[row]):
                return int(start) + row
        return None


def _joined(pieces: list[Posting]) -> Posting:
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate([p[0] for p in pieces]), np.concatenate([p[1] for p in pieces])
