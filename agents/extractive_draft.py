"""The draft that the extractive writer hands on: its lines as text, each with its source."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from ..core.model import Noun
from ..core.text import language as language_of
from .extractive_forms import Line
from .extractive_words import Language, Work, absent, beyond, lead
from .passages import Passage

_WIDE_NUMBER = re.compile(r"[０-９][０-９．，％]*")
_BRACKETED = re.compile(r"\[(\d+)\]")


class Draft(Noun):
    """An answer before its citations are checked."""

    text: str
    abstained: bool = False
    caveat: bool = False
    """The lines do not say the answer: it has to be counted, worked out or seen."""
    best: str = ""
    """The line that answers, where several are said; empty: unknown."""

    @property
    def used(self) -> tuple[int, ...]:
        """Numbers of the passages that it cites, in order."""
        return tuple(dict.fromkeys(int(n) for n in _BRACKETED.findall(self.text)))


def uncovered(plain: Sequence[str], covers: Callable[[int, int], bool]) -> list[int]:
    """Places of the texts that no other one covers; of equal ones the first."""
    places = range(len(plain))
    return [
        i
        for i in places
        if not any(j != i and covers(j, i) and (plain[j] != plain[i] or j < i) for j in places)
    ]


def letters(text: str) -> str:
    """The text without blanks and marks, in lower case."""
    return "".join(re.findall(r"\w", text.lower()))


def drafted(tongue: Language, lines: Sequence[Line], best: str, work: Work | None = None) -> Draft:
    """The lines, each once; text in another language than `tongue` stands behind a lead, and what
    a model would have to do with the lines before them."""
    unique = _unrepeated(lines)
    text = "\n".join(f"{_plain(line)} [{n}]" if n else _plain(line) for n, line in unique)
    if all(language_of(line) != tongue for _, line in unique) and _wordy(text):
        text = f"{lead(tongue)}\n{text}"
    if work:
        text = f"{beyond(tongue, work)}\n{text}"
    return Draft(text=text, best=_plain(best), caveat=work is not None)


def caveated(tongue: Language, work: Work, nearest: Sequence[Line]) -> Draft:
    """That the answer has to be worked out of the nearest lines, which are given."""
    quotes = _unrepeated(nearest)
    text = "\n".join(f"{_plain(text)} [{n}]" for n, text in quotes)
    return Draft(text=f"{beyond(tongue, work)}\n{text}".strip(), caveat=True)


def _unrepeated(lines: Sequence[Line]) -> list[Line]:
    """Each line once, without those that are the beginning of another of the same passage."""
    unique = list(dict.fromkeys(lines))
    plain = [letters(text) for _, text in unique]

    def covers(other: int, i: int) -> bool:
        return unique[other][0] == unique[i][0] and plain[other].startswith(plain[i])

    return [unique[i] for i in uncovered(plain, covers)]


def abstaining(tongue: Language, passages: Sequence[Passage], nearest: Sequence[Line]) -> Draft:
    """That there is no answer, with the nearest lines."""
    titles = [p.title for p in passages if p.title]
    quotes = [(n, _plain(text)) for n, text in _unrepeated(nearest)]
    return Draft(text=absent(tongue, titles, quotes), abstained=True)


def _plain(line: str) -> str:
    """The line as found, except that its own [3] cannot be taken for a citation of ours and that
    full-width numbers are written to be copied (0.35 for ０．３５)."""
    line = _WIDE_NUMBER.sub(lambda m: unicodedata.normalize("NFKC", m.group()), line)
    return _BRACKETED.sub(r"［\1］", " ".join(line.split()))


def _wordy(text: str) -> bool:
    return sum(1 for c in unicodedata.normalize("NFKC", text) if c.isalpha()) >= 8
