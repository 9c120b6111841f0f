"""The peers over PDFs: page texts cut the way their documentation cuts them.

A page's text as the PDF holds it, split recursively into 1000 characters with 200 overlap. The
peers cannot search within one document, so there they get an index a document.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..graph.services import Services
from .peers import PEERS, PeerResult, run_peer
from .progress import say
from .sets import PageQuestion, Passage

SIZE, OVERLAP = 1000, 200
SEPARATORS = ("\n\n", "\n", " ")
K = 30


@dataclass
class PeerPages:
    """Page rankings by peer, within the own document and over all; None where a peer is absent."""

    within: dict[str, list[list[str]] | None] = field(default_factory=dict)
    over_all: dict[str, list[list[str]] | None] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)


def peer_rankings(
    services: Services,
    files: Sequence[str],
    questions: Sequence[PageQuestion],
    doc_ids: dict[str, str],
    folder: Path,
) -> PeerPages:
    """Every peer's rankings of `doc_id#page`."""
    pieces = {
        doc_ids[Path(file).name]: list(page_pieces(Path(file), doc_ids[Path(file).name]))
        for file in files
        if Path(file).name in doc_ids
    }
    found = PeerPages()
    for peer in PEERS:
        say(f"{peer}: all documents")
        whole = [piece for group in pieces.values() for piece in group]
        result = _ask(services, peer, folder, whole, questions)
        found.notes[peer] = result.note
        found.over_all[peer] = _pages(result)
        found.within[peer] = (
            None
            if result.rankings is None
            else _within(services, peer, folder, pieces, questions, doc_ids)
        )
    return found


def _within(
    services: Services,
    peer: str,
    folder: Path,
    pieces: dict[str, list[Passage]],
    questions: Sequence[PageQuestion],
    doc_ids: dict[str, str],
) -> list[list[str]] | None:
    rankings: list[list[str]] = [[] for _ in questions]
    for doc_id, group in pieces.items():
        places = [i for i, question in enumerate(questions) if doc_ids[question.doc] == doc_id]
        if not places or not group:
            continue
        say(f"{peer}: {doc_id}")
        result = _ask(services, peer, folder, group, [questions[i] for i in places])
        pages = _pages(result)
        if pages is None:
            return None
        for place, ranking in zip(places, pages, strict=True):
            rankings[place] = ranking
    return rankings


def _ask(
    services: Services,
    peer: str,
    folder: Path,
    pieces: Sequence[Passage],
    questions: Sequence[PageQuestion],
) -> PeerResult:
    return run_peer(
        peer,
        folder,
        passages=pieces,
        questions=[question.text for question in questions],
        embedder=services.embedder,
        k=K,
    )


def _pages(result: PeerResult) -> list[list[str]] | None:
    """From `doc_id#page#n` to pages, each once."""
    if result.rankings is None:
        return None
    return [
        list(dict.fromkeys(piece.rpartition("#")[0] for piece in ranking))
        for ranking in result.rankings
    ]


def page_pieces(path: Path, doc_id: str) -> Iterator[Passage]:
    """The pieces of every page that has text."""
    from .pdf_text import page_texts

    for page, text in enumerate(page_texts(path), start=1):
        for place, piece in enumerate(split(text)):
            yield Passage(id=f"{doc_id}#{page}#{place}", text=piece, doc=doc_id, page=page)


def split(text: str, *, size: int = SIZE, overlap: int = OVERLAP) -> list[str]:
    """Pieces of at most `size` characters that end at the last separator inside, and overlap."""
    pieces, start = [], 0
    while start < len(text):
        end = min(start + size, len(text))
        if end < len(text):
            cuts = (text.rfind(mark, start + size // 2, end) for mark in SEPARATORS)
            end = next((cut for cut in cuts if cut > 0), end)
        pieces.append(text[start:end].strip())
        if end >= len(text):
            break
        start = max(end - overlap, start + 1)
    return [piece for piece in pieces if piece]
