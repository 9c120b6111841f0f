"""The last step of a server's answer: addresses that its reader can open.

The graph names pictures by the app's own routes. Whoever asks through a server stands elsewhere, so
the finish event gets absolute addresses and pages to open, and the thread's message becomes the
Markdown that chat products show: the answer, its figures, its sources.
"""

import asyncio
import functools
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from ...core.options import RunOptions
from ...graph.policies import Node
from ...graph.services import Services
from ...graph.state import ChatState, Json
from ..ask import tokens_of
from . import metrics
from .markdown import appendix
from .pages import page_file
from .pictures import page_address
from .scope import configurable

BASE_KEY = "tuwen_base"
_HOST = re.compile(r"[\w.-]+(:\d{1,5})?|\[[0-9a-fA-F:.]+\](:\d{1,5})?")
_PREFIX = re.compile(r"(/[\w.~-]+)+")


def make_dress(services: Services) -> Callable[[Node], Node]:
    """Wraps the chat graph's `finish`: what it streams, keeps and says has addresses."""

    def dress(finish: Node) -> Node:
        @functools.wraps(finish)
        async def run(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
            plain = runtime.override(stream_writer=lambda _: None)
            update = await finish(state, plain)
            drawn = await asyncio.to_thread(drawable, services, update["answer"]["sources"])
            brought = configurable()
            base = base_of(services.settings.server.public_url, brought)
            payload = present(update["answer"], base=base, sign=services.sign, drawable=drawn)
            runtime.stream_writer(payload)
            if BASE_KEY not in brought:  # our own doors count their turns, unfinished ones too
                seconds = services.clock() - state.get("started", services.clock())
                tokens = tokens_of(state.get("spent", {}))
                collection = runtime.context.collection
                metrics.finished(run_id(runtime), collection, payload, seconds, tokens)
            messages = [shown(message, payload) for message in update["messages"]]
            return {**update, "answer": payload, "messages": messages}

        return run

    return dress


def run_id(runtime: Runtime[RunOptions]) -> str:
    """The id that LangGraph's server gave this run; "" outside of it."""
    info = runtime.execution_info
    return str(info.run_id) if info is not None and info.run_id else ""


def base_of(public_url: str, brought: Mapping[str, Any]) -> str:
    """Where the reader reaches this server: the setting, else as the request came in, else ""."""
    if public_url:
        return public_url.rstrip("/")
    if brought.get(BASE_KEY):
        return str(brought[BASE_KEY])

    def first(name: str) -> str:
        return str(brought.get(name) or "").partition(",")[0].strip()

    host = first("x-forwarded-host") or first("host")
    if not _HOST.fullmatch(host):
        return ""
    scheme = "https" if first("x-forwarded-proto").lower() == "https" else "http"
    prefix = first("x-forwarded-prefix").rstrip("/")
    return f"{scheme}://{host}{prefix if _PREFIX.fullmatch(prefix) else ''}"


def shown(message: AIMessage, payload: Json) -> AIMessage:
    """The message under its own id as Markdown, its data beside it."""
    content = payload["answer"] + appendix(payload)
    kept = {**message.additional_kwargs, "tuwen": payload}
    return message.model_copy(update={"content": content, "additional_kwargs": kept})


def drawable(services: Services, sources: Sequence[Json]) -> set[str]:
    """The documents of those sources whose pages can be drawn: their PDF is there. Blocking."""
    found = set()
    for doc_id in {source["doc_id"] for source in sources}:
        record = services.catalog.document(doc_id)
        if record is not None and page_file(services, record) is not None:
            found.add(doc_id)
    return found


def present(
    finish: Json, *, base: str, sign: Callable[[str], str], drawable: Collection[str]
) -> Json:
    """The finish event with addresses that the client can open."""
    sources = [
        {**source, "page_url": base + _page(source, sign)}
        if source.get("page") and source["doc_id"] in drawable
        else source
        for source in finish.get("sources", [])
    ]
    images = [absolute(image, "url", base) for image in finish.get("images", [])]
    return {**finish, "sources": sources, "images": images}


def absolute(item: Any, name: str, base: str) -> Any:
    """A source or image whose address begins with the server's."""
    address = item.get(name) if isinstance(item, dict) else None
    if not isinstance(address, str) or not address.startswith("/"):
        return item
    return {**item, name: base + address}


def _page(source: Json, sign: Callable[[str], str]) -> str:
    return page_address(source["doc_id"], source["page"], source["chunk_id"], sign)
