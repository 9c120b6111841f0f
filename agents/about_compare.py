"""Which of the values just given is higher: read from the last answers, in code."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from ..core.label import find_labels
from ..core.text import language as language_of
from ..tools.quantities import Quantity, quantities
from .analyst_places import place_named
from .analyst_rules_en import entity as entity_en
from .analyst_rules_zh import entity as entity_zh
from .extractive_values import exact

_MARKER = re.compile(r"\[(\d+)\]")
_ROW = re.compile(r"^(?:[-*]\s*)?(?P<row>[^·：:|]{1,40}?)\s*·\s*[^·：:|]{1,40}[：:]")
_HEAD = re.compile(
    r"^[^·|]{1,60}?\s*·\s*(?P<head>[^·(（：]{1,40}?)\s*(?:[(（][^)）]*[)）])?\s*[:：]"
)
_SMALL = re.compile(
    r"低|小|少|短|便宜|轻|早|窄|薄|浅|弱|近"
    r"|\b(?:low|small|less|least|few|short|cheap|light|earl|young|narrow|thin|shallow|weak|near"
    r"|clos)",
    re.IGNORECASE,
)
# A number whose thousands are set apart by blanks; a year or a time before it is none of it.
_GROUPED = re.compile(r"(?<![\d.,:])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\d:])")
_QUICK = re.compile(r"快|\bfast|\bquick", re.IGNORECASE)
_TIMES = frozenset({"s", "second", "minute", "hour", "day", "month", "year"})
_UNITLESS = frozenset({"", "year"})
_AND_ZH = re.compile(r"、|以及|[和与及跟]|还是|或者?")
_SUBJECTS_ZH = re.compile(
    r"^(?P<names>[^，,。；;？?]{3,60}?)(?:的[^，,。；;？?]{1,20}?)?(?:分别|各自?|哪|谁|有什么"
    r"|的|之间|相比|相差)"
)
_SUBJECTS_EN = re.compile(
    r"(?:\b(?:of|for|between|do|does|did|are|is|was|were|have|has|in)\s+|^)(?:the )?"
    r"(?P<a>[^,?]{1,40}?)(?:,? (?:and|or|versus|vs\.?|compared (?:to|with)) )(?:the |of |in "
    r"|for )*(?P<b>[^,?]{1,40}?)"
    r"(?=\s+(?:differ|have|has|cost|weigh|compare|take|last|run|get|respectively|each"
    r"|produce)\b|[?,.]|$)",
    re.IGNORECASE,
)
_ASKED_EN = re.compile(
    r"\b(?:higher|highest|lower|lowest|bigger|biggest|larger|largest|smaller|smallest|greater"
    r"|greatest"
    r"|more|less|longer|longest|shorter|shortest|faster|slower|cheaper|heavier|lighter|earlier"
    r"|later)\b",
    re.IGNORECASE,
)
_ASKED_ZH = re.compile(
    r"(?:更|比较|较|最)?(?P<word>高|低|大|小|多|少|长|短|快|慢|贵|便宜|重|轻|早|晚|宽|窄|厚|薄"
    r"|深|浅|强|弱|远|近)"
)
_PER = re.compile(r"\s?/\s?[A-Za-z]{1,5}\b|/[\u4e00-\u9fff]")
_GAP = re.compile(r"差|difference|how (?:much|big)", re.IGNORECASE)


class Told(NamedTuple):
    """A turn's question, made self-contained, and its answer with [n] as it was said."""

    question: str
    answer: str


class Value(NamedTuple):
    """A value that was given, of whom, and which of the sources says it."""

    name: str
    text: str
    amount: float
    unit: str
    n: int


def given_values(turns: Sequence[Told]) -> list[Value]:
    """At least two values of one unit that the last answer gives, else the last two answers one
    each; [] when there are none. `turns`: latest first, numbers [n] running on over them."""
    if not turns:
        return []
    here = _alike(_named(turns[0]))
    if len(here) > 1 or len(turns) < 2:
        return here if len(here) > 1 else []
    main = [value for turn in reversed(turns[:2]) if (value := _main(turn))]
    return found if len(found := _alike(_told_apart(main, turns))) > 1 else []


def _named(turn: Told) -> list[Value]:
    """The first value of each subject of the question, or of each row of a table."""
    names = subjects_of(turn.question)
    found: dict[str, Value] = {}
    for line in turn.answer.splitlines():
        for value in _values(line):
            row = _ROW.match(_MARKER.sub("", line))
            own = [name for name in names if _says(line, name, names)]
            name = own[0] if len(own) == 1 else row["row"].strip() if row else ""
            if name and not (own and name in found):
                found.setdefault(name, value._replace(name=name))
    if names and set(names) <= set(found):
        return [found[name] for name in names]
    return [*found.values()]


def subjects_of(question: str) -> list[str]:
    """The two or more things that a question asks of: 甲 and 乙 in "甲和乙的流量分别是多少"."""
    if language_of(question) == "zh":
        match = _SUBJECTS_ZH.match(question.strip())
        parts = [p.strip() for p in _AND_ZH.split(match["names"])] if match else []
        return list(dict.fromkeys(p for p in parts if p)) if len(set(parts)) > 1 else []
    match = _SUBJECTS_EN.search(question)
    return [match["a"].strip(), match["b"].strip()] if match else []


