"""Numbered clauses without titles: "5.2.1 泵应…。" and "第三条 …" are found by their number."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..numbering import Number, number_of
from ..structure import Placed, measures

_WORDS = re.compile(r"[一-鿿A-Z“\"《（(]")
_ARTICLES = ("第条", "第條")
_STEP = 3


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
        for item in items:
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

    def _starts(self, item: Placed) -> Number | None:
        if item.block.kind not in ("text", "list"):
            return None
        number = number_of(item.block.text[:200])
        if number is None:
            return None
        if number.scheme in _ARTICLES:
            return self._next_article(number)
        above = (
            tuple(item.section.number.split(".")) if item.section and item.section.number else ()
        )
        deeper = above and len(number.parts) > len(above) and number.parts[: len(above)] == above
        plain = number.scheme == "decimal" and _WORDS.match(number.rest)
        return number if deeper and plain and not measures(number.rest) else None

    def _next_article(self, number: Number) -> Number | None:
        """An article whose number goes on; "第三条规定…" in the middle of a text does not."""
        value = int(number.parts[0])
        first = self._article == 0 or value == 1
        if not first and not self._article < value <= self._article + _STEP:
            return None
        self._article = value
        return number
