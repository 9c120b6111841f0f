"""From a parsed document to an edition: chunks, figures, pictures, an account of every block."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.chunk import Chunk, Edition, Figure, PageBox
from ..core.document import (
    BBox,
    Block,
    BlockAccount,
    DocumentRecord,
    ParsedDocument,
    Section,
    SourceType,
)
from ..core.errors import NoTextError
from ..core.options import IngestOptions
from ..core.settings import IngestSettings
from ..core.text import language
from .chunkers import drafts_for
from .chunkers.draft import Draft, body_of
from .chunkers.exam import question_at
from .chunkers.place import Place, places_of
from .clean import cut_repetition, repair
from .equations import held_labels
from .figure_chunks import figure_drafts, says_nothing
from .figures import FigureMaker, Loaded, contexts, decorations, load_all
from .furniture import JOINED
from .mentions import FigureIndex, link, nearby
from .source_type import guess
from .structure import Structured, structure
from .titles import document_title
from .visuals import Visuals, collect

_PAGE = BBox(x0=0, y0=0, x1=1, y1=1)
_TAG = re.compile(r"<[^>]+>")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")


@dataclass(frozen=True)
class Built:
    """An edition ready to commit; `record` is complete but for `ingested_at`."""

    record: DocumentRecord
    edition: Edition
    sections: tuple[Section, ...] = ()
    model_calls: int = 0

    @property
    def account(self) -> BlockAccount:
        """What became of every block."""
        return self.record.blocks

    @property
    def warnings(self) -> tuple[str, ...]:
        """What degraded or was left out."""
        return self.record.warnings


@dataclass(frozen=True)
class _Parts:
    """What the steps hand on."""

    parsed: ParsedDocument
    structured: Structured
    visuals: Visuals
    loaded: list[Loaded]
    figures: list[Figure]


def build_edition(
    parsed: ParsedDocument,
    record_base: DocumentRecord,
    *,
    settings: IngestSettings | None = None,
    options: IngestOptions | None = None,
) -> Built:
    """Structure, chunk and link one document.

    `record_base` brings identity (doc_id, edition, collection, name, hash) and user metadata; title
    and counts are filled in. Every block is in the account: indexed, merged or dropped. Raises
    NoTextError when nothing is left to search.
    """
    settings, options = settings or IngestSettings(), options or IngestOptions()
    parsed, notes = _cleaned(parsed)
    source_type = _source_type(parsed, record_base, options)
    tongue = language("\n".join(b.text or _TAG.sub(" ", b.html) for b in parsed.blocks)[:20000])
    title = document_title(parsed.title, record_base.name, parsed.blocks)
    known = {
        "title": title,
        "language": tongue,
        "doc_type": parsed.doc_type,
        "page_labels": parsed.page_labels,
    }
    base = record_base.model_copy(update=known)
    slides = source_type == "slides"
    structured = structure(parsed.blocks, parsed.doc_type, title=base.title, slides=slides)
    visuals = collect(structured.placed)
    loaded = load_all(visuals.items, parsed)
    figures = _figures(visuals, loaded, structured, base)
    parts = _Parts(parsed, structured, visuals, loaded, figures)
    chunks, figures, used = _chunks(parts, base, settings, options, source_type)
    if not chunks:
        raise NoTextError(
            f"{base.name} holds nothing that can be searched. If its pages are pictures it needs "
            "OCR or MinerU.",
            pages=parsed.pages or 0,
        )
    gone = (*_missing(figures, visuals), *_unread_formulas(parsed))
    record = _record(base, parsed, source_type).model_copy(
        update={
            "chunks": len(chunks),
            "figures": sum(not figure.decoration for figure in figures),
            "blocks": _account(parts, used),
            "warnings": (*parsed.warnings, *notes, *visuals.warnings, *gone),
        }
    )
    assets = {picture.asset: picture.data for picture in loaded if picture.asset}
    edition = Edition(chunks=tuple(chunks), figures=tuple(figures), assets=assets)
    return Built(record, edition, structured.sections)


def _record(
    base: DocumentRecord, parsed: ParsedDocument, source_type: SourceType
) -> DocumentRecord:
    """The record with what the parser knows."""
    known = {
        "source_type": source_type,
        "parser": parsed.parser,
        "pages": parsed.pages,
        "state": "partial" if parsed.unreadable_pages or parsed.incomplete else "ready",
        "source_pdf": parsed.source_pdf,
    }
    return base.model_copy(update=known)


def _cleaned(parsed: ParsedDocument) -> tuple[ParsedDocument, list[str]]:
    """Text repaired, runaway repetition cut and reported."""
    notes: list[str] = []
    blocks = []
    for block in parsed.blocks:
        text, cut = cut_repetition(repair(block.text)) if block.text else ("", False)
        if cut:
            where = f" on page {block.page}" if block.page else ""
            notes.append(f"Runaway repetition in a text{where} was cut.")
        captions = tuple(filter(None, (repair(c).strip() for c in block.captions)))
        footnotes = tuple(filter(None, (repair(c).strip() for c in block.footnotes)))
        changed: dict[str, Any] = {
            "text": text,
            "captions": captions,
            "footnotes": footnotes,
            "html": repair(block.html),
        }
        if block.kind == "equation" and block.image and not body_of(block):
            # A formula that was not read is shown as the picture that it is.
            changed.update(kind="image", meta={**block.meta, "formula": True})
        blocks.append(block.model_copy(update=changed))
    title = " ".join(repair(parsed.title).split())
    return parsed.model_copy(update={"blocks": tuple(blocks), "title": title}), notes


def _source_type(
    parsed: ParsedDocument, record: DocumentRecord, options: IngestOptions
) -> SourceType:
    chosen = options.source_type
    known: tuple[SourceType, ...] = SourceType.__args__  # type: ignore[attr-defined]
    return next((kind for kind in known if kind == chosen), None) or guess(parsed, record.name)


def _figures(
    visuals: Visuals, loaded: list[Loaded], structured: Structured, base: DocumentRecord
) -> list[Figure]:
    ids = {n: f"{base.doc_id}.{base.edition}.f{n:03d}" for n in range(len(visuals.items))}
    around = contexts(visuals.items, structured.placed, visuals.merged)
    maker = FigureMaker(base, decorations(visuals.items, loaded), base.language == "zh")
    rows = zip(visuals.items, loaded, around, strict=True)
    return [
        maker.make(n, visual, picture, text, ids) for n, (visual, picture, text) in enumerate(rows)
    ]


def _chunks(
    parts: _Parts,
    base: DocumentRecord,
    settings: IngestSettings,
    options: IngestOptions,
    source_type: SourceType,
) -> tuple[list[Chunk], list[Figure], set[int]]:
    """Chunks in reading order, figures linked to them, indexes of the blocks that they hold."""
    visible = [
        item for item in parts.structured.placed if item.block.index not in parts.visuals.merged
    ]
    drafts = list(drafts_for(source_type, visible, settings, base.name))
    if source_type != "page":
        drafts.extend(_visual_drafts(parts, drafts, settings, source_type))
    drafts.sort(key=lambda draft: (draft.position, draft.figure is not None, draft.figure or 0))
    about = _about(base, options, source_type)
    blocks = {block.index: block for block in parts.parsed.blocks}
    after = [blocks.get(max(b.index for b in draft.blocks) + 1) for draft in drafts]
    rows = enumerate(zip(drafts, after, strict=True))
    chunks = [_chunk(n, draft, base, parts.figures, about, b) for n, (draft, b) in rows]
    figures = _with_chunks(parts.figures, chunks)
    named = _named(chunks, drafts, figures)
    chunks, figures = link(chunks, figures, named)
    return chunks, figures, {block.index for draft in drafts for block in draft.blocks}


def _visual_drafts(
    parts: _Parts, texts: Sequence[Draft], settings: IngestSettings, source_type: SourceType
) -> list[Draft]:
    """Drafts of all figures that are shown; in exams they carry their question's number."""
    found: list[Draft] = []
    blocks = {block.index: block for block in parts.parsed.blocks}
    for place, (visual, figure) in enumerate(zip(parts.visuals.items, parts.figures, strict=True)):
        if figure.decoration or says_nothing(visual, figure):
            continue
        exam = source_type in ("exam", "solution")
        about = question_at(texts, visual.captioned.block) if exam else {}
        drafts = figure_drafts(place, visual, figure, settings.chunk_chars, blocks)
        found.extend(replace(draft, metadata=about) for draft in drafts)
    return found


