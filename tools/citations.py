"""Citations: markers in one form, and the sources that an answer really cites.

A marker [n] is evidence number n, from the first token on: nothing is renumbered after it was
shown. Sources listed are the ones cited, in order of first citation; each is quoted verbatim, with
the physical page (1-based) of the quoted words, the printed page label where the file has them,
and the box of the block that holds the words.
"""

import re
from collections.abc import Mapping, Sequence

from ..core.chunk import Chunk
from ..core.document import BBox, DocumentRecord
from ..core.evidence import Evidence, Source, Verdict
from ..core.model import Noun
from ..core.text import sentences
from .answer_scan import Scanner
from .overlap import units
from .quote_boxes import locate
from .sanitise import AnswerGuard, sanitise

__all__ = [
    "AnswerGuard",
    "MarkerGuard",
    "Quote",
    "Sentence",
    "build_sources",
    "by_use",
    "cited_numbers",
    "cited_sentences",
    "normalise_markers",
    "quotable",
    "quote_for",
]

_LONGEST_QUOTE = 300
_TELLING = 10.0
_MARKERS = re.compile(r"(?:\[\d{1,3}\])+")


class Sentence(Noun):
    """A sentence of an answer at [start, end), its markers included, and what it cites."""

    text: str
    """Without its markers."""
    start: int
    end: int
    cited: tuple[int, ...] = ()


class Quote(Noun):
    """Verbatim words of a chunk at [start, end) of its text."""

    text: str
    start: int
    end: int
    page: int | None = None
    bbox: BBox | None = None
    score: float = 0.0


class MarkerGuard:
    """`normalise_markers` for a stream."""

    def __init__(self, n_sources: int) -> None:
        self._scanner = Scanner(html=False, markers=n_sources)

    def feed(self, delta: str) -> str:
        """Text whose markers are decided."""
        return self._scanner.feed(delta)

    def flush(self) -> str:
        """The rest, at the end of the stream."""
        return self._scanner.flush()


def normalise_markers(text: str, n_sources: int) -> str:
    """[1,2], 【3】, [^2], [1-3], {{source:2}}, [ID:2] as [n]; numbers without a source go.

    a[1], formulas, code, years in brackets and intervals are left alone.
    """
    guard = MarkerGuard(n_sources)
    return guard.feed(text) + guard.flush()


def cited_numbers(answer: str, n_sources: int) -> tuple[int, ...]:
    """Evidence numbers that a normalised answer cites, in order of first citation."""
    return tuple(dict.fromkeys(n for _, _, cited in _spans(answer, n_sources) for n in cited))


def by_use(answer: str, evidence: Sequence[Evidence]) -> tuple[str, list[Evidence]]:
    """The answer and its evidence, numbered from 1 in order of first use; the unused ones follow.

    For answers that are not streamed while they are written: there [n] is what it was.
    """
    top = max((group.n for group in evidence), default=0)
    marks = _spans(answer, top)
    used = list(dict.fromkeys(n for _, _, cited in marks for n in cited))
    groups = {group.n: group for group in evidence}
    order = [n for n in used if n in groups] + [n for n in groups if n not in used]
    new = {n: place for place, n in enumerate(order, 1)}
    text, pos = "", 0
    for start, end, cited in marks:
        text += answer[pos:start] + "".join(f"[{new.get(n, n)}]" for n in cited)
        pos = end
    renumbered = [groups[n].model_copy(update={"n": new[n]}) for n in order]
    return text + answer[pos:], renumbered


def quotable(text: str) -> str:
    """Document text in which "[3]" cannot be read as a marker of ours: it becomes "(3)"."""
    return re.sub(r"[\[［【]\s*(\d{1,3}(?:\s*[,，、–-]\s*\d{1,3})*)\s*[\]］】]", r"(\1)", text)


def cited_sentences(answer: str, n_sources: int) -> list[Sentence]:
    """The answer's sentences; a marker behind a full stop belongs to the sentence before it."""
    marks = _spans(answer, n_sources)
    out: list[Sentence] = []
    for start, end in _with_markers(answer, marks):
        own = [(a, b, cited) for a, b, cited in marks if start <= a and b <= end]
        text, pos = "", start
        for a, b, _ in own:
            text += answer[pos:a]
            pos = b
        text += answer[pos:end]
        cited = tuple(dict.fromkeys(n for _, _, numbers in own for n in numbers))
        out.append(Sentence(text=text.strip(), start=start, end=end, cited=cited))
    return out


def _spans(answer: str, n_sources: int) -> list[tuple[int, int, tuple[int, ...]]]:
    scanner = Scanner(html=False, markers=n_sources)
    text = scanner.feed(answer) + scanner.flush()
    return scanner.spans if text == answer else _plain_spans(answer, n_sources)


