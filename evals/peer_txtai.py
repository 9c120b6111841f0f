"""txtai's hybrid search (BM25 and vectors), run by the peer's own Python.

Embeddings(hybrid=True) with external vectors. Usage: peer_txtai.py FOLDER
"""

import importlib
import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any


def main(folder: Path) -> None:
    """Read input.json and the vectors, write output.json."""
    task = json.loads((folder / "input.json").read_text(encoding="utf-8"))
    index = build(task, folder)
    ids = [p["id"] for p in task["passages"]]
    rankings = [
        [ids[place] for place, _ in index.search(question, task["k"])]
        for question in task["questions"]
    ]
    output = {"rankings": rankings, "versions": f"txtai {version('txtai')}"}
    (folder / "output.json").write_text(json.dumps(output, ensure_ascii=False), encoding="utf-8")


def build(task: dict[str, Any], folder: Path) -> Any:
    """A hybrid index over the passages, by their place in the list."""
    numpy = importlib.import_module("numpy")
    txtai = importlib.import_module("txtai")
    passages = [p["text"] for p in task["passages"]]
    texts = passages + task["questions"]
    rows = [*numpy.load(folder / "passages.npy"), *numpy.load(folder / "questions.npy")]
    table = dict(zip(texts, rows, strict=True))

    def transform(batch: list[str]) -> Any:
        return numpy.stack([table[text] for text in batch])

    index = txtai.Embeddings(method="external", transform=transform, hybrid=True)
    index.index((place, text, None) for place, text in enumerate(passages))
    return index


if __name__ == "__main__":
    main(Path(sys.argv[1]))