def _about(base: DocumentRecord, options: IngestOptions, source_type: str) -> dict[str, Any]:
    """Values that every chunk of the document can be filtered by; the user's own win."""
    about: dict[str, Any] = {"source_type": source_type, "language": base.language}
    if year := _YEAR.search(f"{base.name} {base.title}"):
        about["year"] = int(year.group())
    if base.doc_type:
        about["doc_type"] = base.doc_type
    return {**about, **base.metadata, **options.metadata}


def _chunk(
    ordinal: int,
    draft: Draft,
    base: DocumentRecord,
    figures: Sequence[Figure],
    about: dict[str, Any],
    following: Block | None,
) -> Chunk:
    section = draft.section
    path = section.path if section else ""
    if draft.title and draft.metadata.get("question"):
        path = " > ".join(filter(None, (path, draft.title)))
    places = draft.places or tuple(p for b in draft.blocks for p in places_of(b, 0, 0))
    pages = [page for place in places for page in place.pages]
    if draft.figure is not None:
        # The words around a picture may stand on the page before.
        pages = [page for block in draft.blocks for page in (block.page, block.page_end) if page]
    boxes, starts = _boxes(places)
    labels = held_labels(draft.blocks, following)
    printed = base.page_label(min(pages, default=None))
    figure = figures[draft.figure] if draft.figure is not None else None
    if figure is not None and figure.page_end:
        pages.append(figure.page_end)
    return Chunk(
        chunk_id=f"{base.doc_id}.{base.edition}.{ordinal:04d}",
        doc_id=base.doc_id,
        edition=base.edition,
        collection=base.collection,
        doc_title=base.title,
        chunk_type=draft.chunk_type,
        text=draft.text,
        embedding_text=f"{_prefix(base.title, path)}\n{draft.embed or draft.text}",
        semantic_id=f"{base.doc_id}.{base.edition}.{draft.semantic}",
        ordinal=ordinal,
        section_path=path,
        section_title=draft.title or (section.title if section else ""),
        section_level=(section.level if section else 0) + bool(draft.number),
        section_number=draft.number or (section.number if section else ""),
        page_start=min(pages, default=None),
        page_end=max(pages, default=None),
        boxes=boxes,
        box_starts=starts if draft.places else (),
        figure_id=figure.figure_id if figure else "",
        source_ids=tuple(dict.fromkeys(b.index for b in draft.blocks)),
        language=language(draft.text),
        html=draft.html,
        metadata={
            **about,
            **({"page_label": printed} if printed else {}),
            **draft.metadata,
            **({"labels": labels} if labels else {}),
        },
    )


