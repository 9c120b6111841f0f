"""Joining the rankings of the legs into one.

`rrf` is reciprocal rank fusion as published (Cormack, Clarke and Buettcher, SIGIR 2009): every
leg adds weight / (k + rank), ranks from 1. It knows nothing of how far a leg can be trusted and
hurts whenever one leg is weak (a Chinese question over English text has no keyword matches worth
the name). `coverage_fusion` therefore joins z-scores and weighs the keyword leg by the share of
the question's terms that its best hits really contain.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from ..core.evidence import Explain, Hit, LegResult, LegScore
from ..core.settings import RetrievalSettings
from .spread import FLAT, mean_and_deviation
from .support import Lookup, support

# The keyword leg counts for nothing below this coverage and fully at FULL_COVERAGE.
NO_COVERAGE = 0.2
FULL_COVERAGE = 0.5
# What the dense leg yields to a keyword leg that holds all of the question's terms; less holds
# the square of its share. Chosen on DuReader, OHR-Bench and CRUD, where one leg or the other is
# the weaker.
DENSE_YIELD = 0.6
# How sharply a leg's z-scores tell its favourite from the rest, and the chance below which a
# favourite is nobody's. DuReader and CRUD gain by it; values half and twice as large do as well.
SHARPNESS = 2.0
NOBODY = 1e-3
# What near hits say of one another counts this much where the words leave it open which hit it is.
# Chosen on RGB with a look at all sets; half as much or half as much again does as well.
SUPPORT = 0.4
# Of a keyword leg that does not say its coverage, half is believed.
UNKNOWN_TRUST = 0.5
# A further query of a round (a variant, a part) counts this much of the first one.
VARIANT_WEIGHT = 0.9


def fuse(
    legs: Sequence[LegResult], settings: RetrievalSettings, lookup: Lookup | None = None
) -> list[Hit]:
    """Join the legs the way the settings say. `lookup`: the chunks' vectors, read only for a
    question whose words many chunks hold."""
    if settings.fusion == "rrf":
        return rrf(legs, k=settings.rrf_k)
    return coverage_fusion(legs, lookup=lookup)


def rrf(
    legs: Sequence[LegResult], *, k: int = 60, weights: Mapping[str, float] | None = None
) -> list[Hit]:
    """Reciprocal rank fusion, best first, ties by id.

    A chunk gets one contribution a leg, from its best rank there over all queries, however often
    the leg repeats it. A leg of weight 0 adds nothing, yet its chunks stay in the result.
    """
    explained = _explain(legs)
    hits = []
    for chunk_id, by_leg in explained.items():
        total = math.fsum(
            (weights.get(leg, 1.0) if weights else 1.0) / (k + place.rank)
            for leg, place in by_leg.items()
        )
        hits.append(_hit(chunk_id, total, by_leg))
    return _ordered(hits)


def coverage_fusion(
    legs: Sequence[LegResult],
    *,
    variant_weight: float = VARIANT_WEIGHT,
    lookup: Lookup | None = None,
) -> list[Hit]:
    """Join z-scores, the keyword leg weighted by its coverage, best first, ties by id.

    score = w * z(keyword) + (1 - 0.6 c^2) * z(dense) + either, c the coverage,
    w = clip((c - 0.2) / 0.3, 0, 1). The sum asks for both legs; `either` = log(w * softmax(2
    z(keyword)) + softmax(2 z(dense)) + 0.001), less its mean, lets in what one of them is sure of.
    In a crowd (many short chunks hold all the words that the best one holds) the words do not say
    which it is: w and what dense yields shrink by it, and z(dense) gains what near hits say of one
    another.
    The visual leg holds cosines of the same encoder, so it only fills in the dense score of
    pictures and tables that the dense leg did not reach: it cannot flood the result. Several
    queries are fused each by itself and a chunk keeps its best score. Hits of the label leg (the
    object that the question names by number) come first.
    """
    explained = _explain(legs)
    if not explained:
        return []
    fused: dict[str, float] = {}
    queries = list(dict.fromkeys(leg.query for leg in legs if leg.leg != "label"))
    found = [_fuse_query([x for x in legs if x.query == query], lookup) for query in queries]
    for position in range(len(queries)):
        weight = variant_weight if position else 1.0
        for chunk_id, score in found[position].items():
            shrunk = score * weight if score > 0 else score
            if shrunk > fused.get(chunk_id, -math.inf):
                fused[chunk_id] = shrunk
    floor = min(fused.values(), default=0.0)
    scores = {chunk_id: fused.get(chunk_id, floor) for chunk_id in explained}
    lifted = _lift_labels(scores, explained)
    return _ordered([_hit(i, lifted[i], places) for i, places in explained.items()])


def keyword_trust(coverage: float | None) -> float:
    """How far the keyword leg is believed, 0..1, from its coverage of the question's terms."""
    if coverage is None:
        return UNKNOWN_TRUST
    return min(1.0, max(0.0, (coverage - NO_COVERAGE) / (FULL_COVERAGE - NO_COVERAGE)))


