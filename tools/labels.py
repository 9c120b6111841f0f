"""The label leg: a question that names 图2.3 gets exactly that object first, then its mentions.

A label that does not exist is reported with the nearest ones that do; one that exists in several
documents is the focused document's, else all of them, by name. A neighbour is never a substitute.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher

from ..core.chunk import Chunk, Figure
from ..core.evidence import LegResult, Notice
from ..core.label import Label, display, parse_label
from ..core.model import Noun
from ..core.ports import Catalog
from ..core.text import has_cjk
from .items import EXAM_SOURCES, Item, find_items, known_numbers, same_paper
from .selected import selected

OBJECT_SCORE = 1.0
SECTION_SCORE = 0.9
MENTION_SCORE = 0.5
_STEP = 1e-4  # keeps the order inside one class
_SECTION_CHUNKS = 8  # of one section in one document
_NEAREST = 3
_CERTAIN = frozenset({"figure", "table"})  # every one of them is in the catalog
_MENTIONS = 10  # of one figure: the first name it, the others repeat it
_TITLE_WORD = re.compile(r"[a-z][a-z0-9-]{3,}")
_TITLE_RUN = 3  # Chinese characters in a row that a question must share with a title


class LabelMatch(Noun):
    """What one asked label found. `exact` is False for a parent or a sub-figure of it."""

    label: Label
    figure_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()
    exact: bool = True


class MissingLabel(Noun):
    """A figure or table that no document has, and the nearest that exist."""

    label: Label
    nearest: tuple[Label, ...] = ()


class AmbiguousLabel(Noun):
    """A label that several documents, or several parts of a paper, carry, none of them in focus."""

    label: Label
    doc_ids: tuple[str, ...]
    titles: tuple[str, ...]
    inside: str = ""
    """The one paper whose parts `titles` name; empty: they name documents."""


class Hints(Noun):
    """What tells documents with the same label apart."""

    question: str = ""
    focus_docs: tuple[str, ...] = ()


class LabelFinding(Noun):
    """The leg's ranking (objects, then sections, then mentions) and what is known of the labels."""

    result: LegResult
    figure_ids: tuple[str, ...] = ()
    matches: tuple[LabelMatch, ...] = ()
    missing: tuple[MissingLabel, ...] = ()
    unresolved: tuple[Label, ...] = ()
    """Labels of other kinds that were not found: sections may be numbered in another way."""
    ambiguous: tuple[AmbiguousLabel, ...] = ()


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
    matches: list[LabelMatch] = []
    missing: list[MissingLabel] = []
    unresolved: list[Label] = []
    ambiguous: list[AmbiguousLabel] = []
    figures: dict[str, Figure] = {}
    for label in dict.fromkeys(labels):
        match, found, unclear = _look_up(catalog, collection, label, hints)
        figures |= {f.figure_id: f for f in found}
        if unclear is not None:
            ambiguous.append(unclear)
        if match.figure_ids or match.chunk_ids:
            matches.append(match)
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


def label_notices(finding: LabelFinding, language: str) -> tuple[Notice, ...]:
    """What the reader must be told: labels that do not exist, labels of several documents."""
    zh = language == "zh"
    out = []
    for gone in finding.missing:
        near = ("、" if zh else ", ").join(display(n, language) for n in gone.nearest)
        name = display(gone.label, language)
        text = f"资料中没有{name}。" if zh else f"There is no {name} in the documents."
        if near:
            text += f"最接近的是：{near}。" if zh else f" The nearest are: {near}."
        out.append(Notice(code="label_missing", text=text))
    for item in finding.ambiguous:
        out.append(Notice(code="label_ambiguous", text=_several(item, language)))
    return tuple(out)


def _several(item: AmbiguousLabel, language: str) -> str:
    zh = language == "zh"
    names = ("、" if zh else "; ").join(item.titles)
    name = display(item.label, language)
    if item.inside:
        where = f"《{item.inside}》里有多个{name}：{names}。"
        return where if zh else f"{item.inside} has several items {name}: {names}."
    return f"多份文档都有{name}：{names}。" if zh else f"Several documents have a {name}: {names}."


def matches_label(figure: Figure, label: Label) -> bool:
    """Whether the figure carries exactly this label, or is the whole or a part of it."""
    own = figure.label
    if own is None or own.kind != label.kind or own.parts != label.parts:
        return False
    return own.sub == label.sub or not own.sub or not label.sub


def _look_up(
    catalog: Catalog, collection: str, label: Label, hints: Hints
) -> tuple[LabelMatch, list[Figure], AmbiguousLabel | None]:
    if label.kind in {"section", "appendix"}:
        chunks = _section_chunks(catalog, collection, label)
        written = {c.doc_id: c.section_title or c.text for c in chunks}
        return _of_chunks(label, chunks, written, hints)
    if label.kind == "question":
        return _look_up_item(catalog, collection, label, hints)
    figures, exact = _figures(catalog, collection, label)
    if not figures and label.kind not in _CERTAIN:
        # Equations and algorithms are chunks of their own text, not figures.
        chunks = catalog.chunks(catalog.select(collection, {"labels": label.key}))
        return _of_chunks(label, chunks, {c.doc_id: c.text for c in chunks}, hints)
    docs = {f.doc_id: f.doc_title for f in figures}
    written = {f.doc_id: f.label_text or f.caption for f in figures}
    chosen, unclear = _choose_docs(label, docs, written, hints)
    figures = [f for f in figures if f.doc_id in chosen]
    match = LabelMatch(
        label=label,
        figure_ids=tuple(f.figure_id for f in figures),
        chunk_ids=tuple(dict.fromkeys(f.chunk_id for f in figures if f.chunk_id)),
        exact=exact,
    )
    return match, figures, unclear


