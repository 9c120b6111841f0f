"""The three layers of a converted document: structure nodes, semantic blocks, vector chunks."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ..core.chunk import Chunk, Figure
from ..core.document import Block, Section
from .build import Built

Json = dict[str, Any]
ROOT = "root"


def layers(built: Built, blocks: Sequence[Block]) -> Json:
    """`structure_nodes`, `semantic_blocks` and `vector_chunks` of a document, ready for JSON.

    Source ids are the parser's own ids of the blocks where it has any, else their positions.
    """
    named = {block.index: block.meta.get("source_id", block.index) for block in blocks}
    by_index = {block.index: block for block in blocks}
    figures = {figure.figure_id: figure for figure in built.edition.figures}
    chunks = built.edition.chunks
    return {
        "structure_nodes": [_root(built), *(_node(s, chunks) for s in built.sections)],
        "semantic_blocks": list(_semantic_blocks(chunks, figures, by_index, named)),
        "vector_chunks": [_vector_chunk(chunk, figures, named) for chunk in chunks],
    }


def _root(built: Built) -> Json:
    """The document itself: what stands above its sections."""
    chunks = built.edition.chunks
    return {
        "node_id": ROOT,
        "parent_id": None,
        "number": "",
        "title": built.record.title,
        "level": 0,
        "path": "",
        "page_start": min((c.page_start for c in chunks if c.page_start), default=None),
        "page_end": max((c.page_end for c in chunks if c.page_end), default=None),
        "semantic_ids": list(dict.fromkeys(c.semantic_id for c in chunks if not c.section_path)),
    }


def _node(section: Section, chunks: Sequence[Chunk]) -> Json:
    own = [c.semantic_id for c in chunks if c.section_path == section.path]
    return {
        "node_id": section.section_id,
        "parent_id": section.parent or ROOT,
        "number": section.number,
        "title": section.title,
        "level": section.level,
        "path": section.path,
        "page_start": section.page_start,
        "page_end": section.page_end,
        "semantic_ids": list(dict.fromkeys(own)),
    }


def _semantic_blocks(
    chunks: Sequence[Chunk],
    figures: Mapping[str, Figure],
    blocks: Mapping[int, Block],
    named: Mapping[int, Any],
) -> Iterator[Json]:
    order = list(dict.fromkeys(chunk.semantic_id for chunk in chunks))
    ranked = sorted(chunks, key=lambda c: (order.index(c.semantic_id), c.ordinal))
    for semantic_id, group in groupby(ranked, key=lambda c: c.semantic_id):
        members = list(group)
        ids = list(dict.fromkeys(i for chunk in members for i in chunk.source_ids))
        figure = figures.get(members[0].figure_id)
        kind = "section_text"
        if figure is not None:
            kind = "table" if figure.kind == "table" else "figure"
        text = _shown(figure) if figure else "\n".join(_words(blocks[i]) for i in ids)
        yield {
            "semantic_id": semantic_id,
            "type": kind,
            "text": text,
            **_where(members),
            "source_ids": [named[i] for i in ids],
            "chunk_ids": [chunk.chunk_id for chunk in members],
            **(_figure_fields(figure) if figure else {}),
        }


def _words(block: Block) -> str:
    return block.text.strip() or block.latex.strip()


def _shown(figure: Figure) -> str:
    return figure.description or figure.caption


def _where(members: Sequence[Chunk]) -> Json:
    first = members[0]
    starts = [c.page_start for c in members if c.page_start]
    ends = [c.page_end for c in members if c.page_end]
    return {
        "section_path": first.section_path,
        "section_title": first.section_title,
        "section_level": first.section_level,
        "page_start": min(starts, default=None),
        "page_end": max(ends, default=None),
    }


def _figure_fields(figure: Figure) -> Json:
    return {
        "label": figure.label_text,
        "caption": figure.caption,
        "footnote": figure.footnote,
        "html": figure.html,
        "image": figure.asset_id,
    }


def _vector_chunk(chunk: Chunk, figures: Mapping[str, Figure], named: Mapping[int, Any]) -> Json:
    figure = figures.get(chunk.figure_id)
    return {
        "chunk_id": chunk.chunk_id,
        "semantic_id": chunk.semantic_id,
        "chunk_type": chunk.chunk_type,
        "embedding_text": chunk.embedding_text,
        "text": chunk.text,
        **_where([chunk]),
        "section_number": chunk.section_number,
        "doc_id": chunk.doc_id,
        "doc_title": chunk.doc_title,
        "source_ids": [named[i] for i in chunk.source_ids],
        "boxes": [box.model_dump() for box in chunk.boxes],
        **({"html": chunk.html} if chunk.html else {}),
        **({"caption": figure.caption} if figure else {}),
    }
