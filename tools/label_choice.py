"""Of several documents that carry a label, which is meant; and what is said where none does."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Self

from ..core.chunk import Chunk
from ..core.document import DocumentRecord
from ..core.evidence import Notice
from ..core.label import Label, display
from ..core.model import Noun
from ..core.ports import Catalog
from ..core.text import has_cjk
from .items import EXAM_SOURCES
from .named import (
    Names,
    bare_work,
    best_named,
    kind_asked,
    marked,
    names_of,
    naming_part,
    work_of,
    years_asked,
)

SURE = 4.0
"""Characters of a name that a question says: from here on its document is meant."""
_MOST_HEADS = 40
MOST_TITLES = 6
_MOST_READ = 3
_SMALL = 4000
"""Chunks of a collection that is read through for a chapter's number."""


class MissingLabel(Noun):
    """A label that no document has, or not the one that is named, and the nearest that exist."""

    label: Label
    nearest: tuple[Label, ...] = ()
    inside: tuple[str, ...] = ()
    """Titles of the documents that the question names."""
    year: str = ""
    """The year of the document that the question names and nobody has; `inside`: those there are"""


class AmbiguousLabel(Noun):
    """A label that several documents, or several parts of a paper, carry, none of them in focus."""

    label: Label
    doc_ids: tuple[str, ...]
    titles: tuple[str, ...]
    """The first of them, as many as are said."""
    count: int
    """How many there are."""
    inside: str = ""
    """The one paper whose parts `titles` name; empty: they name documents."""

    @classmethod
    def among(
        cls, label: Label, docs: Iterable[str], names: Iterable[str], *, inside: str = ""
    ) -> Self:
        """Of these documents and names, each once."""
        titles = tuple(dict.fromkeys(names))
        some = tuple(dict.fromkeys(docs))[:MOST_TITLES]
        shown, count = titles[:MOST_TITLES], len(titles)
        return cls(label=label, doc_ids=some, titles=shown, count=count, inside=inside)


class Hints(Noun):
    """What tells documents with the same label apart."""

    question: str = ""
    focus_docs: tuple[str, ...] = ()


Key = str
Candidates = dict[Key, tuple[str, str]]
"""Document id and how the label is written there, by document or by regulation of a document."""


class Shelf:
    """The collection's documents by what they are called; read once a question."""

    def __init__(self, catalog: Catalog, collection: str, question: str) -> None:
        self.question = question
        self.records = {r.doc_id: r for r in catalog.documents(collection)}
        dated = bool(years_asked(question) or kind_asked(question))
        exams = [r for r in self.records.values() if r.source_type in EXAM_SOURCES]
        heads = exams[:_MOST_HEADS] if dated or any(c.isdigit() for c in question) else []
        first = {r.doc_id: _head(catalog, r) for r in heads}
        self.names: dict[Hashable, Names] = {
            doc: names_of(record, first.get(doc, "")) for doc, record in self.records.items()
        }
        self._named: dict[str, tuple[list[str], float]] = {}

    def named(self, part: str | None = None) -> tuple[list[str], float]:
        """The documents that the question (or a part of it) names most, and how far; none: it
        names none."""
        text = self.question if part is None else part
        if text not in self._named:
            best, score = best_named(text, self.names)
            self._named[text] = [doc for doc in self.records if doc in best], score
        return self._named[text]

    def read(self, focus: Sequence[str]) -> list[str]:
        """Documents that may be read in full: the named ones, else those in focus, else all of a
        small collection."""
        docs, score = self.named()
        if score >= SURE and len(docs) <= _MOST_READ:
            return docs
        focused = [doc for doc in focus if doc in self.records][:_MOST_READ]
        small = sum(record.chunks for record in self.records.values()) <= _SMALL
        return focused or (list(self.records) if small else [])

    def called(self, doc: str, work: str = "") -> Names:
        """The names of a document, or of a regulation in it."""
        own = self.names.get(doc, Names(()))
        return own._replace(titles=(bare_work(work), *own.titles)) if work else own

    def title(self, doc: str, work: str = "") -> str:
        """How a reader is told of it."""
        record = self.records.get(doc)
        title = record.title if record else ""
        return f"{title} · {bare_work(work)}" if work else title

    def absent_year(self) -> tuple[str, list[DocumentRecord]]:
        """The year of which the question wants a document and none is, with those that are there
        of the kind that it wants; "" when there is one."""
        years = sorted(years_asked(self.question))
        if not years or any(names.years & set(years) for names in self.names.values()):
            return "", []
        kinds = kind_asked(self.question)
        there = [r for r in self.records.values() if r.source_type in kinds]
        there = there or list(self.records.values())
        dated = [r for r in there if self.names[r.doc_id].years]
        return (years[0], dated) if dated else ("", [])


def _head(catalog: Catalog, record: DocumentRecord) -> str:
    return "\n".join(chunk.text for chunk in catalog.chunks_of(record.doc_id, first=0, last=0))


