"""Whether the box of a quote holds the quote: chunks against the words of the PDF itself."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..core.chunk import Chunk
from ..core.text import sentences
from ..ingestion.parsers.pdf import PageTexts, inspect
from ..tools.citations import quote_for

_MARGIN = 0.006
_WORD = re.compile(r"[a-z0-9]+|[一-鿿]+")
_FORMULA = re.compile(r"\$[^$]*\$|<[^>]+>|\\[a-z]+", re.I)


@dataclass(frozen=True)
class Miss:
    """A quote whose words are not in its box; `share` of them are."""

    page: int | None
    chunk_type: str
    share: float
    quote: str
    found: str


def check(pdf: Path, chunks: tuple[Chunk, ...], least: float = 0.8) -> tuple[int, list[Miss]]:
    """How many quotes were looked at, and those with less than `least` of their words inside.

    A quote is a sentence of a chunk's text with at least eight pairs of characters; distinct pairs
    are compared, because a cell over several columns stands in each of them. Pages without a text
    layer have nothing to compare with.
    """
    readable = {page for page, text in enumerate(inspect(pdf).texts, 1) if text}
    total = 0
    misses = []
    with PageTexts(pdf) as texts:
        for chunk in chunks:
            if chunk.page_start not in readable:
                continue
            for quote in _quotes(chunk.text):
                total += 1
                miss = _miss(texts, chunk, quote, least)
                if miss is not None:
                    misses.append(miss)
    return total, misses


def _quotes(text: str) -> Iterator[str]:
    for start, end in sentences(text):
        quote = text[start:end]
        if len(_units(quote)) >= 8:
            yield quote


def _miss(texts: PageTexts, chunk: Chunk, quote: str, least: float) -> Miss | None:
    found = quote_for(quote, chunk)
    inside = ""
    if found.page and found.bbox:
        box = found.bbox
        grown = (box.x0 - _MARGIN, box.y0 - _MARGIN, box.x1 + _MARGIN, box.y1 + _MARGIN)
        inside = texts.inside(found.page - 1, grown)
    wanted, held = set(_units(found.text)), set(_units(inside, whole=True))
    share = len(wanted & held) / (len(wanted) or 1)
    if share >= least:
        return None
    return Miss(found.page, chunk.chunk_type, round(share, 2), found.text, inside)


def _units(text: str, *, whole: bool = False) -> list[str]:
    """Pairs of characters of each word (`whole`: of all words written as one); formulas left out.

    PDFs and parsers part words differently, and break them at line ends.
    """
    bare = unicodedata.normalize("NFKC", _FORMULA.sub(" ", text)).lower()
    words = _WORD.findall(re.sub(r"[\u0002\ufffe]\s*|-\s*\n", "", bare))
    words = ["".join(words)] if whole else words
    return [word[n : n + 2] for word in words for n in range(max(len(word) - 1, 1))]
