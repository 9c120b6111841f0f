"""The chat graph, on one screen.

analyse -> reply (greeting, question back, nothing indexed)
        -> recall (about the last answer) -> select_figures
        -> retrieve | retrieve_part (several at once) -> combine
        -> reflect -> (gap: retrieve again) -> select_figures
           -> write_with_model | write_extract -> check_citations -> (once: repair ->) finish
"""

from collections.abc import Callable
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from ..agents.about_answer import RULED
from ..agents.judge import ModelJudge
from ..agents.repairer import ModelRepairer
from ..agents.rewriter import ModelRewriter
from ..agents.writer import ModelWriter
from ..core.options import RunOptions
from ..tools.sanitise import AnswerGuard
from .nodes import answer, chat, figures, parts
from .nodes.finish import make_finish
from .nodes.recall import make_recall
from .nodes.repair import make_repair, unrepaired
from .policies import RETRY, Node, degrading, timed
from .retrieval import build_retrieval_graph
from .routes import after_analyse, after_check, after_model, after_receive, after_reflect
from .services import Services
from .state import ChatInput, ChatOutput, ChatState, Json
from .words import spoken

Writer = Literal["write_with_model", "write_extract"]


def quote_instead(name: str, state: ChatState, error: Exception) -> Json:
    """The writer's fallback for whatever else goes wrong in it."""
    return answer.without_model(error, spoken(state))


def as_it_is(node: Node) -> Node:
    """A node undressed: whoever imports the graph has no addresses to add."""
    return node


def onward(state: ChatState) -> str | list[Send]:
    """A compound question is searched part by part, all parts at the same time."""
    way = after_analyse(state)
    return parts.send_parts(state) if way == "retrieve" and state.get("parts") else way


def make_judge(services: Services) -> ModelJudge | None:
    """The model judge of reflection's grey zone, when a model is configured for it."""
    settings = services.settings.chat
    if services.judge is None or not settings.judge:
        return None
    return ModelJudge(services.judge, settings, capabilities=services.capabilities)


def make_rewriter(services: Services) -> ModelRewriter | None:
    """The model that makes a follow-up self-contained where the rules cannot."""
    settings = services.settings.chat
    if services.judge is None or not settings.rewrite:
        return None
    return ModelRewriter(services.judge, settings, capabilities=services.capabilities)


def build_chat_graph(
    services: Services,
    *,
    receive: Node | None = None,
    dress: Callable[[Node], Node] = as_it_is,
    drawn: bool = False,
) -> StateGraph[Any, Any, Any, Any]:
    """The graph without checkpointer or store: the caller compiles it with its own.

    `receive`, when given, goes first and takes files out of the messages. `dress` wraps `finish`: a
    server gives the answer addresses there. `drawn` is for looking at the graph: LangGraph draws
    the inside of a subgraph only when it may write checkpoints, which would double what a turn
    writes to disk.
    """

    def after_figures(state: ChatState, runtime: Runtime[RunOptions]) -> Writer:
        ruled = state["analysis"].get("about") in RULED
        model = services.chat and runtime.context.use_model and not ruled
        return "write_with_model" if model else "write_extract"

    graph = StateGraph(
        ChatState, context_schema=RunOptions, input_schema=ChatInput, output_schema=ChatOutput
    )
    graph.set_node_defaults(retry_policy=RETRY)
    graph.add_node("analyse", timed(chat.make_analyse(services, make_rewriter(services))))
    graph.add_node("reply", timed(answer.make_reply(services)))
    retrieval = build_retrieval_graph(services).compile(checkpointer=None if drawn else False)
    graph.add_node("retrieve", retrieval)
    graph.add_node("retrieve_part", timed(parts.make_retrieve_part(retrieval)))
    graph.add_node("recall", timed(make_recall(services)))
    graph.add_node("combine", timed(parts.make_combine(services)))
    graph.add_node("reflect", timed(chat.make_reflect(services, make_judge(services))))
    graph.add_node("select_figures", timed(figures.make_select_figures(services)))
    graph.add_node("write_extract", timed(answer.make_write_extract(services)))
    graph.add_node("check_citations", timed(answer.make_check_citations(services)))
    graph.add_node("finish", timed(dress(make_finish(services))))
    writers = ["write_extract"]
    if services.chat is not None:
        writer = ModelWriter(services.chat, services.settings.chat, make_guard=AnswerGuard)
        node = degrading(answer.make_write_with_model(services, writer), quote_instead)
        graph.add_node("write_with_model", timed(node))
        graph.add_conditional_edges(
            "write_with_model", after_model, ["check_citations", "write_extract"]
        )
        writers.append("write_with_model")
        repairer = ModelRepairer(services.chat, services.settings.chat, make_guard=AnswerGuard)
        graph.add_node("repair", timed(degrading(make_repair(services, repairer), unrepaired)))
        graph.add_edge("repair", "check_citations")
        graph.add_conditional_edges("check_citations", after_check, ["repair", "finish"])
    else:
        graph.add_edge("check_citations", "finish")
    if receive is None:
        graph.add_edge(START, "analyse")
    else:
        graph.add_node("receive", receive)
        graph.add_edge(START, "receive")
        graph.add_conditional_edges("receive", after_receive, ["analyse", END])
    graph.add_conditional_edges("analyse", onward, ["reply", "recall", "retrieve", "retrieve_part"])
    graph.add_edge("recall", "select_figures")
    graph.add_edge("retrieve_part", "combine")
    graph.add_edge("combine", "reflect")
    graph.add_edge("retrieve", "reflect")
    graph.add_conditional_edges("reflect", after_reflect, ["retrieve", "select_figures"])
    graph.add_conditional_edges("select_figures", after_figures, writers)
    graph.add_edge("write_extract", "check_citations")
    graph.add_edge("reply", "finish")
    graph.add_edge("finish", END)
    return graph
