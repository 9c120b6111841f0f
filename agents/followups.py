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
from ..core.label import Label, find_labels
from ..core.model import Noun
from ..core.text import language, sentences
from . import analyst_omitted_en, analyst_omitted_zh
from . import analyst_rules_en as english
from . import analyst_rules_zh as chinese
from .analyst_rules_slots import list_members, listed, put_in_slot

OMITTED = ("owner_omitted", "subject_omitted")
_QUALIFIED = re.compile(r"，[^，,。？?！!]{1,12}的([？?])$")
REMARK = "remark"
"""Among the rules: a message in passing, after which the thread is still about its topic."""
MOST_SAID = 2
"""Sentences of the thread that are said before a question."""
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
    also: str = ""
    """What to search too: the message behind the topic that it may lean on."""


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
    cue = side.follow_up_cue(question) or _left_out(question, topic)
    if cue == "list_member" and find_labels(question) and not listed(question, topic):
        cue = ""  # "第二款" of a regulation is a place in it, not a member of a list
    if not cue or _names_topic(side, question, topic):
        return _standing(question, [topic, *background] if topic and not cue else [])
    if not topic:
        named = find_labels(question) or not side.needs_antecedent(question)
        return Resolution(text=question, unresolved="" if named else cue)
    if cue in OMITTED and side is chinese and (name := chinese.entity(topic)):
        text = f"{name}{' ' if name[-1].isascii() else ''}{chinese.tidy(question)}"
        also = chinese.after(_ends(topic), question, name)
        return Resolution(text=text, follow_up=True, rules=(cue,), also=also)
    text, rule = _rewrite(side, question, topic, background)
    unclear = not rule and cue in ("list_member", "other_one")
    return Resolution(text=text, follow_up=True, ambiguous=unclear, rules=(rule or cue,))


def _standing(question: str, thread: Sequence[str]) -> Resolution:
    """A question that stands by itself stays as it is; searched too are a remark behind the topic
    that it may lean on, and a question with the names that its thread says in full."""
    if not thread:
        return Resolution(text=question)
    if language(question) == "zh":
        leans = analyst_omitted_zh.may_lean(question, thread[0])
        if not leans:
            return Resolution(text=question)
        also = chinese.after(_ends(thread[0]), question, "")
        return Resolution(text=question, also=also, rules=(REMARK,))
    whole = analyst_omitted_en.full_names(question, thread)
    return Resolution(text=question, also=whole if whole != question else "")


def _left_out(question: str, topic: str) -> str:
    """Which cue says that a question of a thread leaves out what it is about."""
    if not topic:
        return ""
    if language(question) == "zh":
        return analyst_omitted_zh.left_out(question, topic)
    return analyst_omitted_en.left_out(question)


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
    placed = put_in_slot(fragment, _QUALIFIED.sub(r"\1", topic)) if fragment else ""
    if placed:
        return _qualified(placed, question), "parallel_slot"
    entity = next(filter(None, map(side.entity, (topic, *background))), "")
    entity = entity or side.weak_entity(topic)
    replaced = side.replace_pronouns(question, entity) if entity and not fragment else ""
    if replaced and replaced != question:
        return replaced, "pronoun"
    return side.after(_ends(topic), question, entity), ""


def _qualified(placed: str, question: str) -> str:
    """What the fragment says of its thing stays behind the question."""
    more = chinese.qualifier(question)
    return f"{placed.rstrip('？?。')}，{more}？" if more else placed


def _ends(topic: str) -> str:
    """The first and the last sentence of a topic that was itself said behind others: what the
    thread began with, and what it came to."""
    pieces = [topic[a:b] for a, b in sentences(topic)]
    return topic if len(pieces) <= MOST_SAID else f"{pieces[0].strip()} {pieces[-1].strip()}"


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
