"""The label leg: a question that names 图2.3 gets exactly that object first, then its mentions.

A label that does not exist is reported with the nearest ones that do; one that exists in several
documents is the focused document's, else all of them, by name. A neighbour is never a substitute.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache, partial

from ..core.chunk import Chunk, Figure
from ..core.evidence import LegResult, Notice
from ..core.label import Label, find_labels, parse_label
from ..core.model import Noun
from ..core.ports import Catalog
from .items import EXAM_SOURCES, Item, by_document, find_items, known_numbers, same_paper
from .label_choice import (
    MOST_TITLES,
    AmbiguousLabel,
    Candidates,
    Hints,
    MissingLabel,
    Shelf,
    ambiguity_notice,
    choose,
    key_of,
    label_notice,
    lacking,
)
from .named import best_named
from .selected import selected

OBJECT_SCORE = 1.0
SECTION_SCORE = 0.9
MENTION_SCORE = 0.5
_STEP = 1e-4  # keeps the order inside one class
_SECTION_CHUNKS = 8  # of one section in one document
_NEAREST = 3
_MOST_IDS = 400  # chunks of one label
_CERTAIN = frozenset({"figure", "table"})  # every one of them is in the catalog
_MENTIONS = 10  # of one figure: the first name it, the others repeat it
_TEXT_DOCS = 3  # named documents whose text is read for a label that no object carries
_TEXT_CHUNKS = 3
_CHAPTER = re.compile(r"第\s*\S{1,4}\s*[章编篇节]|(?:chapter|part|section)\b", re.IGNORECASE)


class LabelMatch(Noun):
    """What one asked label found. `exact` is False for a parent or a sub-figure of it."""

    label: Label
    figure_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()
    exact: bool = True


class LabelFinding(Noun):
    """The leg's ranking (objects, then sections, then mentions) and what is known of the labels."""

    result: LegResult
    figure_ids: tuple[str, ...] = ()
    matches: tuple[LabelMatch, ...] = ()
    missing: tuple[MissingLabel, ...] = ()
    unresolved: tuple[Label, ...] = ()
    """Labels of other kinds that were not found: sections may be numbered in another way."""
    ambiguous: tuple[AmbiguousLabel, ...] = ()
    notes: tuple[Notice, ...] = ()
    """What is said of a place at which no figure stands."""


def find_labelled(
    catalog: Catalog,
    collection: str,
    labels: Sequence[Label],
    focus_docs: Sequence[str] = (),
    *,
    question: str = "",
    allowed: Collection[str] | None = None,
) -> LabelFinding:
    """Look the labels up in the catalog; of its chunks only the `allowed` ones, None: all.

    Of several documents that carry a label the one is meant that `question` names, else the one in
    focus (`focus_docs`, most important first), else those that write it in the question's script
    (图2.1, Figure 2.1); more than one is an ambiguity.
    """
    catalog = selected(catalog, allowed)
    hints = Hints(question=question, focus_docs=tuple(focus_docs))
    shelf = Shelf(catalog, collection, question)
    matches: list[LabelMatch] = []
    missing: list[MissingLabel] = []
    unresolved: list[Label] = []
    ambiguous: list[AmbiguousLabel] = []
    figures: dict[str, Figure] = {}
    for label in dict.fromkeys(labels):
        match, found, unclear = _look_up(catalog, collection, label, hints, shelf)
        gone = _gone(catalog, match, found, shelf)
        if gone is not None:
            match, found, unclear = _in_text(catalog, label, shelf, gone), [], None
        figures |= {f.figure_id: f for f in found}
        if unclear is not None:
            ambiguous.append(unclear)
        if match.figure_ids or match.chunk_ids:
            matches.append(_few(match))
        elif gone is not None:
            missing.append(gone)
        elif label.kind in _CERTAIN:
            missing.append(_missing(catalog, collection, label, focus_docs))
        elif label.kind == "question" and _papers(catalog, collection, focus_docs):
            known = known_numbers(catalog, collection, focus_docs)
            missing.append(MissingLabel(label=label, nearest=nearest(label, known)))
        else:
            unresolved.append(label)
    return LabelFinding(
        result=_ranking(matches, figures),
        figure_ids=tuple(figures),
        matches=tuple(matches),
        missing=tuple(missing),
        unresolved=tuple(unresolved),
        ambiguous=tuple(ambiguous),
    )


