"""An immutable piece of the keyword index on disk: sorted term keys with their postings."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from json import dumps, loads
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from .keyword_terms import Keys, TermBlock

_SLICE = 4_000_000  # postings moved at once: bounds the memory of a merge
_ARRAYS = ("keys", "indptr", "rows", "counts", "lengths")
_SUM = "sum"
_READ = 1 << 20
Mask = NDArray[np.bool_]
Counts = NDArray[np.unsignedinteger]


@dataclass(frozen=True)
class Segment:
    """Postings of term `keys[i]` are `rows` and `counts` at [indptr[i], indptr[i + 1]).

    `counts` are unsigned and as narrow as the largest allows. `lengths` has the shape (3, chunks),
    one row a stream; `ids` are the chunks in row order.
    """

    keys: Keys
    indptr: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: Counts
    lengths: NDArray[np.int32]
    ids: list[str]

    @cached_property
    def index(self) -> dict[str, int]:
        """Row of each id."""
        return {chunk_id: row for row, chunk_id in enumerate(self.ids)}

    def spans(self, wanted: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the postings of each key start and stop: at one place where no chunk holds it."""
        if not len(self.keys):
            none = np.zeros(len(wanted), dtype=np.int64)
            return none, none
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return self.indptr[places], self.indptr[places + (self.keys[places] == wanted)]


def build(block: TermBlock, ids: list[str]) -> Segment:
    """Sort a block of terms into postings."""
    order = np.argsort(block.keys, kind="stable")  # rows ascend within each stream's key
    keys, rows = block.keys[order], block.rows[order]
    first = np.ones(len(keys), dtype=bool)
    first[1:] = (keys[1:] != keys[:-1]) | (rows[1:] != rows[:-1])
    starts = np.flatnonzero(first)
    counts = np.diff(np.append(starts, len(keys)))
    counts = counts.astype(np.min_scalar_type(int(counts.max(initial=0))))
    keys, rows = keys[starts], rows[starts]
    heads = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else starts
    indptr = np.append(heads, len(keys)).astype(np.int64)
    return Segment(keys[heads], indptr, rows, counts, block.lengths, ids)


def save(segment: Segment, folder: Path) -> None:
    """Write the arrays; the segment counts only once a manifest names it."""
    folder.mkdir(parents=True)
    for name in _ARRAYS:
        np.save(folder / f"{name}.npy", getattr(segment, name), allow_pickle=False)
    _finish(folder, segment.ids)


def load(folder: Path) -> Segment:
    """Memory-map a segment. Raises OSError or ValueError when a file is missing or damaged."""
    arrays: dict[str, Any] = {}
    for name in _ARRAYS:
        path = folder / f"{name}.npy"
        arrays[name] = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    ids = loads((folder / "ids.json").read_text(encoding="utf-8"))
    return Segment(**arrays, ids=ids)


def merge(parts: Sequence[tuple[Segment, Mask | None]], folder: Path) -> Segment:
    """Join segments without their dead chunks into a new one in `folder`."""
    live = [_without(segment, dead) for segment, dead in parts]
    keys = np.unique(np.concatenate([s.keys for s in live]))
    places = [np.searchsorted(keys, s.keys) for s in live]
    sizes = np.zeros(len(keys), dtype=np.int64)
    for segment, place in zip(live, places, strict=True):
        sizes[place] += np.diff(segment.indptr)
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    lengths = np.concatenate([s.lengths for s in live], axis=1)
    ids = [i for s in live for i in s.ids]
    total = int(indptr[-1])
    if total == 0:
        empty = np.zeros(0, dtype=np.int32)
        save(Segment(keys, indptr, empty, empty.astype(np.uint8), lengths, ids), folder)
        return load(folder)
    folder.mkdir(parents=True)
    rows = _reserved(folder / "rows.npy", np.dtype(np.int32), total)
    kind = np.result_type(*(s.counts.dtype for s in live))
    counts = _reserved(folder / "counts.npy", kind, total)
    filled = indptr[:-1].copy()
    offset = 0
    for segment, place in zip(live, places, strict=True):
        _copy(segment, filled[place], offset, rows, counts)
        filled[place] += np.diff(segment.indptr)
        offset += len(segment.ids)
    for name, array in (("keys", keys), ("indptr", indptr), ("lengths", lengths)):
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
    _finish(folder, ids)
    return load(folder)


