"""The `answer` graph: a question in, an answer with sources and images out, for tools.

Protocols that turn a graph into a tool (MCP, function calling) show its input as the tool's
arguments, so there is one argument that must be given and one that may.
"""

from typing import Any, NotRequired

from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..core.options import RunOptions
from .state import Json


class AnswerInput(TypedDict):
    """The tool's arguments."""

    question: str
    collection: NotRequired[str]
    """The collection to search; left out: the run's."""


class AnswerOutput(TypedDict):
    """What the tool returns: the finish event's parts."""

    answer: str
    verdict: str
    sources: list[Json]
    images: list[Json]
    notices: list[Json]


class AnswerState(AnswerInput, AnswerOutput):
    """The graph's room."""


def build_answer_graph(
    chat: CompiledStateGraph[Any, Any, Any, Any],
) -> StateGraph[Any, Any, Any, Any]:
    """One node around the chat graph: the same answer as everywhere, no thread."""

    async def answer(state: AnswerState, runtime: Runtime[RunOptions]) -> Json:
        given = runtime.context or RunOptions()
        chosen = state.get("collection", "").strip() or given.collection
        options = RunOptions(**{**vars(given), "collection": chosen})
        result = await chat.ainvoke(
            {"messages": [HumanMessage(state["question"])]}, context=options
        )
        finish = result["answer"]
        return {key: finish[key] for key in AnswerOutput.__annotations__}

    graph = StateGraph(
        AnswerState,
        context_schema=RunOptions,
        input_schema=AnswerInput,
        output_schema=AnswerOutput,
    )
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    return graph
