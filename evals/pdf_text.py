"""A PDF's own text, read independently of the parser: whole pages and inside a box."""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.document import BBox
from ..ingestion.parsers.pdf import unrotated

SLACK = 1.5
"""Points around a box: its edges are rounded and glyphs stand over them."""
BORN_DIGITAL = 20
"""A page with fewer characters of text has no text layer."""
SHINGLE = 8
"""Characters compared at a time."""
HELD = 0.9
"""Share of a quote that must be there: a footnote may stand between its lines in the PDF."""
_FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|[`*]", re.DOTALL)
_IGNORED = re.compile(r"[\s\u00ad\u200b\u2010-\u2015\u2212|·\-\ufffe\x00-\x1f]+")


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """A pypdfium2 document."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        yield document
    finally:
        document.close()


def page_texts(path: Path) -> list[str]:
    """The text of every page, "" where there is none."""
    with opened(path) as document:
        return [document[i].get_textpage().get_text_range() for i in range(len(document))]


def text_in(page: Any, box: BBox | None) -> str:
    """The text of a page, or inside a box (fractions, origin top left)."""
    text = page.get_textpage()
    if box is None:
        return str(text.get_text_range())
    # What is shown need not begin at the origin, and may be turned.
    fractions = (box.x0, box.y0, box.x1, box.y1)
    left, bottom, right, top = unrotated(fractions, page.get_bbox(), page.get_rotation())
    return str(
        text.get_text_bounded(
            left=left - SLACK,
            bottom=bottom - SLACK,
            right=right + SLACK,
            top=top + SLACK,
        )
    )


def bare(text: str) -> str:
    """For comparing: NFKC and no blanks, hyphens, soft hyphens, bars and control marks."""
    return _IGNORED.sub("", unicodedata.normalize("NFKC", text)).casefold()


def comparable(quote: str) -> str:
    """The part of a quote that a PDF's text can hold: parsers write formulas in LaTeX."""
    return bare(_FORMULA.sub(" ", quote))


def held(quote: str, text: str) -> float:
    """Share (0..1) of a comparable quote's runs of SHINGLE characters that are in a bare text."""
    if not quote or quote in text:
        return float(bool(quote))
    runs = [quote[i : i + SHINGLE] for i in range(max(1, len(quote) - SHINGLE + 1))]
    return sum(run in text for run in runs) / len(runs)
