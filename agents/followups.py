"""Making a follow-up self-contained from the thread, by rules, in Chinese and English.

A question that stands by itself is never touched. A follow-up is resolved in the least invasive
way that applies: a figure in focus by its label, a member of a list by its place, a fragment put
into the parallel slot of the last question, a pronoun by the last question's subject; else the
last question is said first ("What is X? Why?").
"""

import re
from collections.abc import Sequence
from typing import Protocol

from ..core.analysis import Focus
from ..core.label import Label
from ..core.model import Noun
from ..core.text import language
from . import analyst_rules_en as english
from . import analyst_rules_zh as chinese
from .analyst_rules_slots import list_members, listed, put_in_slot

_LAST_FIGURE = re.compile(
    r"(?:上一?|前一?|这|那|该|刚才那?|此)(?:张|幅|个|副)?(?P<zh>图片?|表格?)(?![\d.\-一-鿿]?\d)"
    r"|\b(?:th(?:is|at)|the (?:last|previous|same|above)) "
    r"(?P<en>figure|picture|image|chart|diagram|table)\b",
    re.IGNORECASE,
)
_PREVIOUS = re.compile(r"上|前|刚才|the (?:previous|above)", re.IGNORECASE)
_ZH_KIND = {"figure": "图", "table": "表", "equation": "式", "section": "第", "appendix": "附录"}
_EN_KIND = {"figure": "Figure", "table": "Table", "equation": "Equation", "section": "Section"}


class _Side(Protocol):
    """The rules of one language."""

    def follow_up_cue(self, question: str) -> str: ...
    def needs_antecedent(self, question: str) -> bool: ...
    def fragment(self, question: str) -> str: ...
    def entity(self, topic: str) -> str: ...
    def weak_entity(self, topic: str) -> str: ...
    def replace_pronouns(self, question: str, name: str) -> str: ...
    def after(self, topic: str, question: str, name: str) -> str: ...
    def tidy(self, question: str) -> str: ...


class Resolution(Noun):
    """What became of the question. `unresolved`: a follow-up without an antecedent."""

    text: str
    follow_up: bool = False
    unresolved: str = ""
    ambiguous: bool = False
    """A member of a list is meant, and the list was not understood."""
    labels: tuple[Label, ...] = ()
    rules: tuple[str, ...] = ()


def resolve(
    question: str, *, topic: str, focus: Focus, background: Sequence[str] = ()
) -> Resolution:
    """`question` made self-contained with the last self-contained question `topic`.

    `background` are the questions before that, latest first, for a subject that the topic itself
    does not name.
    """
    figure = _LAST_FIGURE.search(question)
    if figure and (focus.labels or focus.figure_ids or topic):
        return _resolve_figure(question, figure, topic, focus)
    if figure and _PREVIOUS.match(figure.group()):
        return Resolution(text=question, unresolved=figure.group())
    side: _Side = chinese if language(question) == "zh" else english
    cue = side.follow_up_cue(question)
    if not cue or _names_topic(side, question, topic):
        return Resolution(text=question)
    if not topic:
        return Resolution(text=question, unresolved=cue if side.needs_antecedent(question) else "")
    text, rule = _rewrite(side, question, topic, background)
    unclear = not rule and cue in ("list_member", "other_one")
    return Resolution(text=text, follow_up=True, ambiguous=unclear, rules=(rule or cue,))


def _names_topic(side: "_Side", question: str, topic: str) -> bool:
    """Whether a fragment says what the topic is about, and so stands by itself."""
    subject = side.entity(topic) if topic and side is chinese else ""
    piece = side.fragment(question)
    return bool(subject) and subject in piece and len(piece) > len(subject)


def _rewrite(
    side: "_Side", question: str, topic: str, background: Sequence[str]
) -> tuple[str, str]:
    """The first way that applies, and its name; empty name: the topic is said first."""
    member = listed(question, topic)
    alone = side.fragment(member) if member else ""
    if member and alone not in list_members(topic):
        return side.tidy(member), "list_member"
    fragment = side.fragment(question)
    if member:
        return side.after(topic, side.tidy(member), ""), "list_member"
    placed = put_in_slot(fragment, topic) if fragment else ""
    if placed:
        return placed, "parallel_slot"
    entity = next(filter(None, map(side.entity, (topic, *background))), "")
    entity = entity or side.weak_entity(topic)
    replaced = side.replace_pronouns(question, entity) if entity and not fragment else ""
    if replaced and replaced != question:
        return replaced, "pronoun"
    return side.after(topic, question, entity), ""


def _resolve_figure(question: str, figure: re.Match[str], topic: str, focus: Focus) -> Resolution:
    """ "上一张图": its label where it has one, else the topic is said first."""
    word = (figure.group("zh") or figure.group("en") or "").lower()
    kind = "table" if word in ("表", "表格", "table") else "figure"
    label = _last(focus.labels, kind)
    if label is None:
        text = f"{topic} {question}".strip()
        return Resolution(text=text, follow_up=True, rules=("figure_in_focus",))
    chinese_form = figure.group("zh") is not None
    name = label_name(label, chinese_form)
    text = question[: figure.start()] + name + question[figure.end() :]
    return Resolution(text=text, follow_up=True, labels=(label,), rules=("figure_in_focus",))


def _last(labels: Sequence[Label], kind: str) -> Label | None:
    of_kind = [label for label in labels if label.kind == kind]
    return of_kind[-1] if of_kind else None


def label_name(label: Label, chinese_form: bool) -> str:
    """How a label is written in a question: 图2.3, Figure 2.3."""
    number = ".".join(label.parts) + (f"({label.sub})" if label.sub else "")
    if chinese_form:
        return f"{_ZH_KIND.get(label.kind, '')}{number}"
    return f"{_EN_KIND.get(label.kind, label.kind.title())} {number}"
