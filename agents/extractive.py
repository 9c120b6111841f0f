"""The writer that needs no model: the best sentences and cells, verbatim, each with its source."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..core.analysis import Analysis
from ..core.chunk import Figure
from ..core.ports import Embedder, Tokenizer
from ..core.text import language as language_of
from ..tools.named import plain_name
from ..tools.whole_name import inner_question, without_year
from . import extractive_forms as forms
from .analyst_rules import folded, parts_of
from .extractive_answerable import (
    about_subject,
    evidence_text,
    label_absent,
    missing_from,
    other_year,
)
from .extractive_beside import beside_item
from .extractive_beyond import beyond_reading, unread, work_asked
from .extractive_cells import SURE_CELL, cells, unfound
from .extractive_choice import (
    NEXT_FOREIGN,
    NEXT_SHARE,
    best_sentences,
    completed,
    distinct,
    without_siblings,
)
from .extractive_concepts import han_folded, is_concept, unmet_by_form
from .extractive_days import hours_on
from .extractive_demand import of_other_firms, of_the_item, of_whole_item, same_headed
from .extractive_draft import Draft, abstaining, caveated, drafted
from .extractive_duty import clause_of_another, deed_unsaid, who_does
from .extractive_exact import exact_cells, one_row
from .extractive_facts import named_fact, same_fact
from .extractive_foreign import nearest_foreign
from .extractive_forms import Line
from .extractive_kinds import cases_instead, kinds_of_thing
from .extractive_lookup import properties
from .extractive_named import asked_items, bare_codes, named_lines, said_of_codes
from .extractive_office import naming_holder
from .extractive_opening import opened
from .extractive_pictures import about_figures, captions, matching_captions, wanted_figures
from .extractive_quantities import other_quantity, uncounted
from .extractive_question import bare, corrected, rows_named, sides, spelled_out, without_format
from .extractive_scene import Scene, good_sentences
from .extractive_sentences import (
    Candidate,
    has_blank,
    is_caption,
    rank_sentences,
)
from .extractive_steps import steps
from .extractive_tables import Reading
from .extractive_telling import all_bare, defining
from .extractive_totals import cells_to_add, of_two_rows, total_unsaid
from .extractive_translated import translated_cells
from .extractive_values import worked_out
from .extractive_words import Language, Work, answer_kind
from .passages import Passage
from .subjects import of_another

MAX_SENTENCES = 3
_LIST_ASKED = re.compile(
    r"有哪[些几]|哪些|哪几|包括什么|包含什么|分为|步骤|列举|列出|几[种类项个]方面"
    r"|\b(?:list|what are the|which are|steps|types of|kinds of|name the)\b",
    re.I,
)
_CELL = re.compile(r"(?P<label>[^:：]{1,80})[:：]\s*\W{0,3}\d[\d,. ]*\S{0,3}")
_SENTENCE_ENDS = ("。", ".", "！", "!", "；", ";")
# 的一年是哪年 asks for no property.
_ANY_TIME = re.compile(r"[那这]?一?个?(?:年|月|季度)")


def write_extractive(
    analysis: Analysis,
    passages: Sequence[Passage],
    *,
    figures: Sequence[Figure] = (),
    tokenizer: Tokenizer,
    embedder: Embedder,
    across: Embedder | None = None,
    language: Language | None = None,
) -> Draft:
    """Answer from the passages alone, nothing said twice; each part of a question by itself.

    Numbers are read from the table cell that the question's words point at; a definition question
    gets the defining text, a formula question the formula and its letters, a list question the
    list, a figure question the caption and what is said of the figure. Text in another language
    than the question is shown as found, behind a short lead. Evidence that does not bear on the
    question gives a Draft with `abstained`; where it does and the answer has to be counted, worked
    out or seen in a picture, a model is said to be needed and the nearest lines are given. `across`
    compares sentences of two languages; default: `embedder`.
    """
    codes = bare_codes(analysis.rewritten)
    if codes and (said := said_of_codes(codes, passages)):
        return drafted(language_of(said[0][1]), said, said[0][1])
    tongue = language or analysis.language
    asked = without_format(analysis.rewritten)
    scene = Scene(asked, passages, figures, tokenizer, embedder, across or embedder)
    answers = [answer for part in parts_of(analysis) for answer in _inside(part, scene)]
    lines = [line for answer in answers for line in answer.lines]
    nearest = next((answer.nearest for answer in answers if answer.nearest), [])
    work = next((answer.work for answer in answers if answer.work), None)
    if not lines and work and not any(answer.absent for answer in answers):
        return caveated(tongue, work, nearest)
    if not lines:
        return abstaining(tongue, passages, nearest)
    best = next((b for a in answers if (b := _best_line(a.lines, a.nearest))), "")
    return drafted(tongue, lines, best, work)


class _Answer(NamedTuple):
    """What is said to one part, nothing when it has no answer; the sentences nearest to it; what
    remains to be done with what is said or near."""

    lines: list[Line]
    nearest: list[Line]
    work: Work | None = None
    absent: bool = False
    """It asks for something that the passages do not hold."""


def _inside(part: Analysis, scene: Scene) -> list[_Answer]:
    """The answer in the documents that the question names, where they need not say their name;
    where they do not tell, in what others say of that name: another firm's figure is no answer."""
    own = [p for p in scene.passages if p.doc_id in part.named_docs]
    if not own:
        return _answers(part, scene)
    own_scene = scene._replace(passages=own, inside=True)
    asked = inner_question(part)
    found = _told(part, asked, own_scene)
    if part.named_year and not _tells(found):  # as the document says, which has its year in front
        dateless = _told(part, without_year(asked, part.named_year), own_scene)
        found = dateless if _tells(dateless) and not _undated(dateless) else found
    others = [p for p in scene.passages if p not in own and _speaks_of(p, part.named)]
    if others and not _tells(found):
        told = _answers(part, scene._replace(passages=others))
        return told if any(answer.lines for answer in told) else found
    return found


