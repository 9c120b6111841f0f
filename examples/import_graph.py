"""Import the graph: no server, your own process, your own checkpointer."""

import asyncio

from common import QUESTION, show
from langgraph.checkpoint.memory import InMemorySaver

from tuwen.app import build_chat_graph, open_services
from tuwen.core.options import RunOptions


async def main() -> None:
    """Ask once and print."""
    # One process owns an embedded store: stop `tuwen serve` first, or share a Chroma server.
    with open_services() as services:
        graph = build_chat_graph(services).compile(checkpointer=InMemorySaver())
        state = await graph.ainvoke(
            {"messages": [{"role": "user", "content": QUESTION}]},
            {"configurable": {"thread_id": "1"}},
            context=RunOptions(collection="default"),
        )
    show(state["answer"])


asyncio.run(main())