def crowd_of(legs: Iterable[LegResult]) -> float:
    """How far the words leave open which hit it is, 0..1; of several queries the least."""
    return min((x.crowd for x in legs if x.leg == "keyword" and x.ids), default=0.0)


def _fuse_query(legs: Sequence[LegResult], lookup: Lookup | None) -> dict[str, float]:
    """Fused scores of one query's legs."""
    keyword = _best(x for x in legs if x.leg == "keyword")
    dense = _best(x for x in legs if x.leg == "dense")
    visual = _best(x for x in legs if x.leg == "visual")
    coverages = [x.coverage for x in legs if x.leg == "keyword" and x.coverage is not None]
    coverage = max(coverages, default=None) if keyword else 0.0
    trust = keyword_trust(coverage)
    near = {**visual, **dense}
    sure = 1 - crowd_of(legs) if near else 1.0
    if not near:
        trust = 1.0
    ids = list(near.keys() | keyword.keys())
    if not ids:
        return {}
    least = min(near.values(), default=0.0)
    dense_z = _z([near.get(i, least) for i in ids], (dense or visual).values())
    words = [keyword.get(i, 0.0) for i in ids]
    keyword_z = _z(words, words)
    if sure < 1 and lookup is not None:
        votes = support(dict(zip(ids, dense_z, strict=True)), lookup)
        share = SUPPORT * (1 - sure)
        dense_z = [z + share * votes[i] for i, z in zip(ids, dense_z, strict=True)]
    held = UNKNOWN_TRUST if coverage is None else coverage
    trust *= sure
    dense_weight = 1 - DENSE_YIELD * sure * held**2 if near else 0.0
    parts = zip(ids, keyword_z, dense_z, _either(keyword_z, dense_z, trust), strict=True)
    return {i: trust * said + dense_weight * meant + either for i, said, meant, either in parts}


def _either(keyword_z: Sequence[float], dense_z: Sequence[float], trust: float) -> list[float]:
    """Log of the chance that one leg or the other gives each chunk, less the mean of them."""
    chances = zip(_softmax(keyword_z), _softmax(dense_z), strict=True)
    logs = [math.log(trust * words + near + NOBODY) for words, near in chances]
    mean = math.fsum(logs) / len(logs)
    return [value - mean for value in logs]


def _softmax(z: Sequence[float]) -> list[float]:
    top = max(z)
    powers = [math.exp(SHARPNESS * (value - top)) for value in z]
    total = math.fsum(powers)
    return [power / total for power in powers]


def _best(legs: Iterable[LegResult]) -> dict[str, float]:
    """Best finite score of each id."""
    best: dict[str, float] = {}
    for leg in legs:
        for chunk_id, score in zip(leg.ids, leg.scores, strict=False):
            if math.isfinite(score):
                best[chunk_id] = max(best.get(chunk_id, -math.inf), float(score))
    return best


def _z(scores: Sequence[float], sample: Collection[float]) -> list[float]:
    """Z-scores against the mean and deviation of `sample`; all 0 when the sample is flat."""
    mean, deviation = mean_and_deviation(sample)
    if deviation < FLAT:
        return [0.0] * len(scores)
    return [(score - mean) / deviation for score in scores]


def _lift_labels(
    scores: Mapping[str, float], explained: Mapping[str, Mapping[str, LegScore]]
) -> Mapping[str, float]:
    """Raise the label leg's hits over all others, among themselves by label and fused score."""
    named = {i: legs["label"].score for i, legs in explained.items() if "label" in legs}
    if not named:
        return scores
    top = max(named.values())
    span = max(scores.values()) - min(scores.values()) + 1.0
    lifted = dict(scores)
    for chunk_id, score in named.items():
        share = score / top if top > 0 else 1.0
        lifted[chunk_id] += span * (1.0 + max(0.0, share))
    return lifted


def _explain(legs: Sequence[LegResult]) -> dict[str, dict[str, LegScore]]:
    """For every chunk its best rank and score in each leg; repeats inside a leg do not count."""
    explained: dict[str, dict[str, LegScore]] = {}
    for leg in legs:
        scores = dict(zip(reversed(leg.ids), reversed(leg.scores), strict=False))
        for rank, chunk_id in enumerate(dict.fromkeys(leg.ids), start=1):
            place = LegScore(rank, float(scores.get(chunk_id, 0.0)))
            places = explained.setdefault(chunk_id, {})
            known = places.get(leg.leg)
            if known is not None:
                place = LegScore(min(rank, known.rank), max(place.score, known.score))
            places[leg.leg] = place
    return explained


def _hit(chunk_id: str, score: float, by_leg: Mapping[str, LegScore]) -> Hit:
    return Hit(chunk_id, score, Explain(by_leg, score))


def _ordered(hits: list[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))
