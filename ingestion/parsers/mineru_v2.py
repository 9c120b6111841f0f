"""The second content list form (pages of typed blocks with spans) as entries of the first."""

from collections.abc import Iterator
from typing import Any

from .mineru_text import items_of, span_text

_TYPES = {
    "paragraph": "text",
    "page_header": "header",
    "page_footer": "footer",
    "page_aside_text": "aside_text",
    "equation_interline": "equation",
}
_BODY_KEYS = ("_content", "_text")


def first_form(data: list[Any]) -> list[dict[str, Any]]:
    """Entries of the first form; a list of pages is the second form, its position the page."""
    entries: list[dict[str, Any]] = []
    for page, item in enumerate(data):
        if isinstance(item, list):
            entries.extend(_entry(block, page) for block in map(_block, item) if block)
        elif block := _block(item):
            entries.append(_entry(block, None))
    return entries


def _block(item: Any) -> dict[str, Any]:
    """A block; a bare text is one of text. Empty: it is neither."""
    if isinstance(item, str) and item.strip():
        return {"type": "text", "text": item}
    return item if isinstance(item, dict) else {}


def left_out(data: list[Any]) -> Iterator[str]:
    """What stands among the blocks and is none."""
    flat = [part for item in data for part in (item if isinstance(item, list) else [item])]
    count = sum(not isinstance(part, dict | str) and part is not None for part in flat)
    if count:
        yield f"{count} entries of the list are no blocks and were left out."


def _entry(block: dict[str, Any], page: int | None) -> dict[str, Any]:
    content = block.get("content")
    if not isinstance(content, dict):
        return block if page is None else {"page_idx": page, **block}
    kind = str(block.get("type") or "unknown")
    known = {
        "type": _TYPES.get(kind, kind),
        "page_idx": block.get("page_idx", page),
        "bbox": block.get("bbox"),
        "sub_type": content.get("sub_type", block.get("sub_type")),
    }
    return {**known, **dict(_fields(kind, content))}


def _fields(kind: str, content: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from ((k, v) for k, v in content.items() if k.endswith(("_caption", "_footnote")))
    source = content.get("image_source")
    if isinstance(source, dict):
        yield "img_path", source.get("path")
    if "html" in content:
        yield "table_body", content["html"]
    if kind == "title":
        yield "text_level", content.get("level") or 1
    yield from _body(kind, content)


def _body(kind: str, content: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if kind in ("image", "chart", "table"):
        yield "content", span_text(content.get("content"))
    elif "math_content" in content:
        yield "text", f"$$\n{str(content['math_content'] or '').strip()}\n$$"
    elif "list_items" in content:
        yield from _list(kind, content)
    elif kind in ("code", "algorithm"):
        yield "type", "code"
        yield "sub_type", kind
        yield "code_body", span_text(content.get(f"{kind}_content"))
    else:
        bodies = [v for k, v in content.items() if k.endswith(_BODY_KEYS)]
        yield "text", span_text(bodies or content.get("content"))


def _list(kind: str, content: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    items = items_of(content["list_items"])
    if kind == "list" and "attribute" in content:
        # Lines that the first form writes as one paragraph with hard breaks.
        yield "type", "text"
        yield "text", "\n".join(items)
    else:
        yield "list_items", items
