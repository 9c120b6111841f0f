"""The keyword leg: BM25 served from memory-mapped postings, changed by segments.

A write makes a new segment or new tombstones, then swaps one manifest file and one reference:
a question that runs meanwhile keeps the state it started with. Segments are merged so that their
number grows with the logarithm of the chunks.
"""

import json
import shutil
import threading
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import StoreError
from ..core.ports import KeywordHits, Tokenizer
from . import keyword_segment as segments
from .keyword_kept import KeptArrays
from .keyword_scores import field_scores
from .keyword_search import find
from .keyword_segment import Mask, Segment
from .keyword_state import Part, State
from .keyword_terms import query_terms, term_block
from .schema import batches, internal_name

_FORMAT = "1"
_BLOCK = 2000  # texts turned into terms at once
_MANIFEST = "manifest.json"
_KEPT_BYTES = 256 << 20  # for what frequent terms add, over all collections,
_KEPT_PER_ROW = 1100  # and at least so much for each chunk of the largest: some 500 terms


class PostingsIndex:
    """KeywordIndex over folders of segments, one folder a collection under `root`.

    With `shared`, other processes may write too (one at a time): every use looks for a newer
    manifest first.
    """

    def __init__(self, root: Path, tokenizer: Tokenizer, *, shared: bool = False) -> None:
        self._root = root
        self._tokenizer = tokenizer
        self._shared = shared
        self._stamp = f"{_FORMAT}/{getattr(tokenizer, 'name', 'tokenizer')}"
        self._lock = threading.RLock()
        self._states: dict[str, State] = {}
        self._kept = KeptArrays(_KEPT_BYTES)

    def add(self, collection: str, items: Sequence[tuple[str, str]]) -> None:
        """Insert or replace (id, text)."""
        texts = dict(items)
        if not texts:
            return
        fresh = [
            segments.build(
                term_block(self._tokenizer, [texts[i] for i in ids]),
                ids,
            )
            for ids in ([*texts][part] for part in batches(len(texts), _BLOCK))
        ]
        with self._lock:
            state = self._state(collection)
            parts = _tombstoned(state, [*texts])
            self._write(collection, state.version + 1, parts, fresh)

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove; unknown ids are ignored."""
        with self._lock:
            state = self._state(collection)
            parts = _tombstoned(state, ids)
            if any(a is not b for (_, _, a), (_, _, b) in zip(parts, state.parts, strict=True)):
                self._write(collection, state.version + 1, parts, [])

    def ids(self, collection: str) -> set[str]:
        """Every stored id (for repair)."""
        state = self._state(collection)
        return {state.ids[row] for row in np.flatnonzero(state.alive).tolist()}

    def count(self, collection: str) -> int:
        """How many chunks are stored."""
        return self._state(collection).chunks

    def version(self, collection: str) -> int:
        """Grows with every change; 0 for an empty collection."""
        return self._state(collection).version

    def prove(self, collection: str) -> None:
        """Forget the segments that are not whole, as after a loss of power: their chunks are then
        not stored. What else is damaged shows when it is read."""
        folder = self._folder(collection)
        with self._lock, suppress(FileNotFoundError, ValueError, KeyError, TypeError):
            body = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
            sound = [e for e in body["segments"] if segments.whole(folder / e["name"])]
            if len(sound) < len(body["segments"]):
                body |= {"segments": sound, "version": int(body["version"]) + 1}
                _put_manifest(folder, body)
                self._show(collection, None)

    def drop(self, collection: str) -> None:
        """Remove the collection."""
        with self._lock:
            self._show(collection, None)
            shutil.rmtree(self._folder(collection), ignore_errors=True)

    def search(
        self, collection: str, query: str, n: int, *, allowed: Collection[str] | None = None
    ) -> KeywordHits:
        """Best n among the chunks that hold a word or a character pair of the query.

        The score is .25 BM25(words) + .25 BM25(bigrams) + .5 BM25(characters), each divided by
        its standard deviation among those chunks; a query without Chinese uses words alone. The
        share of the query's words that a chunk holds is joined to that (see keyword_share).
        """
        return find(self._state(collection), query_terms(self._tokenizer, query), n, allowed)

    def word_scores(self, collection: str, query: str) -> dict[str, float]:
        """rank_bm25's scores (BM25Plus, delta 0) of the chunks that hold a query word."""
        state = self._state(collection)
        keys = query_terms(self._tokenizer, query).streams[0]
        if not state.chunks:
            return {}
        postings = state.postings(keys)
        scores = field_scores(state, 0, keys, postings)
        return {state.ids[row]: float(scores[row]) for row in np.flatnonzero(scores).tolist()}

    def _folder(self, collection: str) -> Path:
        return self._root / internal_name(collection)

    def _state(self, collection: str) -> State:
        state = self._states.get(collection)
        if state is None or (self._shared and self._changed(collection, state)):
            with self._lock:
                state = self._states.get(collection)
                if state is None or (self._shared and self._changed(collection, state)):
                    state = self._load(collection)
                    self._show(collection, state)
        return state

    def _show(self, collection: str, state: State | None) -> None:
        """Let the next questions see a state (None: read it again)."""
        before = self._states.get(collection)
        if state is not None:
            self._states[collection] = state
            self._kept.widen(state.rows * _KEPT_PER_ROW)
        else:
            self._states.pop(collection, None)
        if before is not None:
            before.kept = KeptArrays(0)  # a question that runs on keeps nothing for later
            self._kept.forget(before)

    def _changed(self, collection: str, state: State) -> bool:
        return state.written != _written(self._folder(collection))

    def _load(self, collection: str) -> State:
        folder = self._folder(collection)
        written = _written(folder)
        if written == (0, 0):
            return State(0, [], kept=self._kept)
        try:
            manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
            if manifest["stamp"] != self._stamp:
                raise StoreError(
                    f"The keyword index of {collection!r} was built by another version of the"
                    f" tokenizer ({manifest['stamp']}, now {self._stamp}). Run: tuwen doctor"
                    " --repair"
                )
            parts = [_loaded(folder, entry) for entry in manifest["segments"]]
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            if written != _written(folder):  # another process replaced it meanwhile
                return self._load(collection)
            raise StoreError(
                f"The keyword index of {collection!r} in {folder} is damaged ({error})."
                " Run: tuwen doctor --repair",
                place=folder,
            ) from error
        return State(int(manifest["version"]), parts, written, kept=self._kept)

    def _write(
        self,
        collection: str,
        version: int,
        parts: list[Part],
        fresh: list[Segment],
    ) -> None:
        folder = self._folder(collection)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            kept, joined = _plan(parts, fresh)
            if joined:
                name = f"s{version:08d}"
                shutil.rmtree(folder / name, ignore_errors=True)  # left by a crash
                kept.append((name, segments.merge(joined, folder / name), None))
            state = State(version, kept, kept=self._kept)
            _save_manifest(folder, self._stamp, state)
            state.written = _written(folder)
        except OSError as error:
            raise StoreError(
                f"The keyword index in {folder} cannot be written ({error}). Check the disk's free"
                " space and the folder's permissions.",
                place=folder,
            ) from error
        self._show(collection, state)
        _sweep(folder, state)


