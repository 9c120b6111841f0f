"""What is installed, configured and reachable, and what to do about the rest."""

import asyncio
import importlib.metadata
import importlib.util
import os
import sqlite3
import sys
from typing import Literal
from urllib.parse import urlsplit

from ..backends.catalog_schema import OLDEST_SQLITE, OLDEST_SQLITE_TEXT
from ..backends.commit import Store
from ..core.errors import IndexMismatchError, TuwenError
from ..core.model import Noun
from ..core.settings import Settings

CORE = (
    "langgraph",
    "langchain-core",
    "langchain-chroma",
    "chromadb",
    "openai",
    "docvortex",
    "jieba",
)
EXTRAS = {"FlagEmbedding": "bge", "torch": "bge", "rapidocr": "ocr"}


class Finding(Noun):
    """One check. `off`: not configured, which is fine."""

    name: str
    state: Literal["ok", "off", "bad"]
    detail: str = ""
    todo: str = ""


async def examine(settings: Settings) -> list[Finding]:
    """All checks, in a fixed order. Endpoints are asked with a connection only, no tokens spent."""
    return [
        _python(),
        _sqlite(),
        *[_package(name) for name in CORE],
        *[_extra(name, extra) for name, extra in EXTRAS.items()],
        _home(settings),
        await _endpoint("chat model", settings.chat.base_url, settings.chat.model),
        await _endpoint("chroma server", settings.store.chroma_url, settings.store.chroma_url),
        await _endpoint("mineru", settings.ingest.mineru_url, settings.ingest.mineru_url),
        *await asyncio.to_thread(_store, settings),
    ]


def _python() -> Finding:
    version = ".".join(str(part) for part in sys.version_info[:3])
    return Finding(name="python", state="ok", detail=version)


def _sqlite() -> Finding:
    good = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    return Finding(
        name="sqlite",
        state="ok" if good else "bad",
        detail=sqlite3.sqlite_version,
        todo=""
        if good
        else f"This Python's SQLite is older than {OLDEST_SQLITE_TEXT}; install a newer Python.",
    )


def _package(name: str) -> Finding:
    try:
        return Finding(name=name, state="ok", detail=importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name=name, state="bad", todo="pip install tuwen")


def _extra(name: str, extra: str) -> Finding:
    if importlib.util.find_spec(name) is not None:
        return Finding(name=name, state="ok", detail=importlib.metadata.version(name))
    return Finding(name=name, state="off", todo=f"optional: pip install 'tuwen[{extra}]'")


def _home(settings: Settings) -> Finding:
    home = settings.home
    parent = next((folder for folder in (home, *home.parents) if folder.exists()), home)
    good = os.access(parent, os.W_OK)
    return Finding(
        name="home",
        state="ok" if good else "bad",
        detail=str(home),
        todo="" if good else "Not writable: choose another folder with TUWEN_HOME.",
    )


async def _endpoint(name: str, url: str, configured: str) -> Finding:
    if not configured:
        return Finding(name=name, state="off", detail="not configured")
    parts = urlsplit(url or "https://api.openai.com")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        async with asyncio.timeout(5):
            _, writer = await asyncio.open_connection(parts.hostname or "", port)
    except (OSError, TimeoutError) as error:
        return Finding(
            name=name,
            state="bad",
            detail=f"{parts.hostname}:{port} {error or 'timed out'}",
            todo="Start it, or correct its address in the settings.",
        )
    writer.close()
    return Finding(name=name, state="ok", detail=f"{parts.hostname}:{port}")


def _store(settings: Settings) -> list[Finding]:
    from .services import opened_store

    if not settings.home.exists():
        return [Finding(name="store", state="off", detail="empty", todo="tuwen ingest PATH")]
    try:
        with opened_store(settings) as store:
            infos = store.catalog.collections()
            problems = [*store.problems, *_other_encoders(store)]  # what its recovery found
    except TuwenError as error:
        return [Finding(name="store", state="bad", detail=str(error))]
    if problems:
        return [Finding(name="store", state="bad", detail=problem) for problem in problems]
    count = sum(info.chunks for info in infos)
    return [Finding(name="store", state="ok", detail=f"{len(infos)} collections, {count} chunks")]


def _other_encoders(store: Store) -> list[str]:
    """Collections that another encoder built. Names are compared first: the dimension of one
    behind HTTP costs a call."""
    found = []
    for info in store.catalog.collections():
        if info.embedder not in ("", store.embedder.name):
            try:
                store.check_fingerprint(info.name)
            except IndexMismatchError as error:
                found.append(str(error))
    return found
