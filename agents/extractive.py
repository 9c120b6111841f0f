"""The writer that needs no model: the best sentences and cells, verbatim, each with its source."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..core.analysis import Analysis
from ..core.chunk import Figure
from ..core.label import find_labels
from ..core.model import Noun
from ..core.ports import Embedder, Tokenizer
from ..core.text import language as language_of
from . import extractive_forms as forms
from .analyst_rules import parts_of
from .extractive_answerable import label_absent, useful
from .extractive_forms import Line
from .extractive_sentences import Candidate, passage_sentences, rank_sentences
from .extractive_tables import Grid, Reading, html_grids, markdown_grids, read_cells
from .extractive_words import Language, absent, answer_kind, lead
from .passages import Passage

MAX_SENTENCES = 3
# A further sentence is said when it scores at least this share of the best one.
NEXT_SHARE = 0.72
NEXT_FOREIGN = 0.75
# A cell is read when its headers cover this share of the question's words; alone, when SURE.
MIN_CELL, SURE_CELL = 0.55, 0.75
# A sentence without the kind of thing asked for takes one along from this many sentences around.
REACH = 2
_BRACKETED = re.compile(r"\[(\d+)\]")
_LIST_ASKED = re.compile(
    r"有哪[些几]|哪些|哪几|包括什么|包含什么|分为|步骤|列举|列出|几[种类项个]方面"
    r"|\b(?:list|what are the|which are|steps|types of|kinds of|name the)\b",
    re.I,
)
_SHOWN_ASKED = re.compile(
    r"说明|显示|展示|表[示明]|给我看|看看?|描述|反映|介绍|内容|讲|意思|哪里|在哪|什么样|图|表|示意|曲线|照片|是什么|什么|一下|有"
    r"|\b(?:what|does|do|show|shown|see|figure|fig|table|chart|diagram|picture|tell|describe|explain|where|is|are|in|of|the|about|me|us|illustrate|handbook|report|document)\b",
    re.I,
)


# Where to look is not what to look for.
_WHERE = re.compile(
    r"^\s*(?:请问)?(?:根据|按照?|在)?(?:这[份本个]|该|本)?(?:手册|文档|文件|资料|报告|年报|书)(?:[里中上内]|规定|显示)面?(?:的|，|,)?"
    r"|,? ?\b(?:according to|in|of|from) (?:the|this) "
    r"(?:handbook|manual|report|document|file|book)\b,?",
    re.I,
)


class Draft(Noun):
    """An answer before its citations are checked. `used` are the passage numbers it cites."""

    text: str
    abstained: bool = False
    used: tuple[int, ...] = ()


class _Scene(NamedTuple):
    """What all parts of a question are answered from."""

    whole: str
    passages: Sequence[Passage]
    figures: Sequence[Figure]
    tokenizer: Tokenizer
    embedder: Embedder


def write_extractive(
    analysis: Analysis,
    passages: Sequence[Passage],
    *,
    figures: Sequence[Figure] = (),
    tokenizer: Tokenizer,
    embedder: Embedder,
    language: Language | None = None,
) -> Draft:
    """Answer from the passages alone, nothing said twice; each part of a question by itself.

    Numbers are read from the table cell that the question's words point at; a definition question
    gets the defining text, a formula question the formula and its letters, a list question the
    list, a figure question the caption and what is said of the figure. Text in another language
    than the question is shown as found, behind a short lead. Evidence that does not bear on the
    question gives a Draft with `abstained`.
    """
    tongue = language or analysis.language
    scene = _Scene(analysis.rewritten, passages, figures, tokenizer, embedder)
    lines: list[Line] = []
    nearest: list[Candidate] = []
    for part in parts_of(analysis):
        found, ranked = _answer(part, scene)
        lines += found
        nearest = nearest or ranked
    return _draft(tongue, lines) if lines else _abstain(tongue, passages, nearest)


def _answer(part: Analysis, scene: _Scene) -> tuple[list[Line], list[Candidate]]:
    """What is said to one part, nothing when it has no answer; and the sentences, best first."""
    question = _bare(part) or part.rewritten
    ranked = rank_sentences(
        question, scene.passages, scene.tokenizer, scene.embedder, whole=scene.whole
    )
    if label_absent(part.labels, scene.passages, scene.figures):
        return [], ranked
    shown = _wanted_figures(part, scene.figures)
    cells = _cells(part, question, scene)
    if any(label.kind in ("figure", "scheme") for label in part.labels):
        cells = []
    special = _special(part, question, scene)
    if special:
        return [*_captions(shown, scene), *special], ranked
    if shown and not cells:
        return _about_figures(question, shown, scene, ranked), ranked
    good = useful(question, ranked, scene.passages)
    if not cells and not good:
        return [], ranked
    if cells and answer_kind(question) != "any":
        good = [c for c in good if c.kind]
    return _chosen(question, scene, good, cells), ranked


def _bare(part: Analysis) -> str:
    """The question without the labels of figures and tables, which are no words to look for."""
    text = part.rewritten
    for span in reversed(find_labels(text)):
        if span.label.kind in ("figure", "table", "scheme"):
            text = text[: span.start] + " " + text[span.end :]
    text = _WHERE.sub("", text)
    return text.strip(" 中里的，,")


def _special(part: Analysis, question: str, scene: _Scene) -> list[Line]:
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


def _glossary(term: str, scene: _Scene) -> list[Line]:
    for passage in scene.passages:
        found = forms.glossary(term, passage.n, _grids(passage), scene.tokenizer)
        if found:
            return found
    return []


def _wanted_figures(part: Analysis, figures: Sequence[Figure]) -> list[Figure]:
    """The figures that this part asks to see."""
    if part.wish == "none":
        return []
    labels = [label for label in part.labels if label.kind in ("figure", "table", "scheme")]
    own = [
        f
        for f in figures
        if f.label is not None
        and any((f.label.kind, f.label.parts) == (a.kind, a.parts) for a in labels)
    ]
    return own or list(figures)


def _captions(figures: Sequence[Figure], scene: _Scene) -> list[Line]:
    """Label and caption, cited where a passage shows or names the figure."""
    named = [(f, f.caption or f.label_text) for f in figures]
    return [(_citing(figure, scene.passages), text) for figure, text in named if text]


def _about_figures(
    question: str, figures: Sequence[Figure], scene: _Scene, ranked: Sequence[Candidate]
) -> list[Line]:
    """Captions, then the answer to what else is asked, else what the text says of the figures."""
    lines: list[Line] = []
    for figure in figures:
        lines += _captions([figure], scene)
        if not _asks_more(question, figure, scene):
            lines += forms.said_of(figure, scene.passages)
    if len(lines) > len(figures):
        return lines
    good = useful(question, ranked, scene.passages)
    best = [c for c in good if not c.empty][:1]
    return [
        *lines,
        *((scene.passages[c.passage].n, c.text) for c in _completed(question, best, ranked)),
    ]


def _asks_more(question: str, figure: Figure, scene: _Scene) -> bool:
    """Whether the question has words of its own beside naming the figure."""
    words = set(scene.tokenizer.tokens(_SHOWN_ASKED.sub(" ", question)))
    title = " ".join((figure.caption, figure.doc_title, figure.section_path))
    folded = scene.tokenizer.fold(title)
    rest = [w for w in words - set(scene.tokenizer.tokens(title)) if w not in folded]
    return len(rest) > 1 or (bool(rest) and answer_kind(question) != "any")


def _citing(figure: Figure, passages: Sequence[Passage]) -> int:
    """Number of the passage that holds the figure or its caption; 0: none."""
    for passage in passages:
        if figure.chunk_id and figure.chunk_id in passage.chunk_ids:
            return passage.n
    for passage in passages:
        if figure.caption and figure.caption in passage.text:
            return passage.n
    return 0


def _chosen(
    question: str,
    scene: _Scene,
    ranked: Sequence[Candidate],
    cells: Sequence[tuple[int, Reading]],
) -> list[Line]:
    """What is said, cells first, then sentences in document order."""
    lines = [(n, reading.statement) for n, reading in cells]
    if cells and cells[0][1].score >= SURE_CELL:
        return [*lines, *_same_fact(cells[0], scene)]
    if _LIST_ASKED.search(question) and ranked:
        passage = scene.passages[ranked[0].passage]
        items = forms.list_after(passage, ranked[0])
        if items:
            return [*lines, *((passage.n, item) for item in items)]
    best = _completed(question, _best(question, ranked, 1 if lines else MAX_SENTENCES), ranked)
    best.sort(key=lambda c: (c.passage, c.order))
    return [*lines, *((scene.passages[c.passage].n, c.text) for c in _distinct(best))]


def _best(question: str, ranked: Sequence[Candidate], most: int) -> list[Candidate]:
    """The sentences near the best one; with it, only those that hold what is asked for."""
    if not ranked:
        return []
    first = ranked[0]
    share = NEXT_FOREIGN if first.foreign else NEXT_SHARE
    near = [c for c in ranked if c.score >= share * first.score and (c is first or not c.empty)]
    if answer_kind(question) != "any" and first.kind:
        near = [c for c in near if c.kind]
    return near[:most]


def _completed(
    question: str, best: Sequence[Candidate], ranked: Sequence[Candidate]
) -> list[Candidate]:
    """With the neighbour that holds the kind of thing asked for, where the best one lacks it."""
    if not best or answer_kind(question) == "any" or (best[0].kind and best[0].quantity):
        return list(best)
    first = best[0]
    near = [
        c
        for c in ranked
        if c.passage == first.passage and 0 < abs(c.order - first.order) <= REACH and c.kind
    ]
    near.sort(key=lambda c: (not c.quantity, abs(c.order - first.order), -c.score))
    return list(dict.fromkeys([*best, *near[:1]]))


def _same_fact(cell: tuple[int, Reading], scene: _Scene) -> list[Line]:
    """A sentence of the same passage that says the cell's value of the same row."""
    n, reading = cell
    row = set(scene.tokenizer.tokens(reading.row))
    value = re.compile(rf"(?<![\d.]){re.escape(reading.value.strip())}(?![\d]|\.\d)")
    for passage in scene.passages:
        if passage.n != n:
            continue
        for text in passage_sentences(passage):
            plain = not text.startswith("|") and value.search(text)
            if plain and row & set(scene.tokenizer.tokens(text)):
                return [(n, text)]
    return []