def _written(folder: Path) -> tuple[int, int]:
    """What tells one manifest from the next; (0, 0) where there is none."""
    try:
        stamp = (folder / _MANIFEST).stat()
    except FileNotFoundError:
        return (0, 0)
    return (stamp.st_mtime_ns, stamp.st_ino)


def _tombstoned(state: State, ids: Sequence[str]) -> list[Part]:
    """The state's parts with those ids dead; untouched parts keep their mask object."""
    parts: list[Part] = []
    for name, segment, dead in state.parts:
        rows = [row for row in map(segment.index.get, ids) if row is not None]
        if rows and (dead is None or not dead[rows].all()):
            mask = np.zeros(len(segment.ids), dtype=bool) if dead is None else dead.copy()
            mask[rows] = True
            parts.append((name, segment, mask))
        else:
            parts.append((name, segment, dead))
    return parts


def _live(segment: Segment, dead: Mask | None) -> int:
    return len(segment.ids) - (int(dead.sum()) if dead is not None else 0)


def _plan(
    parts: list[Part], fresh: list[Segment]
) -> tuple[list[Part], list[tuple[Segment, Mask | None]]]:
    """Which parts stay, and which are joined with the fresh segments into one.

    Sizes at least halve from one part to the next, so that there are few; a part that is mostly
    dead is rewritten.
    """
    kept = [p for p in parts if _live(p[1], p[2]) * 2 > len(p[1].ids)]
    joined = [(s, d) for _, s, d in parts if 0 < _live(s, d) * 2 <= len(s.ids)]
    joined += [(s, None) for s in fresh]
    size = sum(_live(s, d) for s, d in joined)
    while joined and kept and _live(kept[-1][1], kept[-1][2]) < 2 * size:
        _, segment, dead = kept.pop()
        size += _live(segment, dead)
        joined.insert(0, (segment, dead))
    return kept, joined


def _loaded(folder: Path, entry: dict[str, Any]) -> Part:
    segment = segments.load(folder / entry["name"])
    dead = entry["dead"]
    mask = np.load(folder / dead, allow_pickle=False) if dead else None
    return entry["name"], segment, mask


def _save_manifest(folder: Path, stamp: str, state: State) -> None:
    entries = []
    for name, _, dead in state.parts:
        file = f"{name}.dead{int(dead.sum()):08d}.npy" if dead is not None else None
        if file and not _same_mask(folder / file, dead):  # a crash may leave one as long
            partial = folder / "dead.tmp.npy"
            np.save(partial, np.asarray(dead), allow_pickle=False)
            partial.replace(folder / file)
        entries.append({"name": name, "dead": file})
    body = {"stamp": stamp, "version": state.version, "segments": entries}
    _put_manifest(folder, body)


def _same_mask(path: Path, dead: Mask | None) -> bool:
    try:
        return np.array_equal(np.load(path, allow_pickle=False), np.asarray(dead))
    except (OSError, ValueError, EOFError):
        return False


def _put_manifest(folder: Path, body: dict[str, Any]) -> None:
    partial = folder / f"{_MANIFEST}.tmp"
    partial.write_text(json.dumps(body), encoding="utf-8")
    partial.replace(folder / _MANIFEST)


def _sweep(folder: Path, state: State) -> None:
    """Remove what the manifest does not name; a file that a reader holds open may stay."""
    names = {name for name, _, _ in state.parts}
    for path in folder.iterdir():
        if path.name == _MANIFEST:
            continue
        stem, _, rest = path.name.partition(".")
        stale = stem not in names
        if not stale and rest:
            dead = next(d for name, _, d in state.parts if name == stem)
            stale = dead is None or path.name != f"{stem}.dead{int(dead.sum()):08d}.npy"
        if stale:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(
                missing_ok=True
            )
