"""A document that a Chinese question names by what its Latin name is called: 微软 is Microsoft."""

import re
from collections.abc import Sequence

from ..core.document import DocumentRecord
from ..core.ports import Embedder
from ..core.text import has_cjk
from ..tools.whole_name import Named, latin_names, of_the_year

# Cosines of the built-in light encoder: a name and its own transcription .67 to .93, others to .53.
SAME_NAME = 0.62
MOST_NAMES = 200
_FIRST = re.compile(r"^(?:请问|根据|在|从)?(?P<run>[一-鿿]{2,})")
_LONGEST = 6
_OF_YEAR = re.compile(
    r"^(?:请问)?(?![在到从截各全每本该这])(?P<name>[一-鿿]{2,8}?)(?:公司)?的?(?:在)?(?:19|20)\d{2}年"
)
_CALLED = re.compile(r"[A-Z][A-Za-z&\-]+(?: [A-Z][A-Za-z&\-]+)?")


def owner_named(question: str) -> list[str]:
    """Whose figure of a year a Chinese question asks for, where it begins with the name."""
    found = _OF_YEAR.match(question.strip())
    return [found["name"]] if found else []


def name_unmet(names: Sequence[str], texts: Sequence[str], embedder: Embedder) -> bool:
    """Whether one of these Chinese names is that of nothing which English texts call by a
    capitalised name."""
    pairs = [name for text in texts for name in _CALLED.findall(text)]
    called = dict.fromkeys(name for pair in pairs for name in (pair, *pair.split()))
    if not names or not called:
        return False
    found = (
        embedder.embed_queries(list(names)) @ embedder.embed_passages(list(called)[:MOST_NAMES]).T
    )
    return bool((found.max(axis=1) < SAME_NAME).any())


def foreign_name(
    question: str, documents: Sequence[DocumentRecord], embedder: Embedder
) -> Named | None:
    """The documents whose Latin name the question begins with in Chinese; None: it names none.
    `embedder` compares short texts of both languages."""
    found = _FIRST.match(question.strip()) if has_cjk(question) else None
    names = latin_names(documents) if found else {}
    if not found or not 0 < len(names) <= MOST_NAMES:
        return None
    run = found["run"]
    starts = [run[:length] for length in range(2, min(len(run), _LONGEST) + 1)]
    keys = list(names)
    cosines = embedder.embed_queries(starts) @ embedder.embed_passages(keys).T
    best, words, key = max(
        (float(cosine), start, key)
        for start, row in zip(starts, cosines, strict=True)
        for key, cosine in zip(keys, row, strict=True)
    )
    if best < SAME_NAME:
        return None
    return of_the_year(Named(words, names[key]), question, documents)
