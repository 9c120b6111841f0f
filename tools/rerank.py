"""The second look: a reranker's score blended with the fused one.

The built-in reranker compares the question with every sentence of a candidate. That helps
paragraphs and hurts tables, whose "sentences" are rows of figures: a table keeps its fused place.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from ..core.chunk import Chunk
from ..core.errors import ModelError
from ..core.evidence import Hit
from ..core.ports import Reranker
from .merge import explained, kept, labelled, scored, without
from .spread import FLAT, mean_and_deviation

# Share of a sentence-level reranker in the blend where the words of question and text meet, and
# where they do not (another language); the rest is the fused score. Half as much or twice as much
# gains less on some of DuReader, OHR-Bench, CRUD and XQuAD.
WEIGHT, WEIGHT_ACROSS = 0.2, 0.4
LIGHT_WEIGHT_ACROSS = 0.35
"""Of a light encoder across languages: inside one it loses one to two points of recall@1."""
CROSS_ENCODER_WEIGHT = 0.75
"""A cross-encoder reads question and text together: it knows better than the legs."""
TOKEN_WEIGHT = 0.5
"""Of late interaction, over what the sentences left; .4 and .6 measure alike."""
NO_TRUST, FULL_TRUST = 0.15, 0.35
"""Keyword coverage below which the words say nothing, and from which they say enough."""
HEAD, TOKEN_HEAD = 10, 20
MARGIN, MARGIN_ACROSS = 2.0, 5.0
"""The sentences of the first ten hits are compared (token by token: the first twenty), and of these
hits those that the fused score puts less than so many standard deviations (of the ten or twenty)
behind the first."""
DROPPED = "rerank"
_UNRANKED = frozenset({"table", "chart", "image"})


class Voice(NamedTuple):
    """How much a reranker says: its share of the blend, how far behind the first hit the last one
    may be that it is asked about (None: all are), and how many these are at most."""

    weight: float
    margin: float | None
    head: int = HEAD


CROSS_ENCODER = Voice(CROSS_ENCODER_WEIGHT, None)


def sentence_voice(coverage: float, *, paired: bool, crowd: float = 0.0) -> Voice:
    """What a sentence-level reranker may say, by the share of the question's words in the hits.

    `paired`: the built-in pair of encoders compares, which gains inside a language (up to two
    points of recall@1) and more across. A light encoder alone speaks across languages only.
    In a `crowd` the sentence that holds most of the words is not the one that answers: the voice
    falls to nothing.
    """
    trust = _trust(coverage)
    if not paired:
        return Voice(LIGHT_WEIGHT_ACROSS * (1.0 - trust), None)
    return Voice(
        (WEIGHT_ACROSS + trust * (WEIGHT - WEIGHT_ACROSS)) * (1.0 - crowd),
        MARGIN_ACROSS + trust * (MARGIN - MARGIN_ACROSS),
    )


def token_voice(crowd: float = 0.0) -> Voice:
    """What late interaction may say. In a `crowd` the words that it meets do not tell which passage
    answers: the voice falls to nothing."""
    return Voice(TOKEN_WEIGHT * (1.0 - crowd), MARGIN_ACROSS, TOKEN_HEAD)


def _trust(coverage: float) -> float:
    """How far the words of question and text meet, 0..1."""
    return min(1.0, max(0.0, (coverage - NO_TRUST) / (FULL_TRUST - NO_TRUST)))


def rerank_hits(
    reranker: Reranker,
    query: str,
    hits: Sequence[Hit],
    read: Callable[[Sequence[str]], Sequence[Chunk]],
    *,
    n: int,
    voice: Voice = CROSS_ENCODER,
    tables: bool = False,
    text: Callable[[Chunk], str] = attrgetter("text"),
) -> list[Hit]:
    """Best `n` hits by (1 - weight) * z(fused) + weight * z(reranker); the rest follow, marked.

    `read` gives the chunks of ids: only what is asked about is read.
    `text`: what the reranker reads of a chunk.
    `tables`: whether pictures and tables are scored too (a cross-encoder can read them). Missing,
    NaN and flat reranker scores leave the fused order. Hits of the label leg stay first. Raises
    ModelError when the reranker gives another number of scores than texts; what the reranker
    itself raises passes through, so that the caller can go on with the fused order and say so.
    """
    weight, margin, head = voice
    candidates = kept(hits)
    gone = [hit for hit in hits if hit.explain.dropped]
    fused_z = _spread([hit for hit in candidates if not labelled(hit)], head if margin else None)
    asked = _near(candidates, fused_z, margin, head)
    asks = bool(query.strip()) and weight > 0.0 and len(asked) > 1
    scores = _reranked(reranker, query, _read(asked, read, tables, text)) if asks else {}
    reranked_z = _reordering(fused_z, scores, asked)
    blended = []
    for hit in candidates:
        place = hit.chunk_id
        final = (1 - weight) * fused_z.get(place, 0.0) + weight * reranked_z.get(place, 0.0)
        blended.append(explained(scored(hit, final), reranked=scores.get(place)))
    ordered = _lifted(blended)
    return [*ordered[:n], *(without(hit, DROPPED) for hit in ordered[n:]), *gone]


def _near(
    hits: Sequence[Hit], fused_z: Mapping[str, float], margin: float | None, head: int
) -> list[Hit]:
    """The hits that the reranker is asked about."""
    if margin is None:
        return list(hits)
    plain = sorted((h for h in hits if h.chunk_id in fused_z), key=lambda h: -fused_z[h.chunk_id])
    if not plain:
        return []
    least = fused_z[plain[0].chunk_id] - margin
    return [hit for hit in plain[:head] if fused_z[hit.chunk_id] >= least]


def _reordering(
    fused_z: Mapping[str, float], scores: Mapping[str, float], asked: Sequence[Hit]
) -> dict[str, float]:
    """The reranker's z-score of every hit. One without a score stands among those asked about
    where the fused score puts it; one that was not asked about, behind them."""
    known = _standard({i: s for i, s in scores.items() if i in fused_z})
    if not known:
        return dict(fused_z)
    own = {hit.chunk_id: fused_z[hit.chunk_id] for hit in asked if hit.chunk_id in fused_z}
    standing = {**_standard(own), **known}
    least = min(standing.values())
    return {i: standing.get(i, least) for i in fused_z}


def _read(
    hits: Sequence[Hit],
    read: Callable[[Sequence[str]], Sequence[Chunk]],
    tables: bool,
    text: Callable[[Chunk], str],
) -> list[tuple[str, str]]:
    """Chunk ids and what is compared of them."""
    chunks = read([hit.chunk_id for hit in hits])
    found = [(c.chunk_id, text(c)) for c in chunks if tables or c.chunk_type not in _UNRANKED]
    return [(chunk_id, words) for chunk_id, words in found if words.strip()]


def _reranked(reranker: Reranker, query: str, asked: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Finite reranker scores by chunk id."""
    if not asked:
        return {}
    scores = reranker.rerank(query, [words for _, words in asked])
    if len(scores) != len(asked):
        raise ModelError(
            f"The reranker {reranker.name} gave {len(scores)} scores for {len(asked)} texts. "
            "Check its endpoint, or set rerank.provider to builtin."
        )
    pairs = zip((i for i, _ in asked), scores, strict=True)
    return {i: float(score) for i, score in pairs if math.isfinite(score)}


