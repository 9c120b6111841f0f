"""The second look: a reranker's score blended with the fused one.

The built-in reranker compares the question with every sentence of a candidate. That helps
paragraphs and hurts tables, whose "sentences" are rows of figures: a table keeps its fused place.
"""

import math
from collections.abc import Mapping, Sequence

from ..core.chunk import Chunk
from ..core.errors import ModelError
from ..core.evidence import Hit
from ..core.ports import Reranker
from .merge import kept, labelled

# Share of the reranker in the blend; the rest is the fused score.
WEIGHT = 0.35
CROSS_ENCODER_WEIGHT = 0.75
"""A cross-encoder reads question and text together: it knows better than the legs."""
NO_TRUST, FULL_TRUST = 0.15, 0.35
"""Keyword coverage below which the words say nothing, and from which they say enough."""
DROPPED = "rerank"
_UNRANKED = frozenset({"table", "chart", "image"})


def sentence_weight(coverage: float) -> float:
    """How much the sentence-level reranker may say: all of its share where the words of question
    and text do not meet (another language), nothing where they do. Measured: across languages it
    gains three to four points of recall@1, inside one it loses one to two."""
    trust = (coverage - NO_TRUST) / (FULL_TRUST - NO_TRUST)
    return WEIGHT * (1.0 - min(1.0, max(0.0, trust)))


def rerank_hits(
    reranker: Reranker,
    query: str,
    hits: Sequence[Hit],
    chunks: Mapping[str, Chunk],
    *,
    n: int,
    weight: float = WEIGHT,
    tables: bool = False,
) -> list[Hit]:
    """Best `n` hits by (1 - weight) * z(fused) + weight * z(reranker); the rest follow, marked.

    `tables`: whether pictures and tables are scored too (a cross-encoder can read them). Missing,
    NaN and flat reranker scores leave the fused order. Hits of the label leg stay first. Raises
    ModelError when the reranker gives another number of scores than texts; what the reranker
    itself raises passes through, so that the caller can go on with the fused order and say so.
    """
    candidates = kept(hits)
    gone = [hit for hit in hits if hit.explain.dropped]
    asks = bool(query.strip()) and weight > 0.0
    scores = _reranked(reranker, query, candidates, chunks, tables) if asks else {}
    fused_z = _standard({hit.chunk_id: hit.score for hit in candidates if not labelled(hit)})
    rerank_z = _standard({i: s for i, s in scores.items() if i in fused_z})
    blended = []
    for hit in candidates:
        base = fused_z.get(hit.chunk_id, 0.0)
        final = (1 - weight) * base + weight * rerank_z.get(hit.chunk_id, base)
        blended.append(_with(hit, final, scores.get(hit.chunk_id)))
    ordered = _lifted(blended)
    return [*ordered[:n], *(_drop(hit) for hit in ordered[n:]), *gone]


def _reranked(
    reranker: Reranker,
    query: str,
    hits: Sequence[Hit],
    chunks: Mapping[str, Chunk],
    tables: bool,
) -> dict[str, float]:
    """Finite reranker scores by chunk id."""
    asked = [
        (hit.chunk_id, chunks[hit.chunk_id].text)
        for hit in hits
        if hit.chunk_id in chunks
        and chunks[hit.chunk_id].text.strip()
        and (tables or chunks[hit.chunk_id].chunk_type not in _UNRANKED)
    ]
    if not asked:
        return {}
    scores = reranker.rerank(query, [text for _, text in asked])
    if len(scores) != len(asked):
        raise ModelError(
            f"The reranker {reranker.name} gave {len(scores)} scores for {len(asked)} texts. "
            "Check its endpoint, or set rerank.provider to builtin."
        )
    pairs = zip((i for i, _ in asked), scores, strict=True)
    return {i: float(score) for i, score in pairs if math.isfinite(score)}


def _standard(scores: Mapping[str, float]) -> dict[str, float]:
    """Z-scores; empty when there are fewer than two values or all are equal."""
    values = [v for v in scores.values() if math.isfinite(v)]
    if len(values) < 2:
        return {}
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))
    if deviation < 1e-9:
        return {}
    return {i: (v - mean) / deviation for i, v in scores.items() if math.isfinite(v)}


def _lifted(hits: Sequence[Hit]) -> list[Hit]:
    """Label hits first in the order given, the others by score, ties by id."""
    first = [hit for hit in hits if labelled(hit)]
    rest = sorted(
        (hit for hit in hits if not labelled(hit)), key=lambda hit: (-hit.score, hit.chunk_id)
    )
    top = max((hit.score for hit in rest), default=0.0)
    raised = [
        hit.model_copy(update={"score": top + 1.0 + len(first) - place})
        for place, hit in enumerate(first)
    ]
    return [*raised, *rest]


def _with(hit: Hit, score: float, reranked: float | None) -> Hit:
    explain = hit.explain.model_copy(update={"reranked": reranked})
    return hit.model_copy(update={"score": score, "explain": explain})


def _drop(hit: Hit) -> Hit:
    return hit.model_copy(update={"explain": hit.explain.model_copy(update={"dropped": DROPPED})})
