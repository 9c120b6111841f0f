"""An immutable view of a collection's postings, over all its segments."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .bm25 import Floats, Posting, length_norms
from .keyword_kept import KeptArrays
from .keyword_segment import Counts, Mask, Segment
from .keyword_terms import FIELDS

Singles = NDArray[np.float32]
Part = tuple[str, Segment, Mask | None]
"""A segment's name, the segment, and which of its rows are dead (None: no row)."""

Piece = tuple[NDArray[np.int32], Counts, int]
"""Rows and counts of a posting in one segment, and the segment's first row among all."""

_FREQUENT = 1000  # the live chunks of terms with more postings are counted once


class State:
    """An immutable view of a collection's index."""

    def __init__(
        self,
        version: int,
        parts: Sequence[Part],
        written: tuple[int, int] = (0, 0),
        *,
        kept: KeptArrays | None = None,
    ) -> None:
        self.version = version
        self.kept = kept or KeptArrays(0)
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
    def words(self) -> NDArray[np.int32]:
        """How many words every row has."""
        lengths = [segment.lengths[0] for _, segment, _ in self.parts]
        return np.concatenate(lengths) if lengths else np.zeros(0, np.int32)

    @cached_property
    def norms(self) -> list[Floats]:
        """BM25's length term of every row, for each stream."""
        lengths = np.concatenate([s.lengths for _, s, _ in self.parts], axis=1)
        totals = lengths[:, self.alive].sum(axis=1, dtype=np.int64)
        return [length_norms(lengths[f], int(totals[f]) / self.chunks) for f in range(len(FIELDS))]

    @cached_property
    def single_norms(self) -> Singles:
        """`norms` in 32 bits, one stream after the other."""
        return np.concatenate(self.norms, dtype=np.float32, casting="same_kind")

    @cached_property
    def counted(self) -> dict[int, int]:
        """Live chunks that hold a frequent term, once they were counted."""
        return {}

    def postings(self, keys: Sequence[int]) -> "Postings":
        """The postings of those keys."""
        return Postings(self, keys)


class Postings:
    """Postings of live chunks by key, each read when it is asked for.

    `holding` says how many chunks hold a term, 0 for one that is not in the collection.
    """

    def __init__(self, state: State, keys: Sequence[int]) -> None:
        distinct = list(dict.fromkeys(keys))
        wanted = np.array(distinct, dtype=np.uint64)
        parts = [
            (s, dead, first) for (_, s, dead), first in zip(state.parts, state.starts, strict=False)
        ]
        spans = [segment.spans(wanted) for segment, _, _ in parts]
        total = sum((stops - starts for starts, stops in spans), np.zeros(len(wanted), np.int64))
        self._place = {key: place for place, key in enumerate(distinct)}
        self._read = [
            (part, (starts.tolist(), stops.tolist()))
            for part, (starts, stops) in zip(parts, spans, strict=True)
        ]
        self._pieces: dict[int, list[Piece]] = {}
        self._holding: dict[int, int] = dict(zip(distinct, total.tolist(), strict=True))
        if any(dead is not None for _, dead, _ in parts):
            self._count_live(state)

    def holding(self, key: int) -> int:
        """How many chunks hold a term."""
        return self._holding.get(key, 0)

    def __contains__(self, key: int) -> bool:
        return self._holding.get(key, 0) > 0

    def __getitem__(self, key: int) -> Posting:
        """Rows and counts over all segments."""
        pieces = self.pieces(key)
        if len(pieces) == 1 and not pieces[0][2]:
            return pieces[0][:2]
        none = [(np.zeros(0, np.int32), np.zeros(0, np.uint8))]
        shifted = [(rows + np.int32(first), counts) for rows, counts, first in pieces] or none
        return np.concatenate([r for r, _ in shifted]), np.concatenate([c for _, c in shifted])

    def pieces(self, key: int) -> list[Piece]:
        """Rows and counts segment by segment, rows counted from the segment's first."""
        found = self._pieces.get(key)
        if found is None:
            place = self._place[key]
            found = self._pieces[key] = [
                (*_read(segment, dead, starts[place], stops[place]), first)
                for (segment, dead, first), (starts, stops) in self._read
                if starts[place] < stops[place]
            ]
        return found

    def _count_live(self, state: State) -> None:
        for key, total in self._holding.items():
            if total:
                live = state.counted.get(key)
                if live is None:
                    live = sum(len(rows) for rows, _, _ in self.pieces(key))
                    if total > _FREQUENT:
                        state.counted[key] = live
                self._holding[key] = live


def _read(segment: Segment, dead: Mask | None, start: int, stop: int) -> Posting:
    rows, counts = segment.rows[start:stop], segment.counts[start:stop]
    if dead is not None:
        alive = ~dead[rows]
        rows, counts = rows[alive], counts[alive]
    return rows, counts
