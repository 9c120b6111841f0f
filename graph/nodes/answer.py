"""The chat graph's nodes from the writer to the finish event."""

import asyncio
from collections.abc import Mapping, Sequence

import numpy as np
from langgraph.runtime import Runtime

from ...agents.about_answer import QUOTED
from ...agents.analyst_rules import parts_of
from ...agents.critic import Checked, check_answer
from ...agents.exam_items import missing_item, quote_items
from ...agents.extractive import write_extractive
from ...agents.extractive_draft import Draft, drafted
from ...agents.extractive_pictures import pages_of
from ...agents.passages import Passage, load_passages
from ...agents.repairer import worth_repair
from ...agents.section_quotes import quote_mentions, quote_sections
from ...agents.usage import UsageMeter
from ...agents.writer import ModelWriter, Written
from ...core.analysis import Analysis
from ...core.chunk import Chunk, Figure
from ...core.document import DocumentRecord
from ...core.errors import ModelError, StoreError, TuwenError
from ...core.events import FigureShown, Reasoning
from ...core.evidence import Evidence, ImageItem, Notice, Source
from ...core.options import RunOptions
from ...core.ports import Embedder, Vectors
from ...core.text import has_cjk
from ...tools.citations import build_sources, by_use
from ...tools.cited_figures import CITED, WHY, cited_figure_ids, cited_first, cited_slide
from ...tools.labels import label_notices
from ...tools.select_figures import is_near
from ..messages import history_messages, pictures, questions
from ..policies import Node
from ..services import Services
from ..state import ChatState, Json
from ..words import (
    Language,
    answer_language,
    cause,
    failed_search,
    plain_reply,
    reply_language,
)
from ..words import notice as said_notice
from .chat import load_finding, search_failed
from .figures import image_item
from .lookup import FACTS
from .recall import about_draft, unsaid


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
    return load_passages(services.catalog, evidence, _meanings(state))


def _meanings(state: ChatState) -> dict[str, float]:
    """The dense leg's cosines by chunk id."""
    legs = ((hit["chunk_id"], hit["explain"].get("legs", {})) for hit in state.get("hits", []))
    return {chunk_id: found["dense"]["score"] for chunk_id, found in legs if "dense" in found}


def shown_figures(services: Services, state: ChatState) -> list[Figure]:
    """The chosen figures, in order."""
    return services.catalog.figures([image["id"] for image in state.get("images", [])])


def together(drafts: Sequence[Draft]) -> Draft:
    """The answers to the parts of a question as one, no line twice; it abstains when all do."""
    said = [draft for draft in drafts if not draft.abstained] or drafts[:1]
    lines = dict.fromkeys(line for draft in said for line in draft.text.split("\n"))
    unsaid = [draft.text for draft in drafts if draft.abstained and draft not in said]
    text = "\n".join([*lines, *dict.fromkeys(unsaid)])
    caveat = all(draft.caveat for draft in said)
    return Draft(text=text, abstained=said[0].abstained, best=said[0].best, caveat=caveat)


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


def encoder_notice(error: TuwenError, language: str) -> Notice:
    """That sentences were chosen by their words alone."""
    text = {"zh": "编码器失败，只按字词摘录：", "en": "The encoder failed; words alone decide: "}
    return Notice(code="encoder_failed", text=text[language] + error.said(language))


