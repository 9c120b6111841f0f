"""The chat graph's door on a server: files leave the message before anything else sees it.

They are ingested into the thread's own collection; what cannot be read is refused in words.
"""

import asyncio
import contextvars
import html
import importlib.util
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from ...core.document import FileReport
from ...core.errors import DamagedFileError, TuwenError, UnsupportedFileError
from ...core.evidence import Finish, Notice
from ...core.options import IngestOptions, RunOptions
from ...graph.policies import Node
from ...graph.services import Services
from ...graph.state import ChatState, Json
from ..ingest import ingest
from . import uploads
from .access import thread_collection
from .blocks import Attached, has_files, split, without_files
from .scope import Caller, caller

IngestGraph = Callable[[], Any]
ADDRESS = (
    "远程地址不会被读取，请直接上传文件。 / Addresses are not fetched; upload the file itself."
)
UNREADABLE = "附件无法解码。 / The attachment could not be decoded."


def make_receive(services: Services, ingest_graph: IngestGraph) -> Node:
    """`services` are the unscoped ones; `ingest_graph` gives the compiled ingestion graph."""

    async def receive(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        message = state["messages"][-1] if state["messages"] else None
        if not isinstance(message, HumanMessage) or not has_files(message):
            return {"received": [], "only_files": False}
        words, files = split(message)
        notes = await take_in(services, ingest_graph(), caller(), files)
        kept = without_files(message, notes)
        notices = [
            Notice(code=f"upload.{note['state']}", text=note["text"]).model_dump() for note in notes
        ]
        update: Json = {"messages": [kept], "received": notices, "only_files": False}
        asked = any(isinstance(b, str) or str(b.get("text", "")).strip() for b in words)
        return update if asked else {**update, **only_files(services, runtime, kept, notes)}

    return receive


def only_files(
    services: Services, runtime: Runtime[RunOptions], kept: Any, notes: Sequence[Json]
) -> Json:
    """A message of files alone is answered by what became of them."""
    text = "\n\n".join(note["text"] for note in notes)
    payload = Finish(answer=text).model_dump(mode="json")
    runtime.stream_writer(payload)
    answer = AIMessage(id=services.new_id(), content=text, additional_kwargs={"tuwen": payload})
    return {"messages": [kept, answer], "answer": payload, "only_files": True}


async def take_in(
    services: Services, graph: Any, who: Caller, files: Sequence[Attached]
) -> list[Json]:
    """One note a file: its name, state, document id and a sentence for the reader."""
    if not who.thread:
        text = "请在会话线程中上传文件。 / Files can be uploaded in a thread only."
        return [_note(item, "failed", text) for item in files]
    collection = thread_collection(who.owner, who.thread)
    notes = []
    held = len(await asyncio.to_thread(services.catalog.documents, collection))
    for item in files:
        if held >= services.settings.server.max_thread_files:
            text = f"本会话最多 {held} 个文件。 / This conversation holds {held} files already."
            notes.append(_note(item, "failed", text))
            continue
        notes.append(await _take_one(services, graph, collection, item))
        held += notes[-1]["state"] == "ready"
    return notes


async def _take_one(services: Services, graph: Any, collection: str, item: Attached) -> Json:
    try:
        path, options = await asyncio.to_thread(_kept, services, collection, item)
    except TuwenError as error:
        return _note(item, "failed", error.said("zh"))
    report = await detached(ingest(graph, [str(path)], options=options))
    return told(item, report[0])


def _kept(services: Services, collection: str, item: Attached) -> tuple[Path, IngestOptions]:
    """The file on disk, a picture as a page of its own. Blocking. Raises TuwenError."""
    if item.problem == "address":
        raise UnsupportedFileError(ADDRESS)
    limit = services.settings.server.max_upload_mb << 20
    too_long = len(item.data) * 3 // 4 > limit + 3
    data = b"\0" * (limit + 1) if too_long else item.content()
    if not data:
        raise DamagedFileError(UNREADABLE)
    name, parser = item.name, "auto"
    if item.mime.startswith("image/"):
        name, data, parser = f"{item.name}.pdf", picture_page(data), "ocr"
    path = uploads.keep(services, collection, name, data)
    return path, IngestOptions(collection=collection, parser=parser)


def picture_page(data: bytes) -> bytes:
    """A picture as a one-page PDF, for the OCR reader. Raises DocumentError."""
    if importlib.util.find_spec("rapidocr") is None:
        raise UnsupportedFileError(
            "读取图片需要 OCR，本服务未安装（tuwen[ocr]）。请上传 PDF 或用文字描述。 / Reading"
            " pictures needs OCR, which this server has not (tuwen[ocr])."
        )
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as picture:
            page = io.BytesIO()
            picture.convert("RGB").save(page, format="PDF", resolution=150)
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        raise DamagedFileError("图片已损坏。 / The picture is damaged.") from error
    return page.getvalue()


def told(item: Attached, report: FileReport) -> Json:
    """What became of a file, in words."""
    name = shown(item.name)
    if report.state == "failed":
        return _note(item, "failed", f"《{name}》未能入库：{report.error} / {name} was refused.")
    pages = f"，{report.pages} 页 / pages" if report.pages else ""
    text = f"已读入《{name}》{pages}，可在本会话中提问。 / {name} can be asked about here."
    return {**_note(item, "ready", text), "doc_id": report.doc_id}


def _note(item: Attached, state: str, text: str) -> Json:
    return {"name": shown(item.name), "mime": item.mime, "state": state, "text": text}


def shown(name: str) -> str:
    """A file's name as it may stand in Markdown."""
    cleaned = uploads.clean_name(name)
    return html.escape("".join("_" if c in "[]()`*\\" else c for c in cleaned), quote=False)


async def detached(work: Any) -> Any:
    """Await a run that is no part of the one around it: its state and events stay its own."""
    return await asyncio.create_task(work, context=contextvars.Context())
