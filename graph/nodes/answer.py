"""The chat graph's nodes from the writer to the finish event."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from ...agents.analyst import next_focus
from ...agents.analyst_rules import parts_of
from ...agents.critic import Checked, check_answer
from ...agents.extractive import Draft, write_extractive
from ...agents.passages import Passage, load_passages
from ...agents.usage import UsageMeter
from ...agents.writer import ModelWriter, Written
from ...core.analysis import Analysis, Focus
from ...core.chunk import Figure
from ...core.document import DocumentRecord, FileReport
from ...core.errors import ModelError, StoreError, TuwenError
from ...core.events import Reasoning
from ...core.evidence import Evidence, Finish, ImageItem, Notice, Source
from ...core.options import RunOptions
from ...core.ports import Embedder, Vectors
from ...tools.citations import build_sources
from ...tools.sanitise import sanitise
from ..messages import history_messages, pictures, questions
from ..policies import Node
from ..services import Services
from ..state import ChatState, Json
from ..words import plain_reply, reply_language
from .chat import load_finding

UNREAD = frozenset({"no_text", "locked", "damaged"})
"""Reasons of files that hold something: named before empty and unsupported ones."""
MOST_NAMED = 3


def make_reply(services: Services) -> Node:
    """Greetings, questions back and the empty collection: no retrieval, no citation, no model."""

    async def reply(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        analysis = Analysis.model_validate(state["analysis"])
        chosen = runtime.context.language
        language = chosen if chosen != "auto" else reply_language(analysis, said(state))
        text = plain_reply(state["plain"], analysis, runtime.context.collection, language)
        abstains = state["plain"] == "empty"
        return {"draft": {"text": text, "id": services.new_id(), "abstained": abstains}}

    return reply


def said(state: ChatState) -> list[str]:
    """The user's earlier words, oldest first."""
    return questions(state["messages"])[1]


def load_evidence(services: Services, state: ChatState) -> list[Passage]:
    """What the writer sees, read from the catalog."""
    evidence = [Evidence.model_validate(item) for item in state.get("evidence", [])]
    return load_passages(services.catalog, evidence)


def shown_figures(services: Services, state: ChatState) -> list[Figure]:
    """The chosen figures, in order."""
    return services.catalog.figures([image["id"] for image in state.get("images", [])])


def answer_language(analysis: Analysis, options: RunOptions) -> Literal["zh", "en"]:
    """The run's choice, else the question's language."""
    return analysis.language if options.language == "auto" else options.language


def together(drafts: Sequence[Draft]) -> Draft:
    """The answers to the parts of a question as one, no line twice; it abstains when all do."""
    said = [draft for draft in drafts if not draft.abstained] or drafts[:1]
    lines = dict.fromkeys(line for draft in said for line in draft.text.split("\n"))
    unsaid = [draft.text for draft in drafts if draft.abstained and draft not in said]
    return Draft(text="\n".join([*lines, *dict.fromkeys(unsaid)]), abstained=said[0].abstained)


class WordsOnly:
    """In the encoder's place when it fails: every text is equally near."""

    @property
    def name(self) -> str:
        """No model."""
        return "words-only"

    @property
    def dim(self) -> int:
        """One number a text."""
        return 1

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Zeros, (n, 1)."""
        return np.zeros((len(texts), 1), dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Zeros, (n, 1)."""
        return self.embed_passages(texts)


def encoder_notice(error: Exception) -> Notice:
    """That sentences were chosen by their words alone."""
    return Notice(
        code="encoder_failed",
        text=f"编码器失败，只按字词摘录：{error} / The encoder failed; words alone decide: {error}",
    )


