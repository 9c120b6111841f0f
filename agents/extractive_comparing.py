"""Questions that compare a few rows of a table, or ask for one by its rank."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from ..core.ports import Tokenizer
from .extractive_concepts import asked_terms, terms_in

_MORE_ZH = r"(?:贵|便宜|[重轻快慢高低大小长短宽窄深浅多少远近])"
_MORE_EN = r"(?:[a-z]{3,}er|more [a-z]+|less [a-z]+)"
_OF_TWO = (
    re.compile(
        r"^(?P<a>[^，。？?]{1,20}?)[和与跟同](?P<b>[^，。？?]{1,20}?)[，,]?(?:相比)?"
        rf"(?:哪一?[个种款台家]|谁)的?(?P<of_p>[一-鿿]{{2,6}}?)?(?:更|比较|要)?(?P<zh>{_MORE_ZH})[些点一]*[？?。]*$"
    ),
    re.compile(
        rf"^which (?:one )?(?:is|was|are|costs|weighs)(?: the)? (?P<en>{_MORE_EN})[,:;]?"
        r"(?: the| an?)? (?P<a>[^?,]{1,40}?),? or(?: the| an?)? (?P<b>[^?,]{1,40}?)\W*$",
        re.I,
    ),
)
_OF_KIND = (
    re.compile(
        rf"^(?:哪一?[个种款台家])(?P<of>[一-鿿]{{1,8}}?)(?:更|比较)(?P<zh>{_MORE_ZH})[些点一]*[？?。]*$"
    ),
    re.compile(
        r"^(?:which|what) (?:of the )?(?P<of>[a-z][a-z \-]{1,40}?)"
        r" (?:is|are|was|were|has|have|costs?|weighs?)"
        rf"(?: the)? (?P<en>{_MORE_EN})\W*$",
        re.I,
    ),
)
_RANKS = {"二": 2, "三": 3, "四": 4, "五": 5, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_RANKED = re.compile(
    r"第(?P<zh>[二三四五2-5])[大高多长](?:的)?(?P<noun>[一-鿿]{1,8}?)(?:[是为叫的]|持|占|[？?，,。]|$)"
    r"|\b(?P<en>second|third|fourth|fifth)[- ](?:largest|biggest|highest|longest|greatest)"
    r" (?P<of>[a-z]+)"
    # Ranks of another order or property: no table is read for them.
    r"|第(?P<other>[二三四五2-5])(?:[贵小低短少轻重快慢远近]|便宜)"
    r"|\b(?P<any>second|third|fourth|fifth)[- ](?:(?:most|least) [a-z]+|[a-z]{3,}est)\b",
    re.I,
)


class Compared(NamedTuple):
    """What is compared, by name or as one kind, and the question for its extreme."""

    names: tuple[str, ...]
    question: str


def compared(question: str) -> Compared | None:
    """What "A和B哪个贵" and "which pump is quieter" compare; None: nothing is compared."""
    text = unicodedata.normalize("NFKC", question).strip()
    for form in (*_OF_TWO, *_OF_KIND):
        if found := form.match(text):
            groups = found.groupdict()
            names = tuple(groups[key] for key in ("a", "b", "of") if groups.get(key))
            if groups.get("zh"):
                if of := groups.get("of_p"):
                    return Compared(names, f"{of}最{groups['zh']}的是谁")
                return Compared(names, f"哪个{groups.get('of') or ''}最{groups['zh']}")
            return Compared(names, f"which {groups.get('of') or 'one'} is {_most(groups['en'])}")
    return None


def _most(adjective: str) -> str:
    """ "the quietest" for "quieter", "the most expensive" for "more expensive"."""
    more, _, word = adjective.lower().partition(" ")
    if word:
        return f"the {'most' if more == 'more' else 'least'} {word}"
    return f"the {more[:-2]}est"


def rank_of(question: str) -> tuple[int, str] | None:
    """The rank and the kind of thing of "第二大股东是谁", "the third largest lake", "" where the
    order is not that of the largest; None: none is asked for."""
    found = _RANKED.search(unicodedata.normalize("NFKC", question))
    if found is None:
        return None
    said = next(filter(None, found.group("zh", "en", "other", "any"))).lower()
    return _RANKS.get(said) or int(said), found["noun"] or found["of"] or ""


def rows_of(names: Sequence[str], body: Sequence[Sequence[str]], tokenizer: Tokenizer) -> list[int]:
    """The rows that the names name: one for each of several, at least two for a kind; empty: they
    do not."""
    found: list[int] = []
    for name in names:
        terms = asked_terms(name, tokenizer)
        rows = [r for r, row in enumerate(body) if _says_all(row, terms, tokenizer)]
        if not rows or (len(names) > 1 and len(rows) > 1):
            return []
        found += rows
    places = list(dict.fromkeys(found))
    return places if len(places) > 1 else []


def _says_all(row: Sequence[str], terms: Sequence[str], tokenizer: Tokenizer) -> bool:
    return bool(terms) and any(len(terms_in(cell, terms, tokenizer)) == len(terms) for cell in row)
