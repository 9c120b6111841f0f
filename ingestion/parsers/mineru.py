"""MinerU and magic-pdf content lists of every version, first and second form, to blocks.

Both forms become one list of dictionaries (the first form's), so that the same parse gives the same
blocks whichever file is read.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...core.document import BBox, Block, BlockKind, ParsedDocument
from ...core.errors import DamagedFileError, EmptyFileError
from .. import images
from .loose import numbers, whole
from .mineru_boxes import completed
from .mineru_text import items_of, normal, phrases, span_text
from .mineru_v2 import first_form, left_out
from .recover import unlisted_pictures

_KINDS: dict[str, BlockKind] = {
    "text": "text",
    "title": "title",
    "list": "list",
    "table": "table",
    "image": "image",
    "figure": "image",
    "seal": "image",
    "chart": "chart",
    "equation": "equation",
    "interline_equation": "equation",
    "code": "code",
    "algorithm": "code",
    "header": "header",
    "footer": "footer",
    "page_number": "page_number",
    "page_footnote": "footnote",
    "footnote": "footnote",
    "aside_text": "aside",
    "discarded": "aside",
    "index": "toc",
    "toc": "toc",
}
_SCALE = 1000.0
_BODIES = ("_content", "_text", "_body")  # of kinds that are not known yet
_CELL_IMAGE = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*[\"']?([^\"'\s>]+)", re.I)


class MineruParser:
    """Reads `*content_list*.json` with the pictures beside it."""

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "mineru-2"

    def accepts(self, path: Path) -> bool:
        """Whether the file is a JSON list of blocks."""
        return path.suffix.lower() == ".json" and path.read_bytes()[:64].lstrip().startswith(b"[")

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        data = _load(path)
        entries = first_form(data)
        listed: dict[str, str | bytes] = {}
        blocks = [_block(index, entry, path.parent, listed) for index, entry in enumerate(entries)]
        extra = unlisted_pictures(path, completed(blocks), set(listed))
        listed.update(extra.images)
        pages = [block.page for block in extra.blocks if block.page]
        return ParsedDocument(
            title="",
            blocks=tuple(extra.blocks),
            images=listed,
            pages=max(pages, default=None),
            parser=self.name,
            doc_type="mineru",
            warnings=(*extra.warnings, *left_out(data)),
            source_pdf=_source_pdf(path),
        )


def _load(path: Path) -> list[Any]:
    raw = path.read_bytes()
    if not raw.strip():
        raise EmptyFileError(f"{path.name} is empty. Run the parser again.")
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise DamagedFileError(
            f"{path.name} is not valid JSON ({error}). Use the file as the parser wrote it."
        ) from error
    if not isinstance(data, list) or not any(isinstance(entry, dict | list) for entry in data):
        raise DamagedFileError(
            f"{path.name} is not a content list: it must be a JSON list of blocks."
        )
    return data


def _block(index: int, entry: dict[str, Any], folder: Path, found: dict[str, str | bytes]) -> Block:
    raw = str(entry.get("type") or "unknown")
    kind = _kind(raw, entry)
    page = whole(entry.get("page_idx"))
    image, absent = _image(entry, folder, found)
    html = _string(entry.get("table_body") or entry.get("html")) if kind == "table" else ""
    _cell_images(html, folder, found)
    return Block(
        index=index,
        kind=kind,
        text=_body(kind, entry),
        html=html,
        latex=normal(_string(entry.get("text"))) if kind == "equation" else "",
        image=image,
        captions=tuple(_notes(entry, raw, "caption")),
        footnotes=tuple(_notes(entry, raw, "footnote")),
        page=page + 1 if page is not None and page >= 0 else None,
        bbox=_bbox(entry.get("bbox")),
        level=_level(entry),
        raw_type=raw,
        meta={"missing_image": absent} if absent else {},
    )


def _kind(raw: str, entry: dict[str, Any]) -> BlockKind:
    kind = _KINDS.get(raw)
    if kind is None:
        return "image" if entry.get("img_path") and not entry.get("text") else "unknown"
    return "title" if kind == "text" and _level(entry) else kind


def _level(entry: dict[str, Any]) -> int | None:
    level = whole(entry.get("text_level", entry.get("level")))
    return level if level and level > 0 else None


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _body(kind: BlockKind, entry: dict[str, Any]) -> str:
    if kind == "code":
        return _code(entry)
    if kind in ("image", "chart", "table"):
        return normal(_string(entry.get("content")))
    parts = [*_lines(entry.get("text")), *items_of(entry.get("list_items"))]
    parts = parts or _lines(entry.get("content"))
    if not parts and kind == "unknown":
        parts = [line for k, v in entry.items() if k.endswith(_BODIES) for line in _lines(v)]
    return "\n".join(filter(None, (normal(part) for part in parts)))


def _lines(value: Any) -> list[str]:
    """A text, or what a list or spans in its place say."""
    return items_of(value) if isinstance(value, list) else [span_text(value)] if value else []


def _code(entry: dict[str, Any]) -> str:
    body = _string(entry.get("code_body") or entry.get("text"))
    if entry.get("sub_type") == "algorithm" or entry.get("type") == "algorithm":
        # The second form keeps no line ends of an algorithm.
        return " ".join(normal(body).split())
    lines = body.strip().split("\n")
    if lines and lines[0].startswith("```"):
        lines = lines[1 : -1 if lines[-1].strip() == "```" else None]
    return "\n".join(line.rstrip() for line in lines)


def _notes(entry: dict[str, Any], raw: str, what: str) -> Iterator[str]:
    """Captions or footnotes under any of the names that the versions use."""
    names = (raw, "image", "img", "table", "code", "algorithm")
    for key in (*(f"{name}_{what}" for name in names), what, f"{what}s"):
        if key in entry and (values := phrases(entry[key])):
            yield from values
            return


def _image(entry: dict[str, Any], folder: Path, found: dict[str, str | bytes]) -> tuple[str, str]:
    """The picture's name when its file exists, else what the list calls it."""
    name = _string(entry.get("img_path") or entry.get("image_path"))
    if not name or name.endswith(("/", "\\")):
        return "", ""
    path = images.below(folder, name)
    key = name.replace("\\", "/").rsplit("/", 1)[-1]
    if path is None:
        return "", key
    found[key] = str(path)
    return key, ""


def _cell_images(html: str, folder: Path, found: dict[str, str | bytes]) -> None:
    """Register the pictures of table cells under the name that the HTML gives them."""
    for source in _CELL_IMAGE.findall(html):
        path = images.below(folder, source)
        if path is not None:
            found[source] = str(path)


def _bbox(value: Any) -> BBox | None:
    found = numbers(value)
    if len(found) != 4:
        return None
    # Pixel or point boxes of hand-made readers exceed the scale: their page size is unknown.
    if max(found) > _SCALE * 1.02 or min(found) < 0:
        return None
    x0, y0, x1, y1 = (min(v / _SCALE, 1.0) for v in found)
    return BBox(x0=x0, y0=y0, x1=x1, y1=y1) if x1 > x0 and y1 > y0 else None


def _source_pdf(path: Path) -> str:
    for pattern in ("*origin.pdf", f"{path.parent.parent.name}.pdf", "*.pdf"):
        for pdf in sorted(path.parent.glob(pattern)):
            if not pdf.name.endswith(("_layout.pdf", "_span.pdf", "_spans.pdf")):
                return str(pdf)
    return ""
