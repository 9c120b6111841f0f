"""Whose figure is meant: of documents with the same label, or where a place in one is named."""

from collections.abc import Sequence

from ...agents.analyst_rules import folded
from ...agents.overview import says_document, without_naming
from ...core.analysis import Analysis, FigurePlace, Focus
from ...core.evidence import LegResult, Notice
from ...core.options import RunOptions
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


def find_placed(
    services: Services, analysis: Analysis, focus: Focus, options: RunOptions, language: str
) -> LabelFinding | None:
    """The figures that stand where the question says, or that there are none; None: it does not
    say where."""
    place = analysis.place
    if place is None:
        return None
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
