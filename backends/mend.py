"""Making every index hold what the catalog says: after a crash, no power, another encoder."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..core.chunk import Chunk, Edition
from ..core.errors import IndexMismatchError, StoreError
from ..core.indexing import index_passages, keep_passages
from ..core.ports import Vectors
from .schema import batches, vector_records
from .store_parts import REBUILDING, StoreParts
from .write_mark import Left

logger = logging.getLogger(__name__)
_AT_ONCE = 1024  # chunks embedded, or vectors put back, between two notes of how far it is
_NAMED = 3  # documents named in one sentence
Progress = Callable[[int, int], None]
"""Called with (chunks done, chunks in all)."""


@dataclass(frozen=True)
class Repair:
    """What `recover` and `repair` did, as counts, and what they could not do, as sentences."""

    editions_removed: int = 0
    keywords_added: int = 0
    keywords_removed: int = 0
    vectors_added: int = 0
    vectors_removed: int = 0
    assets_removed: int = 0
    problems: tuple[str, ...] = ()


class MendingStore(StoreParts):
    """What is done to a store apart from its documents coming and going."""

    problems: tuple[str, ...] = ()
    """What the last `recover` found and could not mend, as sentences."""

    def recover(self) -> Repair:
        """At start: remove what a crash left, rebuild an unreadable keyword index, put back vectors
        whose graph was being written. After a loss of power everything is compared.

        Missing vectors are only reported (embedding takes long); where nothing was cut off, one
        chunk of every document is looked for.
        """
        with self._alone():
            return self._recover()

    def _recover(self) -> Repair:
        left = self._mark.left()
        stale = self.catalog.stale_editions()
        if stale and left is None:
            self._set_mark()
        power = left is not None and left.power
        self._unsure = left is not None
        doubted = self._put_back_graphs(left) if left else set()
        added, removed = 0, 0
        for info in self.catalog.collections():
            if power:
                self.keywords.prove(info.name)
            more, less = self._repair_keywords(info.name, self._active_ids(info.name))
            added, removed = added + more, removed + less
        problems, unread = self._check_vectors(doubted, everything=power)
        undone = self._remove_stale(stale)
        orphans, lost = self._mend_assets() if power else ([], [])
        if left and not unread and not undone:
            self._unsure = False
            self._set_mark()
        self.problems = (*unread, *problems, *undone, *lost)
        return Repair(
            len(stale), added, removed, assets_removed=len(orphans), problems=self.problems
        )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Alone, with the mark set; a store that an earlier write left in doubt is mended first."""
        with self._alone():
            if self._engines is not None and self._engines.failed:
                self._engines.close()
                self._unsure = True
            if self._unsure:
                self._recover()
            self._set_mark()
            yield

    def repair(self, *, progress: Progress | None = None) -> Repair:
        """Make every index hold exactly what the catalog says; re-embeds only what is missing."""
        with self._writing():
            stale = self.catalog.stale_editions()
            keywords, embedded = [(0, 0)], [(0, 0)]
            problems = [f"The catalog is damaged: {line}" for line in self.catalog.check()]
            for info in self.catalog.collections():
                ids = self._active_ids(info.name)
                self.keywords.prove(info.name)
                keywords.append(self._repair_keywords(info.name, ids))
                try:
                    self.check_fingerprint(info.name)
                    embedded.append(self._repair_vectors(info.name, ids, progress))
                except IndexMismatchError as error:
                    problems.append(str(error))
            problems += self._remove_stale(stale)
            keep_passages(self.embedder, self.catalog.texts())
            orphans, lost = self._mend_assets()
            return Repair(
                editions_removed=len(stale),
                keywords_added=sum(added for added, _ in keywords),
                keywords_removed=sum(removed for _, removed in keywords),
                vectors_added=sum(added for added, _ in embedded),
                vectors_removed=sum(removed for _, removed in embedded),
                assets_removed=len(orphans),
                problems=tuple(problems + lost),
            )

    def reindex(self, collection: str, *, progress: Progress | None = None) -> int:
        """Embed a collection again with the model now set; how many chunks.

        Until it is done the collection's fingerprint matches no model, so that a half-built index
        is never searched.
        """
        with self._writing():
            if all(info.name != collection for info in self.catalog.collections()):
                raise StoreError(f"There is no collection {collection!r}. See: tuwen collections")
            self.catalog.set_fingerprint(collection, REBUILDING, 0)
            self.vectors.drop(collection)
            ids = self._active_ids(collection)
            self._embed(collection, ids, progress)
            self._note()
            self.catalog.set_fingerprint(collection, self.embedder.name, self.embedder.dim)
            return len(ids)

    def _put_back_graphs(self, left: Left) -> set[str]:
        """Collections whose graph was being written, made again from their vectors."""
        if self._engines is None:
            return set()
        names = {info.name for info in self.catalog.collections()}
        broken = set(self._engines.cut_off(left.graphs, power=left.power))
        broken |= {name for name in names if self._engines.has_aside(name)}
        for name in sorted(broken):
            self._put_back(name)
        return broken

    def _put_back(self, collection: str) -> None:
        """Make the engines again from the flat file; what it has not is missing then."""
        assert self._engines is not None
        self._engines.put_aside(collection)
        _, dim = self.catalog.fingerprint(collection) or ("", 0)
        kept = self._engines.aside(collection, dim) if dim else None
        if kept is not None and len(kept):
            ids = self._active_ids(collection)
            logger.warning(
                "The vectors of %r were being written when the process or the machine stopped."
                " %d are put back from their copy.",
                collection,
                len(kept),
            )
            for part in batches(len(ids), _AT_ONCE):
                found, vectors = kept.get(ids[part])
                self._keep(collection, self.catalog.chunks(found), vectors)
        self._engines.forget_aside(collection)

    def _check_vectors(
        self, doubted: Collection[str], *, everything: bool
    ) -> tuple[list[str], list[str]]:
        """Remove vectors of no chunk and name the documents that lack theirs: of every chunk in
        `doubted` collections, or of all with `everything`; else of one chunk a document. Then what
        could not be read."""
        problems, unread = list[str](), list[str]()
        for info in self.catalog.collections():
            name = info.name
            if info.embedder == REBUILDING:  # what to do is said where it is used
                continue
            try:
                if everything or name in doubted:
                    ids = self._active_ids(name)
                    stored = self._sound_ids(name)
                    self.vectors.delete(name, sorted(stored.difference(ids)))
                    lacking = [i for i in ids if i not in stored]
                else:
                    probes = self._first_ids(name)
                    lacking = sorted(set(probes) - self.vectors.vectors(name, probes).keys())
            except IndexMismatchError:
                continue
            except StoreError as error:
                if self._shared:
                    raise
                unread.append(str(error))
                continue
            problems += self._without_vectors(name, lacking)
        return problems, unread

    def _sound_ids(self, collection: str) -> set[str]:
        """Ids of the vectors that can be read: an engine that cannot is made again."""
        engines = self._engines
        if engines is None or self._shared:
            return self.vectors.ids(collection)
        try:
            engines.fill(collection)
        except StoreError:
            try:
                self._put_back(collection)
            except StoreError:
                engines.discard()
        return self.vectors.ids(collection)

    def _first_ids(self, collection: str) -> list[str]:
        firsts: list[str] = []
        for record in self.catalog.documents(collection):
            firsts += self.catalog.edition_chunk_ids(record.doc_id, record.edition)[:1]
        return firsts

    def _without_vectors(self, collection: str, ids: Sequence[str]) -> list[str]:
        """A sentence that names the documents of those chunks, with what to run; none for none."""
        docs = sorted({place.doc_id for place in self.catalog.places(ids).values()})
        if not docs:
            return []
        records = filter(None, map(self.catalog.document, docs[:_NAMED]))
        names = ", ".join(record.name for record in records)
        more = f" and {len(docs) - _NAMED} more" if len(docs) > _NAMED else ""
        return [
            f"The vectors of {names}{more} in {collection!r} are missing."
            " Run: tuwen doctor --repair"
        ]

    def _remove_stale(self, stale: Iterable[tuple[str, str, str]]) -> list[str]:
        """Remove what a crash left; what cannot be removed now stays marked as such."""
        problems: dict[str, None] = {}
        for collection, doc_id, edition in stale:
            try:
                self._remove(collection, doc_id, edition)
            except StoreError as error:
                if self._shared:
                    raise
                problems[str(error)] = None
        return list(problems)

    def _repair_keywords(self, collection: str, ids: Sequence[str]) -> tuple[int, int]:
        try:
            stored = self.keywords.ids(collection)
        except StoreError:  # damaged, or of another tokenizer: it is only derived
            self.keywords.drop(collection)
            stored = set()
        surplus = sorted(stored - set(ids))
        absent = [i for i in ids if i not in stored]
        if (surplus or absent) and self._mark.left() is None:
            self._set_mark()
        self.keywords.delete(collection, surplus)
        for part in batches(len(absent), _AT_ONCE * 16):
            self.keywords.add(collection, items(self.catalog.chunks(absent[part])))
        return len(absent), len(surplus)

    def _repair_vectors(
        self, collection: str, ids: Sequence[str], progress: Progress | None
    ) -> tuple[int, int]:
        stored = self._sound_ids(collection)
        surplus = sorted(stored - set(ids))
        self.vectors.delete(collection, surplus)
        absent = [i for i in ids if i not in stored]
        self._embed(collection, absent, progress)
        return len(absent), len(surplus)

    def _embed(self, collection: str, ids: Sequence[str], progress: Progress | None) -> None:
        for part in batches(len(ids), _AT_ONCE):
            chunks = self.catalog.chunks(ids[part])
            vectors = index_passages(self.embedder, [c.embedding_text for c in chunks])
            self._keep(collection, chunks, vectors)
            if progress is not None:
                progress(part.stop, len(ids))

    def _keep(self, collection: str, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        """Store `vectors[i]` as the vector of `chunks[i]`, document by document."""
        rows: dict[str, list[int]] = {}
        for row, chunk in enumerate(chunks):
            rows.setdefault(chunk.doc_id, []).append(row)
        for doc_id, own in rows.items():
            record = self.catalog.document(doc_id)
            if record is not None:
                figures = tuple(self.catalog.figures_of(doc_id))
                edition = Edition(chunks=tuple(chunks[row] for row in own), figures=figures)
                self.vectors.upsert(collection, vector_records(record, edition), vectors[own])
        self._note()

    def _active_ids(self, collection: str) -> list[str]:
        return self.catalog.select(collection, {})

    def _mend_assets(self) -> tuple[list[str], list[str]]:
        """Pictures that nothing names, now removed, and a sentence for each that is missing."""
        stored, named = self.assets.ids(), self.catalog.asset_ids()
        orphans = sorted(stored - named)
        self.assets.delete(orphans)
        lost = sorted(named - stored)
        return orphans, [f"The picture {a} is missing; ingest its document again." for a in lost]


def items(chunks: Iterable[Chunk]) -> list[tuple[str, str]]:
    """What the keyword index keeps of chunks."""
    return [(c.chunk_id, c.embedding_text) for c in chunks]