def make_write_extract(services: Services) -> Node:
    """The writer without a model: the best sentences, verbatim, with citations.

    Without its encoder it ranks them by words alone, and says so.
    """

    def write(state: ChatState, options: RunOptions, embedder: Embedder) -> Json:
        whole = Analysis.model_validate(state["analysis"])
        passages, figures = load_evidence(services, state), shown_figures(services, state)
        parts = [Analysis.model_validate(part) for part in state.get("parts", [])]
        # Separate sentences the writer takes apart itself, with the whole question in view.
        asked = parts if len(parts_of(whole)) < 2 else []
        drafts = [
            write_extractive(
                analysis,
                passages,
                figures=figures,
                tokenizer=services.tokenizer,
                embedder=embedder,
                language=answer_language(whole, options),
            )
            for analysis in asked or [whole]
        ]
        draft = together(drafts)
        return {"text": draft.text, "id": services.new_id(), "abstained": draft.abstained}

    async def write_extract(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        options = runtime.context
        try:
            draft = await asyncio.to_thread(write, state, options, services.embedder)
        except (ModelError, StoreError) as error:
            draft = await asyncio.to_thread(write, state, options, WordsOnly())
            return {"draft": draft, "notices": [encoder_notice(error).model_dump(mode="json")]}
        return {"draft": draft}

    return write_extract


def without_model(error: Exception) -> Json:
    """A model that fails costs its prose, not the answer: the extractive writer takes over."""
    why = str(error) if isinstance(error, TuwenError) else type(error).__name__
    notice = Notice(
        code="model_failed",
        text=f"模型不可用，改用摘录式回答：{why} / The model failed; quoting instead: {why}",
    )
    return {"draft": {}, "notices": [notice.model_dump(mode="json")]}


def make_write_with_model(services: Services, writer: ModelWriter) -> Node:
    """The chat model writes; its tokens stream through the guard as LangChain messages.

    What it has said before it fails stays the answer, with a notice; when it has said nothing the
    draft stays empty and the extractive writer answers.
    """

    async def write_with_model(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        meter = UsageMeter()
        try:
            written = await write(state, runtime, meter)
        except ModelError as error:
            return {**without_model(error), "spent": meter.spent}
        draft = {"text": written.text, "id": written.message_id, "abstained": written.abstained}
        return {
            "draft": draft,
            "notices": [notice.model_dump(mode="json") for notice in written.notices],
            "spent": meter.spent,
        }

    async def write(state: ChatState, runtime: Runtime[RunOptions], meter: UsageMeter) -> Written:
        analysis = Analysis.model_validate(state["analysis"])
        passages = await asyncio.to_thread(load_evidence, services, state)
        figures = await asyncio.to_thread(shown_figures, services, state)
        return await writer.write(
            analysis,
            passages,
            figures=figures,
            history=history_messages(state["messages"]),
            pictures=pictures(state["messages"]),
            language=answer_language(analysis, runtime.context),
            message_id=services.new_id(),
            on_reasoning=lambda text: runtime.stream_writer(
                Reasoning(text=text).model_dump(mode="json")
            ),
            meter=meter,
        )

    return write_with_model


def check_text(passage: Passage) -> str:
    """All that a sentence citing the passage may take its facts from."""
    return "\n".join((passage.title, passage.section_path, passage.text))


def make_check_citations(services: Services) -> Node:
    """Check each cited sentence against its evidence; list the sources that are cited.

    A sentence that its evidence does not support is marked: the final message then differs from
    the streamed tokens by that mark, and replaces them under the same message id.
    """

    def check(state: ChatState) -> tuple[Checked, tuple[Source, ...]]:
        evidence = [Evidence.model_validate(item) for item in state.get("evidence", [])]
        ids = [chunk_id for group in evidence for chunk_id in group.chunk_ids]
        chunks = {chunk.chunk_id: chunk for chunk in services.catalog.chunks(ids)}
        texts = {passage.n: check_text(passage) for passage in load_evidence(services, state)}
        checked = check_answer(state["draft"]["text"], texts)
        documents: Mapping[str, DocumentRecord] = {
            doc_id: record
            for doc_id in sorted({chunk.doc_id for chunk in chunks.values()})
            if (record := services.catalog.document(doc_id)) is not None
        }
        sources = build_sources(checked.text, evidence, chunks, documents, checked.verdicts)
        return checked, sources

    async def check_citations(state: ChatState) -> Json:
        checked, found = await asyncio.to_thread(check, state)
        sources = [source.model_dump(mode="json") for source in found]
        if state["draft"].get("abstained"):
            return {"answer": {"answer": state["draft"]["text"], "sources": sources}}
        return {
            "answer": {"answer": checked.text, "verdict": checked.verdict, "sources": sources},
            "notices": [notice.model_dump(mode="json") for notice in checked.notices],
        }

    return check_citations


def make_finish(services: Services) -> Node:
    """The finish event, the message of the thread, and what the thread is about now."""

    def unsearched(options: RunOptions) -> Notice | None:
        return unsearched_notice(services.catalog.failures(options.collection))

    async def finish(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        event = finish_event(state)
        if event.abstained and (gone := await asyncio.to_thread(unsearched, runtime.context)):
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
        }

    return finish


def unsearched_notice(failures: Sequence[FileReport]) -> Notice | None:
    """An answer that was not found may stand in a file that could not be read: say so."""
    if not failures:
        return None
    ranked = sorted(failures, key=lambda report: report.reason not in UNREAD)
    names = "; ".join(f"{sanitise(item.path)} ({item.reason})" for item in ranked[:MOST_NAMED])
    more = f" +{len(failures) - MOST_NAMED}" if len(failures) > MOST_NAMED else ""
    return Notice(
        code="not_searched",
        text=f"未能入库、未检索的文件：{names}{more} / Not ingested, not searched: {names}{more}",
    )


def finish_event(state: ChatState) -> Finish:
    """The answer as every door shows it.

    An abstention shows no figure and cites at most the nearest passages that it names.
    """
    abstained = bool(state["draft"].get("abstained"))
    answer = state.get("answer") or {}
    images = [] if abstained or state.get("plain") else state.get("images", [])
    return Finish(
        answer=answer.get("answer", state["draft"]["text"]),
        verdict="abstained" if abstained else answer.get("verdict", ""),
        abstained=abstained,
        sources=tuple(Source.model_validate(item) for item in answer.get("sources", [])),
        images=tuple(ImageItem.model_validate(item) for item in images),
        notices=tuple(Notice.model_validate(item) for item in state.get("notices", [])),
    )


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