def _boxes(places: Sequence[Place]) -> tuple[tuple[PageBox, ...], tuple[int, ...]]:
    """Boxes and where their text begins; text without a box of its own may be all over its page.

    A text on one page needs none. Slides have no boxes: whole pages tell where each one begins.
    """
    if not any(place.bbox for place in places) and len({p.page for p in places}) < 2:
        return (), ()
    known = [(PageBox(page=p.page, bbox=p.bbox or _PAGE), p.start) for p in places if p.page]
    return tuple(box for box, _ in known), tuple(start for _, start in known)


def _prefix(title: str, path: str) -> str:
    """Document title and section path; a path that begins with the title does not repeat it."""
    if path == title or path.startswith(f"{title} > "):
        return path
    return " > ".join(filter(None, (title, path)))


def _with_chunks(figures: Sequence[Figure], chunks: Sequence[Chunk]) -> list[Figure]:
    first: dict[str, str] = {}
    for chunk in chunks:
        if chunk.figure_id:
            first.setdefault(chunk.figure_id, chunk.chunk_id)
    return [f.model_copy(update={"chunk_id": first.get(f.figure_id, "")}) for f in figures]


def _named(
    chunks: Sequence[Chunk], drafts: Sequence[Draft], figures: Sequence[Figure]
) -> dict[str, list[str]]:
    """Figure ids that each chunk names, by label or as the one above or below."""
    index = FigureIndex(figures)
    owners = [chunk.figure_id for chunk in chunks]
    named: dict[str, list[str]] = {}
    for place, (chunk, draft) in enumerate(zip(chunks, drafts, strict=True)):
        ids = index.named(chunk.text)
        if draft.figure is None:
            before = next((o for o in reversed(owners[max(0, place - 2) : place]) if o), "")
            after = next((o for o in owners[place + 1 : place + 3] if o), "")
            ids.extend(i for i in nearby(chunk.text, before, after) if i not in ids)
        if ids:
            named[chunk.chunk_id] = ids
    return named


