"""What is said where a figure or a table is asked to be seen: its caption, and what the text says
of it."""

import re
from collections.abc import Sequence

from ..core.analysis import Analysis
from ..core.chunk import Figure
from ..core.label import parse_label
from . import extractive_forms as forms
from .extractive_choice import completed
from .extractive_concepts import terms_in
from .extractive_forms import Line
from .extractive_grids import citing
from .extractive_scene import Scene, good_sentences
from .extractive_sentences import Candidate, is_caption, passage_sentences
from .extractive_words import answer_kind
from .passages import Passage

# A caption answers a question for a figure when it says this share of what is asked about.
CAPTION_SHARE, PREFERRED = 0.6, 0.3
_SHOWN_ASKED = re.compile(
    r"里有|哪一?[张幅个]|关于|说明|显示|展示|表[示明]|给我看|看看?|描述|反映|介绍|内容|讲|意思|哪里|在哪|什么样|图|表|示意|曲线|照片|是什么|什么|一下|有"
    r"|\b(?:what|which|whats|does|do|show|shown|see|figure|fig|table|chart|diagram|picture|tell|describe|explain|where|is|are|in|of|the|about|me|us|illustrate|handbook|report|document)\b",
    re.I,
)


def wanted_figures(part: Analysis, figures: Sequence[Figure]) -> list[Figure]:
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


def captions(figures: Sequence[Figure], scene: Scene) -> list[Line]:
    """Label and caption, else what the figure stands under, cited where a passage shows it."""
    named = [(f, f.caption or f.label_text or f.section_path.rpartition(" > ")[2]) for f in figures]
    return [(citing(figure, scene.passages), text) for figure, text in named if text]


def pages_of(figures: Sequence[Figure], passages: Sequence[Passage], language: str) -> list[Line]:
    """On which page each figure stands, cited where a passage shows it."""
    lines: list[Line] = []
    for figure in figures:
        name = figure.label_text or figure.caption or figure.section_path.rpartition(" > ")[2]
        zh = f"{name}：《{figure.doc_title}》第 {figure.page} 页"
        en = f"{name}: {figure.doc_title}, page {figure.page}"
        if figure.page:
            lines.append((citing(figure, passages), zh if language == "zh" else en))
    return lines


def about_figures(
    question: str, figures: Sequence[Figure], scene: Scene, ranked: Sequence[Candidate]
) -> list[Line]:
    """Captions, then the answer to what else is asked, else what the text says of the figures."""
    lines: list[Line] = []
    for figure in figures:
        lines += captions([figure], scene)
        if not _asks_more(question, figure, scene):
            lines += forms.said_of(figure, scene.passages)
    if len(lines) > len(figures):
        return lines
    good = good_sentences(question, ranked, scene)
    best = [c for c in good if not c.empty][:1]
    return [
        *lines,
        *((scene.passages[c.passage].n, c.text) for c in completed(question, best, ranked)),
    ]


def matching_captions(part: Analysis, question: str, scene: Scene) -> list[Line]:
    """The caption in the evidence that says what a figure is asked for about; at most one."""
    words = set(scene.tokenizer.tokens(_SHOWN_ASKED.sub(" ", question)))
    if part.wish == "none" or part.labels or not words:
        return []
    best: tuple[float, Line] | None = None
    for passage in scene.passages:
        for text in filter(is_caption, passage_sentences(passage)):
            share = len(terms_in(text, words, scene.tokenizer)) / len(words)
            share += PREFERRED if _of_asked_kind(text, question) else 0.0
            if share >= CAPTION_SHARE and (best is None or share > best[0]):
                best = (share, (passage.n, text))
    return [best[1]] if best else []


def _of_asked_kind(caption: str, question: str) -> bool:
    """Whether the caption is a table's and a table is asked for, or neither."""
    label = parse_label(caption)
    asked = re.search(r"表|\btables?\b", question, re.I) is not None
    return label is not None and (label.kind == "table") == asked


def _asks_more(question: str, figure: Figure, scene: Scene) -> bool:
    """Whether the question has words of its own beside naming the figure."""
    words = set(scene.tokenizer.tokens(_SHOWN_ASKED.sub(" ", question)))
    title = " ".join((figure.caption, figure.doc_title, figure.section_path))
    plain = scene.tokenizer.fold(title)
    rest = [w for w in words - set(scene.tokenizer.tokens(title)) if w not in plain]
    return len(rest) > 1 or (bool(rest) and answer_kind(question) != "any")
