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
