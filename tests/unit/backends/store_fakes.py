"""Small documents and a deterministic encoder for the store's tests."""

import hashlib
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tuwen.backends.commit import Store, open_store
from tuwen.core.chunk import Chunk, Edition, Figure
from tuwen.core.document import DocumentRecord
from tuwen.core.label import Label

COLLECTION = "泵房手册"


class HashEmbedder:
    """Bag of characters: texts that share characters are near. Deterministic everywhere."""

    def __init__(self, dim: int = 16, name: str = "hash-1") -> None:
        self.dim = dim
        self.name = name
        self.texts = 0

    def embed_passages(self, texts: Sequence[str]) -> Any:
        self.texts += len(texts)
        out = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for character in text or " ":
                byte = hashlib.sha256(character.encode()).digest()
                out[row, byte[0] % self.dim] += 1 + byte[1] / 255
        return out / np.linalg.norm(out, axis=1, keepdims=True)

    embed_queries = embed_passages


class Characters:
    """Tokenizer of single characters: loads nothing."""

    name = "characters"

    def fold(self, text: str) -> str:
        return text

    def tokens(self, text: str) -> list[str]:
        return [c for c in text if not c.isspace()]


def chunk(chunk_id: str, text: str, ordinal: int = 0, **fields: Any) -> Chunk:
    values: dict[str, Any] = {
        "doc_id": "d1",
        "edition": "e1",
        "collection": COLLECTION,
        "doc_title": "手册",
        "chunk_type": "section_text",
        "embedding_text": f"手册 {text}",
        "semantic_id": f"s-{chunk_id}",
    }
    return Chunk(chunk_id=chunk_id, text=text, ordinal=ordinal, **(values | fields))


def figure(figure_id: str, ordinal: int = 0, label: Label | None = None, **fields: Any) -> Figure:
    values: dict[str, Any] = {
        "doc_id": "d1",
        "edition": "e1",
        "collection": COLLECTION,
        "doc_title": "手册",
        "kind": "image",
    }
    return Figure(figure_id=figure_id, ordinal=ordinal, label=label, **(values | fields))


def record(doc_id: str = "d1", edition: str = "e1", **fields: Any) -> DocumentRecord:
    values: dict[str, Any] = {
        "collection": COLLECTION,
        "name": f"{doc_id}.pdf",
        "source_key": doc_id,
        "content_hash": f"hash-{doc_id}-{edition}",
        "title": "手册",
    }
    return DocumentRecord(doc_id=doc_id, edition=edition, **(values | fields))


def document(doc_id: str, edition: str, words: Sequence[str], assets: Sequence[str] = ()) -> Any:
    """(record, edition) with a chunk a word and a figure an asset; ids carry the edition."""
    common: dict[str, Any] = {"doc_id": doc_id, "edition": edition}
    chunks = tuple(
        chunk(
            f"{doc_id}-{edition}-{i}",
            f"{word}的说明",
            i,
            chunk_type="image" if i == 0 and assets else "section_text",
            figure_id=f"{doc_id}-{edition}-f0" if i == 0 and assets else "",
            **common,
        )
        for i, word in enumerate(words)
    )
    figures = tuple(
        figure(f"{doc_id}-{edition}-f{i}", i, asset_id=a, **common) for i, a in enumerate(assets)
    )
    bytes_ = {a: a.encode() for a in assets}
    return record(doc_id, edition), Edition(chunks=chunks, figures=figures, assets=bytes_)


def asset(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16] + ".png"


def open_small(home: Path, embedder: HashEmbedder | None = None, **options: Any) -> Store:
    return open_store(
        home, embedder or HashEmbedder(), lock_seconds=0.2, tokenizer=Characters(), **options
    )


def commit(store: Store, doc: Any) -> bool:
    rec, edition = doc
    vectors = store.embedder.embed_passages([c.embedding_text for c in edition.chunks])
    return store.commit(rec, edition, vectors)


