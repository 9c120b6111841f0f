"""What is done about a Chroma that the process or the machine left while it was written.

A graph that was being written is never loaded: the collection is dropped, and made again from the
vectors in the flat file.
"""

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import StoreError
from . import chroma_graphs as graphs
from .chroma_engines import ASIDE, AT_ONCE, ChromaEngines, fetch, stacked
from .schema import batches, internal_name
from .vector_rows import VectorRows

_GONE = "gone-"  # begins a name that is swept away at the next start


class ChromaMending(ChromaEngines):
    """Nothing here is needed for a server's Chroma: it looks after its own files."""

    _stamps: graphs.Stamps | None = None

    def settled(self) -> graphs.Stamps:
        """Wait until the graphs that the engine wrote are on the disk; what tells them apart."""
        if self._url:
            return {}
        with self._errors(""):
            self._stamps = graphs.settle(self._folder, self._stamps or {})
        return self._stamps

    def cut_off(self, noted: graphs.Stamps, *, power: bool) -> list[str]:
        """Collections whose graph is not to be loaded: it was being written when the process, or
        (`power`) the machine, stopped. To be asked before anything else."""
        self._prove = power
        segments = set() if self._url else graphs.cut_off(self._folder, noted, power=power)
        if not segments:
            return []
        owners = graphs.look(self._folder).owners
        broken = {owners.get(segment, "") for segment in segments}
        with self._errors(""):
            engines = {str(e.id): e.metadata or {} for e in self._connect().list_collections()}
        if "" in broken:  # of a collection that this process made
            broken |= engines.keys() - set(owners.values())
        return sorted({str(engines[engine].get("name")) for engine in broken & engines.keys()})

    def put_aside(self, collection: str) -> None:
        """Drop a collection's engines, whose graphs may be damaged, and keep its vectors."""
        with self._errors(collection), self._lock:
            engine = self._engine(collection, False)
            kept = self._aside(collection)
            if engine is not None and kept is not None and not kept.is_dir():
                self._rows.pop(str(engine.id), None)
                with suppress(FileNotFoundError):
                    kept.with_name(str(engine.id)).rename(kept)
        self.drop(collection)

    def aside(self, collection: str, dim: int) -> VectorRows | None:
        """The vectors that were put aside, those whose sums are right; None: none were."""
        kept = self._aside(collection)
        if kept is None or not kept.is_dir():
            return None
        with self._errors(collection):
            return VectorRows(kept, dim, prove=True)

    def has_aside(self, collection: str) -> bool:
        """Whether vectors were put aside, and are not in an engine yet."""
        kept = self._aside(collection)
        return kept is not None and kept.is_dir()

    def forget_aside(self, collection: str) -> None:
        """They are in an engine again."""
        kept = self._aside(collection)
        if kept is not None and kept.is_dir():
            gone = kept.with_name(f"{_GONE}{kept.name}")  # half removed, it is not put back again
            shutil.rmtree(gone, ignore_errors=True)
            with self._errors(collection):
                kept.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)

    def fill(self, collection: str) -> None:
        """Read every vector out of the engine, so that the flat file holds them and no others.

        Raises StoreError where the engine cannot give them: its graph is damaged.
        """
        for visual in (False, True):
            with self._errors(collection), self._lock:
                engine = self._engine(collection, visual)
                rows = None if engine is None else self._rows_of(engine)
                if rows is not None:
                    self._refill(engine, rows)

    def _refill(self, engine: Any, rows: VectorRows) -> None:
        ids = engine.get(include=[])["ids"]
        known = set(rows.ids())
        rows.mark(whole=False)
        rows.remove(known.difference(ids))
        for part in batches(len(ids), AT_ONCE):
            found = dict(fetch(engine, ids[part]))
            if len(found) < len(ids[part]):
                raise OSError("vectors are missing in its graph")
            held, vectors = rows.get(found)
            if any(
                not np.allclose(v, found[i], atol=1e-3) for i, v in zip(held, vectors, strict=True)
            ):
                raise OSError("its graph gives other vectors than were put in")
            missing = [i for i in found if i not in known]
            if missing:
                rows.put(missing, stacked([found[i] for i in missing]))
        rows.mark(whole=True)

    def discard(self) -> None:
        """Remove the engine with all vectors if it can never be opened again. Raises StoreError
        where it may only be out of reach."""
        if self._rows_folder is None or not graphs.look(self._folder).ruined:
            raise StoreError(f"The vector store at {self._where} cannot be read.")
        self.close()
        graphs.forget(self._folder)
        for folder in (self._folder, self._rows_folder):
            shutil.rmtree(folder, ignore_errors=True)

    def _aside(self, collection: str) -> Path | None:
        if self._rows_folder is None:
            return None
        return self._rows_folder / f"{ASIDE}{internal_name(collection)}"