def _says(line: str, name: str, names: Sequence[str]) -> bool:
    """Whether the line names this subject by what tells it from the others."""
    plain = unicodedata.normalize("NFKC", line).casefold()
    whole = unicodedata.normalize("NFKC", name).casefold()
    if whole in plain:
        return not any(n != name and whole in n.casefold() and n.casefold() in plain for n in names)
    others = {w for n in names if n != name for w in n.casefold().split()}
    own = [w for w in whole.split() if w not in others]
    return (
        whole.isascii() and bool(own) and all(re.search(rf"\b{re.escape(w)}\b", plain) for w in own)
    )


def _values(line: str) -> list[Value]:
    """What is measured in a line: no ordinals, labels or years while there is anything else."""
    marks = _MARKER.findall(line)
    text = _GROUPED.sub(lambda m: re.sub(r"\s", "", m.group()), _MARKER.sub("", line))
    if cell := _HEAD.match(text):  # what stands before it names the row
        text = text[cell.end() :]
    spans = find_labels(text)
    real: list[Quantity] = [
        q
        for q in quantities(text)
        if not q.words and not any(s.start <= q.start < s.end for s in spans)
    ]
    measured = [q for q in real if q.unit not in _UNITLESS] or [q for q in real if not q.unit]
    n = int(marks[-1]) if marks else 0
    return [Value("", _written(text, q), q.value, q.unit, n) for q in measured if n]


def _written(text: str, quantity: Quantity) -> str:
    """A quantity as it stands, with the unit that it is counted by (25 m³/h)."""
    per = _PER.match(text, quantity.end)
    return text[quantity.start : per.end() if per else quantity.end].strip()


def _main(turn: Told) -> Value | None:
    """The value that an answer leads with."""
    values = [value for line in turn.answer.splitlines() for value in _values(line)]
    return values[0] if values else None


def _told_apart(values: Sequence[Value], turns: Sequence[Told]) -> list[Value]:
    """The values with what their questions are about; [] when that is the same."""
    names = [_topic(turn.question) for turn in reversed(turns[:2])]
    if len(set(names)) == 1:  # two columns of one row
        names = [_column(turn.answer) for turn in reversed(turns[:2])]
    if len(values) < 2 or names[0] == names[1] or not all(names):
        return []
    return [value._replace(name=name) for value, name in zip(values, names, strict=True)]


def _column(answer: str) -> str:
    """The head of the cell that an answer begins with, without its unit; empty: it is none."""
    found = _HEAD.match(_MARKER.sub("", answer.strip().split("\n", 1)[0]))
    return found["head"].strip() if found else ""


def _topic(question: str) -> str:
    zh = language_of(question) == "zh"
    name = (place_named(question) or entity_zh(question)) if zh else entity_en(question)
    return name or question.strip(" ？?。.")


def _alike(values: Sequence[Value]) -> list[Value]:
    """Those of the unit that most of them have."""
    units = [value.unit for value in values]
    most = max(units, key=lambda u: (units.count(u), -units.index(u)), default="")
    return [value for value in values if value.unit == most]


def say_compared(question: str, values: Sequence[Value], language: str) -> str:
    """Which is higher (or what `question` asks), each value with its source; equal ones said so."""
    small = bool(_SMALL.search(question)) and not _GAP.search(question)
    if _QUICK.search(question) and values[0].unit in _TIMES:
        small = True
    ranked = sorted(values, key=lambda v: v.amount, reverse=not small)
    zh = language == "zh"
    join, colon = ("，", "") if zh else (", ", " is")
    if ranked[0].amount == ranked[-1].amount:
        listed = join.join(f"{v.name}{'' if zh else ':'} {v.text} [{v.n}]" for v in values)
        return f"一样：{listed}" if zh else f"They are the same: {listed}"
    rest = join.join(f"{v.name}{colon} {v.text} [{v.n}]" for v in ranked)
    lead = _lead(question, ranked, zh=zh)
    return f"{lead}{rest}" + _gap(question, ranked, zh=zh)


def _lead(question: str, ranked: Sequence[Value], *, zh: bool) -> str:
    first = ranked[0].name
    if zh:
        found = _ASKED_ZH.search(question) if not _GAP.search(question) else None
        word = found["word"] if found else "大"
        return f"{first}{'更' if len(ranked) == 2 else '最'}{word}："
    found = _ASKED_EN.search(question)
    return f"{first} is {found.group().lower() if found else 'greater'}: "


def _gap(question: str, ranked: Sequence[Value], *, zh: bool) -> str:
    """The difference of two values that are written in one form."""
    if not _GAP.search(question) or len(ranked) != 2:
        return ""
    one, other = (exact(value.text) for value in ranked)
    if one is None or other is None or one[1] != other[1]:
        return ""
    text = f"{abs(one[0] - other[0]):,f} {one[1]}".strip()
    return f"\n相差 {text}。" if zh else f"\nThe difference is {text}."