def make_write_extract(services: Services) -> Node:
    """The writer without a model: the best sentences, verbatim, with citations.

    Without its encoder it ranks them by words alone, and says so. An exam item or a section that is
    asked for by number is quoted whole.
    """

    def quoted(
        state: ChatState, analysis: Analysis, passages: list[Passage], language: Language
    ) -> Draft | None:
        """The exam items or sections that the question names."""
        finding = load_finding(state)
        kinds = {label.kind for label in analysis.labels}
        if finding is None:
            return None
        if finding.notes and not finding.figure_ids:
            return Draft(text=" ".join(n.text for n in finding.notes), abstained=True)
        if analysis.place and analysis.place.focused:
            lines = pages_of(shown_figures(services, state), passages, language)
            return drafted(language, lines, "") if lines else None
        elsewhere = any(item.inside for item in finding.missing)
        ids = [i for match in finding.matches for i in match.chunk_ids]
        chunks = {chunk.chunk_id: chunk for chunk in services.catalog.chunks(ids)}
        if ("question" in kinds or elsewhere) and missing_item(analysis, finding):
            said = " ".join(notice.text for notice in label_notices(finding, language))
            return Draft(text=said, abstained=True)
        if not elsewhere and not kinds & {"question", "section", "appendix"}:
            return quote_mentions(analysis, finding, passages, chunks)
        sections = quote_sections(analysis, finding, passages, chunks, language)
        return sections or quote_items(analysis, finding, passages, chunks, language)

    def extracted(
        state: ChatState,
        whole: Analysis,
        passages: list[Passage],
        language: Language,
        embedder: Embedder,
    ) -> Draft:
        figures = shown_figures(services, state)
        parts = [Analysis.model_validate(part) for part in state.get("parts", [])]
        # Separate sentences the writer takes apart itself, with the whole question in view.
        asked = parts if len(parts_of(whole)) < 2 else []
        across = services.across or services.embedder
        drafts = [
            write_extractive(
                analysis,
                passages,
                figures=figures,
                tokenizer=services.tokenizer,
                embedder=embedder,
                across=embedder if isinstance(embedder, WordsOnly) else across,
                language=language,
            )
            for analysis in asked or [whole]
        ]
        return together(drafts)

    def about(
        state: ChatState, analysis: Analysis, language: Language, embedder: Embedder
    ) -> Draft:
        """The reply to a message about the last answer."""
        passages = load_evidence(services, state)
        said = state["last"][0]["said"] if state.get("last") and analysis.about == "more" else ""
        topic = analysis.model_copy(update={"rewritten": analysis.topic})
        fresh = Draft(text="")
        if analysis.need_retrieval:
            fresh = extracted(state, topic, unsaid(passages, said), language, embedder)
        return about_draft(services, state, passages, fresh, language)

    def write(state: ChatState, analysis: Analysis, language: Language, embedder: Embedder) -> Json:
        if state.get("looked"):
            return {**dumped(Draft(**state["looked"])), "by_rule": True}
        if analysis.about:
            shown = (state.get("last") or [{}])[0]
            again = analysis.about == "repeat" and bool(shown.get("by_rule"))
            by_rule = analysis.about in QUOTED or again
            return {**dumped(about(state, analysis, language, embedder)), "by_rule": by_rule}
        passages = load_evidence(services, state)
        draft = quoted(state, analysis, passages, language) or extracted(
            state, analysis, passages, language, embedder
        )
        return dumped(without_picture(draft, state, analysis))

    def dumped(draft: Draft) -> Json:
        return {
            "text": draft.text,
            "id": services.new_id(),
            "abstained": draft.abstained,
            "best": draft.best,
            "caveat": draft.caveat,
        }

    async def write_extract(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        analysis = Analysis.model_validate(state["analysis"])
        language = answer_language(analysis, runtime.context)
        if search_failed(state):
            text = failed_search(language)
            return {"draft": {"text": text, "id": services.new_id(), "abstained": True}}
        embedder = services.sentences or services.embedder
        try:
            draft = await asyncio.to_thread(write, state, analysis, language, embedder)
        except (ModelError, StoreError) as error:
            draft = await asyncio.to_thread(write, state, analysis, language, WordsOnly())
            notice = encoder_notice(error, language).model_dump(mode="json")
            return {**numbered(draft, state), "notices": [notice]}
        return numbered(draft, state)

    return write_extract


def without_picture(draft: Draft, state: ChatState, analysis: Analysis) -> Draft:
    """The draft behind the word that there is no such picture, where one is asked to be seen."""
    gone = [n["text"] for n in state.get("notices", []) if n["code"] == "figure_missing"]
    if analysis.wish != "weak" or state.get("images") or not gone or draft.text.startswith(gone[0]):
        return draft
    return draft.model_copy(update={"text": f"{gone[0]}\n{draft.text}".strip(), "caveat": True})


def numbered(draft: Json, state: ChatState) -> Json:
    """A draft that cites [1], [2], ... in order of use, and the evidence numbered likewise."""
    evidence = [Evidence.model_validate(item) for item in state.get("evidence", [])]
    text, groups = by_use(draft["text"], evidence)
    return {
        "draft": {**draft, "text": text},
        "evidence": [group.model_dump(mode="json") for group in groups],
    }


def without_model(error: Exception, language: Language) -> Json:
    """A model that fails costs its prose, not the answer: the extractive writer takes over."""
    why = cause(error, language)
    zh, en = f"模型不可用，改用摘录式回答：{why}", f"The model failed; quoting instead: {why}"
    return {"draft": {}, "notices": [said_notice("model_failed", language, zh, en)]}


def make_write_with_model(services: Services, writer: ModelWriter) -> Node:
    """The chat model writes; its tokens stream through the guard as LangChain messages.

    What it has said before it fails stays the answer, with a notice; when it has said nothing the
    draft stays empty and the extractive writer answers.
    """

    async def write_with_model(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        meter = UsageMeter()
        if search_failed(state):
            return {"draft": {}}
        try:
            written = await write(state, runtime, meter)
        except ModelError as error:
            analysis = Analysis.model_validate(state["analysis"])
            language = answer_language(analysis, runtime.context)
            return {**without_model(error, language), "spent": meter.spent}
        draft = {
            "text": written.text,
            "id": written.message_id,
            "abstained": written.abstained,
            "by_model": not written.cut,
        }
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
    first, last = passage.page_start or 0, passage.page_end or passage.page_start or 0
    # In the text's own script: evidence in another one than a sentence is judged by facts alone.
    said = "第 {} 页" if has_cjk(passage.text) else "page {}"
    pages = " ".join(said.format(page) for page in range(first, last + 1) if page)
    return "\n".join((passage.title, passage.section_path, pages, passage.text))


def repairable(draft: Json, options: RunOptions) -> bool:
    """Whether a model wrote all of the draft and may still correct it."""
    by_model = bool(draft.get("by_model")) and not draft.get("repaired")
    return by_model and options.effort != "quick"


def drafted_verdict(draft: Json, checked: Checked) -> str:
    """The check's verdict; partly where the quotes are right and the answer is still to be counted,
    worked out or seen."""
    half = bool(draft.get("caveat")) and checked.verdict == "supported"
    return "partly" if half else checked.verdict


def make_check_citations(services: Services) -> Node:
    """Check each cited sentence against its evidence; list the sources that are cited.

    A sentence that its evidence does not support is marked: the final message then differs from
    the streamed tokens by that mark, and replaces them under the same message id.
    """

    def check(state: ChatState) -> tuple[Checked, tuple[Source, ...], list[str]]:
        evidence = [Evidence.model_validate(item) for item in state.get("evidence", [])]
        ids = [chunk_id for group in evidence for chunk_id in group.chunk_ids]
        chunks = {chunk.chunk_id: chunk for chunk in services.catalog.chunks(ids)}
        texts = {passage.n: check_text(passage) for passage in load_evidence(services, state)}
        checked = check_answer(state["draft"]["text"], texts)
        if state["draft"].get("by_rule"):  # verbatim, or calculated in code: nothing to mark
            sure = dict.fromkeys(checked.verdicts, "supported")
            text = state["draft"]["text"]
            checked = Checked(text=text, verdict="supported", verdicts=sure)
        documents: Mapping[str, DocumentRecord] = {
            doc_id: record
            for doc_id in sorted({chunk.doc_id for chunk in chunks.values()})
            if (record := services.catalog.document(doc_id)) is not None
        }
        best = state["draft"].get("best", "")
        sources = build_sources(checked.text, evidence, chunks, documents, checked.verdicts, best)
        return checked, sources, shown_ids(state, sources, chunks)

    def shown_ids(
        state: ChatState, sources: Sequence[Source], chunks: Mapping[str, Chunk]
    ) -> list[str]:
        """What is shown now that the answer's sources are known."""
        selected = [image["id"] for image in state.get("images", [])]
        if state["draft"].get("abstained") or state["analysis"].get("about") == FACTS:
            return selected
        analysis = Analysis.model_validate(state["analysis"])
        plain = analysis.wish == "none" and analysis.question_type == "numeric"
        if plain and sources and not selected:
            slide = cited_slide(sources[0], services.catalog.figures_of(sources[0].doc_id))
            selected = [slide] if slide else selected
        cited = services.catalog.figures(cited_figure_ids(sources, chunks))
        first = chunks[sources[0].chunk_id].figure_id if sources else ""
        return cited_first(
            selected,
            cited,
            analysis,
            first_source=first,
            sure=any(is_near(image["why"]) for image in state.get("images", [])),
            most=services.settings.figures.max_figures,
        )

    def reordered(state: ChatState, ids: Sequence[str]) -> list[ImageItem]:
        """The images of these ids; what was not selected before is shown as cited."""
        known = {i["id"]: ImageItem.model_validate(i) for i in state.get("images", [])}
        new = [f for f in services.catalog.figures(ids) if f.figure_id not in known]
        known |= {f.figure_id: image_item(services, f, CITED, (WHY,)) for f in new}
        return [known[i] for i in ids if i in known]

    async def check_citations(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        checked, found, ids = await asyncio.to_thread(check, state)
        before = [image["id"] for image in state.get("images", [])]
        update: Json = {}
        if runtime.context.figures and ids != before:
            images = await asyncio.to_thread(reordered, state, ids)
            for image in images:
                if image.id not in before:
                    runtime.stream_writer(FigureShown(image=image).model_dump(mode="json"))
            update = {"images": [image.model_dump(mode="json") for image in images]}
        sources = [source.model_dump(mode="json") for source in found]
        if state["draft"].get("abstained"):
            return {**update, "answer": {"answer": state["draft"]["text"], "sources": sources}}
        mend = repairable(state["draft"], runtime.context) and worth_repair(checked)
        return {
            **update,
            "answer": {
                "answer": checked.text,
                "verdict": drafted_verdict(state["draft"], checked),
                "sources": sources,
                "mend": mend,
            },
            # A repair may still take the reason away.
            "notices": [] if mend else [n.model_dump(mode="json") for n in checked.notices],
        }

    return check_citations
