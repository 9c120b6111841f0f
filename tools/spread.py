"""Mean and spread of scores, by which rankings of different scales are compared."""

import math
from collections.abc import Iterable

FLAT = 1e-9
"""A smaller deviation tells nothing apart."""


def mean_and_deviation(values: Iterable[float]) -> tuple[float, float]:
    """Mean and standard deviation of the finite values; 0 and 0 of fewer than two."""
    finite = [value for value in values if math.isfinite(value)]
    if len(finite) < 2:
        return 0.0, 0.0
    mean = math.fsum(finite) / len(finite)
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in finite) / len(finite))