def _account(parts: _Parts, used: set[int]) -> BlockAccount:
    """Every block once: dropped with its reason, in a chunk, or part of something else."""
    dropped: dict[str, int] = {}
    indexed = merged = 0
    reasons = {**parts.structured.dropped, **parts.visuals.dropped}
    headings = {i.block.index for i in parts.structured.placed if i.block.kind == "title"}
    decoration = {
        visual.captioned.block.index: "decoration" if figure.decoration else "picture missing"
        for visual, figure in zip(parts.visuals.items, parts.figures, strict=True)
        if visual.owner is None and (figure.decoration or says_nothing(visual, figure))
    }
    reasons = {**decoration, **reasons}
    for block in parts.parsed.blocks:
        if block.index in used:
            indexed += 1
        elif reasons.get(block.index) == JOINED:
            merged += 1
        elif block.index in reasons:
            reason = reasons[block.index]
            dropped[reason] = dropped.get(reason, 0) + 1
        elif block.index in parts.visuals.merged | headings:
            merged += 1
        else:
            dropped["no text"] = dropped.get("no text", 0) + 1
    total = len(parts.parsed.blocks)
    return BlockAccount(total=total, indexed=indexed, merged=merged, dropped=dropped)


def _unread_formulas(parsed: ParsedDocument) -> Iterator[str]:
    lost = [b for b in parsed.blocks if b.kind == "equation" and not body_of(b)]
    lost.extend(block for block in parsed.blocks if block.meta.get("formula"))
    if lost:
        pages = sorted({block.page for block in lost if block.page})
        where = f" on page(s) {', '.join(map(str, pages[:12]))}" if pages else ""
        more = " …" if len(pages) > 12 else ""
        yield f"{len(lost)} formula(s){where}{more} could not be read as text."


def _called(figure: Figure) -> str:
    name = figure.label_text or figure.caption[:20]
    return name or (f"page {figure.page}" if figure.page else f"no. {figure.ordinal + 1}")


def _missing(figures: Sequence[Figure], visuals: Visuals) -> Iterator[str]:
    gone = [
        figure
        for figure, visual in zip(figures, visuals.items, strict=True)
        if not figure.available
        or (visual.captioned.block.meta.get("missing_image") and not figure.asset_id)
    ]
    if gone:
        shown = ", ".join(_called(f) for f in gone[:5])
        yield f"{len(gone)} picture(s) missing: {shown}" + (" …" if len(gone) > 5 else "")
