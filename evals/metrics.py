"""Ranking, classification and interval measures.

A ranking is a sequence of ids, best first; `relevant` is the set of ids that answer the question.
Means are over questions; a question without relevant ids is refused by the callers, not here.
"""

import math
import random
from collections.abc import Callable, Collection, Mapping, Sequence

from pydantic import BaseModel, ConfigDict

RANKS = (1, 5, 10)
Interval = tuple[float, float]
Z_95 = 1.959963984540054
BOOTSTRAP_ROUNDS = 1000


def recall_at(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Share of the relevant ids among the first `k`."""
    if not relevant:
        return 0.0
    return len(set(ranking[:k]) & set(relevant)) / len(set(relevant))


def hit_at(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    """1 when any relevant id is among the first `k`, else 0."""
    return float(bool(set(ranking[:k]) & set(relevant)))


def mrr_at(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    """1 / rank of the first relevant id within the first `k`, else 0."""
    wanted = set(relevant)
    for rank, item in enumerate(ranking[:k], start=1):
        if item in wanted:
            return 1.0 / rank
    return 0.0


def ndcg_at(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Binary nDCG (Järvelin and Kekäläinen 2002): gain 1, discount log2(rank + 1)."""
    wanted = set(relevant)
    if not wanted:
        return 0.0
    first_seen = dict.fromkeys(ranking)
    gained = math.fsum(
        1.0 / math.log2(rank + 1)
        for rank, item in enumerate(list(first_seen)[:k], start=1)
        if item in wanted
    )
    ideal = math.fsum(1.0 / math.log2(rank + 1) for rank in range(1, min(k, len(wanted)) + 1))
    return gained / ideal


def wilson(successes: float, n: int) -> Interval:
    """95 % score interval of a share (Wilson 1927); (0, 1) without observations."""
    if n <= 0:
        return 0.0, 1.0
    share = successes / n
    scale = 1 + Z_95**2 / n
    middle = (share + Z_95**2 / (2 * n)) / scale
    half = Z_95 / scale * math.sqrt(share * (1 - share) / n + Z_95**2 / (4 * n * n))
    low = 0.0 if share <= 0 else middle - half
    high = 1.0 if share >= 1 else middle + half
    return max(0.0, low), min(1.0, high)


def bootstrap(values: Sequence[float], *, seed: int, rounds: int = BOOTSTRAP_ROUNDS) -> Interval:
    """95 % percentile interval of the mean; the same seed gives the same interval."""
    if not values:
        return 0.0, 1.0
    dice = random.Random(seed)
    means = sorted(_mean(dice.choices(values, k=len(values))) for _ in range(rounds))
    low = means[int(0.025 * (rounds - 1))]
    high = means[math.ceil(0.975 * (rounds - 1))]
    return low, high


def interval(values: Sequence[float], *, seed: int = 0) -> Interval:
    """Wilson's for shares of yes and no, the bootstrap's for anything else."""
    if all(value in (0.0, 1.0) for value in values):
        return wilson(math.fsum(values), len(values))
    return bootstrap(values, seed=seed)


class Counts(BaseModel):
    """A two-class outcome: positive is what is to be found."""

    model_config = ConfigDict(frozen=True)

    true_positive: int = 0
    false_positive: int = 0
    false_negative: int = 0
    true_negative: int = 0

    @property
    def precision(self) -> float | None:
        """None when nothing was said to be positive."""
        said = self.true_positive + self.false_positive
        return self.true_positive / said if said else None

    @property
    def recall(self) -> float | None:
        """None when nothing is positive."""
        real = self.true_positive + self.false_negative
        return self.true_positive / real if real else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two; None when nothing is or was said to be positive."""
        total = 2 * self.true_positive + self.false_positive + self.false_negative
        return 2 * self.true_positive / total if total else None


def count(outcomes: Sequence[tuple[bool, bool]]) -> Counts:
    """From pairs (is positive, was said to be positive)."""
    return Counts(
        true_positive=sum(real and said for real, said in outcomes),
        false_positive=sum(said and not real for real, said in outcomes),
        false_negative=sum(real and not said for real, said in outcomes),
        true_negative=sum(not real and not said for real, said in outcomes),
    )


Ranked = tuple[Sequence[str], Collection[str]]
Measure = Callable[[Sequence[str], Collection[str], int], float]


def ranking_values(
    pairs: Sequence[Ranked], *, hits: bool = False, ranks: Sequence[int] = RANKS
) -> dict[str, list[float]]:
    """Values per question of `recall@k`, `mrr@10`, `ndcg@10` (and `hit@k`)."""
    wanted: list[tuple[str, Measure, int]] = [(f"recall@{k}", recall_at, k) for k in ranks]
    if hits:
        wanted += [(f"hit@{k}", hit_at, k) for k in ranks]
    wanted += [("mrr@10", mrr_at, 10), ("ndcg@10", ndcg_at, 10)]
    return {
        name: [measure(ranking, relevant, k) for ranking, relevant in pairs]
        for name, measure, k in wanted
    }


def means(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Rounded means; 0 without questions."""
    return {name: round(_mean(row), 4) for name, row in values.items()}


def intervals(values: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Rounded 95 % intervals [low, high]."""
    return {name: [round(end, 4) for end in interval(row)] for name, row in values.items()}


def percentile(values: Sequence[float], share: float) -> float:
    """Linear interpolation between the two nearest values; 0 without values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low, high = math.floor(place), math.ceil(place)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
