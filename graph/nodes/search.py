"""The retrieval subgraph's nodes: legs, fusion, diversity, rerank, rules, neighbours."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from langgraph.runtime import Runtime
from pydantic import TypeAdapter

from ...agents.extractive_duty import clause_query
from ...agents.row_finder import row_places
from ...core.analysis import Analysis, Focus
from ...core.chunk import Chunk
from ...core.errors import StoreError
from ...core.evidence import Evidence, Hit, LegResult
from ...core.options import RunOptions
from ...tools.diversity import mmr
from ...tools.fusion import crowd_of
from ...tools.fusion import fuse as fuse_legs
from ...tools.labels import LabelFinding, find_labelled
from ...tools.merge import kept
from ...tools.neighbours import group_evidence, with_rows
from ...tools.pages import page_support
from ...tools.rerank import CROSS_ENCODER, Voice, rerank_hits, sentence_voice, token_voice
from ...tools.rules import apply_rules as rule_boosts
from ...tools.whole_name import inner_question
from ..policies import Node
from ..services import Services
from ..state import ChatState, Json, RetrievalState
from ..words import Language, notice
from .placed import find_placed, owner_of_label, picture_labels

COURSE_SOURCES = frozenset({"slides", "exam", "solution", "formula_sheet"})
COURSE_RERANK_N = 8
SHOWN_DROPPED = 5
_HITS = TypeAdapter(list[Hit])
OFFERED_KEYS = ("title", "doc_id", "source_type", "chunk_type", "section_number", "page")
FIXED_KEYS = frozenset(
    {
        *("doc_id", "source", "name", "title", "doc_title", "source_type", "doc_type", "parser"),
        *("language", "collection", "edition", "chunk_type", "section", "section_path", "level"),
        *("section_number", "semantic_id", "page", "pages", "labels"),
    }
)
"""Keys that every collection has: a few of them are offered, after the collection's own."""


def allowed_ids(services: Services, options: RunOptions, analysis: Analysis) -> set[str] | None:
    """Chunk ids that the filters leave, or None without filters (an empty set finds nothing)."""
    filters = {**analysis.filters, **options.filters}
    return set(services.catalog.select(options.collection, filters)) if filters else None


def _scope(
    services: Services, options: RunOptions, analysis: Analysis
) -> Callable[[str], set[str] | None]:
    """What a query may find: one without the name of the document that the question names is
    asked inside that document."""
    everywhere = allowed_ids(services, options, analysis)
    if not analysis.named_docs:
        return lambda _: everywhere
    own = {"doc_id": list(analysis.named_docs), **options.filters}
    inside = set(services.catalog.select(options.collection, {**analysis.filters, **own}))
    return lambda query: everywhere if analysis.named in query else inside


def filter_notices(services: Services, options: RunOptions, language: Language) -> list[Json]:
    """That a filter names what the collection has not, with what it has, or matches nothing."""
    if not options.filters or not services.catalog.documents(options.collection):
        return []
    known = services.catalog.filter_keys(options.collection)
    unknown = [key for key in options.filters if key not in known]
    own = [key for key in known if key not in FIXED_KEYS] + list(OFFERED_KEYS)
    said = "、".join(unknown) if language == "zh" else ", ".join(unknown)
    if unknown:
        zh = f"过滤条件里的键在集合中不存在：{said}。可用的键：{'、'.join(own)}"
        en = f"The collection has no such key to filter by: {said}. It has: {', '.join(own)}"
        return [notice("filter_unknown", language, zh, en)]
    if services.catalog.select(options.collection, options.filters):
        return []
    pairs = ", ".join(f"{key}={value}" for key, value in options.filters.items())
    zh, en = f"没有内容符合过滤条件：{pairs}", f"Nothing matches the filter: {pairs}"
    return [notice("filter_empty", language, zh, en)]


def _leg(leg: Any, query: str, ranked: Sequence[tuple[str, float]], **extra: Any) -> Json:
    result = LegResult(
        leg=leg,
        query=query,
        ids=tuple(chunk_id for chunk_id, _ in ranked),
        scores=tuple(round(float(score), 5) for _, score in ranked),
        **extra,
    )
    return result.model_dump(mode="json", exclude_none=True)


