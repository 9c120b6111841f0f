"""Figures that are of all that is asked for: the total is no answer to a part of it."""

import re
from collections.abc import Sequence

from ..core.ports import Tokenizer
from ..core.text import has_cjk, language
from .extractive_concepts import asked_terms, han_folded, terms_in
from .extractive_forms import Line
from .extractive_grids import over_tables
from .extractive_lookup import SUMS
from .extractive_tables import Reading
from .extractive_values import number
from .extractive_words import answer_kind
from .passages import Passage
from .row_question import is_short, row_asked

_BEHIND = re.compile(r"\b(?:of|in|for|from|at)\s+(?:the\s+)?", re.IGNORECASE)
_MEASURES = re.compile(r"总人数|总数量?|总额|人数|数量|金额|总(?=[一-鿿])")
_FIRM = re.compile(
    r"[\u4e00-\u9fffA-Za-z（）()]{2,}(?:公司|集团|[^水电]厂|合作社|基金)$"
    r"|[A-Z][\w&,. ]+\b(?:Inc|Ltd|LLC|Corp|Limited|Company|Holdings)\.?$"
)
Found = tuple[int, Reading]


def item_terms(question: str, tokenizer: Tokenizer) -> tuple[list[str], list[str]]:
    """The words of the item whose figure is asked for, and those among them that tell it from its
    like: the first ones ("海外" of 海外收入), also behind "of"; empty: it is asked otherwise."""
    asked = row_asked(question)
    if asked is None or asked.trend:
        return [], []
    item = han_folded(_MEASURES.sub(" ", SUMS.sub(" ", asked.item)), tokenizer)
    terms = asked_terms(item, tokenizer)
    parts = [asked_terms(part, tokenizer) for part in _BEHIND.split(item) if part.strip()]
    return terms, list(dict.fromkeys(part[0] for part in parts if part))


def of_whole_item(
    question: str, found: Sequence[Found], passages: Sequence[Passage], tokenizer: Tokenizer
) -> list[Found]:
    """The readings whose row, column or section says what tells the item from its like, and whose
    table says the rest of it: of "海外收入" no 收入 that is not said to be of 海外."""
    terms, first = item_terms(question, tokenizer)
    if not terms:
        return list(found)
    held = {
        p.n: (han_folded(over_tables(p), tokenizer), han_folded(p.text, tokenizer))
        for p in passages
    }
    return [
        (n, r)
        for n, r in found
        if number(r.value) is None or _whole(r, *held.get(n, ("", "")), terms, first, tokenizer)
    ]


def _whole(
    reading: Reading,
    over: str,
    text: str,
    terms: Sequence[str],
    first: Sequence[str],
    tokenizer: Tokenizer,
) -> bool:
    head = reading.statement.removesuffix(reading.value)
    own = han_folded(f"{head} {reading.row} {over}", tokenizer)
    # English says the kind of figure last ("income tax rate"): all of it stands at the figure.
    rest = text if has_cjk(head) else ""
    said = terms_in(own, first, tokenizer)
    return said == set(first) and set(terms) <= terms_in(f"{own} {rest}", terms, tokenizer)


def same_headed(found: Sequence[Found]) -> bool:
    """Whether the readings are of one name and differ: which of them is meant is not known. A
    share beside an amount is another figure of the same."""
    heads = {reading.statement.removesuffix(reading.value) for _, reading in found}
    values = {reading.value for _, reading in found}
    amounts = {value for value in values if not re.search(r"[%％]", value)} or values
    return len(heads) == 1 and len(amounts) > 1


def of_other_firms(question: str, found: Sequence[Found]) -> bool:
    """Whether a reading is in the row of a firm that the question does not name: inside a firm's
    own document the table is of its owners or holdings, and neither it nor its total answers."""
    firms = [m.group() for _, r in found if (m := _FIRM.search(r.row.strip()))]
    return any(firm not in question for firm in firms)


def of_the_item(
    question: str,
    lines: Sequence[Line],
    passages: Sequence[Passage],
    tokenizer: Tokenizer,
    *,
    inside: bool = False,
) -> bool:
    """Whether a line, with the section that it stands in, says what tells the item asked for from
    its like, `inside` the document that the question names all of the item; True where no item is
    asked for, and of another language."""
    number_asked = answer_kind(question) == "number"
    terms, first = item_terms(question, tokenizer) if number_asked else ([], [])
    asked = row_asked(question)
    first = terms if inside and asked and is_short(asked.item) else first
    if any(language(text) != language(question) for n, text in lines if n):
        return True
    over = {p.n: f"{p.title} {p.section_path}" for p in passages}
    said = (han_folded(f"{text} {over.get(n, '')}", tokenizer) for n, text in lines)
    return not first or any(terms_in(text, first, tokenizer) == set(first) for text in said)