def _speaks_of(passage: Passage, name: str) -> bool:
    return plain_name(name) in plain_name(f"{passage.title} {passage.section_path} {passage.text}")


def _told(part: Analysis, asked: str, scene: Scene) -> list[_Answer]:
    """The answers to the part, asked in these words."""
    return _answers(
        part.model_copy(update={"rewritten": asked}), scene._replace(whole=without_format(asked))
    )


def _undated(answers: Sequence[_Answer]) -> bool:
    """Whether several figures of one row are told, and not which of them is of the year."""
    return _under_one_name([line for answer in answers for line in answer.lines])


def _under_one_name(lines: Sequence[Line]) -> bool:
    """Whether lines tell different figures under one name: which is meant is not known."""
    cells = [m for _, text in lines if (m := _CELL.fullmatch(text))]
    cells = [m for m in cells if not re.search(r"[%％]", m.group())] or cells
    return len({m["label"] for m in cells}) < len({m.group() for m in cells})


def _tells(answers: Sequence[_Answer]) -> bool:
    return any(answer.lines or answer.work for answer in answers)


def _answers(part: Analysis, scene: Scene) -> list[_Answer]:
    """The answer to a part, or to each side of "P of A and Q of B" where a table has one of them
    and what it lacks is said."""
    parts = [part.model_copy(update={"rewritten": side}) for side in sides(bare(part))]
    found = [_answer(side, scene) for side in parts]
    if not any(answer.lines for answer in found):
        return [_answer(part, scene)]
    return [
        answer if answer.lines else _Answer(unfound(side.rewritten, [(bare(side),)], ()), [])
        for side, answer in zip(parts, found, strict=True)
    ]