def make_search_dense(services: Services, *, visual: bool) -> Node:
    """The dense leg over all chunks, or over pictures and tables alone."""
    numbers = services.settings.retrieval
    n = numbers.visual_n if visual else numbers.dense_n

    def search(queries: list[str], options: RunOptions, analysis: Analysis) -> list[Json]:
        if not n:
            return []
        services.store.check_fingerprint(options.collection)
        allowed = _scope(services, options, analysis)
        found = []
        for query, vector in zip(queries, services.embedder.embed_queries(queries), strict=True):
            ranked = services.vectors.search(
                options.collection, vector, n, allowed=allowed(query), visual=visual
            )
            if not ranked and not visual:
                _refuse_lost_vectors(services, options.collection, allowed(query))
            found.append(_leg("visual" if visual else "dense", query, ranked))
        return found

    async def run(state: RetrievalState, runtime: Runtime[RunOptions]) -> Json:
        analysis = Analysis.model_validate(state["analysis"])
        legs = await asyncio.to_thread(search, state["queries"], runtime.context, analysis)
        return {"legs": legs}

    run.__name__ = "search_visual" if visual else "search_dense"
    return run


def _refuse_lost_vectors(services: Services, collection: str, allowed: set[str] | None) -> None:
    """Any vector is near some other: where chunks are and none is found, their vectors are gone.

    Raises StoreError.
    """
    there = services.catalog.select(collection, {})
    some = next((i for i in there if allowed is None or i in allowed), None)
    if some is not None and not services.vectors.vectors(collection, [some]):
        raise StoreError(
            f"The vectors of collection {collection!r} are missing. Run: tuwen doctor --repair",
            zh=f"集合“{collection}”的向量缺失。请运行：tuwen doctor --repair",
        )


def make_search_keyword(services: Services) -> Node:
    """The keyword leg."""
    n = services.settings.retrieval.keyword_n

    def search(queries: list[str], options: RunOptions, analysis: Analysis) -> list[Json]:
        allowed = _scope(services, options, analysis)
        clause = clause_query(analysis.rewritten)
        found = []
        for query in queries:
            hits = services.keywords.search(options.collection, query, n, allowed=allowed(query))
            # A clause ("由…负责解释") is told by its words, however many hits hold most of them.
            crowd = 0.0 if query == clause else round(hits.crowd, 4)
            says = {"coverage": round(hits.coverage, 4), "crowd": crowd}
            found.append(_leg("keyword", query, hits.hits, **says))
        return found

    async def search_keyword(state: RetrievalState, runtime: Runtime[RunOptions]) -> Json:
        analysis = Analysis.model_validate(state["analysis"])
        legs = await asyncio.to_thread(search, state["queries"], runtime.context, analysis)
        return {"legs": legs, "coverage": max((leg["coverage"] for leg in legs), default=0.0)}

    return search_keyword


def make_search_labels(services: Services) -> Node:
    """The label leg: figure, table, equation and section numbers in the question."""

    async def search_labels(state: RetrievalState, runtime: Runtime[RunOptions]) -> Json:
        if not (state["analysis"].get("labels") or state["analysis"].get("place")):
            return {"legs": []}
        finding = await asyncio.to_thread(labelled, services, state, runtime.context)
        if finding is None:
            return {"legs": []}
        return {
            "legs": [finding.result.model_dump(mode="json", exclude_none=True)],
            "finding": finding.model_dump(mode="json", exclude_defaults=True),
        }

    return search_labels


def labelled(
    services: Services, state: ChatState | RetrievalState, options: RunOptions
) -> LabelFinding | None:
    """What the labels of the question name; None: it has none."""
    analysis = Analysis.model_validate(state["analysis"])
    focus = Focus.model_validate(state.get("focus") or {})
    if analysis.place:
        return find_placed(services, analysis, focus, options, state.get("language", "en"))
    if not analysis.labels:
        return None
    find = partial(
        find_labelled,
        services.catalog,
        options.collection,
        picture_labels(services.catalog, options.collection, analysis) or analysis.labels,
        question=analysis.rewritten,
        allowed=allowed_ids(services, options, analysis),
    )
    finding = find(focus.doc_ids)
    docs = [doc for item in finding.ambiguous for doc in item.doc_ids if not item.inside]
    figures = services.catalog.figures(finding.figure_ids) if docs else []
    docs = list(dict.fromkeys((*docs, *(f.doc_id for f in figures))))
    if docs and (doc := owner_of_label(services, analysis, focus, options, docs)):
        return find((doc, *focus.doc_ids))
    return finding


