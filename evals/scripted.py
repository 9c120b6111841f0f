"""The samples with a chat model on the tests' scripted endpoint, over real HTTP."""

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ..app.config import load_settings
from ..app.ingest import ingest
from ..app.services import open_services
from ..backends.openai_chat import OpenAIChat
from ..core.options import IngestOptions
from ..core.settings import ChatSettings
from ..graph.ingest import build_ingest_graph
from ..graph.services import Services

ROOT = Path(__file__).resolve().parents[1]
INPUTS = ("青川河水情年报", "small-hydro-handbook.pdf", "notes")


class Scripted(NamedTuple):
    """Services whose model is the scripted endpoint `server`; `reply` makes its replies."""

    services: Services
    model: OpenAIChat
    server: Any
    reply: Any


@contextmanager
def scripted_samples() -> Iterator[Scripted]:
    """The samples in a store of their own, gone afterwards. Run from the repository."""
    sys.path.insert(0, str(ROOT))
    from tests.scripted_server import Reply, ScriptedServer

    with tempfile.TemporaryDirectory() as folder, ScriptedServer() as server:
        settings = load_settings({}, folder=Path(folder), home=Path(folder) / "home")
        with open_services(settings) as services:
            graph = build_ingest_graph(services).compile()
            paths = [str(ROOT / "samples" / name) for name in INPUTS]
            asyncio.run(ingest(graph, paths, options=IngestOptions()))
            chat = ChatSettings(model="scripted", base_url=server.url, max_retries=0)
            model = OpenAIChat(settings=chat)
            kept = settings.model_copy(update={"chat": chat})
            made = replace(services, settings=kept, chat=model, judge=model)
            yield Scripted(made, model, server, Reply)
            model.close()


def single_questions() -> list[str]:
    """The samples' own questions that need no thread."""
    text = (ROOT / "samples" / "questions.json").read_text(encoding="utf-8")
    return [item["question"] for item in json.loads(text)["questions"] if not item["history"]]
