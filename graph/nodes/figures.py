"""The chat graph's node that chooses the figures of an answer."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from langgraph.runtime import Runtime

from ...agents.analyst_rules import folded, picture_question
from ...agents.extractive_bridge import bridged
from ...core.analysis import Analysis, Focus
from ...core.chunk import Chunk, Figure
from ...core.errors import ModelError, StoreError
from ...core.events import FigureShown
from ...core.evidence import Evidence, ImageItem
from ...core.options import RunOptions
from ...core.text import has_cjk
from ...tools.figure_kinds import subject, wishes_of, without_kinds
from ...tools.figure_nearness import MOST_NEAR, nearness, nearness_across
from ...tools.figures_by_meaning import Meaning
from ...tools.label_choice import SURE, Shelf
from ...tools.labels import LabelFinding
from ...tools.named import without_names
from ...tools.sanitise import sanitise
from ...tools.select_figures import Selection, candidates_for
from ...tools.select_figures import select_figures as choose_figures
from ..policies import Node
from ..services import Services
from ..state import ChatState, Json
from ..words import spoken
from .chat import load_finding
from .placed import item_figures
from .search import allowed_ids

MAX_HTML_CHARS = 4000
MOST_NAMED = 3
LEAST_BARE = 4
"""Letters that are left without the names of documents."""
_CAPTION_CHARS = 160
OF_ITEM = 2.0
"""Nearness of what stands in an exam item that is named."""
OF_ANOTHER = 0.75
"""What the nearness of a figure counts where the question names other documents."""


def evidence_chunks(services: Services, state: ChatState) -> list[Chunk]:
    """The chunks of the evidence groups, group by group, each group's hit first."""
    ids: list[str] = []
    for item in state.get("evidence", []):
        group = Evidence.model_validate(item)
        ids.extend(i for i in (group.chunk_id, *group.chunk_ids) if i not in ids)
    return services.catalog.chunks(ids)


class _Asked(NamedTuple):
    """What the choice goes by, the same for each thing that is asked to be seen."""

    analysis: Analysis
    finding: LabelFinding | None
    focus: Focus
    chunks: list[Chunk]
    allowed: set[str] | None
    collection: str