def make_fuse(services: Services) -> Node:
    """Join the legs' rankings, then what stands on one page; hits of inactive editions are left
    out."""

    def join(legs: Sequence[LegResult], collection: str) -> list[Hit]:
        lookup = partial(services.vectors.vectors, collection)
        hits = fuse_legs(legs, services.settings.retrieval, lookup)
        places = services.catalog.places([hit.chunk_id for hit in hits])
        return page_support([hit for hit in hits if hit.chunk_id in places], places)

    async def fuse(state: RetrievalState, runtime: Runtime[RunOptions]) -> Json:
        legs = [LegResult.model_validate(leg) for leg in state.get("legs", [])]
        hits = await asyncio.to_thread(join, legs, runtime.context.collection)
        ranking = dump_hits(hits[: services.settings.retrieval.dense_n])
        return {"ranking": ranking, "crowd": crowd_of(legs)}

    return fuse


def make_diversify(services: Services) -> Node:
    """Maximal marginal relevance over the fused hits."""
    numbers = services.settings.retrieval

    def pick(options: RunOptions, hits: list[Hit]) -> list[Hit]:
        vectors = services.vectors.vectors(options.collection, [hit.chunk_id for hit in hits])
        n = max(numbers.mmr_n, options.top_k)  # more are asked for than usual: none is held back
        return mmr(hits, vectors, lam=numbers.mmr_lambda, n=n)

    async def diversify(state: RetrievalState, runtime: Runtime[RunOptions]) -> Json:
        hits = load_hits(state.get("ranking", []))
        picked = await asyncio.to_thread(pick, runtime.context, hits)
        return {"ranking": dump_hits(picked)}

    return diversify


def make_rerank(services: Services) -> Node:
    """The reranker's order; without one the fused order is cut."""
    numbers = services.settings.retrieval
    light = services.settings.rerank.provider == "builtin"

    def order(
        analysis: Analysis, hits: list[Hit], top_k: int, voices: Sequence[Voice]
    ) -> list[Hit]:
        n = top_k or (COURSE_RERANK_N if course_alone(hits) else numbers.rerank_n)
        if services.reranker is None:
            return hits[:n]
        # A cross-encoder reads which document is meant; single sentences do not say it.
        query = inner_question(analysis) if light else analysis.rewritten
        read, said = services.catalog.chunks, voices[0] if light else CROSS_ENCODER
        if services.late is not None:
            hits = rerank_hits(services.reranker, query, hits, read, n=len(hits), voice=said)
            whole = attrgetter("embedding_text")  # what was indexed
            said = voices[1]
            return rerank_hits(
                services.late, query, hits, read, n=n, voice=said, tables=True, text=whole
            )
        return rerank_hits(services.reranker, query, hits, read, n=n, voice=said, tables=not light)

    def course_alone(hits: Sequence[Hit]) -> bool:
        """Whether all hits, the dropped ones too, are course material; mostly the first is none."""
        ids = [hit.chunk_id for hit in hits]
        return all(_of_a_course(services.catalog.chunks(some)) for some in (ids[:1], ids))

    async def rerank(state: RetrievalState, runtime: Runtime[RunOptions]) -> Json:
        analysis = Analysis.model_validate(state["analysis"])
        hits = load_hits(state.get("ranking", []))
        coverage, crowd = state.get("coverage", 0.0), state.get("crowd", 0.0)
        said = (
            sentence_voice(coverage, paired=services.paired, crowd=crowd),
            token_voice(crowd),
        )
        ordered = await asyncio.to_thread(order, analysis, hits, runtime.context.top_k, said)
        return {"ranking": dump_hits(ordered)}

    return rerank


