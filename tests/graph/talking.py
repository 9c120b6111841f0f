"""What whole-run tests need: our own notes, a scripted model, one turn with all its streams."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from tests.scripted_server import Asked, Reply, ScriptedServer
from tuwen.agents.capabilities import Capabilities
from tuwen.app.ask import trace_of
from tuwen.app.ingest import ingest
from tuwen.backends.openai_chat import OpenAIChat
from tuwen.core.options import IngestOptions, RunOptions
from tuwen.core.settings import ChatSettings
from tuwen.graph.chat import build_chat_graph
from tuwen.graph.ingest import build_ingest_graph
from tuwen.graph.services import Services

Json = dict[str, Any]
NOTES = {
    "泵站手册.md": """# 泵站手册

## 循环泵 ABC-320

ABC-320 泵的额定流量为 25 m³/h，额定压力为 1.6 MPa，额定转速为 2 950 r/min。

ABC-320 泵的机械密封每 8 000 h 更换一次。密封泄漏量超过 5 mL/h 时应立即更换。

## 远程启动

A 泵支持远程启动。B 泵不支持远程启动，只能就地启动。B 泵外形紧凑，重 80 kg。

## 功率

泵 P-101 的功率为 55 kW，转速为 1 480 r/min。泵 P-102 的功率为 75 kW，转速为 2 960 r/min。
""",
    "boiler-notes.md": """# Boiler notes

## Output

In 2020 the boiler produced 412 GWh of heat. In 2021 the boiler produced 388 GWh of heat.

## Interlock

The interlock of the feed pump trips at 0.35 MPa suction pressure. The low water cut-off acts
within 3 s.

## Maintenance

The burner is cleaned every 500 hours. The flame detector is tested every month.
""",
}
SAMPLE_REPORT = Path(__file__).resolve().parents[2] / "samples" / "青川河水情年报"
GREY = "循环泵的供货厂家是谁？"
"""A question whose words the notes hold in part: reflection's grey zone."""


def written(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """The texts as files of these names in a folder of their own."""
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def take_in(services: Services, *paths: Path, collection: str = "notes") -> None:
    """Ingest files or folders, all of which must become documents."""
    graph = build_ingest_graph(services).compile()
    options = IngestOptions(collection=collection)
    reports = asyncio.run(ingest(graph, [str(path) for path in paths], options=options))
    assert {report.state for report in reports} == {"ready"}, reports


def verdict(kind: str, *queries: str) -> Reply:
    """A judge's reply."""
    return Reply(json.dumps({"verdict": kind, "reason": "r", "missing": [], "queries": queries}))


def is_helper(asked: Asked) -> bool:
    """Whether a request is the judge's or the rewriter's: they ask for JSON."""
    return "Reply with one JSON object only" in asked.text


def roles(
    server: ScriptedServer, *, writer: Any = "好的 [1]。", judge: Any = None, rewrite: Any = None
) -> None:
    """Let the server answer by role; a list is played in order, its last item for ever."""
    parts: dict[str, list[Any]] = {
        name: list(given) if isinstance(given, list) else [given]
        for name, given in (("writer", writer), ("judge", judge), ("rewrite", rewrite))
    }

    def respond(asked: Asked) -> Reply:
        role = "writer"
        if is_helper(asked):
            role = "judge" if '"verdict"' in asked.text else "rewrite"
        queue = parts[role]
        reply = queue.pop(0) if len(queue) > 1 else queue[0]
        assert reply is not None, f"{role} was not expected to be asked: {asked.text[-500:]}"
        return reply if isinstance(reply, Reply) else Reply(reply)

    server.respond = respond


def with_model(services: Services, url: str, **values: Any) -> Services:
    """The services with a chat model at `url`, its time limits short."""
    chat = ChatSettings(
        model="tiny",
        base_url=url,
        **{
            "max_retries": 0,
            "first_token_seconds": 1.0,
            "idle_seconds": 0.5,
            "timeout_seconds": 10.0,
            **values,
        },
    )
    model = OpenAIChat(settings=chat)
    settings = services.settings.model_copy(update={"chat": chat})
    return replace(
        services, settings=settings, chat=model, judge=model, capabilities=Capabilities()
    )


@dataclass
class Turn:
    """One turn as a client sees it."""

    values: Json = field(default_factory=dict)
    events: list[Json] = field(default_factory=list)
    chunks: list[tuple[AIMessage, Json]] = field(default_factory=list)

    @property
    def finish(self) -> Json:
        (event,) = [event for event in self.events if event.get("type") == "finish"]
        return event

    @property
    def answer(self) -> str:
        return str(self.finish["answer"])

    @property
    def streamed(self) -> str:
        return "".join(message.text for message, _ in self.chunks)

    @property
    def codes(self) -> list[str]:
        return [notice["code"] for notice in self.finish["notices"]]

    @property
    def trace(self) -> Json:
        return trace_of(self.values)

    @property
    def reply(self) -> AIMessage:
        message = self.values["messages"][-1]
        assert isinstance(message, AIMessage)
        return message


class Talk:
    """A conversation on the compiled chat graph."""

    def __init__(self, services: Services, saver: Any = None, **options: Any) -> None:
        self.saver = saver or InMemorySaver()
        self.graph = build_chat_graph(services).compile(checkpointer=self.saver)
        self.options = RunOptions(**{"collection": "notes", **options})

    async def say(
        self, content: Any, *, thread: str = "t", limit: int = 100, subgraphs: bool = False
    ) -> Turn:
        """Run one turn and keep everything that it streams."""
        turn = Turn()
        config: Any = {"configurable": {"thread_id": thread}, "recursion_limit": limit}
        stream: Any = self.graph.astream(
            {"messages": [HumanMessage(content)]},
            config,
            context=self.options,
            stream_mode=["values", "messages", "custom"],
            subgraphs=subgraphs,
        )
        async for *_, mode, part in stream:
            if mode == "values":
                turn.values = part
            elif mode == "custom":
                turn.events.append(part)
            elif isinstance(part[0], AIMessage | AIMessageChunk):
                turn.chunks.append(part)
        return turn
