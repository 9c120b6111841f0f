"""Questions about a document as a whole: what it is about, its own facts and those of an exam."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...agents.analyst_rules import folded
from ...agents.compound import split_compound
from ...agents.document_facts import AskedOf, asked_of_document
from ...agents.exam_facts import Fact, Paper, asked_facts, cover_of, facts_of, say_facts
from ...agents.extractive_draft import Draft
from ...agents.extractive_fields import AskedField, asked_fields
from ...agents.overview import (
    Asked,
    asked_overview,
    asked_page,
    asks_for_documents,
    entries,
    is_this,
    names_alone,
    names_none,
    page_entries,
    say_overview,
    thinned,
)
from ...core.analysis import Analysis, Focus
from ...core.chunk import Chunk
from ...core.evidence import Evidence
from ...core.label import Label, parse_label
from ...core.options import RunOptions
from ...tools.items import EXAM_SOURCES, Item, find_items
from ...tools.label_choice import SURE, Shelf
from ...tools.labels import find_labelled
from ...tools.named import bare_work, kind_asked, marked, work_of
from ...tools.selected import selected
from ..services import Services
from ..state import Json
from .documents_meant import MOST_ALIKE, Scene, meant_documents, of_kind
from .lookup_facts import FactsTold, document_facts, field_facts
from .search import allowed_ids

OVERVIEW, EXAM, FACTS = "overview", "exam", "facts"
"""Kinds of `Analysis.about` that are about a document and not about the last answer."""
_MOST_PAPERS = 4
_MOST_LISTED = 30
_MOST_NAMED = 8
_SHORTEST_TITLE = 4
_NUMBER = re.compile(r"^(?:[A-Z]?\.?\d+(?:\.\d+)*\.?|[A-Z]\.)\s+")
_EXAMISH = re.compile(
    r"考|卷|题|分|\b(?:exam\w*|papers?|tests?|marks?|questions?)\b", re.IGNORECASE
)
_NEAR = 40
_AT_HAND = re.compile(r"[这该本此]|th(?:is|at)\b", re.IGNORECASE)


class Looked(NamedTuple):
    """What a look at whole documents gave: the evidence, one chunk a group, and the reply."""

    kind: str
    evidence: tuple[Evidence, ...] = ()
    draft: Draft = Draft(text="")
    ask_back: str = ""


def look_up(
    services: Services, analysis: Analysis, focus: Focus, options: RunOptions, language: str
) -> Looked | None:
    """The reply to a question about a document as a whole; None: it is none, or nothing is known
    of it, and it is searched."""
    page = asked_page(analysis.rewritten)
    asked = None if page else asked_overview(analysis.rewritten)
    kinds = asked_facts(analysis.rewritten)
    listing = asks_for_documents(analysis.rewritten)
    of_document = None if page or asked else asked_of_document(analysis.rewritten)
    fields = asked_fields(analysis.rewritten)
    whole = listing or page is not None or asked is not None or of_document is not None
    exam = bool(kinds) and all(map(asked_facts, split_compound(analysis.rewritten)))
    if not (whole or exam or fields):
        return None  # a question that asks for more than such facts is searched
    catalog = selected(services.catalog, allowed_ids(services, options, analysis))
    shelf = Shelf(catalog, options.collection, analysis.rewritten)
    scene = Scene(services, catalog, shelf, analysis, focus, options.collection, language)
    if listing:
        titles = [record.title for record in shelf.records.values()]
        return Looked(OVERVIEW, ask_back=_all_of(titles, language)) if titles else None
    if page is not None:
        return _page(scene, *page)
    told = _of_document(scene, of_document) if of_document else None
    told = told or _fields(scene, fields)
    if told or not (whole or exam):
        return told
    return _overview(scene, asked) if asked is not None else _exam(scene, kinds)


def _fields(scene: Scene, fields: Sequence[AskedField]) -> Looked | None:
    """What the documents that are meant give behind a label."""
    told = field_facts(scene, fields)
    return _facts(scene, told) if told else None


def _of_document(scene: Scene, asked: AskedOf) -> Looked | None:
    """The pages, chapters, figures or authors of the document that is meant."""
    told = document_facts(scene, asked)
    if told is None:
        unsure = _AT_HAND.match(asked.words) and len(scene.shelf.records) > 1
        return _asking_back(FACTS, scene, asked.words) if unsure and is_this(asked.words) else None
    return _facts(scene, told)


def _facts(scene: Scene, told: FactsTold) -> Looked:
    ids = dict.fromkeys(fact.chunk_id for fact in told.facts if fact.chunk_id)
    chunks = {chunk.chunk_id: chunk for chunk in scene.catalog.chunks(list(ids))}
    said = _said_facts(told.facts, chunks, scene)
    return said._replace(kind=FACTS, draft=said.draft.model_copy(update={"abstained": told.absent}))


def _exam(scene: Scene, kinds: Sequence[str]) -> Looked | None:
    """Facts of the papers that are meant; of one question only its marks."""
    of_item = any(label.kind == "question" for label in scene.analysis.labels)
    wanted = [kind for kind in kinds if kind == "marks" or not of_item]
    docs = _papers(scene, of_item=of_item) if wanted else []
    items = _items(scene) if docs else []
    papers = [_paper(scene, doc, items) for doc in docs]
    facts = [fact for paper in papers for fact in facts_of(paper, wanted, scene.language)]
    ids = dict.fromkeys(fact.chunk_id for fact in facts if fact.chunk_id)
    chunks = {chunk.chunk_id: chunk for chunk in scene.catalog.chunks(list(ids))}
    return _said_facts(facts, chunks, scene) if facts else None


def _said_facts(facts: Sequence[Fact], chunks: dict[str, Chunk], scene: Scene) -> Looked:
    evidence, numbers = _numbered(chunks[f.chunk_id] for f in facts if f.chunk_id in chunks)
    titles = {fact.doc_id: scene.shelf.title(fact.doc_id) for fact in facts}
    return Looked(EXAM, evidence, say_facts(facts, titles, numbers, scene.language))


def _papers(scene: Scene, *, of_item: bool) -> list[str]:
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
    focused = [doc for doc in scene.focus.doc_ids if doc in exams][:MOST_ALIKE]
    all_exams = 2 * len(exams) >= len(shelf.records)
    if score >= SURE or not (spoken or _EXAMISH.search(question)):
        return []
    return focused or (_asked_first(shelf, exams)[:_MOST_PAPERS] if spoken or all_exams else [])


def _asked_first(shelf: Shelf, docs: Sequence[str]) -> list[str]:
    """Papers without the answers to them, which say the same."""
    return [d for d in docs if shelf.records[d].source_type == "exam"] or list(docs)


def _items(scene: Scene) -> list[tuple[Label, list[Item]]]:
    """The exam items that are named, of all papers."""
    labels = [label for label in scene.analysis.labels if label.kind == "question"]
    question = scene.analysis.rewritten
    return [(x, find_items(scene.catalog, scene.collection, x, question)) for x in labels]


def _paper(scene: Scene, doc: str, items: Sequence[tuple[Label, Sequence[Item]]]) -> Paper:
    chunks = [c for c in scene.catalog.chunks_of(doc) if not c.figure_id]
    own = [(x, tuple(c for i in found if i.doc_id == doc for c in i.chunks)) for x, found in items]
    numbers: dict[str, str] = {}
    for chunk in chunks:
        if number := re.match(r"\d+", str(chunk.metadata.get("question") or "")):
            numbers.setdefault(number.group(), chunk.chunk_id)
    title = scene.shelf.title(doc)
    asked = tuple((label, found) for label, found in own if found)
    return Paper(doc, title, cover_of(chunks), asked, tuple(numbers.items()))


def _overview(scene: Scene, asked: Asked) -> Looked | None:
    parts = _sections(scene, asked) if asked.sections else _documents(scene, asked)
    if not parts:
        unsure = len(scene.shelf.records) > 1 and (asked.this or _of_kinds(scene, asked))
        return _asking_back(OVERVIEW, scene, asked.words) if unsure else None
    outlines = [(title, entries(chunks, root)) for title, root, chunks in parts]
    said = [(title, found) for title, found in outlines if found]
    shown = (entry.chunk for _, found in said for entry in thinned(found)[0])
    evidence, numbers = _numbered(shown)
    return Looked(OVERVIEW, evidence, say_overview(said, numbers, scene.language)) if said else None


def _of_kinds(scene: Scene, asked: Asked) -> bool:
    """Whether the words name but a kind of which there are several documents."""
    return names_none(asked.words) and len(of_kind(scene, asked.words)) > 1


def _page(scene: Scene, page: int, words: str) -> Looked | None:
    """What stands on a page of the document that is named, of the one in focus, or of the only one
    with pages; one that it does not have is said to be missing."""
    shelf = scene.shelf
    docs, score = shelf.named(words) if words else ([], 0.0)
    titles = [title for doc in docs for title in shelf.names[doc].titles]
    alone = names_alone(words, titles)
    named = docs if score >= SURE and alone else []
    if words and not named and not names_alone(words, []):
        return None
    paged = [doc for doc, record in shelf.records.items() if record.pages]
    focused = [doc for doc in scene.focus.doc_ids if doc in paged][:1]
    one = [doc for doc in named if doc in paged] if named else focused or paged
    if len(one) != 1:
        return _asking_back(OVERVIEW, scene, words) if one else None
    pages, title = shelf.records[one[0]].pages or 0, shelf.title(one[0])
    if not 0 < page <= pages:
        return Looked(OVERVIEW, ask_back=_no_page(title, page, pages, scene.language))
    found = page_entries(scene.catalog.chunks_of(one[0]), page)
    evidence, numbers = _numbered(entry.chunk for entry in found)
    head = f"{title} · 第 {page} 页" if scene.language == "zh" else f"{title}, page {page}"
    said = say_overview([(head, found)], numbers, scene.language)
    return Looked(OVERVIEW, evidence, said) if found else None


def _all_of(titles: Sequence[str], language: str) -> str:
    """Which documents there are, the first of many by name."""
    named = _listed(titles, _MOST_LISTED, language)
    if language == "zh":
        return f"共有 {len(titles)} 份文档：{named}。"
    return f"{len(titles)} documents: {named}."


def _listed(titles: Sequence[str], most: int, language: str) -> str:
    """The first of the titles, and how many there are."""
    more = len(titles) - most
    if language == "zh":
        return "、".join(map(marked, titles[:most])) + (f"等 {len(titles)} 份" if more > 0 else "")
    return "; ".join(titles[:most]) + (f" and {more} more" if more > 0 else "")


def _no_page(title: str, page: int, pages: int, language: str) -> str:
    """That a document has no such page."""
    if language == "zh":
        return f"{marked(title)}共 {pages} 页，没有第 {page} 页。"
    return f"{title} has {pages} pages; there is no page {page}."


Part = tuple[str, str, list[Chunk]]
"""A title, the section path that it stands under, and its chunks."""


def _documents(scene: Scene, asked: Asked) -> list[Part]:
    """The document that is named, or the regulation inside one; "this document": the one in focus,
    or the only one; empty: it is not known which."""
    shelf = scene.shelf
    meant = meant_documents(scene, asked.words)
    if asked.this or meant:
        return [_whole(scene, doc) for doc in meant[: 1 if asked.this else MOST_ALIKE]]
    if names_none(asked.words):
        return []  # any document, or one of several of a kind
    docs, score = shelf.named()
    titles = [t for doc in docs for t in shelf.names[doc].titles]
    alone = bool(docs) and len(docs) <= MOST_ALIKE and names_alone(asked.words, titles)
    return [_whole(scene, doc) for doc in docs] if score >= SURE and alone else _work(scene, asked)


def _whole(scene: Scene, doc: str) -> Part:
    return scene.shelf.title(doc), "", scene.catalog.chunks_of(doc)


def _work(scene: Scene, asked: Asked) -> list[Part]:
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


def _titled_section(scene: Scene, asked: Asked, found: Sequence[Chunk]) -> list[Part]:
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


def _sections(scene: Scene, asked: Asked) -> list[Part]:
    """The chapters or sections of that number in the documents that are meant; empty: too many
    have one, which the search says."""
    labels = [label for label in scene.analysis.labels if label.kind == "section"]
    docs, question = scene.focus.doc_ids, scene.analysis.rewritten
    finding = find_labelled(scene.catalog, scene.collection, labels, docs, question=question)
    roots: dict[tuple[str, str], Chunk] = {}
    for match in finding.matches:
        for chunk in scene.catalog.chunks(match.chunk_ids):
            if root := _root(chunk, match.label):
                roots.setdefault((chunk.doc_id, root), chunk)
    titles: dict[tuple[str, str], str] = {}
    names: list[str] = []
    for (doc, root), chunk in roots.items() if len(roots) <= _MOST_PAPERS else ():
        work = work_of(chunk)
        title = f"{scene.shelf.title(doc, work)} · {root.rpartition(' > ')[2]}"
        titles[(doc, root)] = title
        names += [*scene.shelf.called(doc, work).titles, title]
    if not titles or not names_alone(asked.words, names):
        return []
    return [
        (title, root, [c for c in scene.catalog.chunks_of(doc) if _under(c, root)])
        for (doc, root), title in titles.items()
    ]


def _root(chunk: Chunk, label: Label) -> str:
    """The path down to the chapter of that number, else the chunk's own."""
    parts = chunk.section_path.split(" > ")
    for place, part in enumerate(parts):
        if parse_label(part) == label:
            return " > ".join(parts[: place + 1])
    return chunk.section_path


