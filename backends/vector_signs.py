"""Which vectors of a large collection may be near: a bit for the sign of each turned coordinate.

Two unit vectors at an angle a differ in a share a / pi of such bits (Charikar, "Similarity
Estimation Techniques from Rounding Algorithms", 2002). The turn is a chain of random sign flips
and Hadamard transforms (Andoni et al., "Practical and Optimal LSH for Angular Distance", 2015):
orthogonal, so that the bits err less than those of random directions, and the same everywhere.
Counting differing bits reads a thirtieth of the vectors; the few with the least are compared.
"""

from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core.ports import Vectors

BITS = 1024
_WORDS = BITS // 64
_ROUNDS = 3
_SEED = 1
_AT_ONCE = 4096  # vectors turned in one multiplication
_COARSE = _WORDS // 2  # the words that are compared of every row
_WIDER = 8  # of so many times the rows asked for, the other words too
Codes = NDArray[np.uint64]
Rows = NDArray[np.int64]


class Signs:
    """Codes of rows 0, 1, 2, … in a file and, by word, in memory; a row never changes. The file is
    a cache: it may be removed between two starts, and what is missing is made again."""

    def __init__(self, path: Path, dim: int) -> None:
        self._path = path
        self._turn = turning(dim)
        self._columns: Codes = np.zeros((_WORDS, 0), dtype=np.uint64)
        self._count = self._stored = 0
        if path.is_file():
            stored = np.fromfile(path, dtype="<u8")
            self._hold(stored[: len(stored) // _WORDS * _WORDS].reshape(-1, _WORDS))
            self._stored = self._count

    def __len__(self) -> int:
        return self._count

    def extend(self, rows: Vectors) -> None:
        """Add the codes of those `rows` that have none yet."""
        while self._count < len(rows):
            some = np.asarray(rows[self._count : self._count + _AT_ONCE], dtype=np.float32)
            self._hold(_packed(some @ self._turn.T))
        if self._stored < self._count:
            with suppress(OSError):  # a full disk costs the next start some seconds
                self._write()

    def _write(self) -> None:
        with self._path.open("r+b" if self._path.is_file() else "w+b") as file:
            file.seek(self._stored * _WORDS * 8)
            file.write(self._columns[:, self._stored : self._count].T.astype("<u8").tobytes())
        self._stored = self._count

    def nearest(self, vector: Vectors, rows: Rows | slice, count: int) -> NDArray[np.int64]:
        """Some `count` of `rows` (ascending, or all up to an end) whose bits differ least from
        those of `vector`: half of the bits say of most rows that they are far. May run beside
        `extend`."""
        words = _packed(np.vecdot(self._turn, np.asarray(vector, dtype=np.float32)))
        columns = self._columns
        half = _differing(columns[:_COARSE], words[:_COARSE], rows)
        near = least(half, _WIDER * count)
        among = near if isinstance(rows, slice) else rows[near]
        whole = half[near] + _differing(columns[_COARSE:], words[_COARSE:], among)
        return np.asarray(among[least(whole, count)])

    def _hold(self, codes: Codes) -> None:
        """Append to the columns; those that a reader holds stay as they are."""
        need = self._count + len(codes)
        if need > self._columns.shape[1]:
            wider = np.zeros((_WORDS, max(need, need * 5 // 4)), dtype=np.uint64)
            wider[:, : self._count] = self._columns[:, : self._count]
            self._columns = wider
        self._columns[:, self._count : need] = codes.T
        self._count = need


def cut(path: Path, count: int) -> None:
    """Remove the codes of rows from `count` on: those rows are gone and others will follow."""
    size = count * _WORDS * 8
    if path.is_file() and path.stat().st_size > size:
        with path.open("r+b") as file:
            file.truncate(size)


def _differing(columns: Codes, words: Codes, rows: Rows | slice) -> NDArray[np.uint16]:
    """How many bits of each row differ from `words`, one of them a column."""
    total = np.zeros(rows.stop if isinstance(rows, slice) else len(rows), dtype=np.uint16)
    for column, word in zip(columns, words, strict=True):
        some = column[rows] if isinstance(rows, slice) else column.take(rows)
        total += np.bitwise_count(some ^ word)
    return total


def least(differing: NDArray[np.uint16], count: int) -> NDArray[np.int64]:
    """Places of the `count` least values and of all that are equal to the last of them."""
    if count >= len(differing):
        return np.arange(len(differing))
    return np.flatnonzero(differing <= np.partition(differing, count - 1)[count - 1])


def _packed(turned: Vectors) -> Codes:
    return np.packbits(turned > 0, axis=-1).view(np.uint64)


def turning(dim: int) -> Vectors:
    """The turn as a matrix of shape (BITS, dim); its columns are orthonormal up to BITS of them."""
    size = max(BITS, 1 << (dim - 1).bit_length())
    flips = np.random.default_rng(_SEED).integers(0, 2, size=(_ROUNDS, size)) * 2 - 1
    matrix = np.eye(dim, size, dtype=np.float32)
    for flip in flips.astype(np.float32):
        matrix = _hadamard(matrix * flip)
    return np.ascontiguousarray(matrix[:, :BITS].T)


def _hadamard(rows: Vectors) -> Vectors:
    """Each row times the Hadamard matrix of its length (a power of two), orthonormal."""
    size, step = rows.shape[1], 1
    while step < size:
        pairs = rows.reshape(len(rows), -1, 2, step)
        left, right = pairs[:, :, 0], pairs[:, :, 1]
        rows = np.stack([left + right, left - right], axis=2).reshape(len(rows), size)
        step *= 2
    return rows / np.float32(np.sqrt(size))
