"""The finish event, the message of the thread, and what the thread is about from now on."""

import asyncio
from collections.abc import Sequence

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from ...agents.analyst import next_focus
from ...core.analysis import Analysis, Focus
from ...core.document import FileReport
from ...core.evidence import Finish, ImageItem, Notice, Source
from ...core.options import RunOptions
from ...tools.sanitise import sanitise
from ...tools.select_figures import is_sure
from ..policies import Node
from ..services import Services
from ..state import ChatState, Json
from ..words import Language, notice, spoken, told
from .chat import load_finding
from .recall import remembered

UNREAD = frozenset({"no_text", "locked", "damaged"})
"""Reasons of files that hold something: named before empty and unsupported ones."""
MOST_NAMED = 3


def make_finish(services: Services) -> Node:
    """The finish event, the message of the thread, and what the thread is about now."""

    def unsearched(state: ChatState, options: RunOptions) -> Notice | None:
        return unsearched_notice(services.catalog.failures(options.collection), spoken(state))

    async def finish(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        event = finish_event(state)
        if event.abstained and (
            gone := await asyncio.to_thread(unsearched, state, runtime.context)
        ):
            event = event.model_copy(update={"notices": (*event.notices, gone)})
        payload = event.model_dump(mode="json")
        runtime.stream_writer(payload)
        message = AIMessage(
            id=state["draft"]["id"],
            content=event.answer,
            additional_kwargs={"tuwen": payload},
        )
        focus = await asyncio.to_thread(_focus, services, state, event)
        return {
            "answer": payload,
            "messages": [message],
            "focus": focus.model_dump(mode="json"),
            "last": remembered(state, event),
        }

    return finish


def unsearched_notice(failures: Sequence[FileReport], language: Language) -> Notice | None:
    """An answer that was not found may stand in a file that could not be read: say so."""
    if not failures:
        return None
    ranked = sorted(failures, key=lambda report: report.reason not in UNREAD)
    names = "; ".join(f"{sanitise(item.path)} ({item.reason})" for item in ranked[:MOST_NAMED])
    more = f" +{len(failures) - MOST_NAMED}" if len(failures) > MOST_NAMED else ""
    zh = f"未能入库、未检索的文件：{names}{more}"
    return told("not_searched", language, zh, f"Not ingested, not searched: {names}{more}")


def finish_event(state: ChatState) -> Finish:
    """The answer as every door shows it.

    An abstention cites at most the nearest passages that it names. It shows a figure only where one
    was asked for or where the question is a figure's caption in other words: the text may not say
    what the picture shows.
    """
    abstained = bool(state["draft"].get("abstained"))
    answer = state.get("answer") or {}
    images = [] if state.get("plain") else state.get("images", [])
    notices = list(state.get("notices", []))
    if abstained:
        analysis = Analysis.model_validate(state["analysis"])
        images = [image for image in images if analysis.wish != "none" or is_sure(image["why"])]
        notices += [nearest_figure(spoken(state))] if images else []
    return Finish(
        answer=answer.get("answer", state["draft"]["text"]),
        verdict="abstained" if abstained else answer.get("verdict", ""),
        abstained=abstained,
        sources=tuple(Source.model_validate(item) for item in answer.get("sources", [])),
        images=tuple(ImageItem.model_validate(item) for item in images),
        notices=tuple(Notice.model_validate(item) for item in notices),
    )


def nearest_figure(language: Language) -> Json:
    """That the text does not answer and a figure is shown for what it is worth."""
    zh = "正文没有直接回答；所示图表与问题最接近。"
    en = "The text does not answer; the figure shown comes nearest to the question."
    return notice("figure_nearest", language, zh, en)


def _focus(services: Services, state: ChatState, event: Finish) -> Focus:
    analysis = Analysis.model_validate(state["analysis"])
    finding = load_finding(state)
    shown = services.catalog.figures([image.id for image in event.images])
    labels = [figure.label for figure in shown if figure.label is not None]
    documents = [source.doc_id for source in event.sources]
    return next_focus(
        Focus.model_validate(state.get("focus") or {}),
        analysis,
        [] if event.abstained else documents or [figure.doc_id for figure in shown],
        [figure.figure_id for figure in shown] or list(finding.figure_ids[:1] if finding else ()),
        labels or list(analysis.labels),
    )