def _look_up_item(
    catalog: Catalog, collection: str, label: Label, hints: Hints
) -> tuple[LabelMatch, list[Figure], AmbiguousLabel | None]:
    """An exam item with its solution; where several are meant, all of them, by name."""
    items = find_items(catalog, collection, label, hints.question)
    items.sort(key=lambda item: item.solved)
    records = [r for d in dict.fromkeys(i.doc_id for i in items) if (r := catalog.document(d))]
    papers = same_paper(items, records)
    titles = {papers[i.doc_id]: i.title for i in reversed(items)}
    written = {papers[i.doc_id]: i.chunks[0].text for i in reversed(items)}
    focus = tuple(papers[doc] for doc in hints.focus_docs if doc in papers)
    asked = hints.model_copy(update={"focus_docs": focus})
    chosen, unclear = _choose_docs(label, titles, written, asked)
    meant = [i for i in items if papers[i.doc_id] in chosen]
    if unclear is not None:
        docs = tuple(dict.fromkeys(i.doc_id for i in meant))
        unclear = unclear.model_copy(update={"doc_ids": docs})
    ids = dict.fromkeys(chunk.chunk_id for item in meant for chunk in item.chunks)
    exact = all(item.exact for item in meant)
    match = LabelMatch(label=label, chunk_ids=tuple(ids), exact=exact)
    return match, [], unclear or _several_parts(label, meant)


def _several_parts(label: Label, items: Sequence[Item]) -> AmbiguousLabel | None:
    """One number in several parts of one paper; its answers at the end are no further item."""
    for doc in dict.fromkeys(item.doc_id for item in items):
        own = [item for item in items if item.doc_id == doc]
        asked = [item for item in own if not item.solved] or own
        parts = tuple(dict.fromkeys(item.part for item in asked if item.part))
        if len(parts) > 1:
            return AmbiguousLabel(label=label, doc_ids=(doc,), titles=parts, inside=own[0].title)
    return None


def _papers(catalog: Catalog, collection: str, focus_docs: Sequence[str]) -> bool:
    """Whether it is exam papers that are asked about: those in focus, or most documents."""
    records = catalog.documents(collection)
    records = [r for r in records if r.doc_id in focus_docs] or records
    exams = sum(record.source_type in EXAM_SOURCES for record in records)
    return bool(records) and 2 * exams >= len(records)


def _of_chunks(
    label: Label, chunks: Sequence[Chunk], written: dict[str, str], hints: Hints
) -> tuple[LabelMatch, list[Figure], AmbiguousLabel | None]:
    """Text that carries the label; `written`: how each document writes it."""
    docs = {c.doc_id: c.doc_title for c in chunks}
    chosen, unclear = _choose_docs(label, docs, written, hints)
    ids = tuple(c.chunk_id for c in chunks if c.doc_id in chosen)
    return LabelMatch(label=label, chunk_ids=ids), [], unclear


def _choose_docs(
    label: Label, docs: dict[str, str], written: dict[str, str], hints: Hints
) -> tuple[set[str], AmbiguousLabel | None]:
    """The documents whose object is meant. `docs` are titles, `written` the label as it stands."""
    if len(docs) < 2:
        return set(docs), None
    named = _named(docs, hints.question)
    if named:
        return {named}, None
    focused = [doc for doc in hints.focus_docs if doc in docs]
    if focused:
        return {focused[0]}, None
    script = has_cjk(hints.question)
    alike = [doc for doc in docs if not hints.question or has_cjk(written[doc]) == script]
    meant = {doc: docs[doc] for doc in alike or docs}
    if len(meant) == 1:
        return set(meant), None
    return set(meant), AmbiguousLabel(
        label=label, doc_ids=tuple(meant), titles=tuple(meant.values())
    )


def _named(docs: dict[str, str], question: str) -> str:
    """The one document whose title the question uses most; none when two use it alike."""
    asked = question.casefold()
    shared = {doc: _shared(title.casefold(), asked) for doc, title in docs.items()}
    best = max(shared.values())
    names = [doc for doc, share in shared.items() if share == best]
    return names[0] if best and len(names) == 1 else ""


def _shared(title: str, asked: str) -> int:
    """Characters of the title's words that the question uses: long Latin words, Chinese runs."""
    words = set(_TITLE_WORD.findall(title)) & set(_TITLE_WORD.findall(asked))
    runs = [
        match.size
        for match in SequenceMatcher(None, title, asked, autojunk=False).get_matching_blocks()
        if match.size >= _TITLE_RUN and has_cjk(title[match.a : match.a + match.size])
    ]
    return sum(map(len, words)) + sum(runs)


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


def _section_chunks(catalog: Catalog, collection: str, label: Label) -> list[Chunk]:
    """The first chunks of the section in each document; 第三条 is not 第三章."""
    chunks = catalog.by_section(collection, ".".join(label.parts))
    titled = [(c, parse_label(c.section_title)) for c in chunks]
    same = [c for c, own in titled if own == label]
    if not same:
        same = [c for c, own in titled if own is None or (not label.sub and not own.sub)]
    counts: dict[str, int] = {}
    out = []
    for chunk in same:
        counts[chunk.doc_id] = counts.get(chunk.doc_id, 0) + 1
        if counts[chunk.doc_id] <= _SECTION_CHUNKS:
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