def _plain_spans(answer: str, n_sources: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Markers of a text that is not in normal form: only those written [n]."""
    out = []
    for found in _MARKERS.finditer(answer):
        numbers = tuple(n for n in map(int, re.findall(r"\d+", found.group())) if n <= n_sources)
        if numbers:
            out.append((found.start(), found.end(), numbers))
    return out


def _with_markers(
    answer: str, marks: Sequence[tuple[int, int, tuple[int, ...]]]
) -> list[tuple[int, int]]:
    """Sentence spans, a sentence's leading markers moved to the one before on the same line."""
    starts = {a: b for a, b, _ in marks}
    spans: list[tuple[int, int]] = []
    for first, end in sentences(answer):
        start = pos = first
        while pos in starts:
            pos = starts[pos]
            while pos < end and answer[pos] in " \t。.，,;；":
                pos += 1
        if pos > start and spans and "\n" not in answer[spans[-1][1] : start]:
            spans[-1] = (spans[-1][0], pos)
            start = pos
        if end > start:
            spans.append((start, end))
    return spans


def quote_for(sentence: str, chunk: Chunk) -> Quote:
    """The chunk's sentence that says most of `sentence`, with its page and box."""
    wanted = units(sentence)
    best = Quote(text="", start=0, end=0)
    for start, end in _quote_spans(chunk.text):
        own = units(chunk.text[start:end])
        shared = sum(weight for unit, weight in wanted.items() if unit in own)
        score = shared / (sum(wanted.values()) or 1.0) - 0.0001 * (end - start) / _LONGEST_QUOTE
        if score > best.score or not best.end:
            best = Quote(text=chunk.text[start:end], start=start, end=end, score=score)
    spot = locate(chunk, best.start, best.end)
    return best.model_copy(
        update={
            "text": chunk.text[spot.start : spot.end],
            "start": spot.start,
            "end": spot.end,
            "page": spot.box.page if spot.box else chunk.page_start,
            "bbox": spot.box.bbox if spot.box else None,
        }
    )


def _quote_spans(text: str) -> list[tuple[int, int]]:
    """Sentences; a longer one in pieces that end at a comma or blank."""
    out: list[tuple[int, int]] = []
    for first, end in sentences(text):
        start = first
        while end - start > _LONGEST_QUOTE:
            window = text[start : start + _LONGEST_QUOTE]
            cut = max(window.rfind(mark) for mark in "，,、 |")
            cut = start + (cut + 1 if cut > _LONGEST_QUOTE // 3 else _LONGEST_QUOTE)
            out.append((start, cut))
            start = cut
        out.append((start, end))
    return [(a, b) for a, b in out if text[a:b].strip()]


def build_sources(
    answer: str,
    evidence: Sequence[Evidence],
    chunks: Mapping[str, Chunk],
    documents: Mapping[str, DocumentRecord],
    verdicts: Mapping[int, Verdict],
    best: str = "",
) -> tuple[Source, ...]:
    """The cited sources in order of first citation, each with its best quote.

    Of several sentences that cite a source the one that is `best` is quoted. `chunks` by id must
    hold the chunks of the evidence groups; a group without any is left out.
    """
    groups = {e.n: e for e in evidence}
    top = max(groups, default=0)
    claims: dict[int, list[str]] = {}
    for sentence in cited_sentences(answer, top):
        for n in sentence.cited:
            claims.setdefault(n, []).append(sentence.text)
    out = []
    for n, texts in claims.items():
        members = [chunks[i] for i in groups[n].chunk_ids if i in chunks] if n in groups else []
        if members:
            each = [_best_quote(text, members) for text in texts]
            own = [quoted for quoted in each if best and _squeezed(best) in _squeezed(quoted[0])]
            _, chunk, quote = max(own or each, key=_telling)
            source = _source(
                n, chunk, quote, documents.get(chunk.doc_id), verdicts.get(n, "unchecked")
            )
            out.append(source.model_copy(update=_span([found for _, found, _ in each])))
    return tuple(out)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _span(chunks: Sequence[Chunk]) -> dict[str, int | None]:
    """First and last page of all that is cited: two sentences may stand on different pages."""
    firsts = [chunk.page_start for chunk in chunks if chunk.page_start is not None]
    lasts = [chunk.page_end for chunk in chunks if chunk.page_end is not None]
    return {"page_start": min(firsts, default=None), "page_end": max(lasts, default=None)}


_Quoted = tuple[str, Chunk, Quote]


def _best_quote(text: str, members: Sequence[Chunk]) -> _Quoted:
    """The claim, and the chunk and quote of the group that best cover it."""
    return max(((text, chunk, quote_for(text, chunk)) for chunk in members), key=_telling)


def _telling(quoted: _Quoted) -> tuple[float, int]:
    """How well a quote covers its claim, and how much the claim says: a number alone is a poor
    quote of an answer of several lines."""
    claim, chunk, quote = quoted
    says = min(1.0, 0.2 + sum(units(claim).values()) / _TELLING)
    return says * quote.score, -chunk.ordinal


def _source(
    n: int, chunk: Chunk, quote: Quote, record: DocumentRecord | None, verdict: Verdict
) -> Source:
    return Source(
        n=n,
        doc=sanitise(chunk.doc_title or (record.name if record else "")).strip(),
        doc_id=chunk.doc_id,
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        page_label=record.page_label(quote.page) if record else "",
        section_path=sanitise(chunk.section_path).strip(),
        quote=sanitise(quote.text).strip(),
        page=quote.page,
        bbox=quote.bbox,
        chunk_id=chunk.chunk_id,
        verdict=verdict,
    )
