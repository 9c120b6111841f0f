"""What the vector index keeps of a chunk, in a form that any engine can store.

Engines refuse None, nested values and numpy scalars, and collection names outside ASCII. Absent
stands for None, JSON text for lists and mappings, a hash for the name; `restored` undoes it.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..core.chunk import Chunk, Edition, Figure
from ..core.document import VISUAL_KINDS, DocumentRecord
from ..core.ports import VectorRecord
from ..core.text import digest

Scalar = str | int | float | bool
_JSON_KEYS = "json_fields"
_UNSAFE = re.compile(r"[^a-z0-9]+")


def internal_name(display: str) -> str:
    """A valid engine name for any collection name; different names never share one.

    A readable ASCII prefix and a hash of the exact name: "泵房手册" -> "tw-kb-1f0a…".
    """
    readable = _UNSAFE.sub("-", display.lower()).strip("-")[:24].strip("-") or "kb"
    return f"tw-{readable}-{digest(display, length=16)}"


def storable(metadata: Mapping[str, Any]) -> dict[str, Scalar]:
    """None left out, lists and mappings as JSON text (named in `json_fields`), plain scalars."""
    flat: dict[str, Scalar] = {}
    as_json: list[str] = []
    for key, raw in metadata.items():
        value = plain(raw)
        if value is None:
            continue
        if isinstance(value, list | dict):
            as_json.append(str(key))
            value = json.dumps(value, ensure_ascii=False)
        flat[str(key)] = value
    if as_json:
        flat[_JSON_KEYS] = json.dumps(sorted(as_json), ensure_ascii=False)
    return flat


def restored(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata in their original shape."""
    as_json = set(json.loads(metadata.get(_JSON_KEYS, "[]")))
    return {
        key: json.loads(value) if key in as_json else value
        for key, value in metadata.items()
        if key != _JSON_KEYS
    }


def plain(value: Any) -> Any:
    """JSON values only: numpy scalars and arrays unpacked, NaN as None, unknown objects as text."""
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    unpack = getattr(value, "tolist", None)  # numpy scalars and arrays
    return plain(unpack()) if unpack is not None else str(value)


def vector_records(record: DocumentRecord, edition: Edition) -> list[VectorRecord]:
    """One record a chunk, in order, under the names that people look for in a collection."""
    figures = {f.figure_id: f for f in edition.figures}
    return [
        VectorRecord(
            id=chunk.chunk_id,
            text=chunk.embedding_text,
            visual=chunk.chunk_type in VISUAL_KINDS,
            metadata=_metadata(record, chunk, figures),
        )
        for chunk in edition.chunks
    ]


def _metadata(
    record: DocumentRecord, chunk: Chunk, figures: Mapping[str, Figure]
) -> dict[str, Any]:
    own = {**record.metadata, **chunk.metadata}
    named = {
        "source": record.name,
        "doc_id": record.doc_id,
        "edition": record.edition,
        "collection": record.collection,
        "doc_title": record.title,
        "doc_type": record.doc_type,
        "source_type": record.source_type,
        "language": chunk.language or record.language,
        "page": chunk.page_start,
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "chunk_type": chunk.chunk_type,
        "section": chunk.section_title,
        "section_path": chunk.section_path,
        "level": chunk.section_level,
        "semantic_id": chunk.semantic_id,
        "source_ids": list(chunk.source_ids),
        "has_table": bool(chunk.html) or chunk.chunk_type == "table",
        "table_html": chunk.html or None,
        "preview": chunk.text[:200],
        "bbox": [box.model_dump() for box in chunk.boxes] or None,
        "referenced_images": list(chunk.mentions) or None,
        **_figure_metadata(figures.get(chunk.figure_id)),
    }
    return {**own, **{k: v for k, v in named.items() if v is not None and v != ""}}


def _figure_metadata(figure: Figure | None) -> dict[str, Any]:
    if figure is None:
        return {}
    return {
        "figure_id": figure.figure_id,
        "caption": figure.caption,
        "figure_number": figure.label_text or (figure.label.key if figure.label else ""),
        "image_path": figure.asset_id,
        "has_vlm_desc": figure.described,
        "full_description": figure.description,
    }


def batches(count: int, size: int) -> Iterable[slice]:
    """Slices of at most `size` that cover `count` items."""
    return (slice(i, min(i + size, count)) for i in range(0, count, size))
