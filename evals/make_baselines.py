"""Make an environment of its own for each peer: `python -m tuwen.evals.make_baselines`.

Nothing of it enters the project's environment; `tuwen eval retrieval` calls a peer's Python.
"""

import argparse
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from .peers import PEERS, default_folder, interpreter
from .progress import say

PACKAGES = {
    "langchain": (
        "langchain-classic>=1,<2",
        "langchain-community>=0.4,<0.5",
        "langchain-chroma>=1.1,<2",
        "chromadb>=1.5,<2",
        "rank-bm25>=0.2.2,<0.3",
        "pypdf>=7",
    ),
    "txtai": ("txtai>=9",),
}


NEEDS_TORCH = frozenset({"txtai"})


def make(peer: str, folder: Path, *, torch: str = "torch") -> None:
    """Create or complete the environment of one peer; `torch` is the build of torch to take."""
    home = folder / peer
    if not interpreter(folder, peer).is_file():
        say(f"{peer}: making {home}")
        venv.create(home, with_pip=True)
    packages = [*PACKAGES[peer], *([torch] if peer in NEEDS_TORCH else [])]
    say(f"{peer}: installing {', '.join(packages)}")
    command = [str(interpreter(folder, peer)), "-m", "pip", "install", "--quiet", *packages]
    subprocess.run(command, check=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="Make the environments of the baselines.")
    parser.add_argument("peers", nargs="*", default=list(PEERS), help=", ".join(PEERS))
    parser.add_argument("--into", type=Path, default=default_folder())
    parser.add_argument(
        "--torch",
        default="torch",
        help="requirement of a build without CUDA, e.g. torch==2.13.0+cpu",
    )
    chosen = parser.parse_args(arguments)
    unknown = [peer for peer in chosen.peers if peer not in PACKAGES]
    if unknown:
        parser.error(f"unknown peer {unknown[0]!r}; there are {', '.join(PEERS)}")
    for peer in chosen.peers:
        try:
            make(peer, chosen.into, torch=chosen.torch)
        except subprocess.CalledProcessError as error:
            say(f"{peer}: pip ended with {error.returncode}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