def _gone(
    catalog: Catalog, match: LabelMatch, figures: Sequence[Figure], shelf: Shelf
) -> MissingLabel | None:
    """That the document which the question names lacks the label; the catalog is read for it only
    when one is named."""
    places = partial(_places, catalog, match, figures)
    return lacking(match.label, places, shelf, partial(_near, catalog, match.label))


def _few(match: LabelMatch) -> LabelMatch:
    """Every regulation has an article 3: a turn carries no list of thousands of them."""
    return match.model_copy(update={"chunk_ids": match.chunk_ids[:_MOST_IDS]})


def _places(catalog: Catalog, match: LabelMatch, figures: Sequence[Figure]) -> dict[str, str]:
    """Document ids by document or regulation, of what a label found."""
    chunks = {key_of(c): c.doc_id for c in catalog.chunks(match.chunk_ids)}
    return {f.doc_id: f.doc_id for f in figures} | chunks


def _in_text(catalog: Catalog, label: Label, shelf: Shelf, gone: MissingLabel) -> LabelMatch:
    """The text of the named documents that says the label, a caption first: a program or a drawing
    that is text is no figure."""
    docs = [] if gone.year else shelf.named()[0][:_TEXT_DOCS]
    said: list[tuple[bool, Chunk]] = []
    for doc in docs if label.kind not in ("section", "question") else []:
        for chunk in catalog.chunks_of(doc):
            spans = [span for span in find_labels(chunk.text) if span.label == label]
            if spans:
                said.append((not any(_leads(chunk.text, span.start) for span in spans), chunk))
    said.sort(key=lambda pair: pair[0])
    ids = tuple(chunk.chunk_id for _, chunk in said[:_TEXT_CHUNKS])
    return LabelMatch(label=label, chunk_ids=ids, exact=False)


