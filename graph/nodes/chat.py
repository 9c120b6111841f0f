"""The chat graph's nodes up to the choice of figures."""

import asyncio
import re
from collections.abc import Sequence

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from ...agents.analyst import UNSURE
from ...agents.analyst import analyse as analyse_question
from ...agents.analyst_rules import folded
from ...agents.compound import split_compound
from ...agents.judge import ModelJudge
from ...agents.passages import load_passages
from ...agents.rewriter import ModelRewriter
from ...agents.sufficiency import NO_LABEL, judge
from ...agents.usage import UsageMeter
from ...core.analysis import Analysis, Focus, Sufficiency
from ...core.errors import UsageError
from ...core.events import Analysed, Reflected
from ...core.evidence import Evidence
from ...core.options import RunOptions
from ...core.text import digest
from ...tools.labels import LabelFinding
from ..messages import first_pictures, history_messages, last_answer, questions
from ..policies import Node
from ..services import Services
from ..state import ChatState, Json
from ..words import Language, answer_language, notice, spoken
from .lookup import Looked, about_documents, found, look_up
from .recall import told
from .search import filter_notices, load_hits

Seen = tuple[Analysis, bool]
"""The analysis, and whether there is any document to search."""
EFFORT_ROUNDS = {"quick": 0, "normal": 2, "deep": 10}
"""Re-queries by effort; the setting `max_rounds` caps each."""
SEARCHED_BY = {"leg_failed.dense", "leg_failed.keyword"}
"""What is said when both legs that search every chunk are gone."""
UNSEEN = (
    "当前模型看不到您发送的图片，只根据文字回答。",
    "The model cannot see your pictures; only your words are answered.",
)