def _of_a_course(chunks: Sequence[Chunk]) -> bool:
    return bool(chunks) and all(c.metadata.get("source_type") in COURSE_SOURCES for c in chunks)


def make_apply_rules(services: Services) -> Node:
    """Metadata rules; the round's hits join those of earlier rounds."""

    def boost(analysis: Analysis, hits: list[Hit]) -> list[Hit]:
        chunks = services.catalog.chunks([hit.chunk_id for hit in kept(hits)])
        return rule_boosts(hits, {chunk.chunk_id: chunk for chunk in chunks}, analysis)

    async def apply_rules(state: RetrievalState) -> Json:
        analysis = Analysis.model_validate(state["analysis"])
        hits = await asyncio.to_thread(boost, analysis, load_hits(state.get("ranking", [])))
        shown, counts = account(hits)
        return {"hits": dump_hits(shown), "spent": counts}

    return apply_rules


def account(hits: Sequence[Hit]) -> tuple[list[Hit], dict[str, float]]:
    """Kept hits and the best dropped ones with their reasons; the other dropped ones are counted.

    The state is written at every step, so a hundred reasons would be too many.
    """
    dropped = [hit for hit in hits if hit.explain.dropped]
    counts: dict[str, float] = {}
    for hit in dropped:
        key = f"dropped.{hit.explain.dropped}"
        counts[key] = counts.get(key, 0) + 1
    shown = {hit.chunk_id for hit in dropped[:SHOWN_DROPPED]}
    return [hit for hit in hits if not hit.explain.dropped or hit.chunk_id in shown], counts


def make_gather(services: Services) -> Node:
    """Neighbours: the groups that the writer may cite."""
    numbers = services.settings.retrieval

    def group(analysis: Analysis, hits: list[Hit]) -> list[Evidence]:
        groups = group_evidence(
            hits,
            services.catalog,
            groups=numbers.evidence_groups,
            max_chars=numbers.neighbour_chars,
        )
        return with_rows(groups, _rows_named(services, analysis, groups))

    async def gather(state: RetrievalState) -> Json:
        analysis = Analysis.model_validate(state["analysis"])
        hits = kept(load_hits(state.get("hits", [])))
        groups = await asyncio.to_thread(group, analysis, hits)
        return {"evidence": [found.model_dump(mode="json") for found in groups]}

    return gather


def _rows_named(
    services: Services, analysis: Analysis, groups: Sequence[Evidence]
) -> list[tuple[str, ...]]:
    """Chunks of the tables that have the row which the question names, in the documents that it
    names, else in the only one that was found."""
    docs = analysis.named_docs
    if not docs:
        places = services.catalog.places([group.chunk_id for group in groups])
        docs = tuple(dict.fromkeys(place.doc_id for place in places.values()))
        docs = docs if len(docs) == 1 else ()
    return [place.chunk_ids for place in row_places(analysis, docs, services.catalog)]


class _Dumped(list[Json]):
    """Hits in their state form that still hold the hits: the next node reads nothing again. A
    checkpoint keeps the list alone."""

    hits: list[Hit]


def _dumped(hit: Hit) -> Json:
    """A hit as JSON; what has its default is left out."""
    legs, fused, reranked, rules, dropped = hit.explain
    explain: Json = {}
    if legs:
        explain["legs"] = {leg: {"rank": rank, "score": at} for leg, (rank, at) in legs.items()}
    if fused:
        explain["fused"] = fused
    if reranked is not None:
        explain["reranked"] = reranked
    if rules:
        explain["rules"] = list(rules)
    if dropped:
        explain["dropped"] = dropped
    dumped: Json = {"chunk_id": hit.chunk_id, "score": hit.score}
    if explain:
        dumped["explain"] = explain
    return dumped


def load_hits(items: Sequence[Json]) -> list[Hit]:
    """Hits from their state form."""
    return list(items.hits) if isinstance(items, _Dumped) else _HITS.validate_python(items)


def dump_hits(hits: Sequence[Hit]) -> list[Json]:
    """Hits as plain JSON; what is not set is left out to keep checkpoints small."""
    given = list(hits)
    dumped = _Dumped(map(_dumped, given))
    dumped.hits = given
    return dumped
