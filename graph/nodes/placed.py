"""Whose figure is meant: of documents with the same label, or where a place in one is named."""

from collections.abc import Sequence

from ...agents.analyst_rules import folded
from ...agents.overview import says_document, without_naming
from ...core.analysis import Analysis, FigurePlace, Focus
from ...core.chunk import Figure
from ...core.evidence import LegResult, Notice
from ...core.label import Label
from ...core.options import RunOptions
from ...core.ports import Catalog
from ...tools.figure_places import after, nothing_there, placed_finding, standing_at
from ...tools.label_choice import SURE, Shelf
from ...tools.labels import LabelFinding
from ...tools.named import marked, naming_part, without_asking
from ..services import Services

_LOOKED_AT = 20
"""Chunks of a leg that vote for their document."""
_MOST_OF_IT = 0.6
"""Share of the votes from which on a document is meant."""
_LEAST = 2
"""Letters of the words that can mean a document."""
_MOST_TITLES = 6
_MOST_ITEMS, _TAIL = 4, 30


def document_meant(services: Services, collection: str, words: str, among: Sequence[str]) -> str:
    """Of some documents the one that the words speak of, by what it says and not by its title
    ("the paper on spam filters", an abbreviation that its text uses); empty: none clearly."""
    said = without_naming(without_asking(words))
    if len(folded(said)) < _LEAST or len(among) < 2:
        return ""
    allowed = set(services.catalog.select(collection, {"doc_id": list(among)}))
    vector = services.embedder.embed_queries([said])[0]
    dense = services.vectors.search(collection, vector, _LOOKED_AT, allowed=allowed)
    exact = services.keywords.search(collection, said, _LOOKED_AT, allowed=allowed).hits
    places = services.catalog.places([i for i, _ in (*dense, *exact)])
    votes: dict[str, float] = {}
    for leg in (dense, exact):
        for rank, (chunk_id, _) in enumerate(leg, 1):
            doc = places[chunk_id].doc_id
            votes[doc] = votes.get(doc, 0.0) + 1 / rank
    best = max(votes, key=lambda doc: votes[doc], default="")
    return best if best and votes[best] >= _MOST_OF_IT * sum(votes.values()) else ""


def owner_of_label(
    services: Services, analysis: Analysis, focus: Focus, options: RunOptions, docs: Sequence[str]
) -> str:
    """Which of the documents that carry a label the question speaks of; empty: of none. In a
    thread it must speak of a document, else what it says is asked of the figure in focus."""
    words = naming_part(analysis.rewritten)
    if focus.doc_ids and not says_document(words):
        return ""
    return document_meant(services, options.collection, words, docs)


def picture_labels(catalog: Catalog, collection: str, analysis: Analysis) -> tuple[Label, ...]:
    """The labels of the pictures of the exam items that are named, where their pictures are asked
    for and have such labels ("第9题的图": 第9题图); empty: they have not, or none is asked for."""
    items = [label for label in analysis.labels if label.kind == "question"]
    if analysis.wish != "weak" or not items or len(items) < len(analysis.labels):
        return ()
    own = tuple(Label(kind="figure", parts=(f"Q{item.parts[-1]}",), sub=item.sub) for item in items)
    known = set(catalog.labels(collection, "figure"))
    numbers = {key.partition("(")[0] for key in known}
    return own if all(label.key.partition("(")[0] in numbers for label in own) else ()


def item_figures(catalog: Catalog, finding: LabelFinding | None) -> list[str]:
    """Figures without a label that stand in the exam items that are named: beside their text."""
    matches = finding.matches if finding else ()
    ids = [i for match in matches if match.label.kind == "question" for i in match.chunk_ids]
    found: list[str] = []
    for chunk in catalog.chunks(ids[:_MOST_ITEMS]):
        text = " ".join(chunk.text.split())
        first, last = chunk.page_start or 0, chunk.page_end or chunk.page_start or 0
        found += [
            f.figure_id
            for f in catalog.figures_of(chunk.doc_id)
            if not f.decoration and first <= (f.page or 0) <= last and _beside(f, text)
        ]
    return found


def _beside(figure: Figure, text: str) -> bool:
    before, after = figure.context_before[-_TAIL:], figure.context_after[:_TAIL]
    return bool(before and before in text) or bool(not before and after and after in text)


def find_placed(
    services: Services, analysis: Analysis, focus: Focus, options: RunOptions, language: str
) -> LabelFinding | None:
    """The figures that stand where the question says, or that there are none; None: it does not
    say where."""
    place = analysis.place
    if place is None:
        return None
    if place.focused:
        shown = services.catalog.figures(focus.figure_ids)
        return placed_finding(shown, analysis.rewritten)
    if place.step:
        return _after(services, place, analysis, focus, language)
    doc = _document(services, place, focus, options)
    if not doc:
        return _unsaid(services, options, language)
    figures = services.catalog.figures_of(doc)
    found = standing_at(place, figures)
    if found:
        return placed_finding(found, analysis.rewritten)
    record = services.catalog.document(doc)
    title = record.title if record else ""
    return _saying(nothing_there(place, title, figures, language))


def _after(
    services: Services, place: FigurePlace, analysis: Analysis, focus: Focus, language: str
) -> LabelFinding | None:
    """What stands behind the last figure that was shown."""
    shown = services.catalog.figures(focus.figure_ids)
    if not shown:
        return None
    figures = services.catalog.figures_of(shown[-1].doc_id)
    if found := after(place, shown[-1], figures):
        return placed_finding(found, analysis.rewritten)
    return _saying(nothing_there(place, shown[-1].doc_title, figures, language))


def _document(services: Services, place: FigurePlace, focus: Focus, options: RunOptions) -> str:
    shelf = Shelf(services.catalog, options.collection, place.words)
    named, score = shelf.named()
    with_figures = [doc for doc, record in shelf.records.items() if record.figures]
    if score >= SURE and len(named) == 1:
        return named[0]
    among = named if score >= SURE else with_figures
    if meant := document_meant(services, options.collection, place.words, among):
        return meant
    focused = [doc for doc in focus.doc_ids if doc in shelf.records]
    return next(iter(focused), with_figures[0] if len(with_figures) == 1 else "")


def _unsaid(services: Services, options: RunOptions, language: str) -> LabelFinding:
    """That it is not said which document is meant."""
    titles = [r.title for r in services.catalog.documents(options.collection) if r.figures]
    zh = language == "zh"
    some = ("、" if zh else "; ").join(marked(t) if zh else t for t in titles[:_MOST_TITLES])
    more = len(titles) > _MOST_TITLES
    text = (
        f"您指的是哪份文档的图？有图的文档：{some}{'等' if more else ''}。"
        if zh
        else f"Which document do you mean? With figures: {some}{' and others' if more else ''}."
    )
    return _saying(Notice(code="figure_missing", text=text))


def _saying(notice: Notice) -> LabelFinding:
    return LabelFinding(result=LegResult(leg="label", query=""), notes=(notice,))
