"""Entry points of `langgraph dev`: graph factories and the app's own routes.

Stores are opened once, in the HTTP lifespan; the factories, called for every run and schema
read, only hand out the compiled graphs.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from fastapi import FastAPI
from langgraph_sdk.runtime import ServerRuntime

from ..core.options import RunOptions
from .doors import chat, documents, errors, health, openai_api, page, pages, pictures
from .doors.gate import Gate, LimitBody
from .doors.ingesting import Ingesting
from .doors.opened import DRAWING, Graph, Opened, opened
from .doors.saver import open_saver, restore
from .doors.talk import Talk
from .doors.tool_text import ToolText
from .threads import THREADS_FILE

logger = logging.getLogger(__name__)
OPEN_DOOR = (
    "Authentication is off (TUWEN_API_KEYS is not set): everybody who reaches this port is one"
    " user."
)


async def make_chat_graph(runtime: ServerRuntime[RunOptions]) -> Graph:
    """The chat graph for the server; Studio's drawing shows the retrieval subgraph too."""
    looking = runtime.access_context == "assistants.read"
    return await opened.agraph(DRAWING if looking else "chat")


async def make_answer_graph() -> Graph:
    """The answer graph for the server: a tool."""
    return await opened.agraph("answer")


async def make_ingest_graph() -> Graph:
    """The ingestion graph for the server."""
    return await opened.agraph("ingest")


def make_app(process: Opened, *, server: bool = False) -> FastAPI:
    """The app's own routes over a process's stores; `server`: below LangGraph's own routes."""
    gate = Gate(process)
    talk = Talk(process)
    ingesting = Ingesting(process)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        services = await asyncio.to_thread(process.services)
        if not gate.owners():
            logger.warning(OPEN_DOOR)
        home = await asyncio.to_thread(services.settings.home.absolute)
        async with AsyncExitStack() as stack:
            talk.saver = await stack.enter_async_context(open_saver(home / THREADS_FILE))
            restoring = asyncio.create_task(restore(home / THREADS_FILE)) if server else None
            yield
            if restoring is not None:
                restoring.cancel()
                with suppress(asyncio.CancelledError):
                    await restoring
            await ingesting.close()
        await asyncio.to_thread(process.close)

    app = FastAPI(
        title="tuwen",
        lifespan=lifespan,
        description="Answers with page-exact citations and figures. 图文问答。",
    )
    app.add_middleware(LimitBody, limit=lambda: body_limit(process))
    app.add_middleware(ToolText)
    errors.install(app)
    for part in (
        pictures.router(gate),
        documents.router(gate, ingesting),
        pages.router(gate),
        chat.router(gate, talk),
        openai_api.router(gate, talk),
        health.router(gate, talk),
        page.router(),
    ):
        app.include_router(part)
    return app


def body_limit(process: Opened) -> int:
    """Bytes a request may have: an upload as base64, and room for the rest."""
    return (process.settings().server.max_upload_mb * 7 // 5 + 1) << 20


http = make_app(opened, server=True)
