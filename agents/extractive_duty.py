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
        whose = f"{passage.title} {passage.section_path}"
        for sentence in passage_sentences(passage):
            about = f"{whose} {sentence}"
            if not clause.search(han_folded(sentence, tokenizer)) or of_another(question, about):
                continue
            if terms_in(about, terms, tokenizer) >= terms:
                near.append((topic not in about, (passage.n, sentence)))
    return [min(near, key=lambda one: one[0])[1]] if near else []
