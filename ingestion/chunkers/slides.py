"""Lecture slides: three pages together, cut with overlap."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..numbering import han_number
from ..structure import Placed
from .draft import TEXT_KINDS, Draft, cut_run, run_of

PAGES_TOGETHER = 3
_LECTURE = re.compile(
    r"第\s*(?P<han>[0-9一二三四五六七八九十百]+)\s*[讲講课課章]|(?:lecture|lec|week)[\s._-]*0*(?P<n>\d+)"
    r"|^0*(?P<lead>\d{1,3})(?=[\s._-]|[一-鿿])",
    re.I,
)
_TOPIC_NOISE = re.compile(r"^[\s._—:：-]+|\.(?:pdf|pptx?|odp)$", re.I)


def lecture_of(name: str) -> dict[str, Any]:
    """`lecture` and `topic` from a file name such as "第3讲 词法分析.pdf" or "lec05_joins"."""
    match = _LECTURE.search(name)
    if not match:
        return {}
    number = han_number(match["han"]) if match["han"] else int(match["n"] or match["lead"])
    topic = _TOPIC_NOISE.sub("", _TOPIC_NOISE.sub("", name[match.end() :])).strip()
    return {"lecture": number, **({"topic": topic} if topic else {})}


def slide_chunks(items: Sequence[Placed], size: int, overlap: int, name: str) -> Iterator[Draft]:
    """Drafts over windows of pages; `slide_range` says which."""
    pages = sorted({item.block.page for item in items if item.block.page})
    lecture = lecture_of(name)
    for first in range(0, len(pages), PAGES_TOGETHER):
        window = pages[first : first + PAGES_TOGETHER]
        inside = [i for i in items if i.block.page in window and i.block.kind in TEXT_KINDS]
        about = {"slide_range": f"{window[0]}-{window[-1]}", **lecture}
        yield from cut_run(run_of(inside), size, overlap, f"p{window[0]}", about)
    loose = [i for i in items if not i.block.page and i.block.kind in TEXT_KINDS]
    yield from cut_run(run_of(loose), size, overlap, "p0", lecture)
