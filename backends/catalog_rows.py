"""Nouns to rows and back, and how a filter matches a value."""

import json
import re
import sqlite3
import unicodedata
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from ..core.chunk import Chunk, Edition, Figure
from ..core.document import DocumentRecord
from .schema import plain

_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def to_json(noun: BaseModel) -> str:
    """The noun as JSON; values that JSON has not (numpy, lone surrogates) are made plain."""
    try:
        return noun.model_dump_json(fallback=plain)
    except PydanticSerializationError:
        return type(noun).model_validate(_clean(noun.model_dump())).model_dump_json(fallback=plain)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.translate(_SURROGATES)
    if isinstance(value, Mapping):
        return {_clean(k): _clean(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(v) for v in value]
    return value


def chunk_row(owner: int, chunk: Chunk, meta: str) -> tuple[Any, ...]:
    """Values of a row of `chunks`, without its id."""
    return (
        owner,
        chunk.chunk_id,
        chunk.ordinal,
        chunk.semantic_id,
        chunk.section_number,
        chunk.page_start,
        chunk.page_end if chunk.page_end is not None else chunk.page_start,
        meta,
        to_json(chunk),
    )


def chunk_values(chunk: Chunk) -> dict[str, Any]:
    """What a chunk can be filtered by, apart from its pages."""
    return {
        **{str(k): plain(v) for k, v in chunk.metadata.items()},
        "chunk_type": chunk.chunk_type,
        "section": chunk.section_title,
        "section_path": chunk.section_path,
        "section_number": chunk.section_number,
        "level": chunk.section_level,
        "semantic_id": chunk.semantic_id,
        **({"language": chunk.language} if chunk.language else {}),
    }


def document_values(record: DocumentRecord) -> dict[str, Any]:
    """What a document can be filtered by; its chunks' own values come first."""
    return {
        **{str(k): plain(v) for k, v in record.metadata.items()},
        "doc_id": record.doc_id,
        "source": record.name,
        "name": record.name,
        "title": record.title,
        "doc_title": record.title,
        "source_type": record.source_type,
        "doc_type": record.doc_type,
        "parser": record.parser,
        "language": record.language,
        "collection": record.collection,
        "edition": record.edition,
    }


def figure_row(owner: int, figure: Figure) -> tuple[Any, ...]:
    """Values of a row of `figures`, without its id."""
    label = figure.label.key if figure.label else ""
    base = figure.label.model_copy(update={"sub": ""}).key if figure.label else ""
    return (owner, figure.figure_id, figure.ordinal, label, base, to_json(figure))


def asset_ids(edition: Edition) -> list[str]:
    """Assets that the edition brings or names."""
    named = {f.asset_id for f in edition.figures if f.asset_id and f.available}
    return sorted(named | set(edition.assets))


def comparable(value: Any) -> str:
    """The form in which values are compared: 2023, "2023" and 2023.0 are one, case is none."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return unicodedata.normalize("NFKC", str(value)).strip().casefold()


def wanted(choice: Any) -> set[str]:
    """Comparable forms of a filter's value: any of a list's, or the one."""
    values = choice if isinstance(choice, list | tuple | set | frozenset) else [choice]
    return {comparable(plain(v)) for v in values if v is not None}


def matches(value: Any, choice: set[str]) -> bool:
    """Whether a stored value, or one of a stored list, is among the choices."""
    if value is None:
        return False
    values = value if isinstance(value, list) else [value]
    return any(comparable(v) in choice for v in values)


def insert(db: sqlite3.Connection, owner: int, edition: Edition) -> None:
    """Write an edition's chunks, figures and the names of its pictures."""
    db.executemany(
        "INSERT INTO chunks (owner, chunk_id, ordinal, semantic_id, section_number, page_start,"
        " page_end, meta, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            chunk_row(owner, c, json.dumps(chunk_values(c), ensure_ascii=True))
            for c in edition.chunks
        ),
    )
    db.executemany(
        "INSERT INTO figures (owner, figure_id, ordinal, label, base_label, body)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (figure_row(owner, f) for f in edition.figures),
    )
    db.executemany(
        "INSERT INTO assets (owner, asset_id) VALUES (?, ?)",
        ((owner, asset_id) for asset_id in asset_ids(edition)),
    )


def natural(key: str) -> list[tuple[int, str]]:
    """Numbers by value: figure:2 before figure:10."""
    return [(int(p), "") if p.isdigit() else (-1, p) for p in re.split(r"(\d+)", key)]
