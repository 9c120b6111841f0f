"""Evidence that stands together: a page with several good chunks is better than one with one.

A page of a report is what a question asks about; its text, table and caption are chunks of their
own and share the question's words among them. Joining passages of one document region is known
from passage aggregation (Callan, "Passage-level evidence in document retrieval", SIGIR 1994).
"""

from collections.abc import Mapping, Sequence

from ..core.evidence import Hit, Place
from .merge import in_order, labelled, scored

SHARE = 0.6
"""Of the mean of a page's second and third best scores, given to each of its chunks. Chosen on
MMLongBench (.4 to .8 are alike); FinanceBench was not looked at."""
_OTHERS = 2


def page_support(
    hits: Sequence[Hit], places: Mapping[str, Place], *, share: float = SHARE
) -> list[Hit]:
    """The hits with what their page's other hits add, best first, ties by id.

    Only positive scores support. A chunk over several pages takes the best support; hits of the
    label leg and chunks without pages stay as they are.
    """
    standing = [() if labelled(hit) else _pages(places.get(hit.chunk_id)) for hit in hits]
    found: dict[tuple[str, int], list[float]] = {}
    for hit, pages in zip(hits, standing, strict=True):
        for page in pages:
            found.setdefault(page, []).append(hit.score)
    support = {page: _support(scores) for page, scores in found.items() if len(scores) > 1}
    if not support:
        return in_order(hits)
    raised = []
    for hit, pages in zip(hits, standing, strict=True):
        most = share * max((support.get(page, 0.0) for page in pages), default=0.0)
        raised.append(scored(hit, hit.score + most) if most > 0 else hit)
    return in_order(raised)


def _pages(place: Place | None) -> Sequence[tuple[str, int]]:
    if place is None or place.page_start is None:
        return ()
    last = place.page_end or place.page_start
    return [(place.doc_id, page) for page in range(place.page_start, last + 1)]


def _support(scores: Sequence[float]) -> float:
    others = sorted(scores, reverse=True)[1 : 1 + _OTHERS]
    return sum(max(0.0, score) for score in others) / _OTHERS
