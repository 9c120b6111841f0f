"""LangChain's plain way in: loader, splitter, Chroma; run by the peer's own Python.

PyPDFLoader or TextLoader, RecursiveCharacterTextSplitter, Chroma on disk. Vectors are made up: what
encoding costs is measured apart, with one encoder for both. Usage: peer_loader.py FILE FOLDER DIM
"""

import importlib
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

CHARS, OVERLAP = 500, 80
MOST_AT_ONCE = 5000


def main(file: Path, folder: Path, dim: int) -> None:
    """Write output.json: seconds a stage, chunks, peak memory in MB, the chunks' texts."""
    loaders = importlib.import_module("langchain_community.document_loaders")
    splitters = importlib.import_module("langchain_text_splitters")
    chroma = importlib.import_module("langchain_chroma")
    loader = loaders.PyPDFLoader(str(file)) if file.suffix == ".pdf" else _text(loaders, file)
    begun = time.perf_counter()
    pages = loader.load()
    loaded = time.perf_counter()
    splitter = splitters.RecursiveCharacterTextSplitter(chunk_size=CHARS, chunk_overlap=OVERLAP)
    docs = splitter.split_documents(pages)
    split = time.perf_counter()
    store = chroma.Chroma(
        collection_name="peer",
        embedding_function=made_up(dim),
        persist_directory=str(folder / "chroma"),
    )
    for start in range(0, len(docs), MOST_AT_ONCE):
        store.add_documents(docs[start : start + MOST_AT_ONCE])
    stored = time.perf_counter()
    output = {
        "seconds": {"read": loaded - begun, "chunk": split - loaded, "store": stored - split},
        "chunks": len(docs),
        "peak_mb": peak_mb(),
        "texts": [doc.page_content for doc in docs[:: max(len(docs) // 200, 1)]],
    }
    (folder / "output.json").write_text(json.dumps(output, ensure_ascii=False), encoding="utf-8")


def peak_mb() -> float:
    """Most memory that this process has held; the kernel's own count starts at its program."""
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _text(loaders: Any, file: Path) -> Any:
    return loaders.TextLoader(str(file), encoding="utf-8")


def made_up(dim: int) -> Any:
    """Unit vectors that cost next to nothing."""
    numpy = importlib.import_module("numpy")
    base = importlib.import_module("langchain_core.embeddings").Embeddings
    made = numpy.random.default_rng(0)

    class MadeUp(base):  # type: ignore[misc,valid-type]  # only the peer's environment has it
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            rows = made.standard_normal((len(texts), dim), dtype="float32")
            rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
            return [row.tolist() for row in rows]

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    return MadeUp()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