def _reserved(path: Path, kind: np.dtype[Any], total: int) -> Any:
    """A file to write by the page. Its room is asked for: a page that finds none ends the
    process."""
    mapped = np.lib.format.open_memmap(path, "w+", kind, (total,))
    reserve = getattr(os, "posix_fallocate", None)
    if reserve is not None:
        with path.open("r+b") as file:
            reserve(file.fileno(), 0, path.stat().st_size)
    return mapped


def _copy(
    segment: Segment,
    targets: NDArray[np.int64],
    offset: int,
    rows: NDArray[np.int32],
    counts: Counts,
) -> None:
    """Copy postings to where they stand in the merged segment, a slice of terms at a time."""
    start = 0
    while start < len(segment.keys):
        bound = segment.indptr[start] + _SLICE
        stop = int(np.searchsorted(segment.indptr, bound, side="right")) - 1
        stop = min(max(stop, start + 1), len(segment.keys))
        first, last = int(segment.indptr[start]), int(segment.indptr[stop])
        sizes = np.diff(segment.indptr[start : stop + 1])
        shift = np.repeat(targets[start:stop] - segment.indptr[start:stop], sizes)
        where = np.arange(first, last) + shift
        rows[where] = segment.rows[first:last] + np.int32(offset)
        counts[where] = segment.counts[first:last]
        start = stop


def _without(segment: Segment, dead: Mask | None) -> Segment:
    if dead is None or not dead.any():
        return segment
    keep = ~dead[segment.rows]
    before = np.concatenate([[0], np.cumsum(keep)]).astype(np.int64)
    indptr = before[segment.indptr]
    used = np.diff(indptr) > 0
    new_rows = (np.cumsum(~dead) - 1).astype(np.int32)
    return Segment(
        keys=segment.keys[used],
        indptr=np.concatenate([[0], indptr[1:][used]]).astype(np.int64),
        rows=new_rows[segment.rows[keep]],
        counts=segment.counts[keep],
        lengths=segment.lengths[:, ~dead],
        ids=[i for i, gone in zip(segment.ids, dead.tolist(), strict=True) if not gone],
    )


def whole(folder: Path) -> bool:
    """Whether a segment's files hold what was written: a loss of power leaves any part of them."""
    try:
        if not (folder / _SUM).is_file():  # of an older version
            return _consistent(load(folder))
        return (folder / _SUM).read_text(encoding="ascii") == _sum(folder)
    except (OSError, ValueError, EOFError):
        return False


def _consistent(segment: Segment) -> bool:
    """Whether the parts fit together, which they do not where a page of them was never written."""
    keys, ends, rows = segment.keys, segment.indptr, segment.rows
    if len(ends) != len(keys) + 1 or len(rows) != len(segment.counts):
        return False
    if segment.lengths.shape[1:] != (len(segment.ids),) or (ends[0], ends[-1]) != (0, len(rows)):
        return False
    rises = np.diff(rows) > 0
    rises[ends[1:-1] - 1] = True  # from one term to the next
    if not (np.all(keys[1:] > keys[:-1]) and np.all(np.diff(ends) > 0) and np.all(rises)):
        return False
    if np.any((rows < 0) | (rows >= len(segment.ids))) or np.any(segment.counts == 0):
        return False
    held = np.bincount(rows, weights=segment.counts, minlength=len(segment.ids))
    # A word without Chinese counts in all three lengths and stands in the postings once.
    twice = segment.lengths.sum(axis=0) - held
    return bool(np.all((twice >= 0) & (twice <= 2 * segment.lengths[0]) & (twice % 2 == 0)))


def _finish(folder: Path, ids: list[str]) -> None:
    """The last files: the ids, and the sum of all."""
    (folder / "ids.json").write_text(dumps(ids), encoding="utf-8")
    (folder / _SUM).write_text(_sum(folder), encoding="ascii")


def _sum(folder: Path) -> str:
    total = 0
    for name in (*(f"{name}.npy" for name in _ARRAYS), "ids.json"):
        with (folder / name).open("rb") as file:
            while block := file.read(_READ):
                total = crc32(block, total)
    return str(total)
