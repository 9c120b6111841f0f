"""A message about the conversation itself: what was said last, its evidence, and the reply."""

import asyncio
import re
from collections.abc import Sequence

from langgraph.runtime import Runtime

from ...agents.about_answer import SEARCHED, Kind
from ...agents.about_compare import Told
from ...agents.about_writer import Last, nothing_more, write_about
from ...agents.extractive_draft import Draft, letters
from ...agents.passages import Passage
from ...core.analysis import Analysis
from ...core.chunk import Chunk
from ...core.evidence import Evidence, Finish, Source
from ...core.options import RunOptions
from ...core.ports import Catalog
from ...core.text import sentences
from ..policies import Node
from ..services import Services
from ..state import ChatState, Json
from .lookup import one_each

_MARK = re.compile(r"\s*\[(\d+)\]")
TURNS_KEPT = 2
_OF_OLDER = ("question", "answer", "evidence")
"""What is kept of the turn before the last: it is only compared with the last."""
SAID_CHARS = 6000
"""Of what was said to one question: so much is not said again."""
SECTION_REACH = 8
NEXT_CHUNKS = 3
NEXT_CHARS = 900


def told(last: Sequence[Json]) -> tuple[Told, ...]:
    """The last turns as question and answer, latest first, with the numbers that `recalled`
    gives them."""
    turns, shift = [], 0
    for record in last:
        evidence = _groups(record)
        answer = "" if record.get("unanswered") else record["answer"]
        turns.append(Told(record["question"], _renumbered(answer, evidence, shift)))
        shift += _last_number(evidence)
    return tuple(turns)


def _groups(record: Json) -> list[Evidence]:
    return [Evidence.model_validate(item) for item in record["evidence"]]


def _last_number(evidence: Sequence[Evidence]) -> int:
    """From which on the numbers of the turn before run."""
    return max((group.n for group in evidence), default=0)


def _renumbered(answer: str, evidence: Sequence[Evidence], shift: int) -> str:
    for group in sorted(evidence, key=lambda g: -g.n):
        answer = answer.replace(f"[{group.n}]", f"[{group.n + shift}]")
    return answer


def remembered(state: ChatState, event: Finish) -> list[Json]:
    """What is kept of the last turns after this one: greetings and replies to messages about the
    conversation leave it, except that what goes on from an answer continues it."""
    last = list(state.get("last") or [])
    analysis = Analysis.model_validate(state["analysis"])
    by_rule = bool((state.get("draft") or {}).get("by_rule"))
    if state.get("plain") or (analysis.about and event.abstained):
        return last
    kind = "" if state.get("looked") else analysis.about
    if last and kind and kind not in SEARCHED | {"onward", "deeper"}:
        shown = last[0]["shown"] if kind == "sources" else event.answer
        kept = {"shown": shown}
        if kind not in ("sources", "repeat"):
            kept["by_rule"] = by_rule
        return [{**last[0], **kept}, *last[1:]]
    cited = {source.n for source in event.sources}
    topic = last[0]["question"] if last and kind else analysis.rewritten
    said = f"{last[0]['said']}\n{event.answer}" if last and kind else event.answer
    record = {
        "question": topic,
        "answer": event.answer,
        "shown": event.answer,
        "by_rule": by_rule,
        "unanswered": bool(event.abstained or (state.get("draft") or {}).get("caveat")),
        "said": said[-SAID_CHARS:],
        "evidence": [item for item in state.get("evidence", []) if item["n"] in cited],
        "sources": [
            source.model_dump(mode="json", exclude_defaults=True) for source in event.sources
        ],
        "images": [image.model_dump(mode="json") for image in event.images],
    }
    older = last[1:] if kind else [{key: turn[key] for key in _OF_OLDER} for turn in last]
    return [record, *older][:TURNS_KEPT]


