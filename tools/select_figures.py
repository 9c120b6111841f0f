"""Which figures belong to an answer: pure scoring, explained figure by figure.

A label is answered with the figures that carry exactly that label; a picture asked for by its
subject ("发电量图") with one; an ordinary question with a figure only where that adds something:
the question's content words are the caption's, or the table is the passage that answers.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence

from ..core.analysis import Analysis, Focus
from ..core.chunk import Chunk, Figure
from ..core.evidence import Notice
from ..core.label import Label
from ..core.model import Noun
from ..core.ports import Catalog
from ..core.settings import FigureSettings
from .figure_places import says_which
from .figure_score import STRONG, Scored
from .figure_words import closeness, covered, word_weights
from .figures_by_meaning import Meaning, by_meaning, wished
from .labels import LabelFinding, label_notices, matches_label
from .selected import selected

LABEL = 10.0
FOCUS = 10.0
REFERENCED = 8.0
KEYWORD = 2.0
SECTION = 1.5
KIND = 1.5
EVIDENCE = 3.0
OVERLAP = 4.0
CLOSENESS = 3.0
MOST_KEYWORDS = 5
REFERRING_CHUNKS = 5  # text chunks whose "见图2.3" counts
MOST_ASKED = 6  # figures shown when that many labels are asked for

PLACED = f"stands at the place that is asked for +{LABEL:.3g}"

SURE = "caption asked for"
"""Begins the reason of a figure whose caption says most of the question."""

NEAR = "caption alike"
"""Begins the reason of a figure whose caption says much of the question: a cited table is not put
in its place."""
NEAR_WORDS, NEAR_POINTS = 3, 0.5
MORE = "says more of the question"
_BEFORE = 0.01

# How much of the question's weight a caption must hold before a figure adds something.
REFERENCED_ENOUGH = 0.5
EVIDENCE_ENOUGH = 0.45
DEFINED = 0.85
SURE_ENOUGH, SURE_POINTS = ((4, 0.7), (3, 0.85)), 1.0  # words of the question, and their share
_SECOND = 0.8  # a second figure must come this near to the first

_SHOWN_KINDS = frozenset({"figure", "table", "algorithm", "scheme"})
_DEICTIC = re.compile(
    r"[这该此那]一?[张幅个]?(?:图|表|照片)|上一?[张幅个]?(?:图|表)|刚才[^，。]{0,4}(?:图|表)|图[中里]的?|\b"
    r"(?:this|that|the (?:last|previous|above|same)) (?:figure|chart|picture|image|table|plot)\b",
    re.IGNORECASE,
)
_CHART = re.compile(
    r"曲线|走势|趋势|柱状|饼图|折线|直方|散点|过程线|\b(?:chart|plot|curve|graph)", re.I
)
_TABLE = re.compile(r"表(?:格|中|里|$|[，。？?\s])|\b(?:tables?|rows?|columns?)\b", re.IGNORECASE)
_PICTURE = re.compile(r"图|照片|画面|\b(?:figures?|pictures?|images?|photos?|diagrams?)\b", re.I)


class Chosen(Noun):
    """A selected figure with its score and the reasons, strongest first."""

    figure: Figure
    score: float
    why: tuple[str, ...]


class Selection(Noun):
    """The figures of an answer, best first, and what the reader should know about them."""

    figures: tuple[Chosen, ...] = ()
    notices: tuple[Notice, ...] = ()


def candidates_for(
    chunks: Sequence[Chunk],
    catalog: Catalog,
    finding: LabelFinding | None = None,
    focus: Focus | None = None,
    *,
    allowed: Collection[str] | None = None,
) -> list[Figure]:
    """Figures that may belong to an answer, each once: the labelled ones, those of visual hits,
    those that the top text chunks mention, and those in focus, if among the `allowed` chunks."""
    ids = list(finding.figure_ids) if finding else []
    ids += [c.figure_id for c in chunks if c.figure_id]
    for chunk in _text_chunks(chunks):
        ids += chunk.mentions
    focused = selected(catalog, allowed).figures(focus.figure_ids) if focus else []
    ids += (figure.figure_id for figure in focused)
    return catalog.figures(list(dict.fromkeys(ids)))


def select_figures(  # noqa: PLR0913  all that a figure is chosen by
    question: str,
    analysis: Analysis,
    chunks: Sequence[Chunk],
    candidates: Sequence[Figure],
    finding: LabelFinding | None,
    focus: Focus,
    tokens: Callable[[str], list[str]],
    settings: FigureSettings,
    *,
    meaning: Meaning | None = None,
) -> Selection:
    """Choose among `candidates`; `chunks` are the evidence, best first.

    `tokens` gives the content words of a text (the keyword index's tokenizer). `meaning` is
    known where a figure is asked for by what it shows.
    """
    notices = label_notices(finding, analysis.language) if finding else ()
    showable = [f for f in candidates if _showable(f)]
    if settings.max_figures == 0 or not showable:
        gone = analysis.wish == "weak" and settings.max_figures and not notices
        return Selection(notices=(*notices, _no_picture(analysis.language)) if gone else notices)
    found = [match.label for match in finding.matches] if finding else []
    asked = [label for label in (*analysis.labels, *found) if label.kind in _SHOWN_KINDS]
    asked = list(dict.fromkeys(asked))
    weights = word_weights(question, chunks, showable, tokens)
    by_subject = meaning if not asked else None
    if by_subject:
        weights = by_subject.without_names(weights, tokens)
    scored = _ranked(
        [_score(f, question, chunks, asked, finding, focus, weights, tokens) for f in showable]
    )
    if by_subject:
        scored = _ranked(by_meaning(scored, question, by_subject, weights, tokens))
    if analysis.place is not None and finding is not None:
        chosen = _standing(scored, finding)
    elif asked:
        chosen = _exact(scored, asked, settings)
    elif any(s.focused for s in scored):
        chosen = [s for s in scored if s.focused][: settings.max_figures]
    elif analysis.wish == "weak":
        chosen = [s for s in scored if wished(s)][:1]
    else:
        chosen = _ordinary(scored, settings, analysis)
    if analysis.wish == "weak" and not chosen and not notices:
        notices = (*notices, _no_picture(analysis.language))
    return Selection(
        figures=tuple(Chosen(figure=s.figure, score=round(s.score, 3), why=s.why) for s in chosen),
        notices=notices,
    )


def _ranked(scored: Sequence[Scored]) -> list[Scored]:
    """Best first, ties by place. Of captions that are alike ("Fake News …", "Bias News …") the one
    that says all that the other says of the question and more comes before it."""
    raised = []
    for one in scored:
        less = [s.score for s in scored if s.said < one.said and not (s.labelled or s.focused)]
        most = max(less, default=-math.inf)
        if one.overlap >= STRONG and most >= one.score:
            why = (f"{MORE} +{most - one.score:.3g}", *one.why)
            one = one.model_copy(update={"score": most + _BEFORE, "why": why})  # noqa: PLW2901
        raised.append(one)
    return sorted(
        raised, key=lambda s: (-s.score, s.figure.doc_id, s.figure.ordinal, s.figure.figure_id)
    )


def is_sure(why: Sequence[str]) -> bool:
    """Whether a figure was chosen because its caption says most of the question."""
    return any(reason.startswith(SURE) for reason in why)


def is_near(why: Sequence[str]) -> bool:
    """Whether a figure's caption says much of the question, or most of it."""
    return is_sure(why) or any(reason.startswith(NEAR) for reason in why)


def _no_picture(language: str) -> Notice:
    zh = "没有找到与问题相符的图或表。"
    en = "No figure or table fits the question."
    return Notice(code="figure_missing", text=zh if language == "zh" else en)


def _showable(figure: Figure) -> bool:
    return not figure.decoration and (figure.available or bool(figure.caption or figure.html))


def _exact(
    scored: Sequence[Scored], asked: Sequence[Label], settings: FigureSettings
) -> list[Scored]:
    """Only figures that carry an asked label: every label once, then the further parts."""
    fit = [s for s in scored if s.labelled and s.score >= settings.min_exact_score]
    fit = [s for s in fit if s.section >= max(o.section for o in fit if _same_label(s, o))]
    first: list[Scored] = []
    for label in asked:
        own = (s for s in fit if matches_label(s.figure, label) and s not in first)
        if (best := next(own, None)) is not None:
            first.append(best)
    limit = max(settings.max_figures, min(len(asked), MOST_ASKED))
    return [*first, *(s for s in fit if s not in first)][:limit]


def _same_label(one: Scored, other: Scored) -> bool:
    """Whether both have one label in one document, whose exercises number their figures anew."""
    a, b = one.figure, other.figure
    if a.label is None or b.label is None:
        return a is b
    same = (a.label.kind, a.label.parts) == (b.label.kind, b.label.parts)
    return same and a.doc_id == b.doc_id


def _standing(scored: Sequence[Scored], finding: LabelFinding) -> list[Scored]:
    """The figures at the place that is named, in order."""
    by_id = {s.figure.figure_id: s for s in scored}
    found = [by_id[i] for i in finding.figure_ids if i in by_id][:MOST_ASKED]
    return [s.model_copy(update={"score": LABEL, "why": (PLACED,)}) for s in found]


def _ordinary(
    scored: Sequence[Scored], settings: FigureSettings, analysis: Analysis
) -> list[Scored]:
    """Figures that add something; what a term means is told by words, unless a caption says it."""
    least = DEFINED if analysis.question_type == "definition" else 0.0
    fit = [s for s in scored if s.score >= settings.min_score and _adds(s)]
    fit = [s for s in fit if s.overlap >= least or s.evidence == 1]
    return [s for s in fit if s.score >= _SECOND * fit[0].score][: settings.max_figures]


def _adds(scored: Scored) -> bool:
    """Whether a figure that nobody asked for adds something to the answer."""
    if not scored.figure.available and scored.figure.kind != "table":
        return False
    if scored.matched >= 2 and scored.overlap >= STRONG:
        return True
    if scored.matched >= 2 and scored.referenced and scored.overlap >= REFERENCED_ENOUGH:
        return True
    # A table stands right behind the text that introduces it ("see Table 4.1").
    introduced = scored.evidence == 2 and scored.referenced and scored.figure.kind == "table"
    found = scored.evidence == 1 or introduced
    return found and scored.matched >= 2 and scored.body >= EVIDENCE_ENOUGH


def _score(
    figure: Figure,
    question: str,
    chunks: Sequence[Chunk],
    asked: Sequence[Label],
    finding: LabelFinding | None,
    focus: Focus,
    weights: Mapping[str, float],
    tokens: Callable[[str], list[str]],
) -> Scored:
    labelled = any(matches_label(figure, label) for label in asked) and (
        finding is None or figure.figure_id in finding.figure_ids
    )
    focused = figure.figure_id in focus.figure_ids and _points_back(question)
    in_caption = covered(weights, figure.caption, tokens)
    body_text = " ".join((figure.caption, figure.footnote, figure.description, _cells(figure)))
    in_body = covered(weights, body_text, tokens)
    referenced = _referenced(figure, chunks)
    evidence = next((i for i, c in enumerate(chunks, 1) if c.figure_id == figure.figure_id), 0)
    total = sum(weights.values()) or 1.0
    overlap = sum(weights[t] for t in in_caption) / total
    body = sum(weights[t] for t in in_body) / total
    reasons = [
        (
            LABEL * labelled,
            f"label {figure.label_text or (figure.label.key if figure.label else '')}",
        ),
        (FOCUS * focused, "in focus"),
        (REFERENCED * referenced * max(overlap, body), "referenced by the evidence"),
        (KEYWORD * min(len(in_caption), MOST_KEYWORDS), f"keywords {', '.join(in_caption)}"),
        (OVERLAP * overlap, f"caption overlap {overlap:.2f}"),
        (CLOSENESS * closeness(weights, figure.caption, tokens), "close caption"),
        (EVIDENCE / evidence if evidence else 0.0, f"evidence {evidence}"),
        (SECTION * _same_section(figure, weights, chunks, tokens), "section"),
        (KIND * _wanted_kind(figure, question), f"kind {figure.kind}"),
    ]
    if any(len(in_caption) >= words and overlap >= share for words, share in SURE_ENOUGH):
        reasons.append((SURE_POINTS, SURE))
    elif len(in_caption) >= NEAR_WORDS and overlap >= STRONG:
        reasons.append((NEAR_POINTS, NEAR))
    fired = sorted((r for r in reasons if r[0] > 0), key=lambda r: -r[0])
    return Scored(
        figure=figure,
        score=sum(points for points, _ in fired),
        why=tuple(f"{why} +{points:.3g}" for points, why in fired),
        overlap=overlap,
        said=frozenset(in_caption),
        body=body,
        matched=len(in_body),
        labelled=labelled,
        focused=focused,
        referenced=referenced,
        evidence=evidence,
        section=sum(weights[t] for t in covered(weights, _leaf(figure), tokens)),
    )


def _points_back(question: str) -> bool:
    """Whether the question speaks of a figure that was shown: "水位过程线那张图" says another."""
    found = _DEICTIC.search(question)
    return found is not None and not says_which(question[: found.start()])


def _text_chunks(chunks: Sequence[Chunk]) -> list[Chunk]:
    return [c for c in chunks if not c.figure_id][:REFERRING_CHUNKS]


def _referenced(figure: Figure, chunks: Sequence[Chunk]) -> bool:
    """Whether a top text chunk of the figure's document names it."""
    return any(
        c.doc_id == figure.doc_id
        and (figure.figure_id in c.mentions or c.chunk_id in figure.mentions)
        for c in _text_chunks(chunks)
    )


def _same_section(
    figure: Figure,
    weights: Mapping[str, float],
    chunks: Sequence[Chunk],
    tokens: Callable[[str], list[str]],
) -> bool:
    """Whether the best chunk is of the figure's section, or the section is what is asked about."""
    best = chunks[0] if chunks and figure.section_path else None
    if best and (best.doc_id, best.section_path) == (figure.doc_id, figure.section_path):
        return True
    return len(covered(weights, _leaf(figure), tokens)) >= 2


def _leaf(figure: Figure) -> str:
    return figure.section_path.rpartition(" > ")[2]


def _wanted_kind(figure: Figure, question: str) -> bool:
    if figure.kind == "table":
        return _TABLE.search(question) is not None
    if _CHART.search(question):
        return figure.kind == "chart"
    return _PICTURE.search(question) is not None


def _cells(figure: Figure) -> str:
    return re.sub(r"<[^>]*>", " ", figure.html)[:4000]
