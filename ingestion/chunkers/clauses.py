"""Numbered clauses without titles: "5.2.1 泵应…。" and "第三条 …" are found by their number."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ...core.document import Block
from ..numbering import Number, han_number, number_of
from ..structure import Placed, measures
from .place import REST, places_of, with_rest, within

_WORDS = re.compile(r"[一-鿿A-Z“\"《（(]")
_ARTICLES = ("第条", "第條")
_STEP = 3
_N = r"[0-9〇零一二三四五六七八九十百]{1,6}"
_INSIDE = re.compile(
    rf"(?:[。；;：:！!？?”」）)]|\n)\s*(?P<article>第\s*(?P<n>{_N})\s*[条條])(?=[\s　])"
)
_APART = re.compile(rf"第\s*{_N}\s*[条條](?:[\s　]+(?!规定|所|中的?|的|之|至|和|或)|[：:【（(]|\n)")


@dataclass(frozen=True)
class Clause:
    """Blocks of one clause; `number` and `title` ("5.2.1", "第三条") are empty before the first."""

    items: tuple[Placed, ...]
    number: str = ""
    title: str = ""


class ClauseReader:
    """Parts a section's blocks at their clauses; articles count on over the sections."""

    def __init__(self) -> None:
        self._article = 0

    def clauses(self, items: Sequence[Placed]) -> Iterator[Clause]:
        """The clauses in order; text before the first has no number of its own."""
        group: list[Placed] = []
        number, title = "", ""
        for item in (part for whole in items for part in self._parted(whole)):
            found = self._starts(item)
            if found is not None:
                if group:
                    yield Clause(tuple(group), number, title)
                group, number = [], found.text
                article = found.scheme in _ARTICLES
                title = f"第{found.text}条" if article else found.text
            group.append(item)
        if group:
            yield Clause(tuple(group), number, title)

    def _parted(self, item: Placed) -> Iterator[Placed]:
        """The block cut before each further article that is written in one paragraph with it."""
        text = item.block.text
        last = self._article
        if (own := number_of(text[:200])) is not None and own.scheme in _ARTICLES:
            last = int(own.parts[0])
        cuts = [0]
        for match in _INSIDE.finditer(text):
            value = han_number(match["n"])
            if match.start("article") and last < value <= last + _STEP and last:
                cuts.append(match.start("article"))
                last = value
        if item.block.kind not in ("text", "list") or len(cuts) == 1:
            yield item
            return
        for start, end in pairwise([*cuts, len(text)]):
            yield replace(item, block=_cut(item.block, start, end))

    def _starts(self, item: Placed) -> Number | None:
        if item.block.kind not in ("text", "list"):
            return None
        number = number_of(item.block.text[:200])
        if number is None:
            return None
        if number.scheme in _ARTICLES:
            return self._next_article(number, item.block.text.strip())
        above = (
            tuple(item.section.number.split(".")) if item.section and item.section.number else ()
        )
        deeper = above and len(number.parts) > len(above) and number.parts[: len(above)] == above
        plain = number.scheme == "decimal" and _WORDS.match(number.rest)
        return number if deeper and plain and not measures(number.rest) else None

    def _next_article(self, number: Number, text: str) -> Number | None:
        """An article whose number goes on, or that stands off from its text ("第三条  学校…") as
        where some are left out; "第三条规定…" in the middle of a text is none."""
        value = int(number.parts[0])
        first = self._article == 0 or value == 1
        goes_on = self._article < value <= self._article + _STEP
        if not first and not goes_on and not _APART.match(text):
            return None
        self._article = value
        return number


def _cut(block: Block, start: int, end: int) -> Block:
    """A part of a block's text, on the pages where that part stands."""
    places = within(places_of(block, 0, len(block.text)), start, end)
    meta = {key: value for key, value in block.meta.items() if key != REST}
    changes = {"text": block.text[start:end].strip(), "meta": meta}
    if not places:
        return block.model_copy(update=changes)
    here = {"page": places[0].page, "bbox": places[0].bbox}
    cut = block.model_copy(update={**changes, **here})
    return with_rest(cut, [(place.page, place.bbox) for place in places[1:] if place.bbox])
