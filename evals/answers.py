"""`tuwen eval answers`: the extractive writer's answers, their pages, and its abstentions."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.text import digest
from ..graph.services import Services
from . import metrics
from .chats import Asked, ask_all, cites_page, contains, without_model
from .harness import COLLECTION, commit_passages, temporary_services
from .pages import ingest_files
from .sets import PageSet, Passage, Question, RetrievalSet

Json = dict[str, Any]
HELD_OUT = {"rgb": 2, "squad": 4}
"""Of a set without unanswerable questions every n-th question loses its passages."""


@dataclass(frozen=True)
class Case:
    """A question with what would be right."""

    text: str
    answers: tuple[tuple[str, ...], ...]
    answerable: bool
    doc_id: str
    pages: tuple[int, ...]


def evaluate_passage_answers(loaded: RetrievalSet, *, every: int) -> Json:
    """Answers over a heap of passages; every `every`-th question has its passages taken away."""
    start = time.perf_counter()
    kept, answerable = hold_out(loaded, every)
    with temporary_services() as services:
        commit_passages(services, kept, title=loaded.name)
        page_of = {passage.id: page for page, passage in enumerate(kept, start=1)}
        cases = [
            Case(
                text=question.text,
                answers=question.answers,
                answerable=possible,
                doc_id=digest(COLLECTION, loaded.name),
                pages=tuple(page_of[i] for i in question.relevant if i in page_of),
            )
            for question, possible in zip(loaded.questions, answerable, strict=True)
        ]
        options = without_model(COLLECTION)
        asked = ask_all(services, [(case.text, options) for case in cases], what=loaded.name)
    return _report(loaded.name, cases, asked, start)


def hold_out(loaded: RetrievalSet, every: int) -> tuple[list[Passage], list[bool]]:
    """The passages that stay and, for each question, whether they can still answer it."""
    removed = {
        passage
        for place, question in enumerate(loaded.questions)
        if place % every == every - 1
        for passage in question.relevant
    }
    kept = [passage for passage in loaded.passages if passage.id not in removed]
    possible = [_possible(question, removed) for question in loaded.questions]
    return kept, possible


def _possible(question: Question, removed: set[str]) -> bool:
    return question.answerable and not removed.issuperset(question.relevant)


def evaluate_page_answers(loaded: PageSet) -> Json:
    """Answers over documents; each question is asked of its own document."""
    start = time.perf_counter()
    with temporary_services() as services:
        doc_ids = ingest_files(services, loaded.files)
        cases, asked = ask_pages(services, loaded, doc_ids)
    return _report(loaded.name, cases, asked, start)


def ask_pages(
    services: Services, loaded: PageSet, doc_ids: dict[str, str]
) -> tuple[list[Case], list[Asked]]:
    """Every question through the chat graph, asked of its own document."""
    cases = [
        Case(
            text=question.text,
            answers=question.answers,
            answerable=question.answerable,
            doc_id=doc_ids[question.doc],
            pages=question.pages,
        )
        for question in loaded.questions
    ]
    asked = ask_all(
        services,
        [(c.text, without_model(COLLECTION, filters={"doc_id": c.doc_id})) for c in cases],
        what=f"{loaded.name}: answers",
    )
    return cases, asked


def abstentions(cases: Sequence[Case], asked: Sequence[Asked]) -> Json:
    """Precision and recall of saying that there is no answer."""
    pairs = zip(cases, asked, strict=True)
    counts = metrics.count([(not case.answerable, answer.abstained) for case, answer in pairs])
    return {
        "precision": rounded(counts.precision),
        "recall": rounded(counts.recall),
        "f1": rounded(counts.f1),
        "n": len(cases),
        "unanswerable": counts.true_positive + counts.false_negative,
        "abstained": counts.true_positive + counts.false_positive,
    }


def rounded(value: float | None) -> float | None:
    """Four digits; None stays."""
    return None if value is None else round(value, 4)


def share(values: Sequence[bool]) -> float | None:
    """The share of true ones; None without values."""
    return round(sum(values) / len(values), 4) if values else None


def _report(name: str, cases: Sequence[Case], asked: Sequence[Asked], start: float) -> Json:
    """`contains` also counts an abstention whose nearest passage holds the answer; `said` only
    what was given as the answer. `false`: answerable questions that got an abstention."""
    pairs = [(c, a) for c, a in zip(cases, asked, strict=True) if c.answerable]
    told = [(c, a) for c, a in pairs if c.answers]
    hits = [contains(a.finish.get("answer", ""), c.answers) for c, a in told]
    said = [hit and not a.abstained for hit, (_, a) in zip(hits, told, strict=True)]
    right = [cites_page(a, c.doc_id, c.pages) for c, a in pairs if c.pages and not a.abstained]
    return {
        "set": name,
        "n": len(cases),
        "contains": share(hits),
        "said": share(said),
        "page_exact": share(right),
        "abstain": {
            **abstentions(cases, asked),
            "false": sum(answer.abstained for _, answer in pairs),
        },
        "answerable": len(pairs),
        "intervals": {
            "contains": [round(end, 4) for end in metrics.wilson(sum(hits), len(hits))],
            "page_exact": [round(end, 4) for end in metrics.wilson(sum(right), len(right))],
        },
        "verdicts": _verdicts(asked),
        "seconds": round(time.perf_counter() - start, 1),
    }


def _verdicts(asked: Sequence[Asked]) -> dict[str, int]:
    """How often reflection gave each verdict."""
    names = [str(answer.trace.get("verdict", {}).get("verdict", "none")) for answer in asked]
    return {name: names.count(name) for name in sorted(set(names))}
