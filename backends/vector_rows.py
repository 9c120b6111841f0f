"""A vector's copy in a flat file, beside an engine that hands vectors out slowly.

Chroma needs 50 µs to give one vector back and 0.2 s to search among named ids. MMR and filters
need hundreds at once, so they read them here. A search compares every vector of a small
collection, and of a large one those whose signs differ least (vector_signs). It is a cache: what
is missing is taken from the engine, and the folder may be removed at any time.
"""

import json
import shutil
import threading
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..core.ports import Vectors
from .vector_signs import Signs, cut

EXACT = 4000
"""Up to so many vectors are all compared."""
_COMPARED = 1500, 150
"""Of more, so many and one of so many are compared."""
_SIGNS, _MARK, _BEFORE = "signs.u64", "whole", "before.f32"
_BLOCK = 128  # vectors picked at once: they stay in the processor's cache
_PER_HIT = 10  # and as many times the hits that are asked for
_UNIT = 1e-4  # how far the square of a sound vector's length is from 1
_GAPS = 1000  # rows, of which more than half are gone: they are written anew


class VectorRows:
    """Rows of one collection: `rows.f32` holds float32 vectors one after the other, `log.jsonl`
    says which id each row is (+, with the row's sum) and which are gone (-), `signs.u64` the signs
    of a large collection. The log is written after the rows and the signs last, so a crash loses
    the end of what it wrote and nothing else. A loss of power may lose any part: with `prove` the
    rows whose sums are not right are forgotten. Thread-safe; one process."""

    def __init__(self, folder: Path, dim: int, *, exact: int = EXACT, prove: bool = False) -> None:
        self._folder = folder
        self._dim = dim
        self._exact = exact
        self._lock = threading.Lock()
        self._places: dict[str, int] = {}
        self._count = 0
        self._mapped: Vectors | None = None
        self._named: tuple[list[str], NDArray[np.int64]] | None = None
        self._signs: Signs | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._load()
        if prove:
            self._prove()
        self._whole = self._marked()
        if not prove and self._count > _GAPS and len(self._places) * 2 < self._count:
            self._close_gaps()

    def __len__(self) -> int:
        return len(self._places)

    @property
    def whole(self) -> bool:
        """Whether the owner said, after the last change, that every vector of the engine is here.

        Kept over starts, because asking Chroma how many it has loads its whole graph.
        """
        return self._whole

    def mark(self, *, whole: bool) -> None:
        """Say it, or take it back before a change: a crash leaves it taken back."""
        with self._lock:
            self._whole = whole
            mark = self._folder / _MARK
            if whole:
                with suppress(OSError):  # the next start asks the engine
                    mark.write_text(self._size_mark(), encoding="ascii")
            else:
                mark.unlink(missing_ok=True)

    def put(self, ids: Sequence[str], vectors: Vectors) -> None:
        """Keep `vectors[i]` as the vector of `ids[i]`."""
        data = np.ascontiguousarray(vectors, dtype=np.float32)
        with self._lock:
            with (self._folder / "rows.f32").open("r+b") as rows:
                rows.seek(self._count * self._dim * 4)  # not "append": a failed write leaves a tail
                rows.write(data.tobytes())
            self._log(["+", i, crc32(row)] for i, row in zip(ids, data, strict=True))
            self._named = None
            self._places |= {i: self._count + row for row, i in enumerate(ids)}
            self._count += len(ids)
            if self._count > self._exact:
                self._signed(self._map())

    def remove(self, ids: Iterable[str]) -> None:
        """Forget; unknown ids are ignored."""
        with self._lock:
            known = [i for i in ids if i in self._places]
            if known:
                self._named = None
                self._log(["-", i] for i in known)
                for chunk_id in known:
                    del self._places[chunk_id]

    def ids(self) -> list[str]:
        """Every known id."""
        with self._lock:
            return list(self._places)

    def get(self, ids: Iterable[str]) -> tuple[list[str], Vectors]:
        """The ids that are known, in file order, and their vectors, shape (n, dim)."""
        with self._lock:
            places = self._places
            found = sorted((row, i) for i in ids if (row := places.get(i)) is not None)
            mapped = self._map()
        if not found:
            return [], np.zeros((0, self._dim), dtype=np.float32)
        return [i for _, i in found], mapped[[row for row, _ in found]]

    def nearest(
        self, vector: Vectors, n: int, *, allowed: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """The `n` ids of the largest dot products and whatever ties with the last, unordered.

        `allowed`: among these ids only.
        """
        if n <= 0:
            return []
        asked = np.asarray(vector, dtype=np.float32)
        with self._lock:
            names, rows = self._alive()
            if allowed is not None:
                found = (self._places.get(i, -1) for i in allowed)
                rows = np.sort(np.fromiter(found, np.int64, count=len(allowed)))
                rows = rows[rows >= 0]
            mapped = self._map()
            depth = max(_COMPARED[0] + len(mapped) // _COMPARED[1], _PER_HIT * n)
            signs = self._signed(mapped) if len(rows) > max(self._exact, depth) else None
        if signs is not None:
            every = slice(0, len(mapped))
            rows = signs.nearest(asked, every if len(rows) == len(mapped) else rows, depth)
        scores = _products(mapped, asked, rows)
        if n < len(scores):
            chosen = scores >= np.partition(scores, len(scores) - n)[len(scores) - n]
            rows, scores = rows[chosen], scores[chosen]
        return [(names[row], s) for row, s in zip(rows.tolist(), scores.tolist(), strict=True)]

    def _alive(self) -> tuple[list[str], NDArray[np.int64]]:
        """The id of every row ("" where it is gone) and the rows that are not gone, ascending."""
        if self._named is None:
            names = [""] * self._count
            for chunk_id, row in self._places.items():
                names[row] = chunk_id
            self._named = names, np.array(sorted(self._places.values()), dtype=np.int64)
        return self._named

    def _signed(self, mapped: Vectors) -> Signs:
        if self._signs is None:
            self._signs = Signs(self._folder / _SIGNS, self._dim)
        self._signs.extend(mapped)
        return self._signs

    def _size_mark(self) -> str:
        return f"{self._count} {len(self._places)}"

    def _marked(self) -> bool:
        mark = self._folder / _MARK
        return mark.is_file() and mark.read_text(encoding="ascii") == self._size_mark()

    def _map(self) -> Vectors:
        """All rows, gaps too; the caller holds the lock."""
        if self._mapped is None or len(self._mapped) < self._count:
            path, shape = self._folder / "rows.f32", (self._count, self._dim)
            empty = np.zeros(shape, dtype=np.float32)
            self._mapped = (
                np.asarray(np.memmap(path, np.float32, "r", shape=shape)) if self._count else empty
            )
        return self._mapped

    def drop(self) -> None:
        """Remove the files."""
        with self._lock:
            self._places, self._count = {}, 0
            self._mapped = self._named = self._signs = None
            self._whole = False
            shutil.rmtree(self._folder, ignore_errors=True)

    def _load(self) -> None:
        log, rows = self._folder / "log.jsonl", self._folder / "rows.f32"
        (self._folder / _BEFORE).unlink(missing_ok=True)
        if not log.is_file() or not rows.is_file():
            self._start_again()
            return
        entries = _whole_lines(log)
        if entries is None or rows.stat().st_size < self._size(entries):
            self._start_again()
            return
        for sign, chunk_id, *_ in entries:
            if sign == "+":
                self._places[chunk_id] = self._count
                self._count += 1
            else:
                self._places.pop(chunk_id, None)
        if rows.stat().st_size > self._size(entries):
            with rows.open("r+b") as file:  # rows that the log does not know
                file.truncate(self._size(entries))
        cut(self._folder / _SIGNS, self._count)

    def _close_gaps(self) -> None:
        """Write the rows that are left anew. A crash loses some of them: the engine has them."""
        whole, places, before = self._whole, self._places, self._folder / _BEFORE
        (self._folder / "rows.f32").replace(before)
        old = np.memmap(before, np.float32, "r", shape=(self._count, self._dim))
        self._start_again()
        ids = sorted(places, key=places.__getitem__)
        for start in range(0, len(ids), EXACT):
            some = ids[start : start + EXACT]
            self.put(some, old[[places[i] for i in some]])
        del old
        before.unlink()
        self.mark(whole=whole)

    def _prove(self) -> None:
        """Forget the rows whose bytes are not those that the log was written for."""
        sums = [e[2:] for e in _whole_lines(self._folder / "log.jsonl") or () if e[0] == "+"]
        mapped = self._map()
        wrong = [i for i, row in self._places.items() if not _sound(mapped[row], sums[row])]
        self.remove(wrong)
        self._signs = None
        for name in (_SIGNS, _MARK):
            (self._folder / name).unlink(missing_ok=True)

    def _size(self, entries: list[list[Any]]) -> int:
        return [sign for sign, *_ in entries].count("+") * self._dim * 4

    def _start_again(self) -> None:
        self._places, self._count = {}, 0
        self._mapped = self._named = self._signs = None
        for name in (_SIGNS, _MARK):
            (self._folder / name).unlink(missing_ok=True)
        (self._folder / "log.jsonl").write_bytes(b"")
        (self._folder / "rows.f32").write_bytes(b"")

    def _log(self, entries: Iterable[list[Any]]) -> None:
        with (self._folder / "log.jsonl").open("ab") as log:
            log.write("".join(f"{json.dumps(entry)}\n" for entry in entries).encode())


def _products(mapped: Vectors, asked: Vectors, rows: NDArray[np.int64]) -> Vectors:
    """Dot products of those rows.

    Each by itself: a product of matrices shares the work between threads, which wait for each
    other far longer than this takes, and rounds a row by where it stands.
    """
    if len(rows) == len(mapped):
        return np.asarray(np.vecdot(mapped, asked))
    scores = np.empty(len(rows), dtype=np.float32)
    block = np.empty((_BLOCK, len(asked)), dtype=np.float32)
    for start in range(0, len(rows), _BLOCK):
        some = rows[start : start + _BLOCK]
        picked = np.take(mapped, some, axis=0, out=block[: len(some)], mode="clip")  # unchecked
        np.vecdot(picked, asked, out=scores[start : start + _BLOCK])
    return scores


def _sound(vector: Vectors, sums: list[Any]) -> bool:
    """Whether it is the vector that was put in. Older logs have no sum: what is not of length 1
    is then taken for damaged."""
    if sums:
        return [crc32(vector.data)] == sums
    return abs(float(np.vecdot(vector, vector)) - 1) < _UNIT


def _whole_lines(log: Path) -> list[list[Any]] | None:
    """The entries of a log; what comes after the last whole line is cut off. None: the log is
    damaged."""
    data = log.read_bytes()
    end = data.rfind(b"\n") + 1
    if b"\0" in data:  # never written: a loss of power left room for a line and not the line
        end = data.rfind(b"\n", 0, data.index(b"\0")) + 1
    if end < len(data):
        with log.open("r+b") as file:
            file.truncate(end)
    try:
        entries = json.loads(b"[%s]" % data[: max(0, end - 1)].replace(b"\n", b","))
        return [[str(sign), str(i), *rest] for sign, i, *rest in entries]
    except (TypeError, ValueError):
        return None
