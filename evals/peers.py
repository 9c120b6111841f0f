"""Baselines that live in environments of their own: called as subprocesses over files.

`make_baselines.py` makes the environments. A peer gets `input.json` (passages, questions, k) and
the vectors of the same encoder as `passages.npy` and `questions.npy`, and leaves `output.json`
with one list of passage ids a question.
"""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..core.ports import Embedder
from .sets import Passage

PEERS = ("langchain", "txtai")
K = 10
SECONDS = 1800


@dataclass(frozen=True)
class PeerResult:
    """Rankings of passage ids, or why there are none."""

    rankings: list[list[str]] | None
    note: str


def default_folder() -> Path:
    """Where the peers' environments are looked for."""
    return Path.home() / ".cache" / "tuwen" / "baselines"


def interpreter(folder: Path, peer: str) -> Path:
    """The peer's Python."""
    return folder / peer / "bin" / "python"


def run_peer(
    peer: str,
    folder: Path,
    *,
    passages: Sequence[Passage],
    questions: Sequence[str],
    embedder: Embedder,
    k: int = K,
) -> PeerResult:
    """The peer's rankings of `passages` for `questions`; a note says what is missing."""
    python = interpreter(folder, peer)
    if not python.is_file():
        make = f"python -m tuwen.evals.make_baselines {peer} --into {folder}"
        return PeerResult(None, f"not installed; make its environment with: {make}")
    with tempfile.TemporaryDirectory(prefix="tuwen-peer-") as work:
        room = Path(work)
        task = {
            "k": k,
            "passages": [{"id": p.id, "text": p.text} for p in passages],
            "questions": list(questions),
        }
        (room / "input.json").write_text(json.dumps(task, ensure_ascii=False), encoding="utf-8")
        texts = [passage.text for passage in passages]
        np.save(room / "passages.npy", embedder.embed_passages(texts))
        np.save(room / "questions.npy", embedder.embed_queries(questions))
        return _call(python, Path(__file__).with_name(f"peer_{peer}.py"), room)


def _call(python: Path, script: Path, room: Path) -> PeerResult:
    try:
        done = subprocess.run(
            [str(python), str(script), str(room)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return PeerResult(None, f"did not end within {SECONDS} seconds")
    output = room / "output.json"
    if done.returncode or not output.is_file():
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return PeerResult(None, f"failed: {last}")
    result = json.loads(output.read_text(encoding="utf-8"))
    return PeerResult(result["rankings"], result["versions"])
