"""From hits to what the writer reads: each hit with the chunks around it."""

from collections import deque
from collections.abc import Iterator, Sequence

from ..core.chunk import Chunk
from ..core.evidence import Evidence, Hit
from ..core.ports import Catalog
from .merge import kept

# How far on each side a section's chunks are looked at.
REACH = 3


def group_evidence(
    hits: Sequence[Hit], catalog: Catalog, *, groups: int, max_chars: int
) -> list[Evidence]:
    """At most `groups` groups, numbered from 1 in the order of their best hits.

    A group holds its hit's chunk always, then the other chunks of the same semantic block, then
    adjacent chunks of the same section on the same or the next page, nearest first, as long as the
    group's text fits `max_chars`. A figure and text on another page are two groups, each with its
    own page: the text that names a found figure first comes right behind it. A chunk is in one
    group only: a later hit that an earlier group took in opens none. Chunks stand in document
    order.
    """
    live = kept(hits)
    found = {chunk.chunk_id: chunk for chunk in catalog.chunks([hit.chunk_id for hit in live])}
    waiting = deque((hit.score, found[hit.chunk_id]) for hit in live if hit.chunk_id in found)
    used: set[str] = set()
    evidence: list[Evidence] = []
    while waiting and len(evidence) < groups:
        score, chunk = waiting.popleft()
        if chunk.chunk_id in used:
            continue
        members = _members(chunk, catalog, used, max_chars)
        used.update(member.chunk_id for member in members)
        evidence.append(
            Evidence(
                n=len(evidence) + 1,
                chunk_id=chunk.chunk_id,
                chunk_ids=tuple(member.chunk_id for member in members),
                score=score,
            )
        )
        mention = _mention(chunk, catalog) if len(evidence) == 1 else None
        if mention is not None:
            waiting.appendleft((score, mention))
    return evidence


def with_rows(groups: Sequence[Evidence], rows: Sequence[tuple[str, ...]]) -> list[Evidence]:
    """The groups behind one for each of these tuples of chunks, numbered anew; those whose hit one
    of them holds are left out."""
    if not rows:
        return list(groups)
    held = {chunk_id for chunk_ids in rows for chunk_id in chunk_ids}
    score = max((group.score for group in groups), default=0.0)
    first = [
        Evidence(n=1, chunk_id=ids[-1], chunk_ids=ids, score=score, row=True)
        for ids in dict.fromkeys(rows)
    ]
    rest = [group for group in groups if group.chunk_id not in held]
    return [g.model_copy(update={"n": n}) for n, g in enumerate([*first, *rest], 1)]


def _mention(hit: Chunk, catalog: Catalog) -> Chunk | None:
    """The first chunk that names the figure which was found."""
    figures = catalog.figures([hit.figure_id]) if hit.figure_id else []
    ids = [i for figure in figures for i in figure.mentions if i != hit.chunk_id]
    return next(iter(catalog.chunks(ids[:1])), None)


def _members(hit: Chunk, catalog: Catalog, used: set[str], max_chars: int) -> list[Chunk]:
    """The hit's chunk and the neighbours that fit, in document order."""
    members = {hit.chunk_id: hit}
    room = max_chars - len(hit.text)
    for chunk in _candidates(hit, catalog):
        if room <= 0:
            break
        if chunk.chunk_id in used or chunk.chunk_id in members or len(chunk.text) > room:
            continue
        members[chunk.chunk_id] = chunk
        room -= len(chunk.text)
    return sorted(members.values(), key=lambda chunk: (chunk.ordinal, chunk.chunk_id))


def _candidates(hit: Chunk, catalog: Catalog) -> Iterator[Chunk]:
    """Neighbours, best first; the section's are read only when the block's left room."""
    block = catalog.by_semantic_id(hit.doc_id, hit.semantic_id) if hit.semantic_id else []
    block = [chunk for chunk in block if not _apart(hit, chunk)]
    yield from sorted(block, key=lambda chunk: _distance(hit, chunk))
    near = catalog.chunks_of(
        hit.doc_id, first=max(0, hit.ordinal - REACH), last=hit.ordinal + REACH
    )
    yield from _section_run(hit, {chunk.ordinal: chunk for chunk in near})


def _section_run(hit: Chunk, near: dict[int, Chunk]) -> list[Chunk]:
    """Chunks that follow or precede the hit without leaving its section or its pages."""
    run = []
    for step in (1, -1):
        ordinal = hit.ordinal + step
        while (chunk := near.get(ordinal)) is not None and _same_place(hit, chunk):
            if not _apart(hit, chunk):
                run.append(chunk)
            ordinal += step
    return sorted(run, key=lambda chunk: _distance(hit, chunk))


def _same_place(hit: Chunk, chunk: Chunk) -> bool:
    if chunk.section_path != hit.section_path:
        return False
    if hit.page_start is None or chunk.page_start is None:
        return True
    hit_end, chunk_end = hit.page_end or hit.page_start, chunk.page_end or chunk.page_start
    return chunk.page_start - hit_end <= 1 and hit.page_start - chunk_end <= 1


def _apart(hit: Chunk, chunk: Chunk) -> bool:
    """Whether one is a figure and they share no page."""
    if not (hit.figure_id or chunk.figure_id) or hit.page_start is None or chunk.page_start is None:
        return False
    hit_end, chunk_end = hit.page_end or hit.page_start, chunk.page_end or chunk.page_start
    return chunk.page_start > hit_end or chunk_end < hit.page_start


def _distance(hit: Chunk, chunk: Chunk) -> tuple[int, bool]:
    """Nearest first; what follows the hit before what precedes it."""
    return abs(chunk.ordinal - hit.ordinal), chunk.ordinal < hit.ordinal