def _distinct(chosen: Sequence[Candidate]) -> Iterator[Candidate]:
    """Without sentences that another one contains."""
    folded = ["".join(re.findall(r"\w", c.text.lower())) for c in chosen]
    for i, candidate in enumerate(chosen):
        if not any(
            folded[i] in other and (folded[i] != other or j < i)
            for j, other in enumerate(folded)
            if j != i
        ):
            yield candidate


def _cells(part: Analysis, question: str, scene: _Scene) -> list[tuple[int, Reading]]:
    """The best readings of all tables, at most two, from one passage."""
    found: list[tuple[int, Reading]] = []
    for passage, grids in _tables(part, scene):
        about = f"{passage.title} {passage.section_path} {_without_rows(passage.text)}"
        for grid in grids:
            readings = read_cells(question, grid, scene.tokenizer, about=about)
            found += [(passage.n, reading) for reading in readings]
    least = MIN_CELL if _asks_value(part) else SURE_CELL
    good = [pair for pair in found if pair[1].score >= least]
    good.sort(key=lambda pair: -pair[1].score)
    return [p for p in good[:2] if p[0] == good[0][0] and p[1].score >= good[0][1].score - 0.02]


def _tables(part: Analysis, scene: _Scene) -> Iterator[tuple[Passage, list[Grid]]]:
    """The tables to read: only the labelled one where a table is asked for by its label."""
    labels = [label for label in part.labels if label.kind == "table"]
    named = [f for f in scene.figures if f.html and f.label is not None and f.label in labels]
    for figure in named:
        holder = next((p for p in scene.passages if p.n == _citing(figure, scene.passages)), None)
        if holder is not None:
            yield holder, html_grids(figure.html)
    if not named:
        yield from ((passage, _grids(passage)) for passage in scene.passages)