def _leads(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _near(catalog: Catalog, label: Label, docs: Sequence[str]) -> tuple[Label, ...]:
    """The nearest labels of the kind that these documents have."""
    if label.kind == "question":
        chunks = [c for doc in docs for c in catalog.chunks_of(doc)]
        numbers = dict.fromkeys(str(c.metadata.get("question") or "") for c in chunks)
        known = [Label(kind="question", parts=(n,)) for n in numbers if n.isdecimal()]
        return nearest(label, known)
    if label.kind in ("section", "appendix"):
        chunks = [c for doc in docs for c in catalog.chunks_of(doc)]
        titles = dict.fromkeys(c.section_title for c in chunks if c.section_title)
        own = [found for title in titles if (found := parse_label(title)) is not None]
        return nearest(label, [o for o in own if o.kind == label.kind and o.sub == label.sub])
    own = [f.label for doc in docs for f in catalog.figures_of(doc) if f.label is not None]
    return nearest(label, [known for known in own if known.kind == label.kind])


def label_notices(finding: LabelFinding, language: str) -> tuple[Notice, ...]:
    """What the reader must be told: labels that do not exist, labels of several documents."""
    gone = [label_notice(item, language) for item in finding.missing]
    unclear = (ambiguity_notice(item, language) for item in finding.ambiguous)
    return (*gone, *unclear, *finding.notes)


def matches_label(figure: Figure, label: Label) -> bool:
    """Whether the figure carries exactly this label, or is the whole or a part of it."""
    own = figure.label
    if own is None or own.kind != label.kind or own.parts != label.parts:
        return False
    return own.sub == label.sub or not own.sub or not label.sub


def _look_up(
    catalog: Catalog, collection: str, label: Label, hints: Hints, shelf: Shelf
) -> tuple[LabelMatch, list[Figure], AmbiguousLabel | None]:
    if label.kind in {"section", "appendix"}:
        chunks = _section_chunks(catalog, collection, label, shelf.read(hints.focus_docs))
        return _of_chunks(label, chunks, hints, shelf)
    if label.kind == "question":
        return _look_up_item(catalog, collection, label, hints, shelf)
    figures, exact = _figures(catalog, collection, label)
    if not figures and label.kind not in _CERTAIN:
        # Equations and algorithms are chunks of their own text, not figures.
        chunks = catalog.chunks(catalog.select(collection, {"labels": label.key}))
        return _of_chunks(label, chunks, hints, shelf)
    written = {f.doc_id: (f.doc_id, f.label_text or f.caption) for f in figures}
    chosen, unclear = choose(label, written, shelf, hints)
    figures = [f for f in figures if f.doc_id in chosen]
    match = LabelMatch(
        label=label,
        figure_ids=tuple(f.figure_id for f in figures),
        chunk_ids=tuple(dict.fromkeys(f.chunk_id for f in figures if f.chunk_id)),
        exact=exact,
    )
    return match, figures, unclear


def _look_up_item(
    catalog: Catalog, collection: str, label: Label, hints: Hints, shelf: Shelf
) -> tuple[LabelMatch, list[Figure], AmbiguousLabel | None]:
    """An exam item with its solution; where several are meant, all of them, by name."""
    items = find_items(catalog, collection, label, hints.question)
    items.sort(key=lambda item: item.solved)
    docs = dict.fromkeys(item.doc_id for item in items)
    papers = same_paper(items, [shelf.records[doc] for doc in docs if doc in shelf.records])
    written = {i.doc_id: (i.doc_id, i.chunks[0].text) for i in reversed(items)}
    named, score = best_named(hints.question, {doc: shelf.called(doc) for doc in written})
    if score:  # a paper comes with its answers: what names one of them names both
        kept = {papers[str(doc)] for doc in named}
        written = {doc: row for doc, row in written.items() if papers[doc] in kept}
    alone = {papers[doc]: row for doc, row in written.items()}
    focus = tuple(doc for d in hints.focus_docs if (doc := _sibling(d, alone, papers)))
    asked = hints.model_copy(update={"focus_docs": focus})
    chosen, unclear = choose(label, alone, shelf, asked)
    meant = [i for i in items if papers[i.doc_id] in chosen]
    if unclear is not None:
        docs_meant = tuple(by_document(meant))[:MOST_TITLES]
        unclear = unclear.model_copy(update={"doc_ids": docs_meant})
    ids = dict.fromkeys(chunk.chunk_id for item in meant for chunk in item.chunks)
    exact = all(item.exact for item in meant)
    match = LabelMatch(label=label, chunk_ids=tuple(ids), exact=exact)
    return match, [], unclear or _several_parts(label, meant)


def _sibling(doc: str, alone: Candidates, papers: dict[str, str]) -> str:
    """The document of those that stand for their papers which is of the same paper."""
    return alone[papers[doc]][0] if papers.get(doc) in alone else ""


def _several_parts(label: Label, items: Sequence[Item]) -> AmbiguousLabel | None:
    """One number in several parts of one paper; its answers at the end are no further item."""
    for doc, own in by_document(items).items():
        asked = [item for item in own if not item.solved] or own
        parts = tuple(dict.fromkeys(item.part for item in asked if item.part))
        if len(parts) > 1:
            return AmbiguousLabel.among(label, [doc], parts, inside=own[0].title)
    return None


def _papers(catalog: Catalog, collection: str, focus_docs: Sequence[str]) -> bool:
    """Whether it is exam papers that are asked about: those in focus, or most documents."""
    records = catalog.documents(collection)
    records = [r for r in records if r.doc_id in focus_docs] or records
    exams = sum(record.source_type in EXAM_SOURCES for record in records)
    return bool(records) and 2 * exams >= len(records)


def _of_chunks(
    label: Label, chunks: Sequence[Chunk], hints: Hints, shelf: Shelf
) -> tuple[LabelMatch, list[Figure], AmbiguousLabel | None]:
    """Text that carries the label, by document or by regulation of a compilation."""
    written = {key_of(c): (c.doc_id, c.section_title or c.text) for c in reversed(chunks)}
    chosen, unclear = choose(label, dict(reversed(written.items())), shelf, hints)
    ids = tuple(c.chunk_id for c in chunks if key_of(c) in chosen)
    return LabelMatch(label=label, chunk_ids=ids), [], unclear


def _figures(catalog: Catalog, collection: str, label: Label) -> tuple[list[Figure], bool]:
    """Figures of the label itself and of its parts; for a part that has none, its parent."""
    found = catalog.figures_by_label(collection, label)
    if not label.sub:
        keys = (k for k in catalog.labels(collection, label.kind) if k.startswith(f"{label.key}("))
        parts = [f for k in keys for f in catalog.figures_by_label(collection, Label.from_key(k))]
        return _unique([*found, *parts]), bool(found) or bool(parts)
    if found:
        return _unique(found), True
    parent = label.model_copy(update={"sub": ""})
    if found := catalog.figures_by_label(collection, parent):
        return _unique(found), False
    return [], False


def _unique(figures: Iterable[Figure]) -> list[Figure]:
    return list({f.figure_id: f for f in figures}.values())


def _labels_above(chunk: Chunk) -> list[Label]:
    found = [_chapter_label(part) for part in chunk.section_path.split(" > ")]
    return [label for label in found if label is not None]


@lru_cache(maxsize=4096)
def _chapter_label(heading: str) -> Label | None:
    """The number of a chapter's or section's heading; a book's headings are asked for often."""
    return parse_label(heading) if _CHAPTER.match(heading) else None


def _chapter_chunks(catalog: Catalog, label: Label, docs: Sequence[str]) -> list[Chunk]:
    """What stands in the chapter of that number: its articles have numbers of their own."""
    return [c for doc in docs for c in catalog.chunks_of(doc) if label in _labels_above(c)]


def _section_chunks(
    catalog: Catalog, collection: str, label: Label, docs: Sequence[str]
) -> list[Chunk]:
    """The first chunks of the section in each document; 第三条 is not 第三章."""
    chunks = catalog.by_section(collection, ".".join(label.parts))
    if not label.sub and len(label.parts) == 1:
        chunks = [*_chapter_chunks(catalog, label, docs), *chunks]
    read = {title: parse_label(title) for title in {c.section_title for c in chunks}}
    titled = [(c, read[c.section_title]) for c in chunks]
    same = [c for c, own in titled if own == label or label in _labels_above(c)]
    if not same:
        same = [c for c, own in titled if own is None or (not label.sub and not own.sub)]
    counts: dict[str, int] = {}
    out = []
    for chunk in same:
        key = key_of(chunk)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= _SECTION_CHUNKS:
            out.append(chunk)
    return out


def _missing(
    catalog: Catalog, collection: str, label: Label, focus_docs: Sequence[str]
) -> MissingLabel:
    focused = [f.label for d in focus_docs for f in catalog.figures_of(d) if f.label is not None]
    known = [known for known in focused if known.kind == label.kind]
    if not known:
        known = [Label.from_key(k) for k in catalog.labels(collection, label.kind)]
    return MissingLabel(label=label, nearest=nearest(label, known))


def nearest(label: Label, known: Iterable[Label]) -> tuple[Label, ...]:
    """Up to three existing labels: same chapter first, then the smallest step in number."""
    ranked = sorted(set(known), key=lambda other: (_distance(label, other), other.key))
    return tuple(ranked[:_NEAREST])


def _distance(a: Label, b: Label) -> tuple[int, int, int]:
    shared = 0
    for x, y in zip(a.parts, b.parts, strict=False):
        if x != y:
            break
        shared += 1
    step = 1000
    if shared < min(len(a.parts), len(b.parts)):
        x, y = a.parts[shared], b.parts[shared]
        if x.isdecimal() and y.isdecimal():
            step = abs(int(x) - int(y))
    return abs(len(a.parts) - len(b.parts)), -shared, step


def _ranking(matches: Sequence[LabelMatch], figures: dict[str, Figure]) -> LegResult:
    scores: dict[str, float] = {}

    def add(ids: Iterable[str], score: float) -> None:
        for chunk_id in ids:
            scores.setdefault(chunk_id, score - _STEP * len(scores))

    for match in matches:
        certain = match.figure_ids or match.label.kind == "question"
        add(match.chunk_ids, OBJECT_SCORE if certain else SECTION_SCORE)
    for match in matches:
        for figure_id in match.figure_ids:
            add(figures[figure_id].mentions[:_MENTIONS], MENTION_SCORE)
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return LegResult(
        leg="label",
        query=" ".join(m.label.key for m in matches),
        ids=tuple(k for k, _ in ordered),
        scores=tuple(v for _, v in ordered),
    )
