"""Checkable facts of a sentence, and whether evidence says them.

Facts are numbers with their units, percentages, dates, quoted words, titles in 《》 and names
in Latin letters (models, standards, acronyms). Markers, list numbers and labels (图2.3) are none.
A number that follows from two numbers of the evidence (a sum, a difference, a share) is no error.
"""

import re
from collections.abc import Sequence
from itertools import permutations
from typing import Literal

from ..core.evidence import Verdict
from ..core.label import find_labels
from ..core.model import Noun
from ..core.text import has_cjk
from .claims import denied, frequencies
from .overlap import share, words_share
from .quantities import Date, Quantity, dates, fold, quantities, same_value, scales_named

FactKind = Literal["number", "date", "quote", "name"]

# Share of a sentence's words, numbers apart, that evidence in its language holds.
_LITTLE = 0.25
_HALF = 0.5
_MOST_DERIVED = 12  # numbers of the evidence that a derivation may use

_LIST_NUMBER = re.compile(
    r"^\s*(?:[-*•]\s*)?(?:\*\*)?"
    r"(?:[(（]?\d{1,2}[)）.、．](?!\d)|[（(][一二三四五六七八九十]+[）)]"
    r"|[一二三四五六七八九十]+、)"
)
_COUNTER = re.compile(
    r"\s*(?:个?方面|点(?!\d)|种|类|项|步骤?|条|个(?:原因|因素|部分|阶段|步骤|要点|问题)"
    r"|(?:main |key |major )?"
    r"(?:reasons?|ways?|steps?|points?|aspects?|parts?|factors?|types?|kinds?))"
)
_QUOTED = re.compile(r"[“「『]([^”」』\n]{4,200})[”」』]|\"([^\"\n]{4,200})\"|《([^》\n]{2,80})》")
_NAME = re.compile(
    r"(?<![A-Za-z\d])(?:[A-Z]{1,5}/[A-Z]{1,3}\s?\d[\d.\-]*\d|[A-Z][A-Za-z]*\d[\w-]*"
    r"|[A-Z]{2,}(?:[-/][A-Z\d]+)*"
    r"|[A-Z]+-\d[\w-]*|[A-Z][a-z]+[A-Z]\w*)(?![A-Za-z\d])"
)
_PROPER = re.compile(r"(?<=[a-z,;)] )(?:[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*)")
_PAGE_RANGE = r"\d+(?:\s*(?:,|、|and|to|和|至|到|[-–—~])\s*\d+)*"
_PAGE = re.compile(rf"(?:\bpages?|\bpp?\.)\s*{_PAGE_RANGE}|第\s*{_PAGE_RANGE}\s*页", re.IGNORECASE)
_APPROXIMATE = re.compile(
    r"(?:约|大约|近|左右|将近|超过|逾|不到|多于|接近"
    r"|\babout|\baround|\bapproximately|\bnearly|\broughly|\bover|\balmost|\bmore than)"
    r"(?:为|是|有)?\s*$",
    re.IGNORECASE,
)
_AFTER_APPROXIMATE = re.compile(r"\s*(?:左右|以上|上下|多|余|or so)")
_COMMON_NAMES = "AND OR NOT THE PDF OK ID URL FAQ Q A AI US USA UK EU RMB CNY USD EUR GDP CEO"
_COMMON = frozenset(_COMMON_NAMES.split())


class Fact(Noun):
    """One checkable thing that a sentence says."""

    kind: FactKind
    text: str


class FactCheck(Noun):
    """What of a sentence its evidence says."""

    verdict: Verdict
    found: tuple[Fact, ...] = ()
    missing: tuple[Fact, ...] = ()
    overlap: float = 0.0


class _Source(Noun):
    """Evidence, read once."""

    text: str
    folded: str
    bare: str
    numbers: tuple[Quantity, ...]
    pages: tuple[Quantity, ...]
    """Numbers of pages: they say where something stands and support no other number."""
    dates: tuple[Date, ...]
    scales: tuple[float, ...]


def read_source(text: str) -> _Source:
    """Prepare evidence for checks."""
    folded = fold(text)
    numbers, pages = _without_pages(folded)
    return _Source(
        text=text,
        folded=folded,
        bare=_bare(text),
        numbers=numbers,
        pages=pages,
        dates=tuple(dates(folded)),
        scales=scales_named(folded),
    )