def _spread(hits: Sequence[Hit], head: int | None) -> dict[str, float]:
    """z-scores of the fused scores, against the mean and deviation of the best `head`, or all."""
    scores = {hit.chunk_id: hit.score for hit in hits}
    best = sorted((v for v in scores.values() if math.isfinite(v)), reverse=True)[:head]
    return _standard(scores, sample=best)


def _standard(
    scores: Mapping[str, float], *, sample: Sequence[float] | None = None
) -> dict[str, float]:
    """Z-scores; empty when there are fewer than two values or all are equal."""
    mean, deviation = mean_and_deviation(scores.values() if sample is None else sample)
    if deviation < FLAT:
        return {}
    return {i: (v - mean) / deviation for i, v in scores.items() if math.isfinite(v)}


def _lifted(hits: Sequence[Hit]) -> list[Hit]:
    """Label hits first in the order given, the others by score, ties by id."""
    first = [hit for hit in hits if labelled(hit)]
    rest = sorted(
        (hit for hit in hits if not labelled(hit)), key=lambda hit: (-hit.score, hit.chunk_id)
    )
    top = max((hit.score for hit in rest), default=0.0)
    raised = [scored(hit, top + 1.0 + len(first) - place) for place, hit in enumerate(first)]
    return [*raised, *rest]
