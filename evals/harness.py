"""What every evaluation needs: services in a temporary home, passages in a store, progress."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ..app.config import load_settings
from ..app.services import make_late, make_readers, make_reranker, open_services
from ..backends.token_keeper import TokenKeeper
from ..core.chunk import Chunk, Edition
from ..core.document import DocumentRecord
from ..core.indexing import index_passages
from ..core.settings import Settings
from ..core.text import digest, language
from ..graph.services import Services
from .sets import Passage
from .vector_cache import CachedEmbedder

COLLECTION = "eval"
PATIENCE = 600.0
"""Seconds that a stage may take."""


def cache_folder() -> Path:
    """Where vectors are kept between runs."""
    return Path(tempfile.gettempdir()) / "tuwen-eval-vectors"


@contextmanager
def temporary_services(*, cached: bool = True) -> Iterator[Services]:
    """The settings' services over an empty home that is removed in the end.

    `cached`: the encoder keeps its vectors on disk between runs, and no time limit cuts a stage
    off: quality is then the same on a busy machine, timings are not the encoder's.
    """
    with tempfile.TemporaryDirectory(prefix="tuwen-eval-") as home:
        settings = load_settings(home=Path(home))
        settings = _patient(settings) if cached else settings
        # Not warmed up: what still loads in the end would write into the home that is removed.
        with open_services(settings, warm=False) as services:
            if not cached:
                yield services
                return
            embedder = CachedEmbedder(services.embedder, cache_folder())
            readers = make_readers(services.embedder)
            sentences = CachedEmbedder(readers.light, cache_folder())
            across = CachedEmbedder(readers.across, cache_folder())
            tokens = readers.tokens
            if isinstance(tokens, TokenKeeper):
                tokens = tokens.kept_in(cache_folder() / "tokens.sqlite")
            readers = readers._replace(light=sentences, across=across, tokens=tokens)
            try:
                yield replace(
                    services,
                    embedder=embedder,
                    sentences=sentences,
                    across=across,
                    reranker=make_reranker(settings.rerank, readers, services.tokenizer),
                    late=make_late(settings.rerank, readers),
                )
            finally:
                embedder.close()
                sentences.close()
                across.close()
                if isinstance(tokens, TokenKeeper):
                    tokens.close()


def _patient(settings: Settings) -> Settings:
    limits = {"leg_seconds": PATIENCE, "round_seconds": PATIENCE}
    return settings.model_copy(
        update={
            "retrieval": settings.retrieval.model_copy(update=limits),
            "rerank": settings.rerank.model_copy(update={"timeout_seconds": PATIENCE}),
        }
    )


@contextmanager
def own_services() -> Iterator[Services]:
    """The user's own home, with vectors of questions kept on disk between runs."""
    with open_services(_patient(load_settings())) as services:
        embedder = CachedEmbedder(services.embedder, cache_folder())
        try:
            yield replace(services, embedder=embedder)
        finally:
            embedder.close()


def commit_passages(
    services: Services, passages: Sequence[Passage], *, collection: str = COLLECTION, title: str
) -> None:
    """Index every passage as one chunk whose id is the passage's.

    Passages without a `doc` are one document; there passage n stands on page n, so that a
    citation's page names the passage. Each is a section of its own: passages of a set are
    no neighbours of one another.
    """
    by_doc: dict[str, list[Passage]] = {}
    for passage in passages:
        by_doc.setdefault(passage.doc, []).append(passage)
    for doc, group in by_doc.items():
        name = doc or title
        doc_id = digest(collection, name)
        chunks = tuple(
            _chunk(passage, doc_id=doc_id, name=name, ordinal=i, collection=collection)
            for i, passage in enumerate(group)
        )
        texts = [chunk.embedding_text for chunk in chunks]
        vectors = index_passages(services.embedder, texts)
        record = DocumentRecord(
            doc_id=doc_id,
            edition="1",
            collection=collection,
            name=name,
            source_key=name,
            content_hash=digest(name, *(chunk.chunk_id for chunk in chunks)),
            title=name,
            chunks=len(chunks),
            language=language(" ".join(chunk.text for chunk in chunks[:20])),
        )
        services.store.commit(record, Edition(chunks=chunks, figures=()), vectors)


def _chunk(passage: Passage, *, doc_id: str, name: str, ordinal: int, collection: str) -> Chunk:
    page = passage.page if passage.page is not None else ordinal + 1
    return Chunk(
        chunk_id=passage.id,
        doc_id=doc_id,
        edition="1",
        collection=collection,
        doc_title=name,
        chunk_type="section_text",
        text=passage.text,
        embedding_text=passage.text,
        semantic_id=f"{doc_id}-{ordinal}",
        ordinal=ordinal,
        section_path=f"{page}",
        page_start=page,
        page_end=page,
        language=language(passage.text),
    )
