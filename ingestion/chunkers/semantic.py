"""Running text of one section a semantic block, cut when it is long."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ..structure import Placed
from .clauses import ClauseReader
from .draft import Draft, cut_run, page_runs, run_of, texts


def semantic_chunks(items: Sequence[Placed], size: int, overlap: int) -> Iterator[Draft]:
    """Drafts by section; a section that holds nothing, not even below it, keeps its heading.

    A chunk stays on its page, so that a citation names the page and not a range; only a sentence
    that runs over the page's end takes its chunk with it. A numbered clause begins a new chunk.
    """
    reader = ClauseReader()
    parents = {item.section.parent for item in items if item.section}
    sections = groupby(items, key=lambda item: item.section.section_id if item.section else "")
    for section_id, group in sections:
        members = list(group)
        semantic = f"t{section_id or 0}"
        drafts = list(_clause_drafts(reader, texts(members), size, overlap, semantic))
        if drafts:
            yield from drafts
        elif _lone(section_id, parents, members, items):
            yield from cut_run(run_of(members), size, overlap, semantic)


def _clause_drafts(
    reader: ClauseReader, items: Sequence[Placed], size: int, overlap: int, semantic: str
) -> Iterator[Draft]:
    for clause in reader.clauses(items):
        for run in page_runs(clause.items):
            for draft in cut_run(run, size, overlap, semantic):
                yield replace(draft, number=clause.number, title=clause.title)


def _lone(
    section_id: str, parents: set[str | None], members: Sequence[Placed], items: Sequence[Placed]
) -> bool:
    """Whether nothing but these headings stands for the section (or for the whole document)."""
    if any(member.block.kind != "title" for member in members) or section_id in parents:
        return False
    return bool(section_id) or len(members) == len(items)
