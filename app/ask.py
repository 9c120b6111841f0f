"""Ask one question through the chat graph and collect the finish event and the trace."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.graph.state import CompiledStateGraph

from ..core.options import RunOptions

Json = dict[str, Any]
RECURSION_LIMIT = 100


@dataclass
class Asked:
    """The finish event and what ran."""

    finish: Json
    trace: Json = field(default_factory=dict)


async def ask(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    question: str,
    *,
    thread: str = "",
    options: RunOptions | None = None,
    on_token: Callable[[str], None] = lambda _: None,
    on_event: Callable[[Json], None] = lambda _: None,
) -> Asked:
    """Run one turn. `on_token` gets the answer as it streams, `on_event` the typed events.

    The same `thread` continues a conversation when `graph` was compiled with a checkpointer.
    """
    config: Any = {"recursion_limit": RECURSION_LIMIT}
    if thread:
        config["configurable"] = {"thread_id": thread}
    state: Json = {}
    finish: Json = {}
    stream: Any = graph.astream(
        {"messages": [HumanMessage(question)]},
        config,
        context=options or RunOptions(),
        stream_mode=["values", "messages", "custom"],
        durability="exit" if thread else None,
    )
    async for mode, part in stream:
        if mode == "values":
            state = part
        elif mode == "messages":
            _pass_token(part[0], on_token)
        elif part.get("type") == "finish":
            finish = part
        else:
            on_event(part)
    return Asked(finish=finish, trace=trace_of(state))


def _pass_token(message: BaseMessage, on_token: Callable[[str], None]) -> None:
    """A piece of the answer; an answer that no model streams comes as one whole message."""
    if isinstance(message, AIMessage) and message.text:
        on_token(message.text)


def trace_of(state: Json) -> Json:
    """What `tuwen ask --json` shows beside the answer."""
    spent = state.get("spent", {})
    analysis = state.get("analysis", {})
    return {
        "intent": analysis,
        "queries": state.get("tried", []) or analysis.get("queries", []),
        "rounds": state.get("round", 0),
        "hits": state.get("hits", []),
        "evidence": state.get("evidence", []),
        "coverage": state.get("coverage", 0.0),
        "verdict": state.get("verdict", {}),
        "model_calls": int(spent.get("model_calls", 0)),
        "tokens": tokens_of(spent),
        **counted(spent),
    }


def tokens_of(spent: Json) -> Json:
    """Model tokens by kind, from the state's `spent`."""
    return {kind: int(spent.get(f"{kind}_tokens", 0)) for kind in ("prompt", "completion")}


def counted(spent: Json) -> Json:
    """Milliseconds per node and dropped hits per reason, from the state's `spent`."""
    return {
        name: {
            key.removeprefix(prefix): value
            for key, value in spent.items()
            if key.startswith(prefix)
        }
        for name, prefix in (("milliseconds", "ms."), ("dropped_hits", "dropped."))
    }