def view(store: Store, collection: str = COLLECTION) -> dict[str, Any]:
    """Everything that every part holds: equal views mean that nothing is left over or missing."""
    active = set(store.catalog.select(collection, {}))
    return {
        "documents": [(r.doc_id, r.edition) for r in store.catalog.documents()],
        "chunks": active,
        "vectors": store.vectors.ids(collection),
        "keywords": store.keywords.ids(collection),
        "assets": store.assets.ids(),
        "stale": store.catalog.stale_editions(),
    }


class Crash(BaseException):
    """The process dies here: nothing catches it, and nothing works afterwards."""


WRITES = {
    "catalog": ("stage", "activate", "deactivate", "remove_edition", "set_fingerprint"),
    "vectors": ("upsert", "delete"),
    "keywords": ("add", "delete"),
    "assets": ("put_all", "delete"),
}


class Tripwire:
    """Dies before or after the n-th write of a store's parts; dead parts refuse every write."""

    def __init__(self, store: Store, at: int, *, after: bool) -> None:
        self.at, self.after, self.seen, self.dead = at, after, 0, False
        for part, names in WRITES.items():
            for name in names:
                target = getattr(store, part)
                setattr(target, name, self._wired(getattr(target, name)))

    def _wired(self, write: Any) -> Any:
        def wired(*args: Any, **options: Any) -> Any:
            if self.dead:
                raise Crash
            self.seen += 1
            if self.seen == self.at and not self.after:
                self.dead = True
                raise Crash
            result = write(*args, **options)
            if self.seen == self.at:
                self.dead = True
                raise Crash
            return result

        return wired


OLD = document("d1", "e1", ["离心泵", "阀门", "轴承"], [asset("kept"), asset("old")])
NEW = document("d1", "e2", ["离心泵", "锅炉"], [asset("kept"), asset("new")])
OTHER = document("d2", "e1", ["密封"], [asset("shared"), asset("kept")])
ACTIONS = {
    "commit": lambda store: commit(store, NEW),
    "delete": lambda store: store.delete("d1"),
    "drop": lambda store: store.drop(COLLECTION),
}


def fill(home: Path) -> None:
    """A store with the old edition of one document and with another document."""
    store = open_small(home)
    commit(store, OLD)
    commit(store, OTHER)
    store.close()


def disk_states(home: Path, act: Callable[[Store], object], into: Path) -> list[Path]:
    """`home` as a process that dies leaves it: a copy after each step of `act` that wrote.

    A step is a call or a return of a function of the store, or of what it calls, as of SQLite. The
    bytes are compared: two writes may have one size and one time.
    """
    store = open_small(home)
    states, last = list[Path](), _content(home)

    def profile(frame: Any, event: str, _: Any) -> None:
        nonlocal last
        if event != "c_call" and "/backends/" in frame.f_code.co_filename:
            now = _content(home)
            if now != last:
                last = now
                states.append(shutil.copytree(home, into / str(len(states)) / "home"))

    sys.setprofile(profile)
    act(store)
    sys.setprofile(None)
    store.close()
    return states


def _content(home: Path) -> dict[str, int]:
    files = (Path(at, name) for at, _, names in os.walk(home) for name in names)
    return {str(path): zlib.crc32(path.read_bytes()) for path in files}


def die_at(home: Path, action: str, step: int) -> None:
    """In a process of its own: os._exit at the step-th call of a function of the store."""
    seen = 0

    def profile(frame: Any, event: str, _: Any) -> None:
        nonlocal seen
        if event in ("call", "return") and "/backends/" in frame.f_code.co_filename:
            seen += 1
            if seen == step:
                os._exit(9)

    store = open_small(home)
    sys.setprofile(profile)
    ACTIONS[action](store)
    sys.setprofile(None)
    (home / "steps").write_text(str(seen))
    os._exit(0)
