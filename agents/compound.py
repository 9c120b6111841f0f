"""Splits a compound question into questions that can be searched and answered one by one."""

import re
from collections.abc import Sequence

from ..core.analysis import Focus
from ..core.text import has_cjk, sentences
from .analyst_rules import folded, sub_questions
from .analyst_rules_zh import entity
from .followups import resolve

MAX_PARTS = 4
_MIN_CHARS = 4
_ASKS_ZH = re.compile(
    r"多少|什么|何时|何地|为何|为什么|怎么|怎样|如何|多[久长大高重宽深远]|哪|谁|是否|几[个种台年次天人家位级层倍度月]|吗|呢"
)
_CUT_ZH = re.compile(r"[，,；;]\s*(?:以及|还有|并且|同时|另外|和|而)?|(?:以及|还有|并且|同时|另外)")
_CUT_EN = re.compile(
    r"[,;]?\s+(?:and|also|as well as|plus)\s+"
    r"(?=(?:what|how|when|where|which|who|whom|whose|why|is|are|was|were|does|do|did|can)\b)",
    re.IGNORECASE,
)
_MIN_NAME = 2
_EACH_ZH = re.compile(
    r"^(?P<subjects>[^，,。；;？?的]{4,60}?)(?:的(?P<what>[^，,。；;？?]{1,20}?))?(?:分别|各自?)"
    r"(?P<ask>[^，,。；;？?]{2,14})[？?。]?$"
)
# Whose two offices are asked for: "合同的甲方和乙方分别是谁".
_OWNER_ZH = re.compile(
    r"^(?P<of>[^，,。；;？?的]{1,20}的)(?=[^的]{4,30}(?:分别|各自?)[是由]?(?:谁|哪))"
)
_YEAR_ZH = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)年?度?")
_AND_ZH = re.compile(r"、|以及|[和与及]")
_SUBJECTLESS = re.compile(
    r"(?:由|归|在|于)?(?:谁|何时|什么时候|哪天|哪[里儿]|何地|多久|多少钱)[一-鿿]{0,4}[？?]?$"
)
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their)\b|[它其]", re.IGNORECASE)
_CODE = re.compile(r"(?<![A-Za-z\d])[A-Z]{1,6}-?\d{2,}[A-Za-z\d]*(?![A-Za-z\d])")
_ASKS_EN = re.compile(
    r"^(?:what|how|when|where|which|who|whom|whose|why|is|are|was|were|does|do|did|can"
    r"|in which|at what|at which|by how)\b",
    re.IGNORECASE,
)


def split_compound(question: str) -> list[str]:
    """The questions inside `question`, each self-contained, in order; [] when it is one question.

    A piece counts only when it asks by itself: conditions ("if the level is high, ...") and lists
    of subjects ("the power of A and B") are not cut, unless each is asked for by itself (分别).
    """
    if each := _each(question):
        return each
    whole = _asked_of_one(question) or sub_questions(question)
    pieces = whole or _clauses(question)
    if not 2 <= len(pieces) <= MAX_PARTS:
        return []
    parts: list[str] = []
    for piece in pieces:
        topic = parts[-1] if parts else ""
        found = resolve(_named(piece, topic), topic=topic, focus=Focus(), background=parts)
        if found.unresolved or found.ambiguous or _PRONOUN.search(found.text):
            return []
        parts.append(found.text if whole else _with_code(found.text, parts))
    return parts if len({folded(part) for part in parts}) == len(parts) else []


def _each(question: str) -> list[str]:
    """What is asked of each subject ("甲泵和乙泵的流量分别是多少"), one by one; else []."""
    owner = _OWNER_ZH.match(question.strip())
    found = _EACH_ZH.match(question.strip()[owner.end() if owner else 0 :])
    if found is None:
        return []
    subjects = [part.strip() for part in _AND_ZH.split(found["subjects"])]
    if not 2 <= len(set(subjects)) <= MAX_PARTS or any(len(part) < _MIN_NAME for part in subjects):
        return []
    dated = [part for part in subjects if _YEAR_ZH.search(part)]
    if any(not _YEAR_ZH.fullmatch(part) for part in dated):
        return []  # the year of one is that of all ("2022年和2023年员工人数"): not to be torn off
    rest = f"{'的' if found['what'] else ''}{found['what'] or ''}{found['ask']}"
    of = owner["of"] if owner else ""
    return [f"{of}{subject}{rest}？" for subject in dict.fromkeys(subjects)]


def _asked_of_one(question: str) -> list[str]:
    """Questions of which a later one names no subject: "清污机多久检修一次？谁负责？"; else []."""
    pieces = [question[a:b] for a, b in sentences(question)]
    asking = all(piece[-1] in "？?" for piece in pieces)
    return pieces if asking and any(_SUBJECTLESS.match(piece) for piece in pieces[1:]) else []


def _named(piece: str, topic: str) -> str:
    """A piece without a subject is about that of the question before it."""
    if not topic or not _SUBJECTLESS.match(piece):
        return piece
    return f"{_ASKS_ZH.split(entity(topic))[0]}{piece}"


def _with_code(part: str, before: Sequence[str]) -> str:
    """A clause without a model number is about the one named before it."""
    codes = [code for earlier in before for code in _CODE.findall(earlier)]
    return f"{codes[0]} {part}" if len(set(codes)) == 1 and not _CODE.search(part) else part


def _clauses(question: str) -> list[str]:
    """Clauses that each ask; [] when one of them does not."""
    chinese = has_cjk(question)
    cut, asks = (_CUT_ZH, _ASKS_ZH) if chinese else (_CUT_EN, _ASKS_EN)
    clauses = [piece.strip(" ?？。.") for piece in cut.split(question)]
    clauses = [piece for piece in clauses if piece]
    if any(_too_short(piece) or not asks.search(piece) for piece in clauses):
        return []
    return _closed(clauses, "？" if chinese else "?")


def _too_short(clause: str) -> bool:
    return len(folded(clause)) < _MIN_CHARS and not _SUBJECTLESS.match(clause)


def _closed(clauses: Sequence[str], mark: str) -> list[str]:
    return [f"{clause}{mark}" for clause in clauses]
