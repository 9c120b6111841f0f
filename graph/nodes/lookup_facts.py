"""Facts of a document as a whole, looked up in the catalog and on its first page."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from ...agents.document_counts import Whole, counted
from ...agents.document_facts import AskedOf
from ...agents.exam_facts import Fact, cover_lines
from ...agents.extractive_fields import MOST_FIELDS, AskedField, labelled
from ...agents.front_matter import (
    Line,
    Said,
    front_lines,
    is_paper,
    said_in_front,
    speaks_of_authors,
)
from ...core.chunk import Chunk
from ...tools.citations import quotable
from .documents_meant import Scene, meant_documents, named_across

_IN_FRONT: dict[str, tuple[Said, str, str]] = {
    "authors": ("authors", "作者", "the authors"),
    "affiliation": ("affiliation", "作者单位", "where the authors work"),
    "date": ("date", "发表日期", "when it was published"),
}
_OPENING, _NEAREST = 12, 3
_LONGEST_FIELD = 240
_OF_THINGS = frozenset({"sections", "tables", "figures", "title", "affiliation", "date"})
"""What is asked of other things as well: tables of a library, when a scholarship is published."""


class FactsTold(NamedTuple):
    """What is said; `absent`: the first page does not say it, and its first lines are given."""

    facts: tuple[Fact, ...] = ()
    absent: bool = False


def document_facts(scene: Scene, asked: AskedOf) -> FactsTold | None:
    """The fact of the documents that are meant; None: no document is, or nothing tells it."""
    docs = meant_documents(scene, asked.words, of_things=asked.kind in _OF_THINGS)
    told = [_told(scene, doc, asked.kind) for doc in docs]
    facts = tuple(fact for one in told for fact in one.facts)
    return FactsTold(facts, absent=all(one.absent for one in told)) if facts else None


def field_facts(scene: Scene, fields: Sequence[AskedField]) -> FactsTold | None:
    """The lines that give, behind its label, what is asked for of the documents that are meant;
    None: no document is, or none has such a line."""
    for field in fields:
        facts = [
            Fact(quotable(text), chunk.chunk_id, doc)
            for doc in meant_documents(scene, field.words) or _across(scene, field.words)
            for text, chunk in cover_lines(scene.catalog.chunks_of(doc))
            if len(text) <= _LONGEST_FIELD and labelled(field, text)
        ]
        if facts:
            return FactsTold(tuple(facts[:MOST_FIELDS]))
    return None


def _across(scene: Scene, words: str) -> list[str]:
    """The minutes whose title says the words in the other language, where the meeting is named."""
    return named_across(scene, words, frozenset({"minutes"}))


def _told(scene: Scene, doc: str, kind: str) -> FactsTold:
    catalog, record = scene.catalog, scene.shelf.records[doc]
    title = scene.shelf.title(doc)
    if kind in _IN_FRONT or kind == "title":
        whole = Whole(
            doc, title, record.pages, tuple(catalog.chunks_of(doc, first=0, last=_OPENING))
        )
        return (
            _title(whole, scene.language)
            if kind == "title"
            else _front(whole, kind, scene.language, partial(catalog.chunks_of, doc))
        )
    chunks, figures = tuple(catalog.chunks_of(doc)), tuple(catalog.figures_of(doc))
    whole = Whole(doc, title, record.pages, chunks, figures)
    return FactsTold(tuple(counted(kind, whole, scene.language)))


def _title(whole: Whole, language: str) -> FactsTold:
    lead = "题目：" if language == "zh" else "Title: "
    return FactsTold((whole.said(f"{lead}{whole.named(language)}"),))


def _front(
    whole: Whole, kind: str, language: str, every: Callable[[], Sequence[Chunk]]
) -> FactsTold:
    """The lines of the first page that say it, else that it does not, where only it would, or
    where no word of the document (`every` chunk) speaks of an author."""
    said, zh, en = _IN_FRONT[kind]
    lines = front_lines(whole.chunks)
    paper = is_paper(whole.chunks)
    found = said_in_front(said, lines, paper=paper, title=whole.title)
    if found:
        return FactsTold(_quotes(whole, found))
    name = whole.named(language)
    if kind == "authors" and not paper and not speaks_of_authors(every()):
        lead = f"{name}没有写明作者。" if language == "zh" else f"{name} does not say who wrote it."
        return FactsTold((whole.said(lead),), absent=True)
    if not (lines and paper):  # elsewhere the text may say it, and a search finds that
        return FactsTold()
    lead = (
        f"{name}的首页没有写明{zh}。首页的开头是："
        if language == "zh"
        else f"The first page of {name} does not say {en}. It begins:"
    )
    return FactsTold((Fact(lead, "", whole.doc_id), *_quotes(whole, lines[:_NEAREST])), absent=True)


def _quotes(whole: Whole, lines: Sequence[Line]) -> tuple[Fact, ...]:
    return tuple(Fact(quotable(text), chunk.chunk_id, whole.doc_id) for text, chunk in lines)
