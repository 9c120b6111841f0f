"""The reducer that joins hits of parallel queries and of several rounds in the graph's state.

Hits travel through the state as plain JSON (`graph.nodes.search.dump_hits`). Joining is a union by
chunk id where the greater of two hits stays whole; "greater" is a total order, so the reducer is
commutative, associative and idempotent and parallel branches may finish in any order.
"""

import json
import math
from collections.abc import Iterable
from typing import Any

from ..core.evidence import Explain, Hit


def merge_hits(left: list[dict[str, Any]], right: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The union of two lists of hits: kept before dropped, then by score, ties by id."""
    best: dict[str, dict[str, Any]] = {}
    for hit in (*left, *right):
        known = best.get(hit["chunk_id"])
        if known is None or _rank(hit) > _rank(known):
            best[hit["chunk_id"]] = hit
    return sorted(best.values(), key=_place)


def kept(hits: Iterable[Hit]) -> list[Hit]:
    """The hits that no step dropped, in the order given."""
    return [hit for hit in hits if not hit.explain.dropped]


def scored(hit: Hit, score: float) -> Hit:
    """The hit with another score."""
    return Hit(hit.chunk_id, score, hit.explain)


def explained(hit: Hit, **changes: Any) -> Hit:
    """The hit with changes to its reasons."""
    return Hit(hit.chunk_id, hit.score, hit.explain._replace(**changes))


def without(hit: Hit, why: str) -> Hit:
    """The hit, dropped by the step `why`."""
    return Hit(hit.chunk_id, hit.score, Explain(*hit.explain[:-1], why))


def labelled(hit: Hit) -> bool:
    """Whether the question names the hit's object by number."""
    return "label" in hit.explain.legs


def in_order(hits: Iterable[Hit]) -> list[Hit]:
    """What the question names by number first, then best first, ties by id."""
    return sorted(hits, key=lambda hit: (not labelled(hit), -hit.score, hit.chunk_id))


def _score(hit: dict[str, Any]) -> float:
    score = float(hit.get("score", 0.0))
    return -math.inf if math.isnan(score) else score


def _dropped(hit: dict[str, Any]) -> bool:
    return bool((hit.get("explain") or {}).get("dropped"))


def _rank(hit: dict[str, Any]) -> tuple[bool, float, str]:
    """A total order on hits of one chunk: the text form decides between equal scores."""
    return not _dropped(hit), _score(hit), json.dumps(hit, sort_keys=True, ensure_ascii=False)


def _place(hit: dict[str, Any]) -> tuple[bool, float, str]:
    return _dropped(hit), -_score(hit), str(hit["chunk_id"])
