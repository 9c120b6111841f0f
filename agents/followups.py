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
from ..core.text import has_cjk, language, sentences
from ..tools.figure_places import says_which
from . import analyst_omitted_en, analyst_omitted_zh
from . import analyst_rules_en as english
from . import analyst_rules_zh as chinese
from .analyst_places import (
    answered_thing,
    asked_alone,
    asks_for_thing,
    label_alone,
    neighbour,
    owner,
    place_named,
    without_opener,
)
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
_YEAR_ASKED = re.compile(r"哪一?年|何年|几几年")
_LEADING_YEAR = re.compile(r"^(?:19|20)\d{2}\s?年(?:度|末|底)?的?(?=.)")
_WORDS = re.compile(r"[a-z]{3}|(?!年)[\u4e00-\u9fff]")
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
    question: str,
    *,
    topic: str,
    focus: Focus,
    background: Sequence[str] = (),
    answered: str = "",
) -> Resolution:
    """`question` made self-contained with the last self-contained question `topic`.

    `background` are the questions before that, latest first, for a subject that the topic itself
    does not name; `answered` the text of the last answer, for a topic that asked for its subject.
    """
    topic, background = without_opener(topic), [without_opener(text) for text in background]
    side: _Side = chinese if language(question) == "zh" else english
    if placed := _at_place(side, question, topic, focus):
        return placed
    cue = side.follow_up_cue(question) or _left_out(question, topic)
    if cue == "list_member" and find_labels(question) and not listed(question, topic):
        cue = ""  # "第二款" of a regulation is a place in it, not a member of a list
    if not cue or _names_topic(side, question, topic):
        return _standing(question, [topic, *background] if topic and not cue else [])
    if not topic:
        named = find_labels(question) or not side.needs_antecedent(question)
        return Resolution(text=question, unresolved="" if named else cue)
    if cue in OMITTED and side is chinese and (name := _subject(side, [topic], answered)):
        name = _of_any_year(name, question)
        text = f"{name}{' ' if name[-1].isascii() else ''}{chinese.tidy(question)}"
        also = chinese.after(_ends(topic), question, name)
        return Resolution(text=text, follow_up=True, rules=(cue,), also=also)
    name = _of_any_year(_subject(side, [topic, *background], answered), question)
    text, rule = _rewrite(side, question, topic, name)
    unclear = not rule and cue in ("list_member", "other_one")
    return Resolution(text=text, follow_up=True, ambiguous=unclear, rules=(rule or cue,))


def _of_any_year(name: str, question: str) -> str:
    """The name without its year where the question asks for one: "哪一年最高？"."""
    return _LEADING_YEAR.sub("", name) if _YEAR_ASKED.search(question) else name


def _at_place(side: _Side, question: str, topic: str, focus: Focus) -> Resolution | None:
    """The figure in focus, or a numbered place asked for by its label alone or as the next one."""
    figure = _LAST_FIGURE.search(question)
    if figure and says_which(question[: figure.start()]):
        return None  # "水位过程线那张图" says which one
    if figure and (focus.labels or focus.figure_ids or topic):
        return _resolve_figure(question, figure, topic, focus)
    if figure and _PREVIOUS.match(figure.group()):
        return Resolution(text=question, unresolved=figure.group())
    if alone := label_alone(side.fragment(question), topic):
        return Resolution(text=alone, follow_up=True, rules=("label_alone",))
    beside = neighbour(question, topic, focus.labels)
    return _next_to(question, topic, *beside) if beside else None


def _next_to(question: str, topic: str, old: str, new: str, rest: str) -> Resolution:
    """The last question, or what is asked now, of the place `new` beside `old`."""
    if not new:
        return Resolution(text=question, unresolved=question.strip(" ？?。."))
    asks = rest.rstrip("呢？?。 ")
    text = f"{new}{asks}" if asks or not old else topic.replace(old, new)
    return Resolution(text=text, follow_up=True, rules=("neighbour",))


def _subject(side: _Side, thread: Sequence[str], answered: str) -> str:
    """What the thread, latest question first, is about; empty: unknown.

    A topic that asks for its subject ("哪个区人口最多？") is about what was answered. A name of
    the other language is taken only where it can stand in a question of this one.
    """
    if thread and asks_for_thing(thread[0]):
        return answered_thing(answered)
    for text in thread:
        own = chinese if language(text) == "zh" else english
        name = (place_named(text) if own is chinese else "") or own.entity(text)
        if name and (own is side or not (has_cjk(name) and side is english)):
            return name
    return ""


def _standing(question: str, thread: Sequence[str]) -> Resolution:
    """A question that stands by itself stays as it is; searched too are a remark behind the topic
    that it may lean on, a question with the names that its thread says in full, and one without a
    name ("What colours can be ordered?") with what the thread is about."""
    if not thread:
        return Resolution(text=question)
    if language(question) == "zh":
        leans = analyst_omitted_zh.may_lean(question, thread[0])
        if not leans:
            return Resolution(text=question)
        also = chinese.after(_ends(thread[0]), question, "")
        return Resolution(text=question, also=also, rules=(REMARK,))
    whole = analyst_omitted_en.full_names(question, thread)
    if whole != question:
        return Resolution(text=question, also=whole)
    leans = analyst_omitted_en.may_lean(question)
    about = (_subject(english, thread, "") or english.weak_entity(thread[-1])) if leans else ""
    return Resolution(text=question, also=f"{about}: {question}" if about else "")


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


def _rewrite(side: _Side, question: str, topic: str, entity: str) -> tuple[str, str]:
    """The first way that applies, and its name; empty name: the topic is said first.

    What the topic says in another language is not mixed with the question's words.
    """
    member = listed(question, topic)
    alone = side.fragment(member) if member else ""
    if member and alone not in list_members(topic):
        return side.tidy(member), "list_member"
    fragment = side.fragment(question)
    if member:
        return side.after(topic, side.tidy(member), ""), "list_member"
    foreign = language(topic) != language(question)
    fits = fragment and not (foreign and _WORDS.search(fragment))
    placed = put_in_slot(fragment, _QUALIFIED.sub(r"\1", topic)) if fits else ""
    if placed:
        return _qualified(placed, question), "parallel_slot"
    if side is chinese and (own := asked_alone(fragment, "" if foreign else entity, topic)):
        return own, "asked_alone"
    named = entity or ("" if foreign or asks_for_thing(topic) else side.weak_entity(topic))
    named = owner(named, question) if side is chinese else named
    replaced = side.replace_pronouns(question, named) if named and not fragment else ""
    if replaced and replaced != question:
        return replaced, "pronoun"
    return side.after(_ends(topic), question, named), ""


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