def _answer(part: Analysis, scene: Scene) -> _Answer:
    question = han_folded(bare(part) or part.rewritten, scene.tokenizer)
    question = spelled_out(rows_named(question, scene.passages), scene.passages)
    evidence = {p.n: evidence_text(p, scene.tokenizer) for p in scene.passages}
    kept = about_subject(question, scene.passages, evidence)
    scene = scene._replace(passages=kept)
    missing = _missing(question, kept, evidence, scene.tokenizer)
    question = corrected(question, kept)
    whole = han_folded(corrected(scene.whole, kept), scene.tokenizer)
    if pairs := exact_cells(part, question, scene):
        return _Answer(pairs, [])
    ranked = rank_sentences(question, kept, scene.tokenizer, scene.embedder, whole=whole)
    # Without those of a sibling of what is asked about.
    own = [c for c in ranked if not of_another(question, c.text)]
    own = naming_holder(question, own)
    near = _nearest(question, ranked, scene)
    work = work_asked(without_format(part.rewritten))
    # What a picture shows need not be said in words.
    if work == "look":
        missing = [name for name in missing if not is_concept(name)]
    if label_absent(part.labels, kept, scene.figures) or missing:
        lines = one_row(part, question, scene)
        return _Answer(lines, near, absent=not lines)
    said = _said(part, question, scene, own)
    lines = said or one_row(part, question, scene)
    lines = _telling(part, question, lines, scene)
    docs = {p.doc_id for p in kept for n, _ in lines if p.n == n}
    if lines and other_year(question, docs, kept, evidence):
        return _Answer([], near, absent=True)
    other = clause_of_another(question, lines, kept, scene.tokenizer)
    if lines and (other or _of_other_form(question, lines, near)):
        return _Answer([], near, beyond_reading(work, question, kept, scene.tokenizer))
    if lines and not unmet_by_form(question, [han_folded(t, scene.tokenizer) for _, t in lines]):
        todo: Work | None = (
            "compute" if total_unsaid(question, lines) else unread(work, question, lines)
        )
        return _Answer(lines, near, todo)
    parts = cells_to_add(question, kept, scene.tokenizer) if work == "compute" else []
    beyond = work if parts else beyond_reading(work, question, kept, scene.tokenizer)
    return _Answer([], [*parts, *near], beyond)


def _telling(part: Analysis, question: str, lines: Sequence[Line], scene: Scene) -> list[Line]:
    """The lines, without what defines nothing where a definition is asked for; none where all are
    headings, or labels of the question's own words."""
    if part.question_type == "definition":
        lines = defining(question, lines, scene.passages, scene.tokenizer)
    item = of_the_item(question, lines, scene.passages, scene.tokenizer, inside=scene.inside)
    if not item or (answer_kind(question) == "number" and _under_one_name(lines)):
        return []
    repeated = all(_repeats(text, question) for _, text in lines)
    return [] if not part.labels and (all_bare(lines) or repeated) else list(lines)


def _of_other_form(question: str, lines: Sequence[Line], near: Sequence[Line]) -> bool:
    """Whether the lines hold no count where one is asked for, those beside the best one another
    quantity than the one asked for, none the deed whose doer is asked for, or cases for kinds."""
    best = next((n for n, text in near if (n, text) in lines), -1)
    beside = [text for n, text in lines if best in (n, -1)]
    if any(" · " in text or n == 0 for n, text in lines):
        return False  # a cell, whose unit stands in its head
    texts = [text for _, text in lines]
    if deed_unsaid(question, texts) or cases_instead(question, texts):
        return True
    return uncounted(question, texts) or other_quantity(question, beside)


def _repeats(text: str, question: str) -> bool:
    """Whether a line is but a heading or a label of the question's own words: "先验概率：" says
    nothing of it. A whole sentence in the question's words says yes."""
    return not text.rstrip().endswith(_SENTENCE_ENDS) and folded(text) in folded(question)


def _best_line(lines: Sequence[Line], nearest: Sequence[Line]) -> str:
    """The line that answers: the nearest sentence where it is said, else the first."""
    return next((text for n, text in nearest if (n, text) in lines), lines[0][1] if lines else "")


def _said(part: Analysis, question: str, scene: Scene, ranked: Sequence[Candidate]) -> list[Line]:
    shown = wanted_figures(part, scene.figures)
    found = _cells(part, question, scene)
    special = _special(part, question, scene) or _formed(question, scene)
    if special:
        return [*captions(shown, scene), *special]
    if shown and not found:
        return about_figures(question, shown, scene, ranked)
    if items := asked_items(question, ranked, scene.passages, scene.tokenizer):
        return items
    blank = bool(ranked) and has_blank(ranked[0].text)  # an exam's question, whose words it has
    good = [] if blank else good_sentences(question, ranked, scene)
    good = beside_item(question, good) if scene.inside else good
    if good and not found and not part.labels and is_caption(good[0].text):
        return matching_captions(part, question, scene) if part.wish != "none" else []
    if not found and not good:
        return matching_captions(part, question, scene)
    if found and answer_kind(question) != "any":
        good = [c for c in good if c.kind]
    return _chosen(question, scene, good, found)


def _formed(question: str, scene: Scene) -> list[Line]:
    """What is told by the form of the question: the steps of a procedure, the kinds of a thing,
    who does something, what stands behind its name, the hours of a day."""
    forms = (steps, kinds_of_thing, who_does, named_lines, hours_on)
    told = (form(question, scene.passages, scene.tokenizer) for form in forms)
    return next(filter(None, told), [])


