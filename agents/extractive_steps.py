"""The numbered steps of a procedure, which a question asks for as a whole or one by one."""

import re
from collections.abc import Sequence

from ..core.ports import Tokenizer
from .extractive_concepts import asked_terms, terms_in
from .extractive_forms import Line, section_title
from .extractive_sentences import passage_sentences
from .passages import Passage

MOST_STEPS = 15
_HOW_TO = re.compile(
    r"怎么(?!办)|怎样|如何|步骤|流程|操作方法"
    r"|\bhow (?:do|can|should|would) (?:i|we|you|one)\b|\bhow to\b|\bsteps?\b|\bprocedure\b",
    re.I,
)
_STEP_WORDS = re.compile(
    r"第\s?[\d一二三四五六七八九十]{1,3}\s?步|步骤|流程|操作方法"
    r"|\b(?:steps?|procedure)\b(?: \d{1,2})?",
    re.I,
)
_ONE = re.compile(r"\bstep (?P<en>\d{1,2})\b|第\s?(?P<zh>[\d一二三四五六七八九十]{1,3})\s?步", re.I)
_NUMBERED = re.compile(r"^\s*(?P<n>\d{1,2})[.)、．）]\s*\S")


def steps(question: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    """The numbered steps of the section that the question is the title of ("how do I change the
    blade": "3 Changing the blade"), or the one that it asks for; empty: there is none."""
    if not _HOW_TO.search(question):
        return []
    terms = asked_terms(_HOW_TO.sub(" ", _STEP_WORDS.sub(" ", question)), tokenizer)
    for passage in passages:
        if not terms or len(terms_in(section_title(passage), terms, tokenizer)) < len(terms):
            continue
        listed = _listed(passage_sentences(passage))
        if found := _only(question, listed):
            return [(passage.n, text) for text in found]
    return []


def _listed(spans: Sequence[str]) -> list[str]:
    """The lines numbered from one on, without a gap."""
    found: list[str] = []
    for text in spans:
        number = _NUMBERED.match(text)
        if number and int(number["n"]) == len(found) + 1:
            found.append(text)
    return found if 1 < len(found) <= MOST_STEPS else []


def _only(question: str, listed: Sequence[str]) -> Sequence[str]:
    """The one step that is asked for by its number, else all."""
    one = _ONE.search(question)
    if one is None:
        return listed
    written = one["en"] or one["zh"]
    number = int(written) if written.isdigit() else "一二三四五六七八九十".find(written) + 1
    return listed[number - 1 : number] if number else []
