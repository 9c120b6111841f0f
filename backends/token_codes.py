"""Late interaction over codes: how well a passage's tokens meet each token of a question.

A question scores a passage by the sum, over its tokens, of each one's nearest token there (MaxSim;
Khattab and Zaharia, "ColBERT", SIGIR 2020). Of every number of a passage's token vectors two bits
are kept, sign and whether it is large, 96 bytes a token, after a rotation that spreads what single
dimensions hold (as RaBitQ does; Gao and Long, SIGMOD 2024): against the question's whole vectors
they order passages as the vectors themselves do (docs/evaluation.md).
"""

import hashlib
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..core.ports import Vectors

VERSION = "2"
"""Of the rotation and the form of the codes: part of what a file of them is named by."""
Codes = NDArray[np.uint8]
"""Shape (tokens, dim / 4): the signs of the turned vector's numbers, then which are large."""
# The best four steps for numbers that are distributed normally (Max, "Quantizing for Minimum
# Distortion", 1960), in times of their deviation.
_LARGE, _NEAR, _FAR = 0.9816, 0.4528, 1.5104
_KEPT = 0.8825
"""What those steps keep of a product on average."""
_FLAT = 1e-9


def turned(tokens: Vectors) -> Vectors:
    """The vectors rotated, shape (tokens, dim); their products stay what they are."""
    return np.asarray(tokens, dtype=np.float32) @ _rotation(np.shape(tokens)[1])


def coded(tokens: Vectors) -> Codes:
    """The codes of token vectors of any length, shape (tokens, dim), dim a multiple of 8."""
    rows = turned(tokens)
    large = _LARGE * np.sqrt(np.square(rows).mean(axis=1, keepdims=True))
    return np.concatenate(
        [np.packbits(rows > 0, axis=1), np.packbits(abs(rows) > large, axis=1)], 1
    )


def _decoded(codes: Codes) -> Vectors:
    """Vectors whose products are about those of the unit vectors, shape (tokens, dim)."""
    signs, large = np.split(np.unpackbits(codes, axis=1).astype(np.float32), 2, axis=1)
    steps = (2 * signs - 1) * (_NEAR + (_FAR - _NEAR) * large)
    return np.asarray(steps / np.float32(_KEPT * np.sqrt(signs.shape[1])), dtype=np.float32)


@cache
def _rotation(dim: int) -> Vectors:
    """An orthogonal matrix of whole numbers but for its scale: the same on every machine.

    Codes are flipped by a hash, then blocks of a power of two are mixed (Hadamard), dealt out over
    the blocks and mixed again.
    """
    size = dim & -dim
    block = np.ones((1, 1))
    while len(block) < size:
        block = np.block([[block, block], [block, -block]])
    mixed = np.kron(np.eye(dim // size), block)
    dealt = np.arange(dim).reshape(dim // size, size).T.ravel()
    bits = np.unpackbits(np.frombuffer(hashlib.shake_256(b"turn").digest(-(-dim // 8)), np.uint8))
    flips = 1.0 - 2.0 * bits[:dim]
    return np.asarray(flips[:, None] * mixed[:, dealt] @ mixed / size, dtype=np.float32)


def met(question: Vectors, codes: Codes) -> NDArray[np.float64]:
    """Of each token of the question (unit vectors, turned, shape (q, dim)) the best cosine, about,
    with a token of the passage; -1 where it has none."""
    if not len(codes):
        return np.full(len(question), -1.0)
    return np.asarray((_decoded(codes) @ question.T).max(axis=0), dtype=np.float64)


def scores(rows: Sequence[NDArray[np.float64]]) -> list[float]:
    """One number in 0..1 a passage, from what each passage's tokens meet of the question's.

    A token that all passages meet alike does not tell them apart: each weighs by how much the
    passages differ in it. Passages that are alike in all get the plain mean.
    """
    if not rows:
        return []
    table = np.stack(rows)
    weights = table.std(axis=0)
    if weights.sum() < _FLAT:
        weights = np.ones(table.shape[1])
    means = table @ weights / weights.sum()
    return [float(value) for value in (1.0 + np.clip(means, -1.0, 1.0)) / 2]