def _without_pages(folded: str) -> tuple[tuple[Quantity, ...], tuple[Quantity, ...]]:
    """The numbers of a folded text, and those of them that number a page."""
    spans = [m.span() for m in _PAGE.finditer(folded)]
    every = list(quantities(folded))
    return (
        tuple(q for q in every if not _inside(q.start, q.end, spans)),
        tuple(q for q in every if _inside(q.start, q.end, spans)),
    )


def check_sentence(sentence: str, sources: Sequence[_Source]) -> FactCheck:
    """Check a sentence without its markers against all of its evidence together."""
    joined = "\n".join(s.text for s in sources)
    found: list[Fact] = []
    missing: list[Fact] = []
    for fact, ok in (
        *_check_dates(sentence, sources),
        *_check_numbers(sentence, sources),
        *_check_quotes(sentence, sources),
        *_check_often(sentence, sources),
        *_check_names(sentence, sources),
    ):
        (found if ok else missing).append(fact)
    body = _LIST_NUMBER.sub("", sentence)
    overlap = share(body, joined)
    same_language = all(has_cjk(sentence) == has_cjk(s.text) for s in sources)
    words = words_share(_plain(body), joined)
    verdict = _verdict(found, missing, words, same_language)
    return FactCheck(
        verdict="partly" if verdict == "supported" and denied(body, joined) else verdict,
        found=tuple(found),
        missing=tuple(missing),
        overlap=overlap,
    )


def _verdict(
    found: Sequence[Fact], missing: Sequence[Fact], words: float, same_language: bool
) -> Verdict:
    """Facts that are missing speak first; then a sentence's words must be its evidence's own.

    A subject's name that is there makes up for no number that is not.
    """
    if missing:
        wrong = any(f.kind != "name" for f in missing) and all(f.kind == "name" for f in found)
        code = not found and any(re.search(r"\d", f.text) for f in missing)
        return "unsupported" if wrong or code else "partly"
    if not same_language or words >= _HALF:
        return "supported"
    return "partly" if words >= _LITTLE else "unsupported"


def _plain(sentence: str) -> str:
    """The sentence without its dates and numbers with their units."""
    folded = fold(sentence)
    spans = [*((d.start, d.end) for d in dates(folded)), *_hidden(sentence)]
    spans += [(q.start, q.end) for q in quantities(folded)]
    for start, end in spans:
        sentence = sentence[:start] + " " * (end - start) + sentence[end:]
    return sentence


_Checks = list[tuple[Fact, bool]]


def _hidden(sentence: str) -> list[tuple[int, int]]:
    """Places whose digits are no facts: list numbers and labels."""
    out = [(s.start, s.end) for s in find_labels(sentence)]
    if lead := _LIST_NUMBER.match(sentence):
        out.append(lead.span())
    return out


def _inside(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < b and a < end for a, b in spans)


def _check_dates(sentence: str, sources: Sequence[_Source]) -> _Checks:
    return [
        (
            Fact(kind="date", text=sentence[d.start : d.end]),
            any(_same_date(d, other) for s in sources for other in s.dates)
            or any(_date_parts(d, s) for s in sources),
        )
        for d in dates(fold(sentence))
    ]


def _same_date(claim: Date, other: Date) -> bool:
    """Every part that both write agrees, and the evidence writes what the claim does."""
    pairs = ((claim.year, other.year), (claim.month, other.month), (claim.day, other.day))
    return all(not a or a == b or (not b and a == claim.year) for a, b in pairs)


def _date_parts(claim: Date, source: _Source) -> bool:
    """A year alone may stand in a heading or table without 年."""
    if claim.month:
        return False
    return any(q.value == claim.year for q in source.numbers)


def _check_numbers(sentence: str, sources: Sequence[_Source]) -> _Checks:
    folded = fold(sentence)
    hidden = [*_hidden(sentence), *((d.start, d.end) for d in dates(folded))]
    hidden += [m.span() for m in _NAME.finditer(folded)]
    hidden += [m.span() for m in _QUOTED.finditer(folded)]
    claims = [q for q in quantities(folded) if not _inside(q.start, q.end, hidden)]
    claims = [q for q in claims if not _uncheckable(q, folded)]
    known = [q for s in sources for q in s.numbers]
    pages = [m.span() for m in _PAGE.finditer(folded)]
    out: _Checks = []
    direct: list[Quantity] = []
    open_claims: list[Quantity] = []
    for claim in claims:
        of_page = _inside(claim.start, claim.end, pages)
        if any(_says_number(claim, s, _loose(claim, folded), of_page=of_page) for s in sources):
            direct.append(claim)
        else:
            open_claims.append(claim)
    for claim in direct:
        out.append((Fact(kind="number", text=sentence[claim.start : claim.end]), True))
    for claim in open_claims:
        derived = len(direct) >= 1 and _derived(claim, direct, known)
        out.append((Fact(kind="number", text=sentence[claim.start : claim.end]), derived))
    return out


