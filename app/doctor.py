"""What is installed, configured and reachable, and what to do about the rest."""

import asyncio
import importlib.metadata
import importlib.util
import os
import sqlite3
import sys
from typing import Literal
from urllib.parse import urlsplit

from ..core.model import Noun
from ..core.settings import Settings

MIN_SQLITE = (3, 35, 0)
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
        await asyncio.to_thread(_store, settings),
    ]


def _python() -> Finding:
    version = ".".join(str(part) for part in sys.version_info[:3])
    return Finding(name="python", state="ok", detail=version)


def _sqlite() -> Finding:
    good = sqlite3.sqlite_version_info >= MIN_SQLITE
    return Finding(
        name="sqlite",
        state="ok" if good else "bad",
        detail=sqlite3.sqlite_version,
        todo="" if good else "This Python's SQLite is older than 3.35; use a newer Python build.",
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


def _store(settings: Settings) -> Finding:
    from ..core.errors import StoreError
    from .services import open_services

    if not settings.home.exists():
        return Finding(name="store", state="off", detail="empty", todo="tuwen ingest PATH")
    try:
        with open_services(settings, warm=False) as services:
            infos = services.catalog.collections()
    except StoreError as error:
        return Finding(name="store", state="bad", detail=str(error))
    count = sum(info.chunks for info in infos)
    return Finding(name="store", state="ok", detail=f"{len(infos)} collections, {count} chunks")
