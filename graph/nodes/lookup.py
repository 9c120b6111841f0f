"""Questions about a document as a whole: what it is about, and the facts of an exam paper."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...agents.analyst_rules import folded
from ...agents.compound import split_compound
from ...agents.exam_facts import Fact, Paper, asked_facts, cover_of, facts_of, say_facts
from ...agents.extractive_draft import Draft
from ...agents.overview import Asked, asked_overview, entries, names_alone, say_overview, thinned
from ...core.analysis import Analysis, Focus
from ...core.chunk import Chunk
from ...core.evidence import Evidence
from ...core.label import Label, parse_label
from ...core.options import RunOptions
from ...core.ports import Catalog
from ...tools.items import EXAM_SOURCES, find_items
from ...tools.label_choice import SURE, Shelf
from ...tools.labels import find_labelled
from ...tools.named import bare_work, kind_asked, work_of
from ...tools.selected import selected
from ..services import Services
from ..state import Json
from .search import allowed_ids

OVERVIEW, EXAM = "overview", "exam"
LOOKUPS = frozenset({OVERVIEW, EXAM})
"""Kinds of `Analysis.about` that are about a document and not about the last answer."""
_MOST_PAPERS = 4
_MOST_ALIKE = 2
_SHORTEST_TITLE = 4
_NUMBER = re.compile(r"^(?:[A-Z]?\.?\d+(?:\.\d+)*\.?|[A-Z]\.)\s+")
_EXAMISH = re.compile(
    r"考|卷|题|分|\b(?:exam\w*|papers?|tests?|marks?|questions?)\b", re.IGNORECASE
)
_NEAR = 40


class Looked(NamedTuple):
    """What a look at whole documents gave: the evidence, one chunk a group, and the reply."""

    kind: str
    evidence: tuple[Evidence, ...] = ()
    draft: Draft = Draft(text="")
    ask_back: str = ""


class _Scene(NamedTuple):
    """What all steps need."""

    services: Services
    catalog: Catalog
    shelf: Shelf
    analysis: Analysis
    focus: Focus
    collection: str
    language: str


def look_up(
    services: Services, analysis: Analysis, focus: Focus, options: RunOptions, language: str
) -> Looked | None:
    """The reply to a question about a document as a whole; None: it is none, or nothing is known
    of it, and it is searched."""
    asked = asked_overview(analysis.rewritten)
    kinds = asked_facts(analysis.rewritten)
    others = [part for part in split_compound(analysis.rewritten) if not asked_facts(part)]
    if asked is None and (not kinds or others):
        return None  # a question that asks for more than such facts is searched
    catalog = selected(services.catalog, allowed_ids(services, options, analysis))
    shelf = Shelf(catalog, options.collection, analysis.rewritten)
    scene = _Scene(services, catalog, shelf, analysis, focus, options.collection, language)
    return _overview(scene, asked) if asked is not None else _exam(scene, kinds)


def _exam(scene: _Scene, kinds: Sequence[str]) -> Looked | None:
    """Facts of the papers that are meant; of one question only its marks."""
    of_item = any(label.kind == "question" for label in scene.analysis.labels)
    wanted = [kind for kind in kinds if kind == "marks" or not of_item]
    papers = [_paper(scene, doc) for doc in _papers(scene, of_item=of_item)] if wanted else []
    facts = [fact for paper in papers for fact in facts_of(paper, wanted, scene.language)]
    ids = dict.fromkeys(fact.chunk_id for fact in facts if fact.chunk_id)
    chunks = {chunk.chunk_id: chunk for chunk in scene.catalog.chunks(list(ids))}
    return _said_facts(facts, chunks, scene) if facts else None


def _said_facts(facts: Sequence[Fact], chunks: dict[str, Chunk], scene: _Scene) -> Looked:
    used = [chunks[f.chunk_id] for f in facts if f.chunk_id in chunks]
    evidence = one_each(list({c.chunk_id: c for c in used}.values()))
    numbers = {group.chunk_id: group.n for group in evidence}
    titles = {fact.doc_id: scene.shelf.title(fact.doc_id) for fact in facts}
    return Looked(EXAM, evidence, say_facts(facts, titles, numbers, scene.language))


def _papers(scene: _Scene, *, of_item: bool) -> list[str]:
    """The exam papers that are meant: the named ones, else those in focus, else all where an exam
    is spoken of."""
    shelf, question = scene.shelf, scene.analysis.rewritten
    exams = [d for d, r in shelf.records.items() if r.source_type in EXAM_SOURCES]
    if shelf.absent_year()[0] or not exams:
        return []
    docs, score = shelf.named()
    named = [doc for doc in docs if doc in exams]
    spoken = bool(kind_asked(question) & EXAM_SOURCES) or of_item
    if score >= SURE and len(named) <= _MOST_PAPERS and (spoken or len(named) == len(docs)):
        return _asked_first(shelf, named)
    focused = [doc for doc in scene.focus.doc_ids if doc in exams][:_MOST_ALIKE]
    all_exams = 2 * len(exams) >= len(shelf.records)
    if score >= SURE or not (spoken or _EXAMISH.search(question)):
        return []
    return focused or (_asked_first(shelf, exams)[:_MOST_PAPERS] if spoken or all_exams else [])


def _asked_first(shelf: Shelf, docs: Sequence[str]) -> list[str]:
    """Papers without the answers to them, which say the same."""
    return [d for d in docs if shelf.records[d].source_type == "exam"] or list(docs)


def _paper(scene: _Scene, doc: str) -> Paper:
    chunks = [c for c in scene.catalog.chunks_of(doc) if not c.figure_id]
    items = []
    for label in (label for label in scene.analysis.labels if label.kind == "question"):
        question = scene.analysis.rewritten
        found = find_items(scene.catalog, scene.collection, label, question)
        own = tuple(c for item in found if item.doc_id == doc for c in item.chunks)
        if own:
            items.append((label, own))
    numbers: dict[str, str] = {}
    for chunk in chunks:
        if number := re.match(r"\d+", str(chunk.metadata.get("question") or "")):
            numbers.setdefault(number.group(), chunk.chunk_id)
    title = scene.shelf.title(doc)
    return Paper(doc, title, cover_of(chunks), tuple(items), tuple(numbers.items()))


def _overview(scene: _Scene, asked: Asked) -> Looked | None:
    parts = _sections(scene, asked) if asked.sections else _documents(scene, asked)
    if not parts:
        unsure = asked.this and len(scene.shelf.records) > 1
        back = which_document(scene.shelf, scene.language)
        return Looked(OVERVIEW, ask_back=back) if unsure else None
    outlines = [(title, entries(chunks, root)) for title, root, chunks in parts]
    said = [(title, found) for title, found in outlines if found]
    chunks = [entry.chunk for _, found in said for entry in thinned(found)[0]]
    evidence = one_each(list({c.chunk_id: c for c in chunks}.values()))
    numbers = {group.chunk_id: group.n for group in evidence}
    return Looked(OVERVIEW, evidence, say_overview(said, numbers, scene.language)) if said else None


Part = tuple[str, str, list[Chunk]]
"""A title, the section path that it stands under, and its chunks."""


def _documents(scene: _Scene, asked: Asked) -> list[Part]:
    """The document that is named, or the regulation inside one; "this document": the one in focus,
    or the only one; empty: it is not known which."""
    shelf = scene.shelf
    if asked.this:
        focused = [doc for doc in scene.focus.doc_ids if doc in shelf.records][:1]
        one = focused or (list(shelf.records) if len(shelf.records) == 1 else [])
        return [_whole(scene, doc) for doc in one]
    docs, score = shelf.named()
    titles = [t for doc in docs for t in shelf.names[doc].titles]
    alone = bool(docs) and len(docs) <= _MOST_ALIKE and names_alone(asked.words, titles)
    return [_whole(scene, doc) for doc in docs] if score >= SURE and alone else _work(scene, asked)


def _whole(scene: _Scene, doc: str) -> Part:
    return scene.shelf.title(doc), "", scene.catalog.chunks_of(doc)


def _work(scene: _Scene, asked: Asked) -> list[Part]:
    """The regulation of a compilation that the words name, found by its heading."""
    hits = scene.services.keywords.search(scene.collection, asked.words, _NEAR)
    found = scene.catalog.chunks([chunk_id for chunk_id, _ in hits.hits])
    works = {(c.doc_id, w): c for c in found if (w := work_of(c))}
    named = [key for key in works if names_alone(asked.words, [bare_work(key[1])])]
    if not named:
        return _titled_section(scene, asked, found)
    doc, work = min(named, key=lambda key: len(key[1]))
    path = works[(doc, work)].section_path
    root = path[: path.index(work) + len(work)]
    return [(bare_work(work), root, [c for c in scene.catalog.chunks_of(doc) if _under(c, root)])]


def _titled_section(scene: _Scene, asked: Asked, found: Sequence[Chunk]) -> list[Part]:
    """The first of the found sections whose heading the words say, alone or with its document."""
    for chunk in found:
        parts = chunk.section_path.split(" > ")
        titles = scene.shelf.called(chunk.doc_id).titles
        for place, part in enumerate(parts):
            heading = _NUMBER.sub("", bare_work(part))
            at = asked.words.casefold().find(heading.casefold())
            rest = f"{asked.words[:at]} {asked.words[at + len(heading) :]}"
            if len(folded(heading)) >= _SHORTEST_TITLE and at >= 0 and names_alone(rest, titles):
                root = " > ".join(parts[: place + 1])
                own = [c for c in scene.catalog.chunks_of(chunk.doc_id) if _under(c, root)]
                return [(f"{scene.shelf.title(chunk.doc_id)} · {heading}", root, own)]
    return []


def _sections(scene: _Scene, asked: Asked) -> list[Part]:
    """The chapters or sections of that number in the documents that are meant."""
    labels = [label for label in scene.analysis.labels if label.kind == "section"]
    docs, question = scene.focus.doc_ids, scene.analysis.rewritten
    finding = find_labelled(scene.catalog, scene.collection, labels, docs, question=question)
    parts: dict[tuple[str, str], Part] = {}
    names: list[str] = []
    for match in finding.matches:
        for chunk in scene.catalog.chunks(match.chunk_ids):
            root = _root(chunk, match.label)
            key = (chunk.doc_id, root)
            if root and key not in parts:
                own = [c for c in scene.catalog.chunks_of(chunk.doc_id) if _under(c, root)]
                title = scene.shelf.title(chunk.doc_id, work_of(chunk))
                parts[key] = (f"{title} · {root.rpartition(' > ')[2]}", root, own)
                names += [*scene.shelf.called(chunk.doc_id, work_of(chunk)).titles, parts[key][0]]
    return list(parts.values())[:_MOST_PAPERS] if names_alone(asked.words, names) else []


def _root(chunk: Chunk, label: Label) -> str:
    """The path down to the chapter of that number, else the chunk's own."""
    parts = chunk.section_path.split(" > ")
    for place, part in enumerate(parts):
        if parse_label(part) == label:
            return " > ".join(parts[: place + 1])
    return chunk.section_path