def make_recall(services: Services) -> Node:
    """The last answer's evidence, and what stands around it where more of it is wanted."""

    def evidence(state: ChatState, kind: str) -> list[Evidence]:
        last = state["last"]
        groups = _groups(last[0])
        if kind == "compare" and len(last) > 1:
            shift = _last_number(groups)
            older = [g.model_copy(update={"n": g.n + shift}) for g in _groups(last[1])]
            return [*groups, *older]
        if kind in ("deeper", "onward"):
            cited = [source["chunk_id"] for source in last[0]["sources"]]
            return around(services.catalog, cited, last[0]["said"], onward=kind == "onward")
        return groups

    async def recall(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        kind = state["analysis"]["about"]
        if state.get("looked"):
            return {}
        groups = await asyncio.to_thread(evidence, state, kind)
        return {"evidence": [group.model_dump(mode="json") for group in groups]}

    return recall


def around(catalog: Catalog, cited: Sequence[str], said: str, *, onward: bool) -> list[Evidence]:
    """One group a chunk: the sections that are cited, as far as they were not said; with `onward`,
    or where all was said, what follows the last of them in its document."""
    chunks = catalog.chunks(list(dict.fromkeys(cited)))
    if not chunks:
        return []
    first = chunks[0]
    if not onward:
        section = [c for chunk in chunks for c in section_of(catalog, chunk)]
        unsaid = [c for c in {c.chunk_id: c for c in section}.values() if not _all_said(c, said)]
        if unsaid:
            return [*one_each(unsaid)]
    end = max(c.ordinal for c in chunks if c.doc_id == first.doc_id)
    following = catalog.chunks_of(first.doc_id, first=end + 1, last=end + 2 * NEXT_CHUNKS)
    fresh = [c for c in following if not c.figure_id and not _all_said(c, said)]
    kept: list[Chunk] = []
    for chunk in fresh[:NEXT_CHUNKS]:
        if kept and sum(len(c.text) for c in kept) > NEXT_CHARS:
            break
        kept.append(chunk)
    return [*one_each(kept)]


def section_of(catalog: Catalog, chunk: Chunk) -> list[Chunk]:
    """The text of the chunk's section near it, in order."""
    low = max(chunk.ordinal - SECTION_REACH, 0)
    near = catalog.chunks_of(chunk.doc_id, first=low, last=chunk.ordinal + SECTION_REACH)
    return [c for c in near if c.section_path == chunk.section_path and not c.figure_id]


def _all_said(chunk: Chunk, said: str) -> bool:
    known = letters(said)
    return all(letters(line) in known for line in chunk.text.splitlines() if line.strip())


def what_was_said(state: ChatState, fresh: Draft, passages: Sequence[Passage]) -> Last:
    """The last turns for the rules; the last question answered anew (`fresh`) where nothing was
    kept of them: a client without threads sends the messages alone."""
    last = state.get("last") or []
    analysis = Analysis.model_validate(state["analysis"])
    if not last:
        sources = quoted_sources(fresh.text, passages)
        return Last(analysis.topic, fresh.text, fresh.text, sources=sources)
    record = last[0]
    repeat = analysis.about == "repeat"
    return Last(
        topic=record["question"],
        answer=record["shown"] if repeat else record["answer"],
        said=record["said"],
        turns=told(last),
        sources=tuple(Source.model_validate(item) for item in record["sources"]),
    )


def quoted_sources(answer: str, passages: Sequence[Passage]) -> tuple[Source, ...]:
    """The passages that the lines of an answer cite, each with its first such line."""
    by_n = {passage.n: passage for passage in passages}
    found: dict[int, Source] = {}
    for line in answer.splitlines():
        for n in map(int, _MARK.findall(line)):
            if n in by_n and n not in found:
                p = by_n[n]
                found[n] = Source(
                    n=n,
                    doc=p.title,
                    page=p.page_start,
                    page_start=p.page_start,
                    page_end=p.page_end,
                    section_path=p.section_path,
                    quote=_MARK.sub("", line).strip(),
                )
    return tuple(found.values())


def unsaid(passages: Sequence[Passage], said: str) -> list[Passage]:
    """The passages without the sentences that were said already."""
    known = letters(said)

    def rest(text: str) -> str:
        spans = [(a, b) for a, b in sentences(text) if letters(text[a:b]) not in known]
        return "\n".join(text[a:b].strip() for a, b in spans)

    return [
        passage.model_copy(update={"text": rest(passage.text), "hit_text": rest(passage.hit_text)})
        for passage in passages
    ]


def about_draft(
    services: Services, state: ChatState, passages: Sequence[Passage], fresh: Draft, language: str
) -> Draft:
    """The reply by rules; `fresh` is what the evidence answers to the last question now, without
    what was said of it."""
    kind: Kind = state["analysis"]["about"]
    if kind == "more":
        return nothing_more(language) if fresh.abstained else fresh
    ids = [i for passage in passages for i in passage.chunk_ids]
    by_id = {chunk.chunk_id: chunk for chunk in services.catalog.chunks(ids)}
    chunks = [(p.n, by_id[i]) for p in passages for i in p.chunk_ids if i in by_id]
    last = what_was_said(state, fresh, passages)
    return write_about(
        kind,
        state["analysis"]["question"],
        last,
        chunks,
        tokenizer=services.tokenizer,
        language=language,
    )
