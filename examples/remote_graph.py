"""RemoteGraph: tuwen's chat graph, on its server, as a node of a graph of yours."""

import asyncio
from typing import Annotated, Any

from common import HEADERS, QUESTION, URL, show
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.pregel.remote import RemoteGraph
from typing_extensions import TypedDict


class Mine(TypedDict):
    """A state of yours; the keys that tuwen shares are filled by it."""

    messages: Annotated[list[Any], add_messages]
    answer: dict[str, Any]


async def main() -> None:
    """Ask once and print."""
    tuwen = RemoteGraph("chat", url=URL, headers=HEADERS)
    builder = StateGraph(Mine)
    builder.add_node("tuwen", tuwen)
    builder.add_edge(START, "tuwen")
    builder.add_edge("tuwen", END)
    state = await builder.compile().ainvoke({"messages": [("user", QUESTION)]})
    show(state["answer"])


asyncio.run(main())
