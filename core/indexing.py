"""Encoders that keep more of a searched text than its vector."""

from collections.abc import Iterable, Sequence

from .ports import Embedder, Vectors


def index_passages(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Vectors of texts that are going to be searched, shape (n, dim); an encoder that keeps
    something of them for its reranker does so."""
    make = getattr(embedder, "index_passages", embedder.embed_passages)
    vectors: Vectors = make(texts)
    return vectors


def forget_passages(embedder: Embedder, texts: Sequence[str]) -> None:
    """What the encoder kept of texts that are searched no more is removed."""
    forget = getattr(embedder, "forget_passages", None)
    if forget is not None and texts:
        forget(texts)


def keep_passages(embedder: Embedder, texts: Iterable[str]) -> None:
    """What the encoder kept of any other text is removed."""
    keep = getattr(embedder, "keep_passages", None)
    if keep is not None:
        keep(texts)
