"""Small documents of our own, in the forms that parsers write."""

import json
import zlib
from pathlib import Path
from typing import Any

from tuwen.core.document import Block, DocumentRecord, ParsedDocument
from tuwen.core.options import IngestOptions
from tuwen.core.settings import IngestSettings
from tuwen.ingestion.build import Built, build_edition
from tuwen.ingestion.parse import parse_input
from tuwen.ingestion.sniff import find_inputs


def png(width: int = 60, height: int = 40, shade: int = 0) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
        )

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x00\x00\x00\x00"
    rows = (b"\x00" + bytes([shade]) * width) * height
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def record(name: str = "doc.md", title: str = "doc") -> DocumentRecord:
    return DocumentRecord(
        doc_id="d1",
        edition="e1",
        collection="default",
        name=name,
        source_key=name,
        content_hash="0",
        title=title,
    )


def content_list(folder: Path, entries: list[Any], pictures: tuple[str, ...] = ()) -> Path:
    """A MinerU folder; the pictures differ from each other."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    for shade, name in enumerate(pictures):
        (folder / "images" / name).write_bytes(png(shade=shade + 1))
    path = folder / "pump_content_list.json"
    path.write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")
    return folder


def parsed_of(path: Path, **settings: Any) -> ParsedDocument:
    found = [item for item in find_inputs([path]) if not item.skip_reason]
    assert len(found) == 1, found
    return parse_input(found[0], IngestOptions(), IngestSettings(**settings))


def built_of(path: Path, source_type: str = "", **settings: Any) -> Built:
    found = [item for item in find_inputs([path]) if not item.skip_reason]
    parsed = parsed_of(path, **settings)
    return build_edition(
        parsed,
        record(found[0].name),
        settings=IngestSettings(**settings),
        options=IngestOptions(source_type=source_type),
    )


def built_blocks(blocks: list[Block], source_type: str = "document", **settings: Any) -> Built:
    numbered = tuple(b.model_copy(update={"index": n}) for n, b in enumerate(blocks))
    parsed = ParsedDocument(title="手册", blocks=numbered, parser="test")
    return build_edition(
        parsed,
        record(),
        settings=IngestSettings(**settings),
        options=IngestOptions(source_type=source_type),
    )


def text(body: str, page: int | None = 1, **more: Any) -> Block:
    return Block(index=0, kind="text", text=body, page=page, **more)


def title(body: str, page: int | None = 1, level: int = 1) -> Block:
    return Block(index=0, kind="title", text=body, page=page, level=level)
