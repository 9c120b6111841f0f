"""What a run may search: the chosen collection, its owner's namesake, and the thread's own files.

The graphs' nodes name a collection; these stand-ins for the stores turn the name into the
collections that it means for whoever runs the graph. So no node can reach another owner's data.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langgraph.config import get_config

from ...core.chunk import Chunk, Figure
from ...core.document import DocumentRecord
from ...core.label import Label
from ...core.ports import Catalog, KeywordHits, KeywordIndex, VectorIndex, Vectors
from ...graph.services import Services
from .access import ANYBODY, may_use, private_name, thread_collection

OWNER_KEY = "langgraph_auth_user_id"
Members = Callable[[str], list[str]]


@dataclass(frozen=True)
class Caller:
    """Who runs the graph, and in which thread."""

    owner: str = ANYBODY
    thread: str = ""


def configurable() -> Mapping[str, Any]:
    """What the caller of this run brought along; LangGraph's server adds some headers."""
    try:
        return get_config().get("configurable", {})
    except RuntimeError:  # outside of a run
        return {}


def caller() -> Caller:
    """The caller of the run that this code is part of; outside of a run: nobody."""
    chosen = configurable()
    return Caller(str(chosen.get(OWNER_KEY) or ANYBODY), str(chosen.get("thread_id") or ""))


def members(catalog: Catalog, name: str, who: Caller) -> list[str]:
    """The collections that `name` means for the caller, the thread's own first.

    The owner's own collection hides a shared one of the same name; another owner's is nothing.
    """
    found = []
    if who.thread:
        found.append(thread_collection(who.owner, who.thread))
    found.append(private_name(who.owner, name))
    known = [item for item in found if catalog.fingerprint(item) is not None]
    own = private_name(who.owner, name) in known
    return known + ([name] if not own and name not in known and may_use(who.owner, name) else [])


def scoped(services: Services) -> Services:
    """The services as a caller of the server may use them."""

    def of(name: str) -> list[str]:
        return members(services.catalog, name, caller())

    catalog: Any = ScopedCatalog(services.catalog, of)
    vectors: Any = ScopedVectors(services.vectors, of)
    return replace(
        services,
        catalog=catalog,
        vectors=vectors,
        keywords=ScopedKeywords(services.keywords, of),
    )


class ScopedCatalog:
    """The catalog; what is asked of a collection is asked of its members."""

    def __init__(self, inner: Catalog, members: Members) -> None:
        self._inner = inner
        self._members = members

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def documents(self, collection: str | None = None) -> list[DocumentRecord]:
        """Active documents of the members."""
        names = [] if collection is None else self._members(collection)
        return [record for name in names for record in self._inner.documents(name)]

    def by_section(self, collection: str, number: str) -> list[Chunk]:
        """Active chunks of a section number."""
        return [
            c for name in self._members(collection) for c in self._inner.by_section(name, number)
        ]

    def select(self, collection: str, filters: Mapping[str, Any]) -> list[str]:
        """Ids of chunks that match the filters."""
        return [i for name in self._members(collection) for i in self._inner.select(name, filters)]

    def figures_by_label(self, collection: str, label: Label) -> list[Figure]:
        """Active figures with the label."""
        names = self._members(collection)
        return [figure for name in names for figure in self._inner.figures_by_label(name, label)]

    def labels(self, collection: str, kind: str) -> list[str]:
        """Label keys that exist."""
        names = self._members(collection)
        return sorted({key for name in names for key in self._inner.labels(name, kind)})


class ScopedVectors:
    """The vector index over the members; the encoder is one, so cosines compare."""

    def __init__(self, inner: VectorIndex, members: Members) -> None:
        self._inner = inner
        self._members = members

    def search(
        self,
        collection: str,
        vector: Vectors,
        n: int,
        *,
        allowed: Collection[str] | None = None,
        visual: bool = False,
    ) -> list[tuple[str, float]]:
        """Best n of all members."""
        found: list[tuple[str, float]] = []
        for name in self._members(collection):
            found += self._inner.search(name, vector, n, allowed=allowed, visual=visual)
        return best(found, n)

    def vectors(self, collection: str, ids: Sequence[str]) -> Mapping[str, Vectors]:
        """Stored vectors of those ids."""
        found: dict[str, Vectors] = {}
        for name in self._members(collection):
            found.update(self._inner.vectors(name, ids))
        return found


class ScopedKeywords:
    """The keyword index over the members."""

    def __init__(self, inner: KeywordIndex, members: Members) -> None:
        self._inner = inner
        self._members = members

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def search(
        self, collection: str, query: str, n: int, *, allowed: Collection[str] | None = None
    ) -> KeywordHits:
        """Best n of all members; what the best covered says of its hits counts."""
        parts = [
            self._inner.search(name, query, n, allowed=allowed)
            for name in self._members(collection)
        ]
        if len(parts) == 1:
            return parts[0]
        hits = best([hit for part in parts for hit in part.hits], n)
        best_covered = max(parts, key=lambda part: part.coverage, default=KeywordHits())
        return KeywordHits(
            hits=tuple(hits), coverage=best_covered.coverage, crowd=best_covered.crowd
        )


def best(ranked: Sequence[tuple[str, float]], n: int) -> list[tuple[str, float]]:
    """The n best by score, ties by id."""
    return sorted(ranked, key=lambda pair: (-pair[1], pair[0]))[:n]
