"""`tuwen eval figures`: questions made from a collection's own captions and text.

By number in several written forms; by the caption in other words, number removed; and ordinary
text questions that need no figure. All run through the chat graph without a model.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.chunk import Chunk, Figure
from ..core.errors import UsageError
from ..core.text import language
from ..graph.services import Services
from . import metrics, phrasing
from .answers import rounded, share
from .chats import Asked, ask_all, without_model
from .sets import spread

Json = dict[str, Any]
PLAIN_LIMIT = 100
SHOWN = 2
NEEDS_FIGURE = 0.5
"""A sentence that shares this much with a caption may well deserve the figure."""
MOST_MISSES = 40


@dataclass(frozen=True)
class FigureCase:
    """A question and the figures that answer it (any of them for a label in two documents)."""

    question: str
    right: frozenset[str]
    about: str


def evaluate_figures(
    services: Services, collection: str, *, limit: int | None = None, plain: int = PLAIN_LIMIT
) -> Json:
    """The report of `tuwen eval figures --json`."""
    start = time.perf_counter()
    figures = figures_of(services, collection)
    if not figures:
        raise UsageError(f"Collection {collection!r} holds no figures; ingest documents first.")
    exact = spread(label_cases(figures), limit)
    reworded = spread(paraphrase_cases(services, figures), limit)
    unnamed = spread(paraphrase_cases(services, figures, named=False), limit)
    ordinary = spread(plain_cases(services, collection, figures), plain)
    options = without_model(collection)
    asked = [
        ask_all(services, [(case.question, options) for case in cases], what=name)
        for name, cases in (
            ("labels", exact),
            ("paraphrases", reworded),
            ("plain", ordinary),
            ("unnamed", unnamed),
        )
    ]
    return {
        "collection": collection,
        "figures": len(figures),
        "captioned": sum(bool(figure.caption) for figure in figures),
        "labelled": sum(figure.label is not None for figure in figures),
        "exact_label": _exact_score(exact, asked[0]),
        "paraphrase": _paraphrase_score(reworded, asked[1]),
        "unnamed": _paraphrase_score(unnamed, asked[3]),
        "plain": _plain_score(ordinary, asked[2]),
        "seconds": round(time.perf_counter() - start, 1),
    }


def figures_of(services: Services, collection: str) -> list[Figure]:
    """Every figure that can be shown, by document and ordinal."""
    return [
        figure
        for record in services.catalog.documents(collection)
        for figure in services.catalog.figures_of(record.doc_id)
        if not figure.decoration
    ]


def label_cases(figures: Sequence[Figure]) -> list[FigureCase]:
    """Every labelled figure and table by number, in every written form."""
    cases = []
    for figure in figures:
        label = figure.label
        if label is None or label.kind not in phrasing.LABEL_KINDS:
            continue
        right = frozenset(
            other.figure_id
            for other in figures
            if other.label is not None
            and (other.label.kind, other.label.parts) == (label.kind, label.parts)
            and (not label.sub or other.label.sub in ("", label.sub))
        )
        for form in phrasing.label_forms(label, language(figure.caption or figure.label_text)):
            question = phrasing.label_question(label.kind, form)
            cases.append(FigureCase(question=question, right=right, about=figure.figure_id))
    return list({case.question: case for case in cases}.values())


def paraphrase_cases(
    services: Services, figures: Sequence[Figure], *, named: bool = True
) -> list[FigureCase]:
    """Every captioned figure by its caption in other words; `named`: a figure or table is asked
    for, else nothing in the question says that one would help."""
    cases = []
    for figure in figures:
        if named:
            question = phrasing.paraphrase(figure.caption, figure.kind, services.tokenizer)
        else:
            question = phrasing.unnamed(figure.caption, services.tokenizer)
        if not question:
            continue
        same = phrasing.without_label(figure.caption)
        right = frozenset(
            other.figure_id for other in figures if phrasing.without_label(other.caption) == same
        )
        cases.append(FigureCase(question=question, right=right, about=figure.figure_id))
    return list({case.question: case for case in cases}.values())


def plain_cases(services: Services, collection: str, figures: Sequence[Figure]) -> list[FigureCase]:
    """Text chunks that name no figure, asked about by a sentence that no caption resembles."""
    captions = [services.tokenizer.tokens(figure.caption) for figure in figures if figure.caption]
    cases = []
    for chunk in text_chunks(services, collection):
        sentence = "" if chunk.mentions else phrasing.telling_sentence(chunk.text)
        question = phrasing.plain_question(sentence, services.tokenizer) if sentence else ""
        words = services.tokenizer.tokens(question)
        if question and all(
            phrasing.overlap(words, caption) < NEEDS_FIGURE for caption in captions
        ):
            cases.append(FigureCase(question=question, right=frozenset(), about=chunk.chunk_id))
    return list({case.question: case for case in cases}.values())


def text_chunks(services: Services, collection: str) -> list[Chunk]:
    """Chunks of running text, by document and ordinal."""
    return [
        chunk
        for record in services.catalog.documents(collection)
        for chunk in services.catalog.chunks_of(record.doc_id)
        if chunk.chunk_type == "section_text"
    ]


def _exact_score(cases: Sequence[FigureCase], asked: Sequence[Asked]) -> Json:
    """Right: something is shown and nothing but what carries the label."""
    right = [bool(a.images) and set(a.images) <= c.right for c, a in zip(cases, asked, strict=True)]
    return {
        "n": len(cases),
        "accuracy": share(right),
        "interval": [round(end, 4) for end in metrics.wilson(sum(right), len(right))],
        "misses": _misses(cases, asked, right),
    }


def _paraphrase_score(cases: Sequence[FigureCase], asked: Sequence[Asked]) -> Json:
    pairs = list(zip(cases, asked, strict=True))
    right = [bool(c.right & set(a.images[:SHOWN])) for c, a in pairs]
    first = [bool(c.right & set(a.images[:1])) for c, a in pairs]
    shown = sum(len(a.images) for a in asked)
    good = sum(len(c.right & set(a.images)) for c, a in pairs)
    precision = good / shown if shown else None
    recall = sum(right) / len(right) if right else None
    f1 = 2 * precision * recall / (precision + recall) if precision and recall else None
    return {
        "n": len(cases),
        "recall@1": share(first),
        "recall@2": share(right),
        "selected@2": share([bool(c.right & set(a.selected[:SHOWN])) for c, a in pairs]),
        "precision": rounded(precision),
        "f1": rounded(f1),
        "interval": [round(end, 4) for end in metrics.wilson(sum(right), len(right))],
        "misses": _misses(cases, asked, right),
    }


def _plain_score(cases: Sequence[FigureCase], asked: Sequence[Asked]) -> Json:
    clean = [not answer.images for answer in asked]
    wrong = [not value for value in clean]
    return {
        "n": len(cases),
        "false_figure_rate": share(wrong),
        "interval": [round(end, 4) for end in metrics.wilson(sum(wrong), len(wrong))],
        "misses": _misses(cases, asked, clean),
    }


def _misses(
    cases: Sequence[FigureCase], asked: Sequence[Asked], right: Sequence[bool]
) -> list[Json]:
    """What went wrong, to look at: the question, what was wanted and what was shown and why."""
    found = []
    for case, answer, good in zip(cases, asked, right, strict=True):
        if not good:
            found.append(
                {
                    "question": case.question,
                    "wanted": sorted(case.right),
                    "shown": [
                        {k: image.get(k) for k in ("id", "label", "caption", "why")}
                        for image in answer.finish.get("images", [])
                    ],
                    "selected": list(answer.selected),
                    "abstained": answer.abstained,
                }
            )
    return found[:MOST_MISSES]