def key_of(chunk: Chunk) -> Key:
    """The document, or the regulation of it, that a chunk belongs to."""
    work = work_of(chunk)
    return f"{chunk.doc_id}\n{work}" if work else chunk.doc_id


def choose(
    label: Label, candidates: Candidates, shelf: Shelf, hints: Hints
) -> tuple[set[Key], AmbiguousLabel | None]:
    """Those whose object is meant: the named, else the one in focus, else all that write the label
    in the question's script."""
    if len(candidates) < 2:
        return set(candidates), None
    split = {key: (doc, key.partition("\n")[2]) for key, (doc, _) in candidates.items()}
    names: dict[Hashable, Names] = {key: shelf.called(*place) for key, place in split.items()}
    best, score = best_named(hints.question, names)
    meant = [key for key in candidates if key in best] or list(candidates)
    if score < SURE:  # two characters that a title happens to share name nothing against the focus
        focused = _in_focus(list(candidates), split, hints)
        meant = [key for key in meant if key in focused] or focused or meant
    if len(meant) > 1:
        meant = _in_focus(meant, split, hints) or meant
    if len(meant) > 1 and not best:
        script = has_cjk(hints.question)
        alike = [k for k in meant if not hints.question or has_cjk(candidates[k][1]) == script]
        meant = alike or meant
    if len(meant) == 1:
        return set(meant), None
    titles = (shelf.title(*split[key]) for key in meant)
    return set(meant), AmbiguousLabel.among(label, (split[key][0] for key in meant), titles)


def _in_focus(
    meant: Sequence[Key], split: Mapping[Key, tuple[str, str]], hints: Hints
) -> list[Key]:
    for focused in hints.focus_docs:
        if found := [key for key in meant if split[key][0] == focused]:
            return found
    return []


def lacking(
    label: Label,
    places: Callable[[], Mapping[Key, str]],
    shelf: Shelf,
    near: Callable[[Sequence[str]], tuple[Label, ...]],
) -> MissingLabel | None:
    """That the document which the question names has no such label; None: it names none, or one
    of those that have it (`places`: document ids by key). `near`: nearest labels in documents."""
    year, there = shelf.absent_year()
    if year:
        titles = tuple(_dated(record, shelf) for record in there[:MOST_TITLES])
        return MissingLabel(label=label, inside=titles, year=year)
    part = naming_part(shelf.question)
    docs, score = shelf.named(part)
    if score < SURE:
        return None
    found = places()
    if set(found.values()) & set(docs):
        return None
    here: dict[Hashable, Names] = {
        key: shelf.called(doc, key.partition("\n")[2]) for key, doc in found.items()
    }
    whole: dict[Hashable, Names] = {doc: shelf.names[doc] for doc in docs}
    best, _ = best_named(part, whole | here)
    if not best or best & set(here):
        return None
    titles = tuple(shelf.title(doc) for doc in docs[:MOST_TITLES])
    return MissingLabel(label=label, nearest=near(docs[:MOST_TITLES]), inside=titles)


def _dated(record: DocumentRecord, shelf: Shelf) -> str:
    years = sorted(shelf.names[record.doc_id].years)
    return f"{record.title} ({', '.join(years)})" if years else record.title


def label_notice(gone: MissingLabel, language: str) -> Notice:
    """What the reader is told of a label that was not found."""
    zh = language == "zh"
    join = "、" if zh else ", "
    near = join.join(display(n, language) for n in gone.nearest)
    name = display(gone.label, language)
    where = join.join(map(marked, gone.inside)) if zh else "; ".join(gone.inside)
    if gone.year:
        text = (
            f"资料中没有 {gone.year} 年的这份文件，所以没有它的{name}。现有：{where}。"
            if zh
            else f"There is no such document of {gone.year}, so no {name}. There are: {where}."
        )
        return Notice(code="label_missing", text=text)
    if where:
        text = f"{where}里没有{name}。" if zh else f"There is no {name} in {where}."
    else:
        text = f"资料中没有{name}。" if zh else f"There is no {name} in the documents."
    if near:
        text += f"最接近的是：{near}。" if zh else f" The nearest are: {near}."
    return Notice(code="label_missing", text=text)


def ambiguity_notice(item: AmbiguousLabel, language: str) -> Notice:
    """That several documents, or parts of one, have the label."""
    zh = language == "zh"
    names = ("、" if zh else "; ").join(item.titles)
    if more := item.count - len(item.titles):
        names += f" 等 {item.count} 处" if zh else f" and {more} more"
    name = display(item.label, language)
    if item.inside:
        where = f"{marked(item.inside)}里有多个{name}：{names}。"
        text = where if zh else f"{item.inside} has several items {name}: {names}."
    else:
        text = (
            f"多份文档都有{name}：{names}。" if zh else f"Several documents have a {name}: {names}."
        )
    return Notice(code="label_ambiguous", text=text)