def _uncheckable(claim: Quantity, folded: str) -> bool:
    """Small counts of what the answer itself lists, and number words that measure nothing."""
    small = claim.value <= 10 and not claim.unit
    if small and _COUNTER.match(folded, claim.end):
        return True
    return claim.words and (not claim.unit or claim.value <= 2 or claim.unit in {"person", "time"})


def _loose(claim: Quantity, folded: str) -> bool:
    return (
        _APPROXIMATE.search(folded[max(0, claim.start - 16) : claim.start]) is not None
        or _AFTER_APPROXIMATE.match(folded, claim.end) is not None
    )


def _says_number(claim: Quantity, source: _Source, loose: bool, *, of_page: bool) -> bool:
    if of_page and any(same_value(claim, page) for page in source.pages):
        return True
    for other in source.numbers:
        if claim.unit and other.unit and claim.unit != other.unit:
            continue
        if same_value(claim, other) or (loose and _near(claim.value, other.value)):
            return True
        if not (claim.unit and other.unit) and _scaled(claim, other, source.scales):
            return True
    return False


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= 0.1 * max(abs(a), abs(b))


def _scaled(claim: Quantity, other: Quantity, scales: Sequence[float]) -> bool:
    """A bare number of a table whose heading names the scale; 0.05 for 5%."""
    factors = [*scales, 0.01] if claim.unit != "%" else [100.0]
    return any(
        same_value(claim, other._replace(value=other.value * factor))
        or same_value(claim._replace(value=claim.value * factor, step=claim.step * factor), other)
        for factor in factors
    )


def _derived(claim: Quantity, direct: Sequence[Quantity], known: Sequence[Quantity]) -> bool:
    """Whether two numbers give the claim: sum, difference, product, ratio, change in percent."""
    values = list(dict.fromkeys(q.value for q in direct))[:_MOST_DERIVED]
    if len(values) < 2:
        values += [q.value for q in known if q.unit == claim.unit and q.value not in values][:2]
        if len(direct) < 2:
            return False
    tolerance = max(0.5000001 * claim.step, 1e-9 * abs(claim.value))
    for a, b in permutations(values, 2):
        results = [a + b, a - b, a * b]
        if b:
            results += [a / b, 100 * a / b, 100 * (a - b) / b]
        if any(abs(abs(r) - claim.value) <= tolerance for r in results):
            return True
    return False


def _bare(text: str) -> str:
    """Letters and digits only, one width and case: for verbatim comparison."""
    return re.sub(r"[^\w]|_", "", fold(text)).lower()


def _check_quotes(sentence: str, sources: Sequence[_Source]) -> _Checks:
    out: _Checks = []
    for found in _QUOTED.finditer(sentence):
        words = next(g for g in found.groups() if g)
        bare = _bare(words)
        if len(bare) >= 3 or found[3]:
            said = any(bare in s.bare for s in sources)
            out.append((Fact(kind="quote", text=words), said))
    return out


def _check_often(sentence: str, sources: Sequence[_Source]) -> _Checks:
    """How often: weekly is not daily."""
    return [
        (Fact(kind="date", text=text), any(pattern.search(s.folded) for s in sources))
        for text, pattern in frequencies(fold(sentence))
    ]


def _check_names(sentence: str, sources: Sequence[_Source]) -> _Checks:
    """Codes and acronyms anywhere; proper nouns only where the evidence is in Latin letters."""
    folded = fold(sentence)
    hidden = _hidden(sentence) + [m.span() for m in _QUOTED.finditer(folded)]
    names = [m for m in _NAME.finditer(folded) if m.group() not in _COMMON]
    if not any(has_cjk(s.text) for s in sources):
        names += list(_PROPER.finditer(folded))
    out: dict[str, bool] = {}
    for m in names:
        if _inside(*m.span(), hidden):
            continue
        bare = _bare(m.group())
        out[m.group()] = any(bare in s.bare or bare.removesuffix("s") in s.bare for s in sources)
    return [(Fact(kind="name", text=name), ok) for name, ok in out.items()]
