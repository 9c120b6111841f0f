"""LangChain's stock hybrid, as its documentation shows it: run by the peer's own Python.

EnsembleRetriever(BM25Retriever, Chroma) with weights 0.5 and 0.5. Usage: peer_langchain.py FOLDER
"""

import importlib
import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

MOST_AT_ONCE = 5000


def main(folder: Path) -> None:
    """Read input.json and the vectors, write output.json."""
    task = json.loads((folder / "input.json").read_text(encoding="utf-8"))
    retriever = build(task, folder)
    rankings = [
        [document.metadata["id"] for document in retriever.invoke(question)][: task["k"]]
        for question in task["questions"]
    ]
    names = ("langchain-classic", "langchain-community", "langchain-chroma", "chromadb")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    output = {"rankings": rankings, "versions": versions}
    (folder / "output.json").write_text(json.dumps(output, ensure_ascii=False), encoding="utf-8")


def build(task: dict[str, Any], folder: Path) -> Any:
    """The retriever of the documentation's hybrid search page."""
    numpy = importlib.import_module("numpy")
    documents = importlib.import_module("langchain_core.documents")
    retrievers = importlib.import_module("langchain_classic.retrievers")
    community = importlib.import_module("langchain_community.retrievers")
    chroma = importlib.import_module("langchain_chroma")
    passages = task["passages"]
    docs = [documents.Document(page_content=p["text"], metadata={"id": p["id"]}) for p in passages]
    texts = [p["text"] for p in passages] + task["questions"]
    rows = [*numpy.load(folder / "passages.npy"), *numpy.load(folder / "questions.npy")]
    store = chroma.Chroma(
        collection_name="peer",
        embedding_function=embeddings_of(dict(zip(texts, rows, strict=True))),
    )
    for start in range(0, len(docs), MOST_AT_ONCE):
        store.add_documents(docs[start : start + MOST_AT_ONCE])
    keyword = community.BM25Retriever.from_documents(docs)
    keyword.k = task["k"]
    dense = store.as_retriever(search_kwargs={"k": task["k"]})
    return retrievers.EnsembleRetriever(retrievers=[keyword, dense], weights=[0.5, 0.5])


def embeddings_of(table: dict[str, Any]) -> Any:
    """The same encoder's vectors, looked up by text."""
    base = importlib.import_module("langchain_core.embeddings").Embeddings

    class Known(base):  # type: ignore[misc,valid-type]  # only the peer's environment has it
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [table[text].tolist() for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    return Known()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