def _missing(
    question: str, passages: Sequence[Passage], evidence: Mapping[int, str], tokenizer: Tokenizer
) -> list[str]:
    """What the question asks and the passages do not hold, by no word and no head of a table
    ("heaviest": Mass)."""
    missing = [m for m in missing_from(question, passages, evidence) if not _ANY_TIME.fullmatch(m)]
    if not missing:
        return []
    rows = [row for p in passages for grid in p.grids for row in grid[:1]]
    heads = [han_folded(head, tokenizer) for row in rows for head in row]
    held = frozenset().union(*map(properties, heads))
    return [name for name in missing if name not in held]


def _nearest(question: str, ranked: Sequence[Candidate], scene: Scene) -> list[Line]:
    """The best sentence, and those of other passages that are about as good; one of a passage. Of
    another language than the question's only where there is no other, or the search found one
    first."""
    tongue = [c for c in ranked if not c.foreign]
    other = scene.passages and language_of(scene.passages[0].text) != language_of(question)
    foreign = (
        nearest_foreign(question, ranked, scene.passages, scene.wide) if other or not tongue else []
    )
    found = tongue or foreign or list(ranked)
    share = NEXT_SHARE if tongue else NEXT_FOREIGN
    near: dict[int, Candidate] = {c.passage: c for c in foreign[:1]} if tongue else {}
    for c in found:
        if not near or (c.score >= share * found[0].score and not c.empty):
            near.setdefault(c.passage, c)
    return [(scene.passages[c.passage].n, c.text) for c in list(near.values())[:MAX_SENTENCES]]


def _cells(part: Analysis, question: str, scene: Scene) -> list[tuple[int, Reading]]:
    """The cells that answer, none where a figure is asked for by its label."""
    if any(label.kind in ("figure", "scheme") for label in part.labels):
        return []
    found = cells(part, question, scene.passages, scene.figures, scene.tokenizer)
    found = of_whole_item(question, found, scene.passages, scene.tokenizer)
    found = (
        [] if same_headed(found) or (scene.inside and of_other_firms(question, found)) else found
    )
    found = found or translated_cells(question, scene.passages, scene.tokenizer, scene.embedder)
    return [(n, reading) for n, reading in found if not of_another(question, reading.statement)]


def _special(part: Analysis, question: str, scene: Scene) -> list[Line]:
    """The answer of a definition or a formula question, where the evidence has that form."""
    if part.question_type in ("definition", "conceptual", "formula", "calculation"):
        if forms.asks_formula(question, part.question_type):
            found = forms.formula(question, part.labels, scene.passages, scene.tokenizer)
            if found:
                return found
        term = forms.asked_term(question)
        if term and part.question_type == "definition":
            return forms.definition(term, scene.passages, scene.tokenizer) or _glossary(term, scene)
    return []


def _glossary(term: str, scene: Scene) -> list[Line]:
    for passage in scene.passages:
        found = forms.glossary(term, passage.n, passage.grids, scene.tokenizer)
        if found:
            return found
    return []


def _chosen(
    question: str,
    scene: Scene,
    ranked: Sequence[Candidate],
    found: Sequence[tuple[int, Reading]],
) -> list[Line]:
    """What is said, cells first, then sentences in document order."""
    lines = [(n, reading.statement) for n, reading in found]
    result = worked_out(question, [reading.value for _, reading in found])
    if result and of_two_rows(question, [reading for _, reading in found]):
        return [*lines, (0, result)]
    if found and found[0][1].score >= SURE_CELL:
        return [
            *lines,
            *same_fact(found[0], scene),
            *named_fact(question, found[0], ranked, scene),
        ]
    if _LIST_ASKED.search(question) and ranked:
        passage = scene.passages[ranked[0].passage]
        items = forms.list_after(passage, ranked[0])
        if items:
            return [*lines, *((passage.n, item) for item in items)]
    best = best_sentences(question, ranked, 1 if lines else MAX_SENTENCES)
    best = without_siblings(question, best, scene.tokenizer)
    best = completed(question, best, ranked)
    best.sort(key=lambda c: (c.passage, c.order))
    for c in distinct(best):
        passage = scene.passages[c.passage]
        lines += [(passage.n, text) for text in opened(c, passage) or [c.text]]
    return lines
