"""The reflection node's cheap judge: does the evidence answer the question? Milliseconds, no model.

Clear cases are decided here; what is left is marked by `signals["grey"]` for a judge with a model.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..core.analysis import Analysis, Sufficiency
from ..core.chunk import Chunk
from ..core.evidence import Hit
from ..core.label import Label
from ..core.ports import Tokenizer
from ..core.text import language, sentences
from ..tools.whole_name import inner_question
from .analyst_rules import folded
from .extractive_bridge import across
from .extractive_concepts import asked_terms, han_folded, synonyms, terms_in
from .followups import label_name
from .subjects import absent_identifiers, absent_subjects, of_another

READ = 8
"""Hits that are looked at."""
_CLASH = {"zh": "{}为 {}，{}为 {}", "en": "{} says {}, {} says {}"}
ENOUGH_TERMS, FEW_TERMS = 0.6, 0.3
# Cosines of the built-in encoder: same-language evidence and evidence in another language.
ENOUGH_MEANING, LITTLE_MEANING = 0.5, 0.25
MAX_NEW = 2
NO_LABEL = "no document has "
"""How the reason begins where a label that is asked for does not exist."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class _Read(NamedTuple):
    """What was seen in the first hits."""

    texts: list[str]
    terms: float
    missing_terms: list[str]
    meaning: float
    gap: float
    foreign: bool


def judge(
    analysis: Analysis,
    hits: Sequence[Hit],
    chunks: Mapping[str, Chunk],
    *,
    tokenizer: Tokenizer,
    coverage: float | None = None,
    tried: Sequence[str] = (),
    label_missing: Sequence[Label] = (),
) -> Sufficiency:
    """The verdict on the first hits.

    `coverage` is the keyword index's, weighted by rarity; without it the plain share of the
    question's words counts. `tried` are all queries so far, `label_missing` asked-for labels
    that no document has. A gap always comes with new queries; when there is none left to try the
    verdict is about what was found.
    """
    analysis = analysis.model_copy(update={"rewritten": inner_question(analysis)})
    live = [hit for hit in hits if hit.chunk_id in chunks and not hit.explain.dropped][:READ]
    read = _read(analysis, live, [chunks[hit.chunk_id] for hit in live], tokenizer)
    absent = _absent(analysis.rewritten, read)
    signals = _signals(read, coverage, live, absent)
    names = [label_name(label, analysis.language == "zh") for label in label_missing]
    if names:
        return _without_label(names, signals)
    if signals["label"] and not absent:
        return Sufficiency(verdict="answer", reason="the named object was found", signals=signals)
    if not absent and (clash := _conflict(live, chunks, analysis, tokenizer)):
        return Sufficiency(verdict="conflict", reason=clash, signals=signals)
    return _weigh(analysis, read, absent, signals, tokenizer=tokenizer, tried=tried)


def _weigh(
    analysis: Analysis,
    read: _Read,
    absent: Sequence[str],
    signals: dict[str, float],
    *,
    tokenizer: Tokenizer,
    tried: Sequence[str],
) -> Sufficiency:
    """Enough, nothing, or the grey zone between."""
    strength = _strength(read, signals)
    if strength > 0 and not absent:
        return Sufficiency(verdict="answer", reason="the question is covered", signals=signals)
    missing = (*absent, *read.missing_terms) if not read.foreign else tuple(absent)
    queries = _new_queries(analysis, read, absent, tokenizer, tried)
    reason = "not found: " + ", ".join(absent) if absent else "little of the question is covered"
    if strength == 0 and not absent:
        grey = {**signals, "grey": 1.0}
        return Sufficiency(
            verdict="caveat", reason=reason, signals=grey, missing=missing, queries=queries
        )
    verdict = "gap" if queries else "unanswerable"
    return Sufficiency(
        verdict=verdict, reason=reason, signals=signals, missing=missing, queries=queries
    )


def _strength(read: _Read, signals: Mapping[str, float]) -> int:
    """1: clearly enough, -1: clearly absent, 0: grey."""
    if not read.texts:
        return -1
    if read.foreign:
        if read.meaning >= ENOUGH_MEANING:
            return 1
        return -1 if 0.0 < read.meaning < LITTLE_MEANING else 0
    terms = max(read.terms, signals.get("keyword_coverage", 0.0))
    if terms >= ENOUGH_TERMS and read.terms >= FEW_TERMS:
        return 1
    if terms < FEW_TERMS and read.meaning < ENOUGH_MEANING:
        return -1
    return 0


