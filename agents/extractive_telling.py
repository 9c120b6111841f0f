"""Lines that tell something: neither the name of what follows, nor beside what is to be defined."""

import re
from collections.abc import Sequence

from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_forms import Line, asked_term, section_title
from .extractive_sentences import is_heading, says_nothing
from .passages import Passage

_LEADS = re.compile(r"[:：]\s*$")
_FIGURE = re.compile(r"(?<![\d.])(?!(?:19|20)\d{2}(?!\d))\d+(?![\d年月日)）、.])")
_ENDED = re.compile(r"[。．.！!；;？?][”’\"')）\]]*\s*$")
_SAYS = re.compile(
    r"是|为|指|即|称|叫|由|把|将|用[于来]|可以|能够?|[:：—]\s*\S"
    r"|\b(?:is|are|was|were|means?|refers?|provides?|offers?|allows?|enables?|consists?|has|have)\b",
    re.IGNORECASE,
)


def tells(text: str) -> bool:
    """Whether a line says something, and is not a heading, a title of a slide or what leads to a
    list."""
    if _LEADS.search(text) or says_nothing(text):
        return False
    return _ENDED.search(text) is not None or _SAYS.search(text) is not None


def all_bare(lines: Sequence[Line]) -> bool:
    """Whether the lines only lead to something, or the only one is a heading: nothing stands under
    them here."""
    if len(lines) == 1 and is_heading(lines[0][1]):
        return True
    return all(
        n and " · " not in text and _LEADS.search(text) and not _FIGURE.search(text)
        for n, text in lines
    )


def defining(
    question: str, lines: Sequence[Line], passages: Sequence[Passage], tokenizer: Tokenizer
) -> list[Line]:
    """Of the lines told to "what is X" those that say something, where one of them, or the section
    that it is of, speaks of X; none where none does."""
    term = _plain(asked_term(question), tokenizer)
    if not term:
        return list(lines)
    over = {p.n: _plain(section_title(p), tokenizer) for p in passages}
    telling = [(n, text) for n, text in lines if not n or tells(text)]
    own = (_speaks(term, _plain(text, tokenizer)) or over.get(n) == term for n, text in telling)
    return telling if any(own) else []


def _speaks(term: str, text: str) -> bool:
    """Whether the text says the term, or all its Chinese characters, with others among them."""
    return term in text or (has_cjk(term) and set(term) <= set(text))


def _plain(text: str, tokenizer: Tokenizer) -> str:
    """Letters and digits; Latin words without a plural's end."""
    plain = "".join(re.findall(r"\w", tokenizer.fold(text)))
    return plain if has_cjk(plain) else plain.removesuffix("s")
