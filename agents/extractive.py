"""The writer that needs no model: the best sentences and cells, verbatim, each with its source."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from ..core.analysis import Analysis
from ..core.chunk import Figure
from ..core.model import Noun
from ..core.ports import Embedder, Tokenizer
from ..core.text import language as language_of
from ..core.text import sentences
from .extractive_answerable import answerable
from .extractive_sentences import Candidate, rank_sentences
from .extractive_tables import Grid, Reading, html_grids, markdown_grids, read_cells
from .extractive_words import Language, absent, lead
from .passages import Passage

MAX_SENTENCES = 3
# A further sentence is said when it scores at least this share of the best one.
NEXT_SHARE = 0.72
# A cell is read when its headers cover this share of the question's words.
MIN_CELL = 0.34
_MAX_ITEMS = 12
_BRACKETED = re.compile(r"\[(\d+)\]")
_ITEM = re.compile(
    r"^\s*(?:[-*•·●▪◆■]|[（(]?[\d一二三四五六七八九十]{1,3}[）)、.．]|[a-zA-Z][)）.]|[①-⑳])\s*\S"
)
_LIST_ASKED = re.compile(
    r"有哪[些几]|哪些|哪几|包括什么|包含什么|分为|步骤|列举|列出|几[种类项个]方面"
    r"|\b(?:list|what are the|which are|steps|types of|kinds of|name the)\b",
    re.I,
)
_DEFINING = re.compile(
    r"是指|指的?是|是一[种个类项]|定义为|称为|简称|即"
    r"|\b(?:is|are) (?:an?|the)\b|\b(?:refers? to|means|is defined as|denotes)\b",
    re.I,
)


class Draft(Noun):
    """An answer before its citations are checked. `used` are the passage numbers it cites."""

    text: str
    abstained: bool = False
    used: tuple[int, ...] = ()


def write_extractive(
    analysis: Analysis,
    passages: Sequence[Passage],
    *,
    figures: Sequence[Figure] = (),
    tokenizer: Tokenizer,
    embedder: Embedder,
    language: Language | None = None,
) -> Draft:
    """Answer from the passages alone, in the order of the documents, nothing said twice.

    Numbers are read from the table cell that the question's words point at; a definition question
    gets the defining sentence, a list question the list, a figure question the caption and what is
    said of the figure. Text in another language than the question is shown as found, behind a
    short lead. Evidence that does not bear on the question gives a Draft with `abstained`.
    """
    tongue = language or analysis.language
    question = analysis.rewritten
    ranked = rank_sentences(question, passages, tokenizer, embedder)
    ranked = _by_form(analysis, ranked)
    cells = _cells(analysis, passages, tokenizer)
    shown = _figure_lines(analysis, passages, figures)
    if not shown and not cells and not answerable(question, ranked):
        return _abstain(tongue, passages, ranked)
    lines = [*shown, *_chosen(analysis, passages, ranked, cells, bool(shown))]
    if not lines:
        return _abstain(tongue, passages, ranked)
    return _draft(tongue, lines, said_by_us=bool(shown))


def _draft(tongue: Language, lines: Sequence[tuple[int, str]], *, said_by_us: bool) -> Draft:
    unique = list(dict.fromkeys(lines))
    text = "\n".join(f"{_plain(line)} [{n}]" if n else _plain(line) for n, line in unique)
    foreign = all(language_of(line) != tongue for _, line in unique)
    if foreign and not said_by_us and _wordy(text):
        text = f"{lead(tongue)}\n{text}"
    used = tuple(dict.fromkeys(n for n, _ in unique if n))
    return Draft(text=text, used=used)


def _chosen(
    analysis: Analysis,
    passages: Sequence[Passage],
    ranked: Sequence[Candidate],
    cells: Sequence[tuple[int, Reading]],
    figure_shown: bool,
) -> list[tuple[int, str]]:
    """(passage number, line) of what is said, cells first, then sentences in document order."""
    lines = [(n, reading.statement) for n, reading in cells]
    if cells and cells[0][1].score >= 0.6:
        return lines
    if _LIST_ASKED.search(analysis.rewritten) and ranked:
        items = _list_after(passages[ranked[0].passage], ranked[0])
        if items:
            return [*lines, *((passages[ranked[0].passage].n, item) for item in items)]
    most = 1 if figure_shown or lines else MAX_SENTENCES
    best = [c for c in ranked if c.score >= NEXT_SHARE * ranked[0].score][:most]
    best.sort(key=lambda c: (c.passage, c.order))
    return [*lines, *((passages[c.passage].n, c.text) for c in _distinct(best))]


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


def _by_form(analysis: Analysis, ranked: list[Candidate]) -> list[Candidate]:
    """Defining sentences up for a definition question."""
    if analysis.question_type != "definition":
        return ranked
    raised = [c._replace(score=c.score + 0.25) if _DEFINING.search(c.text) else c for c in ranked]
    return sorted(raised, key=lambda c: (-c.score, c.passage, c.order))


def _list_after(passage: Passage, best: Candidate) -> list[str]:
    """The list that the best sentence opens or belongs to, with its opening line."""
    spans = [passage.text[a:b] for a, b in sentences(passage.text)]
    if best.order >= len(spans):
        return []
    start = best.order
    while start > 0 and _ITEM.match(spans[start]):
        start -= 1
    items: list[str] = []
    for text in spans[start + 1 :]:
        if not _ITEM.match(text) or len(items) >= _MAX_ITEMS:
            break
        items.append(text)
    return [spans[start], *items] if len(items) >= 2 else []


def _cells(
    analysis: Analysis, passages: Sequence[Passage], tokenizer: Tokenizer
) -> list[tuple[int, Reading]]:
    """The best readings of all tables, at most two, from one passage."""
    found: list[tuple[int, Reading]] = []
    for passage in passages:
        for grid in _grids(passage):
            found += [(passage.n, r) for r in read_cells(analysis.rewritten, grid, tokenizer)]
    good = [pair for pair in found if pair[1].score >= MIN_CELL]
    if analysis.question_type not in ("numeric", "calculation") and not _asks_value(analysis):
        good = [pair for pair in good if pair[1].score >= 0.6]
    good.sort(key=lambda pair: -pair[1].score)
    return [p for p in good[:2] if p[0] == good[0][0] and p[1].score >= good[0][1].score - 0.02]


def _grids(passage: Passage) -> list[Grid]:
    return html_grids(passage.html) if passage.html else markdown_grids(passage.text)


def _asks_value(analysis: Analysis) -> bool:
    return (
        re.search(
            r"是多少|多少|几|是什么|\bwhat (?:is|was|are|were)\b|\bhow\b", analysis.rewritten, re.I
        )
        is not None
    )


def _figure_lines(
    analysis: Analysis, passages: Sequence[Passage], figures: Sequence[Figure]
) -> list[tuple[int, str]]:
    """Label and caption of the figures asked for, cited where a passage shows or names them."""
    if analysis.wish == "none":
        return []
    lines = []
    for figure in figures:
        line = figure.caption or figure.label_text
        if not line:
            continue
        lines.append((_citing(figure, passages), line))
    return lines


def _citing(figure: Figure, passages: Sequence[Passage]) -> int:
    """Number of the passage that holds the figure or its caption; 0: none."""
    for passage in passages:
        if figure.chunk_id and figure.chunk_id in passage.chunk_ids:
            return passage.n
    for passage in passages:
        if figure.caption and figure.caption in passage.text:
            return passage.n
    return 0


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