def _under(chunk: Chunk, root: str) -> bool:
    return chunk.section_path == root or chunk.section_path.startswith(f"{root} > ")


def _numbered(chunks: Iterable[Chunk]) -> tuple[tuple[Evidence, ...], dict[str, int]]:
    """The chunks as evidence, each once, and their numbers by id."""
    evidence = one_each(list({chunk.chunk_id: chunk for chunk in chunks}.values()))
    return evidence, {group.chunk_id: group.n for group in evidence}


def one_each(chunks: Sequence[Chunk]) -> tuple[Evidence, ...]:
    """Each chunk a group of its own, numbered from 1."""
    return tuple(
        Evidence(n=n, chunk_id=chunk.chunk_id, chunk_ids=(chunk.chunk_id,))
        for n, chunk in enumerate(chunks, 1)
    )


def _asking_back(kind: str, scene: Scene, words: str) -> Looked:
    """The question back where "this document" could be any of several, or of its kind."""
    records = scene.shelf.records
    titles = [records[doc].title for doc in of_kind(scene, words) or records]
    named = _listed(titles, _MOST_NAMED, scene.language)
    zh = f"您指的是哪份文档？集合里有：{named}。"
    en = f"Which document do you mean? The collection holds: {named}."
    return Looked(kind, ask_back=zh if scene.language == "zh" else en)


def about_documents(looked: Looked) -> Json:
    """What an analysis becomes by it."""
    if looked.ask_back:
        return {"ask_back": looked.ask_back}
    whole = {"about": looked.kind, "need_retrieval": False, "rules": (looked.kind,)}
    return {**whole, "ask_back": ""}


def found(looked: Looked) -> Json:
    """What the state keeps of it."""
    return {
        "evidence": [group.model_dump(mode="json") for group in looked.evidence],
        "looked": {"text": looked.draft.text, "abstained": looked.draft.abstained},
    }