def _under(chunk: Chunk, root: str) -> bool:
    return chunk.section_path == root or chunk.section_path.startswith(f"{root} > ")


def one_each(chunks: Sequence[Chunk]) -> tuple[Evidence, ...]:
    """Each chunk a group of its own, numbered from 1."""
    return tuple(
        Evidence(n=n, chunk_id=chunk.chunk_id, chunk_ids=(chunk.chunk_id,))
        for n, chunk in enumerate(chunks, 1)
    )


def which_document(shelf: Shelf, language: str) -> str:
    """The question back where "this document" could be any of several."""
    titles = [record.title for record in shelf.records.values()]
    shown = titles[:8]
    if language == "zh":
        more = f"等 {len(titles)} 份" if len(titles) > len(shown) else ""
        return f"您指的是哪份文档？集合里有：{'、'.join(f'《{t}》' for t in shown)}{more}。"
    more = f" and {len(titles) - len(shown)} more" if len(titles) > len(shown) else ""
    return f"Which document do you mean? The collection holds: {'; '.join(shown)}{more}."


def about_documents(looked: Looked) -> Json:
    """What an analysis becomes by it."""
    if looked.ask_back:
        return {"ask_back": looked.ask_back}
    return {"about": looked.kind, "need_retrieval": False, "rules": (looked.kind,)}


def found(looked: Looked) -> Json:
    """What the state keeps of it."""
    return {
        "evidence": [group.model_dump(mode="json") for group in looked.evidence],
        "looked": {"text": looked.draft.text},
    }