def make_analyse(services: Services, model: ModelRewriter | None) -> Node:
    """Understand the question and start the turn's room afresh.

    Rules first; `model` only makes self-contained what they cannot tell, or would have to ask back.
    """

    def understand(
        question: str, history: list[str], state: ChatState, options: RunOptions
    ) -> Seen:
        documents = services.catalog.documents(options.collection)
        analysis = analyse_question(
            question,
            focus=Focus.model_validate(state.get("focus") or {}),
            history=history,
            answered=last_answer(state["messages"]),
            tokenizer=services.tokenizer,
            documents=documents,
            ask_back=options.ask_back,
            last=told(state.get("last") or []),
            reply_in=options.language,
            embedder=services.sentences or services.embedder,
        )
        return analysis, bool(documents)

    def look(analysis: Analysis, state: ChatState, options: RunOptions) -> Looked | None:
        """The answer that a document as a whole gives: an overview, the facts of an exam."""
        if analysis.about or not (analysis.need_retrieval or analysis.ask_back):
            return None
        focus = Focus.model_validate(state.get("focus") or {})
        looked = look_up(services, analysis, focus, options, answer_language(analysis, options))
        # "This contract" that leans on nothing said is the only one there is.
        return None if analysis.ask_back and looked and looked.ask_back else looked

    def divide(analysis: Analysis, state: ChatState, options: RunOptions) -> list[Analysis]:
        """The parts of a compound question, understood one by one.

        A follow-up that repeats the question it leans on is one question.
        """
        texts = [] if analysis.use_context or analysis.about else split_compound(analysis.rewritten)
        parts = [understand(text, [], state, options)[0] for text in texts]
        whole = analysis.model_dump(include={"named", "named_docs", "named_year"})
        parts = [p if p.named_docs else p.model_copy(update=whole) for p in parts]
        apart = all(part.need_retrieval and not part.ask_back for part in parts)
        return parts if apart else []

    def unseen(state: ChatState, options: RunOptions, language: Language) -> list[Json]:
        """Said once in a thread: that nobody looks at the pictures of the user's message."""
        looks = services.chat is not None and options.use_model and services.settings.chat.vision
        if looks or not first_pictures(state["messages"]):
            return []
        return [notice("pictures_unseen", language, *UNSEEN)]

    async def rewrite(seen: Seen, state: ChatState, options: RunOptions, meter: UsageMeter) -> Seen:
        question = seen[0].question
        past = history_messages(state["messages"])
        rewritten = await model.rewrite(question, past, meter=meter) if model else None
        if not rewritten or rewritten == question:
            return seen
        analysis, any_documents = await asyncio.to_thread(understand, rewritten, [], state, options)
        queries = tuple(dict.fromkeys((*analysis.queries, question)))
        changes = {"question": question, "queries": queries, "use_context": True}
        return analysis.model_copy(update=changes), any_documents

    async def analyse(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        if runtime.context is None:  # LangGraph gives none to a graph that is called without one
            raise UsageError(
                "The chat graph was called without a context. Pass context={} for the default"
                " collection, or context={'collection': NAME}."
            )
        question, history = questions(state["messages"])
        meter = UsageMeter()
        seen = await asyncio.to_thread(understand, question, history, state, runtime.context)
        unsure = bool(seen[0].ask_back) or UNSURE in seen[0].rules
        if model and runtime.context.use_model and unsure and history:
            seen = await rewrite(seen, state, runtime.context, meter)
        analysis, any_documents = seen
        looked = await asyncio.to_thread(look, analysis, state, runtime.context)
        if looked is not None:
            analysis = analysis.model_copy(update=about_documents(looked))
        plain = _plain(analysis, any_documents)
        language = answer_language(analysis, runtime.context)
        wrong = (
            []
            if plain
            else await asyncio.to_thread(filter_notices, services, runtime.context, language)
        )
        parts = [] if plain else await asyncio.to_thread(divide, analysis, state, runtime.context)
        event = Analysed(
            rewritten=analysis.rewritten,
            question_type=analysis.question_type,
            queries=analysis.queries,
        )
        runtime.stream_writer(event.model_dump(mode="json"))
        return {
            **_fresh_turn(services.clock()),
            "notices": Overwrite(
                [*state.get("received", []), *wrong, *unseen(state, runtime.context, language)]
            ),
            "language": language,
            "analysis": analysis.model_dump(mode="json"),
            "queries": searched([analysis, *parts]),
            "parts": [part.model_dump(mode="json") for part in parts],
            "plain": plain,
            **(found(looked) if looked and not looked.ask_back else {}),
            "spent": Overwrite(meter.spent),
        }

    return analyse


def searched(analyses: Sequence[Analysis]) -> list[str]:
    """All their queries, each once."""
    return list(dict.fromkeys(query for analysis in analyses for query in analysis.queries))


def _plain(analysis: Analysis, any_documents: bool) -> str:
    if analysis.ask_back:
        return "ask_back"
    if not analysis.need_retrieval and not analysis.about:
        return "chat"
    return "" if any_documents else "empty"


def _fresh_turn(now: float) -> Json:
    return {
        "hits": Overwrite([]),
        "notices": Overwrite([]),
        "evidence": [],
        "looked": {},
        "images": [],
        "tried": [],
        "seen": "",
        "found": Overwrite([]),
        "finding": {},
        "verdict": {},
        "draft": {},
        "answer": {},
        "coverage": 0.0,
        "round": 0,
        "started": now,
    }


def make_reflect(services: Services, model: ModelJudge | None) -> Node:
    """Judge the evidence; leave new queries only when another round is allowed and new.

    Rules decide the clear cases; `model`, when there is one, the grey zone.
    """
    numbers = services.settings.retrieval

    def weigh(state: ChatState) -> Sufficiency:
        analysis = Analysis.model_validate(state["analysis"])
        hits = load_hits(state.get("hits", []))
        chunks = services.catalog.chunks([hit.chunk_id for hit in hits])
        finding = load_finding(state)
        verdict = judge(
            analysis,
            hits,
            {chunk.chunk_id: chunk for chunk in chunks},
            tokenizer=services.tokenizer,
            coverage=state.get("coverage"),
            tried=[*state.get("tried", []), *state["queries"]],
            label_missing=[gone.label for gone in finding.missing] if finding else [],
        )
        words = services.tokenizer.tokens(analysis.rewritten)
        missing = [whole_words(name, analysis.rewritten, words) for name in verdict.missing]
        return verdict.model_copy(update={"missing": tuple(dict.fromkeys(missing))})

    async def ask_model(
        state: ChatState, tried: list[str], meter: UsageMeter
    ) -> Sufficiency | None:
        evidence = [Evidence.model_validate(item) for item in state.get("evidence", [])]
        passages = await asyncio.to_thread(load_passages, services.catalog, evidence)
        question = state["analysis"]["rewritten"]
        return await model.judge(question, passages, tried=tried, meter=meter) if model else None

    async def reflect(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        tried = [*state.get("tried", []), *state["queries"]]
        meter = UsageMeter()
        seen = evidence_digest(state)
        stale = seen == state.get("seen")
        if stale:  # the round brought nothing new: the verdict stands, and the loop ends
            verdict = Sufficiency.model_validate(state["verdict"])
        else:
            verdict = await asyncio.to_thread(weigh, state)
            if model and runtime.context.use_model and verdict.signals.get("grey"):
                verdict = await ask_model(state, tried, meter) or verdict
        rounds = min(numbers.max_rounds, EFFORT_ROUNDS[runtime.context.effort])
        late = services.clock() - state["started"] > numbers.round_seconds
        fresh = new_queries(verdict.queries, tried) if verdict.verdict == "gap" else []
        again = state.get("round", 0) < rounds and not late and not stale
        event = Reflected(verdict=verdict.verdict, reason=verdict.reason)
        runtime.stream_writer(event.model_dump(mode="json"))
        return {
            "verdict": verdict.model_dump(mode="json"),
            "tried": tried,
            "seen": seen,
            "queries": fresh if again else [],
            "notices": [] if fresh and again else verdict_notices(verdict, spoken(state)),
            "round": state.get("round", 0) + 1,
            "spent": meter.spent,
        }

    return reflect


def verdict_notices(verdict: Sufficiency, language: Language) -> list[Json]:
    """What the reader should know of the evidence as a whole: names that are nowhere in it, a
    contradiction, and what a model that judged it found wanting."""
    notices = absent_notice(verdict, language)
    said = verdict.reason or "?"
    if verdict.verdict == "conflict":
        zh, en = f"资料之间互相矛盾，请核对：{said}", f"The sources contradict each other: {said}"
        notices.append(notice("conflict", language, zh, en))
    if verdict.verdict == "caveat" and verdict.reason and not verdict.signals:
        zh, en = f"资料只部分回答了问题：{said}", f"Answered in part only: {said}"
        notices.append(notice("caveat", language, zh, en))
    return notices


def absent_notice(verdict: Sufficiency, language: Language) -> list[Json]:
    """That model numbers, years or quantities of the question are nowhere in what was found."""
    names = verdict.missing[: int(verdict.signals.get("absent", 0))]
    if verdict.reason.startswith(NO_LABEL):
        return []  # said by the notice on the label
    if verdict.verdict not in ("gap", "unanswerable") or not names:
        return []
    zh = f"找到的内容里没有出现：{'、'.join(names)}"
    en = f"Nowhere in what was found: {', '.join(names)}"
    return [notice("not_in_evidence", language, zh, en)]


def whole_words(name: str, question: str, words: Sequence[str]) -> str:
    """A name as the question says it, grown to whole words of it: 研究生奖学金 for "究生奖学金"."""
    text = question.casefold()
    start = text.find(name.casefold())
    if start < 0 or len(text) != len(question):
        return name
    end = start + len(name)
    for word in sorted(words, key=len, reverse=True):
        for at in (match.start() for match in re.finditer(re.escape(word), text)):
            if len(word) > 1 and (at < start < at + len(word) or at < end < at + len(word)):
                start, end = min(start, at), max(end, at + len(word))
    return question[start:end]


def search_failed(state: ChatState) -> bool:
    """Whether nothing is at hand because the legs that read the documents' text all failed."""
    failed = {notice["code"] for notice in state.get("notices", [])}
    return not state.get("evidence") and failed >= SEARCHED_BY


def evidence_digest(state: ChatState) -> str:
    """The same for the same evidence, in whatever order it was found."""
    ids = {i for item in state.get("evidence", []) for i in item["chunk_ids"]}
    return digest(*sorted(ids))


def new_queries(queries: Sequence[str], tried: Sequence[str]) -> list[str]:
    """Those that were not searched yet, spelling, case and punctuation aside."""
    known = {folded(query) for query in tried}
    fresh: dict[str, str] = {}
    for query in queries:
        if (key := folded(query)) and key not in known:
            fresh.setdefault(key, query)
    return list(fresh.values())


def load_finding(state: ChatState) -> LabelFinding | None:
    """What the label leg found, if the question names an object."""
    finding = state.get("finding")
    return LabelFinding.model_validate(finding) if finding else None