def _without_rows(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("|"))


def _grids(passage: Passage) -> list[Grid]:
    return html_grids(passage.html) if passage.html else markdown_grids(passage.text)


def _asks_value(analysis: Analysis) -> bool:
    if analysis.question_type in ("numeric", "calculation"):
        return True
    return (
        re.search(
            r"是多少|多少|几|是什么|哪[一个]|\bwhat (?:is|was|are|were)\b|\bhow\b",
            analysis.rewritten,
            re.I,
        )
        is not None
    )


def _draft(tongue: Language, lines: Sequence[Line]) -> Draft:
    unique = list(dict.fromkeys(lines))
    text = "\n".join(f"{_plain(line)} [{n}]" if n else _plain(line) for n, line in unique)
    if all(language_of(line) != tongue for _, line in unique) and _wordy(text):
        text = f"{lead(tongue)}\n{text}"
    used = tuple(dict.fromkeys(n for n, _ in unique if n))
    return Draft(text=text, used=used)


def _abstain(tongue: Language, passages: Sequence[Passage], ranked: Sequence[Candidate]) -> Draft:
    titles = [p.title for p in passages if p.title]
    if not ranked:
        return Draft(text=absent(tongue, titles, "", 0), abstained=True)
    nearest = passages[ranked[0].passage]
    quote = _plain(ranked[0].text)
    return Draft(text=absent(tongue, titles, quote, nearest.n), abstained=True, used=(nearest.n,))


def _plain(line: str) -> str:
    """The line as found, except that its own [3] cannot be taken for a citation of ours."""
    return _BRACKETED.sub(r"［\1］", " ".join(line.split()))


def _wordy(text: str) -> bool:
    return sum(1 for c in unicodedata.normalize("NFKC", text) if c.isalpha()) >= 8