def make_select_figures(services: Services) -> Node:
    """Choose the figures in code, and say why."""

    def select(state: ChatState, options: RunOptions) -> tuple[Selection, list[Evidence]]:
        analysis = Analysis.model_validate(state["analysis"])
        asked = _Asked(
            analysis.model_copy(update={"language": spoken(state)}),  # of its notices
            load_finding(state),
            Focus.model_validate(state.get("focus") or {}),
            evidence_chunks(services, state),
            allowed_ids(services, options, analysis),
            options.collection,
        )
        question = picture_question(analysis)
        several = analysis.wish == "weak" and analysis.place is None
        wishes = wishes_of(question) if several else [question]
        chosen = together([choose(asked, wish) for wish in wishes])
        return chosen, shown_evidence(state, chosen)

    def choose(asked: _Asked, question: str) -> Selection:
        named = named_documents(asked)
        by_subject = asked.analysis.wish == "weak" and asked.analysis.place is None
        near = near_figures(asked, question, named) if by_subject else {}
        found = candidates_for(
            asked.chunks, services.catalog, asked.finding, asked.focus, allowed=asked.allowed
        )
        known = {figure.figure_id for figure in found}
        found += services.catalog.figures([i for i in near if i not in known])
        return choose_figures(
            question,
            asked.analysis,
            asked.chunks,
            found,
            asked.finding,
            asked.focus,
            services.tokenizer.tokens,
            services.settings.figures,
            meaning=Meaning(near, titles_of(named), said_in(question, found))
            if by_subject
            else None,
        )

    def near_figures(asked: _Asked, question: str, named: Sequence[str]) -> dict[str, float]:
        """The figures nearest in meaning to what is asked to be seen; of the documents that the
        question names before those of others. None when the encoder fails: words alone choose."""
        inside = {"doc_id": list(named)}
        own = set(services.catalog.select(asked.collection, inside)) if named else set()
        if asked.allowed is not None:
            own &= asked.allowed
        try:
            words = [question, *bare_wish(question, titles_of(named))]
            vector = services.embedder.embed_queries(words).mean(axis=0)
            search = partial(services.vectors.search, asked.collection, vector, MOST_NEAR)
            ranked = dict(search(allowed=asked.allowed, visual=True))
            ranked |= dict(search(allowed=own, visual=True)) if own else {}
        except (ModelError, StoreError):
            return {}
        chunks = services.catalog.chunks(list(ranked))
        of_items = dict.fromkeys(item_figures(services.catalog, asked.finding), OF_ITEM)
        of_others = [c.figure_id for c in chunks if named and c.doc_id not in named]
        near = nearness(question, ranked.items(), chunks)
        near |= near_across(services, question, chunks)
        return near | {i: near[i] * OF_ANOTHER for i in of_others if i in near} | of_items

    def named_documents(asked: _Asked) -> Sequence[str]:
        """The documents whose figure is asked for by what it shows, where the question names one or
        a few."""
        if asked.analysis.wish != "weak" or asked.analysis.place is not None:
            return ()
        if asked.analysis.named_docs:
            return asked.analysis.named_docs
        shelf = Shelf(services.catalog, asked.collection, asked.analysis.rewritten)
        docs, score = shelf.named()
        return docs if score >= SURE and len(docs) <= MOST_NAMED else ()

    def titles_of(docs: Sequence[str]) -> list[str]:
        records = map(services.catalog.document, docs)
        return [record.title for record in records if record is not None]

    async def select_figures(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        about = state["analysis"].get("about")
        if not runtime.context.figures or (about and about != "repeat"):
            return {"images": []}
        if about and state.get("last"):
            return {"images": state["last"][0]["images"]}
        selection, evidence = await asyncio.to_thread(select, state, runtime.context)
        images = [
            image_item(services, pick.figure, pick.score, pick.why) for pick in selection.figures
        ]
        for image in images:
            runtime.stream_writer(FigureShown(image=image).model_dump(mode="json"))
        update: Json = {"evidence": [g.model_dump(mode="json") for g in evidence]}
        return {
            **(update if evidence else {}),
            "images": [image.model_dump(mode="json") for image in images],
            "notices": [notice.model_dump(mode="json") for notice in selection.notices],
        }

    return select_figures


def shown_evidence(state: ChatState, chosen: Selection) -> list[Evidence]:
    """The evidence with the chosen figures' own words in it, so that they can be cited."""
    groups = [Evidence.model_validate(item) for item in state.get("evidence", [])]
    held = {i for group in groups for i in (group.chunk_id, *group.chunk_ids)}
    last = max((group.n for group in groups), default=0)
    ids = dict.fromkeys(pick.figure.chunk_id for pick in chosen.figures)
    new = [i for i in ids if i and i not in held]
    added = [Evidence(n=n, chunk_id=i, chunk_ids=(i,)) for n, i in enumerate(new, last + 1)]
    return [*groups, *added] if added else []


def bare_wish(question: str, titles: Sequence[str]) -> list[str]:
    """What is asked to be seen without the names of documents: a caption with such a name would be
    near to every question that says it."""
    bare = " ".join(without_names(question, titles).split()) if titles else ""
    return [bare] if len(folded(bare)) >= LEAST_BARE and bare != question else []


def said_in(question: str, figures: Sequence[Figure]) -> dict[str, float]:
    """By figure id the share of the question's listed words that its caption says in the other
    language, else the text around it."""
    texts = {
        f.figure_id: f.caption or f"{f.section_path} {f.context_before} {f.context_after}"
        for f in figures
    }
    words = without_kinds(question)
    return {i: bridged(words, text) for i, text in texts.items() if _foreign(question, text)}


def near_across(services: Services, question: str, chunks: Sequence[Chunk]) -> dict[str, float]:
    """How near the captions in the other language are: each alone, against what is to be seen."""
    ids = dict.fromkeys(chunk.figure_id for chunk in chunks if chunk.figure_id)
    figures = services.catalog.figures(list(ids))
    captions = {f.figure_id: unlabelled(f) for f in figures if _foreign(question, f.caption)}
    captions = {i: text for i, text in captions.items() if text}
    if not captions:
        return {}
    comparing = services.across or services.embedder
    wish = comparing.embed_queries([subject(question)])[0]
    cosines = comparing.embed_passages(list(captions.values())) @ wish
    return nearness_across(dict(zip(captions, map(float, cosines), strict=True)), captions)


def unlabelled(figure: Figure) -> str:
    """The caption without its label, cut to a sentence's length."""
    return figure.caption.removeprefix(figure.label_text).strip(" :：.。-—")[:_CAPTION_CHARS]


def _foreign(question: str, text: str) -> bool:
    return has_cjk(question) != has_cjk(text)


def together(selections: Sequence[Selection]) -> Selection:
    """What was chosen for each thing that is asked to be seen, each figure and notice once."""
    figures = {pick.figure.figure_id: pick for one in selections for pick in reversed(one.figures)}
    notices = dict.fromkeys(notice for one in selections for notice in one.notices)
    if len(selections) == 1:
        return selections[0]
    return Selection(figures=tuple(figures.values()), notices=tuple(notices))


def image_item(services: Services, figure: Figure, score: float, why: tuple[str, ...]) -> ImageItem:
    """A figure as every door shows it: an address that the app serves, never a path."""
    base = services.settings.server.public_url.rstrip("/")
    shown = figure.available and bool(figure.asset_id)
    return ImageItem(
        id=figure.figure_id,
        url=f"{base}/images/{figure.figure_id}{services.sign(figure.figure_id)}" if shown else "",
        type=figure.kind,
        label=sanitise(figure.label_text),
        caption=sanitise(figure.caption),
        source=sanitise(figure.doc_title),
        page=figure.page,
        score=round(score, 3),
        why=why,
        available=figure.available,
        html=figure.html if len(figure.html) <= MAX_HTML_CHARS else "",
    )
