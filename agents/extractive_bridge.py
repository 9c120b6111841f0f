"""A small Chinese and English word list, so that a question and a foreign text share something.

The words are in `extractive_bridge_words`.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from ..core.text import has_cjk
from .extractive_bridge_words import PAIRS

_SMALL = frozenset({"the", "for", "and", "its", "per", "all"})


class _Entry(NamedTuple):
    """A Chinese word, its first English one, and the pattern of all of them."""

    zh: str
    en: str
    english: re.Pattern[str]


_PARTED = (pair.strip().partition(" ") for pair in re.split(r"[;\n]", PAIRS))
# Longer words first: 发电机 is not 电机.
_ENTRIES = tuple(
    _Entry(zh, en.partition("|")[0], re.compile(rf"\b(?:{en})", re.I))
    for zh, _, en in sorted(_PARTED, key=lambda pair: (-len(pair[0]), pair[0]))
    if zh
)


def _listed(question: str) -> list[list[_Entry]]:
    """The entries of each listed word of the question, in order."""
    if not has_cjk(question):
        words = re.findall(r"[A-Za-z]{3,}", question)
        found = ([entry for entry in _ENTRIES if entry.english.match(word)] for word in words)
        return [entries for entries in found if entries]
    placed = []
    for entry in _ENTRIES:
        if entry.zh in question:
            placed.append((question.index(entry.zh), entry))
            question = question.replace(entry.zh, "\0" * len(entry.zh))
    placed.sort(key=lambda pair: pair[0])
    return [[entry] for _, entry in placed]


def across(question: str) -> str:
    """The question's listed words in the other language, as a query; empty: none is listed."""
    asked = unicodedata.normalize("NFKC", question)
    native = has_cjk(asked)
    found = (entries[0].en if native else entries[0].zh for entries in _listed(asked))
    return " ".join(dict.fromkeys(found))


def named_in(item: str, names: Sequence[str], about: str) -> str:
    """The name in the other language that says most of the item's words, where all of them are
    listed and said by it or by what it is of; empty: none does, or two say as many."""
    text = unicodedata.normalize("NFKC", item)
    native, wanted = has_cjk(text), _listed(text)
    if not wanted or _unlisted(text, wanted, native=native):
        return ""
    found = []
    for name in names:
        own = [entries for entries in wanted if _says(entries, name, native=native)]
        rest = [entries for entries in wanted if entries not in own]
        if own and all(_says(entries, about, native=native) for entries in rest):
            found.append((len(own), name))
    most = max((count for count, _ in found), default=0)
    best = [name for count, name in found if count == most]
    return best[0] if len(best) == 1 else ""


def said_across(name: str, text: str) -> bool:
    """Whether the text, in the other language, says all words of the name, which are listed."""
    plain = unicodedata.normalize("NFKC", name)
    native, wanted = has_cjk(plain), _listed(plain)
    known = bool(wanted) and not _unlisted(plain, wanted, native=native)
    return known and all(_says(entries, text, native=native) for entries in wanted)


def _says(entries: Sequence[_Entry], text: str, *, native: bool) -> bool:
    return any(e.english.search(text) if native else e.zh in text for e in entries)


def _unlisted(text: str, wanted: Sequence[Sequence[_Entry]], *, native: bool) -> bool:
    """Whether the item has words beside the listed ones."""
    if not native:
        words = [w for w in re.findall(r"[A-Za-z]{3,}", text) if w.lower() not in _SMALL]
        return len(words) > len(wanted)
    for entries in wanted:
        text = text.replace(entries[0].zh, "")
    return len(re.findall(r"[一-鿿A-Za-z\d]", text)) > 1


def bridged(question: str, text: str) -> float:
    """Share of the question's listed words that the text says in the other language, 0..1.

    One word more counts as asked than there are, so that a single common word proves little.
    """
    asked, said = (unicodedata.normalize("NFKC", part) for part in (question, text))
    native, wanted = has_cjk(asked), _listed(asked)
    found = sum(_says(entries, said, native=native) for entries in wanted)
    return found / (len(wanted) + 1)
