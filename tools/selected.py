"""A catalog in which only the chunks exist that a run's filters leave, and what belongs to them."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from ..core.chunk import Chunk, Figure
from ..core.document import DocumentRecord
from ..core.label import Label
from ..core.ports import Catalog


def selected(catalog: Catalog, allowed: Collection[str] | None) -> Catalog:
    """`catalog` as seen through the filters: `allowed` chunk ids, None without filters."""
    if allowed is None:
        return catalog
    view: Any = SelectedCatalog(catalog, frozenset(allowed))
    return view  # type: ignore[no-any-return]


class SelectedCatalog:
    """Reads of the inner catalog, reduced to the allowed chunks, their figures and documents.

    A figure is there when its own chunk is; its mentions are those that are allowed.
    """

    def __init__(self, inner: Catalog, allowed: frozenset[str]) -> None:
        self._inner = inner
        self._allowed = allowed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @cached_property
    def _docs(self) -> set[str]:
        return {place.doc_id for place in self._inner.places(sorted(self._allowed)).values()}

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Allowed chunks of those ids."""
        return self._inner.chunks([i for i in ids if i in self._allowed])

    def chunks_of(self, doc_id: str, *, first: int = 0, last: int | None = None) -> list[Chunk]:
        """Allowed chunks of a document."""
        return self._kept(self._inner.chunks_of(doc_id, first=first, last=last))

    def by_section(self, collection: str, number: str) -> list[Chunk]:
        """Allowed chunks of a section number."""
        return self._kept(self._inner.by_section(collection, number))

    def select(self, collection: str, filters: Mapping[str, Any]) -> list[str]:
        """Ids of allowed chunks that match further filters."""
        return [i for i in self._inner.select(collection, filters) if i in self._allowed]

    def documents(self, collection: str | None = None) -> list[DocumentRecord]:
        """Documents with an allowed chunk."""
        return [r for r in self._inner.documents(collection) if r.doc_id in self._docs]

    def figures(self, ids: Sequence[str]) -> list[Figure]:
        """Figures of those ids whose chunk is allowed."""
        return self._shown(self._inner.figures(ids))

    def figures_of(self, doc_id: str) -> list[Figure]:
        """Figures of a document whose chunk is allowed."""
        return self._shown(self._inner.figures_of(doc_id))

    def figures_by_label(self, collection: str, label: Label) -> list[Figure]:
        """Figures with the label whose chunk is allowed."""
        return self._shown(self._inner.figures_by_label(collection, label))

    def labels(self, collection: str, kind: str) -> list[str]:
        """Label keys of this kind that a figure of an allowed chunk carries."""
        docs = [record.doc_id for record in self.documents(collection)]
        found = {f.label.key for doc in docs for f in self.figures_of(doc) if f.label is not None}
        known = self._inner.labels(collection, kind)
        return [key for key in known if key in found]

    def _kept(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        return [chunk for chunk in chunks if chunk.chunk_id in self._allowed]

    def _shown(self, figures: Sequence[Figure]) -> list[Figure]:
        return [
            figure.model_copy(
                update={"mentions": tuple(i for i in figure.mentions if i in self._allowed)}
            )
            for figure in figures
            if figure.chunk_id in self._allowed
        ]