def _read(
    analysis: Analysis, hits: Sequence[Hit], chunks: Sequence[Chunk], tokenizer: Tokenizer
) -> _Read:
    texts = [f"{c.doc_title}\n{c.section_path}\n{c.text}\n{c.html}" for c in chunks]
    wanted = asked_terms(han_folded(analysis.rewritten, tokenizer), tokenizer)
    found = [terms_in(text, wanted, tokenizer) for text in texts]
    best = max((len(f) for f in found), default=0)
    anywhere = set().union(*found) if found else set()
    cosines = sorted(
        (h.explain.legs["dense"].score for h in hits if "dense" in h.explain.legs), reverse=True
    )
    tongues = [language(c.text) for c in chunks if c.text.strip()]
    return _Read(
        texts=texts,
        terms=best / len(wanted) if wanted else 0.0,
        missing_terms=[t for t in wanted if t not in anywhere and not t.startswith("#")][:5],
        meaning=cosines[0] if cosines else 0.0,
        gap=cosines[0] - cosines[-1] if len(cosines) > 1 else 0.0,
        foreign=bool(tongues) and language(analysis.rewritten) not in tongues[:3],
    )


def _signals(
    read: _Read, coverage: float | None, hits: Sequence[Hit], absent: Sequence[str]
) -> dict[str, float]:
    signals = {
        "hits": float(len(hits)),
        "label": float(any("label" in hit.explain.legs for hit in hits)),
        "terms": round_to(read.terms),
        "meaning": round_to(read.meaning),
        "gap": round_to(read.gap),
        "foreign": float(read.foreign),
        "absent": float(len(absent)),
        "grey": 0.0,
    }
    if coverage is not None:
        signals["keyword_coverage"] = round_to(coverage)
    return signals


def round_to(value: float) -> float:
    """Four places: signals are for people and for the state."""
    return float(f"{value:.4f}")


def _absent(question: str, read: _Read) -> list[str]:
    """Model numbers, years, quantities and names of the question that no text holds; names are
    written otherwise in another language."""
    missing = absent_identifiers(question, read.texts)
    return missing if read.foreign else [*missing, *absent_subjects(question, read.texts)]


def _without_label(names: Sequence[str], signals: dict[str, float]) -> Sufficiency:
    """A label that does not exist is said not to exist; another one found is still shown."""
    verdict = "caveat" if signals["label"] else "unanswerable"
    reason = NO_LABEL + ", ".join(names)
    return Sufficiency(verdict=verdict, reason=reason, signals=signals, missing=tuple(names))


def _new_queries(
    analysis: Analysis,
    read: _Read,
    absent: Sequence[str],
    tokenizer: Tokenizer,
    tried: Sequence[str],
) -> tuple[str, ...]:
    """Queries for what is missing, other words for what is asked; never one that was tried.

    Parts of a name that the index knows whole ("103" of P-103) are no query.
    """
    words = _whole(list(dict.fromkeys(tokenizer.tokens(analysis.rewritten))))
    missing = [word for word in _whole(read.missing_terms) if word in words]
    missing = [word for word in missing if not any(folded(word) in folded(n) for n in absent)]
    other = synonyms(analysis.rewritten, analysis.language)
    named = [word for word in words if not any(word in o or o in word for o in other)]
    candidates = [
        *absent,
        " ".join([*named[:3], *other]) if other else "",
        across(analysis.rewritten),
        " ".join(missing),
        " ".join(words),
    ]
    known = {folded(query) for query in (*tried, *analysis.queries)}
    fresh: dict[str, str] = {}
    for query in candidates:
        key = folded(query)
        if len(key) >= 2 and not key.isdigit() and key not in known:
            fresh.setdefault(key, query)
    return tuple(fresh.values())[:MAX_NEW]


def _whole(words: Sequence[str]) -> list[str]:
    """Without words that are a part of another one."""
    return [w for w in words if not any(w != other and w in other for other in words)]


def _conflict(
    hits: Sequence[Hit], chunks: Mapping[str, Chunk], analysis: Analysis, tokenizer: Tokenizer
) -> str:
    """Two documents that say the same sentence with other numbers, both of what is asked about;
    empty when none do."""
    asked = analysis.rewritten
    wanted = list(dict.fromkeys(tokenizer.tokens(asked)))
    seen: dict[str, tuple[str, str, str]] = {}
    for hit in hits:
        chunk = chunks[hit.chunk_id]
        for start, end in sentences(chunk.text)[:40]:
            text = chunk.text[start:end]
            numbers = " ".join(_NUMBER.findall(text))
            if not numbers or len(text) > 200 or of_another(asked, f"{chunk.doc_title} {text}"):
                continue
            mask = _NUMBER.sub("#", unicodedata.normalize("NFKC", text)).lower()
            known = seen.setdefault(mask, (chunk.doc_id, numbers, chunk.doc_title))
            if known[0] != chunk.doc_id and known[1] != numbers:
                found = terms_in(text, wanted, tokenizer)
                if wanted and len(found) / len(wanted) >= ENOUGH_TERMS:
                    said = _CLASH[analysis.language]
                    return said.format(known[2], known[1], chunk.doc_title, numbers)
    return ""
