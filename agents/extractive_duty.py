"""Who does something: the clause "由…负责解释" of the document or regulation that is asked about.

Such clauses name what they are of as 本办法 or not at all, so the words of the question's topic are
looked for in the title and the section as well.
"""

import re
import unicodedata
from collections.abc import Sequence

from ..core.ports import Tokenizer
from .extractive_concepts import asked_terms, han_folded, terms_in
from .extractive_forms import Line
from .extractive_sentences import passage_sentences
from .passages import Passage
from .subjects import of_another

_WHO = (
    r"(?:谁|哪一?个?(?:部门|单位|机构|处室|科室|方|岗位)|什么(?:部门|单位|机构|人)"
    r"|哪些(?:部门|单位|人))"
)
_ASKED = re.compile(
    r"^(?:请问|关于|对于|针对)?(?P<x>[^？?。]{0,40}?)[，,]?\s*(?:应?由|归|是由)?"
    rf"{_WHO}(?:来)?(?:负责)?(?P<v>[一-鿿]{{2,4}}?)(?:的|呢)?[？?。]*$"
)
_BY = re.compile(rf"(?:由|归)\s*{_WHO}|{_WHO}来?负责")
_EMPTY = re.compile(r"^(?:负责|管理的|是|为|在|的|有|能|可以|应当?)+$")
_REGULATION = re.compile(
    r"(?:办法|条例|规定|细则|制度|规则|章程|守则|规程|方案|合同|协议|手册)》?$"
)
_REGULATION_OF = re.compile(
    r"(?:办法|条例|规定|细则|制度|规则|章程|守则|规程)(?:\s*[（(][^）)]*[）)])?(?: >|$)"
)
_THIS_ONE = re.compile(r"本(?:办法|条例|规定|细则|制度|规则|章程|守则|规程|方案|合同|协议)")
_TOPIC = re.compile(r"^(?:的|里|中|，|,)+|(?:的|里|中|，|,|应该?|必须|需要?)+$")


def clause_query(question: str) -> str:
    """The words of the clause that says who does what is asked for, as a query; empty: it asks
    for none."""
    asked = _asked(question)
    return f"{asked[0]} 负责{asked[1]}" if asked else ""


def deed_unsaid(question: str, texts: Sequence[str]) -> bool:
    """Whether it is asked by whom something is done and no text speaks of doing it."""
    asked = _asked(question)
    return asked is not None and not any(set(asked[1]) & set(text) for text in texts)


def _asked(question: str) -> tuple[str, str] | None:
    """What the deed is of, and the deed."""
    text = unicodedata.normalize("NFKC", question).strip()
    found = _ASKED.match(text)
    if found is None or not _BY.search(text) or _EMPTY.match(found["v"]):
        return None
    return _TOPIC.sub("", found["x"]), found["v"]


def clause_of_another(
    question: str, lines: Sequence[Line], passages: Sequence[Passage], tokenizer: Tokenizer
) -> bool:
    """Whether it is asked who does something by a regulation that is named, and the lines tell it
    only of others: their "本条例由…负责解释" is not of the one that is meant."""
    asked = _asked(question)
    if asked is None or not _REGULATION.search(asked[0]):
        return False
    terms = set(asked_terms(asked[0], tokenizer))
    told = [(n, text) for n, text in lines if _THIS_ONE.search(text) and asked[1] in text]
    whose = [_whose(p, text) for p in passages for n, text in told if p.n == n]
    return bool(told) and not any(terms_in(one, terms, tokenizer) >= terms for one in whose)


def _whose(passage: Passage, sentence: str) -> str:
    """Where it is said whose the sentence is: "本规定" in a compilation is the one of the section,
    not the whole."""
    inner = _THIS_ONE.search(sentence) and _REGULATION_OF.search(passage.section_path)
    return passage.section_path if inner else f"{passage.title} {passage.section_path}"


def who_does(question: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    """The first sentence that says by whom what is asked for is done; empty: none does."""
    asked = _asked(question)
    if asked is None:
        return []
    topic, deed = asked[0], re.escape(han_folded(asked[1], tokenizer))
    clause = re.compile(
        rf"(?:由|归)[^，。；由]{{2,30}}?{deed}|[^，。；]{{2,24}}(?:负责|承担)[^，。；]{{0,16}}{deed}"
    )
    terms = set(asked_terms(topic, tokenizer)) if topic else set()
    near: list[tuple[bool, Line]] = []
    for passage in passages:
        for sentence in passage_sentences(passage):
            about = f"{_whose(passage, sentence)} {sentence}"
            if not clause.search(han_folded(sentence, tokenizer)) or of_another(question, about):
                continue
            if terms_in(about, terms, tokenizer) >= terms:
                near.append((topic not in about, (passage.n, sentence)))
    return [min(near, key=lambda one: one[0])[1]] if near else []
