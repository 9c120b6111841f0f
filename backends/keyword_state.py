"""An immutable view of a collection's postings, over all its segments."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .bm25 import Floats, Posting, length_norms
from .keyword_kept import KeptArrays
from .keyword_segment import Mask, Segment
from .keyword_terms import FIELDS

Singles = NDArray[np.float32]
Part = tuple[str, Segment, Mask | None]
"""A segment's name, the segment, and which of its rows are dead (None: no row)."""


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
    def norms(self) -> list[Floats]:
        """BM25's length term of every row, for each stream."""
        lengths = np.concatenate([s.lengths for _, s, _ in self.parts], axis=1)
        totals = lengths[:, self.alive].sum(axis=1, dtype=np.int64)
        return [length_norms(lengths[f], int(totals[f]) / self.chunks) for f in range(len(FIELDS))]

    @cached_property
    def single_norms(self) -> list[Singles]:
        """`norms` in 32 bits."""
        return [norms.astype(np.float32) for norms in self.norms]

    def postings(self, keys: Sequence[int]) -> "Postings":
        """Posting of each distinct key over all segments; keys that no chunk holds are absent."""
        distinct = list(dict.fromkeys(keys))
        found: dict[int, list[tuple[int, Posting]]] = {}
        for (_, segment, dead), start in zip(self.parts, self.starts, strict=False):
            for key, posting in zip(distinct, segment.postings(distinct, dead), strict=True):
                if posting is not None:
                    found.setdefault(key, []).append((start, posting))
        return Postings(found)


class Postings(Mapping[int, Posting]):
    """Postings by key, joined over the segments when they are asked for."""

    def __init__(self, found: dict[int, list[tuple[int, Posting]]]) -> None:
        self._found = found
        self._joined: dict[int, Posting] = {}

    def __getitem__(self, key: int) -> Posting:
        posting = self._joined.get(key)
        if posting is None:
            posting = self._joined[key] = _joined(self._found[key])
        return posting

    def __contains__(self, key: object) -> bool:
        return key in self._found

    def __iter__(self) -> Iterator[int]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def holding(self, key: int) -> int:
        """How many chunks hold a term."""
        return sum(len(rows) for _, (rows, _) in self._found.get(key, ()))


def _joined(pieces: list[tuple[int, Posting]]) -> Posting:
    shifted = [(r + np.int32(start) if start else r, counts) for start, (r, counts) in pieces]
    if len(shifted) == 1:
        return shifted[0]
    return np.concatenate([r for r, _ in shifted]), np.concatenate([c for _, c in shifted])
