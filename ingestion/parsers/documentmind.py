"""Aliyun Document Mind layouts: the bare list, `{layouts}` or the whole envelope."""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from ...core.document import BBox, Block, BlockKind, ParsedDocument
from ...core.errors import DamagedFileError, DocumentError, EmptyFileError
from ..chunkers.place import with_rest
from .loose import entries, number, whole, words

_SUBTYPES: dict[str, BlockKind] = {
    "doc_name": "title",
    "doc_title": "title",
    "doc_subtitle": "text",
    "para_title": "title",
    "cate": "toc",
    "cate_title": "toc",
    "page_footer": "footer",
    "page_header": "header",
    "page": "page_number",
    "footer_note": "footnote",
    "endnode": "footnote",
    "sidebar": "aside",
    "formula": "equation",
    "picture": "image",
    "pic": "image",
    "logo": "image",
}
_TYPES: dict[str, BlockKind] = {
    "title": "title",
    "text": "text",
    "figure": "image",
    "table": "table",
    "formula": "equation",
    "foot": "footer",
    "head": "header",
    "foot_image": "footer",
    "head_image": "header",
    "corner_note": "footnote",
    "end_note": "footnote",
    "side": "aside",
    "contents": "toc",
    "contents_title": "toc",
}
_CAPTIONS = frozenset({"table_name", "figure_name", "pic_title", "pic_caption"})
_NOTES = frozenset({"table_note", "figure_note"})


class DocumentMindParser:
    """Reads a saved `layouts.json`."""

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "documentmind-1"

    def accepts(self, path: Path) -> bool:
        """Whether the file is JSON with layouts."""
        return path.suffix.lower() == ".json" and b"layouts" in path.read_bytes()

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        body = _load(path)
        given = _layouts(body, path)
        layouts = list(_distinct(entries(given)))
        sizes = _page_sizes(body, layouts)
        levels = _tree_levels(body)
        blocks = [_block(n, layout, sizes, levels) for n, layout in enumerate(layouts)]
        pages = [page for block in blocks for page in (block.page, block.page_end) if page]
        title = next((b.text for b in blocks if b.meta.get("sub") in ("doc_title", "doc_name")), "")
        return ParsedDocument(
            title=title,
            blocks=tuple(blocks),
            pages=max(pages, default=None),
            parser=self.name,
            doc_type="documentmind",
            warnings=tuple(_left_out(given)),
        )


def _load(path: Path) -> Any:
    raw = path.read_bytes()
    if not raw.strip():
        raise EmptyFileError(f"{path.name} is empty.")
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise DamagedFileError(f"{path.name} is not valid JSON ({error}).") from error


def _get(body: Any, name: str) -> Any:
    """A value by name; the services differ in the case of keys."""
    if not isinstance(body, dict):
        return None
    return next((v for k, v in body.items() if k.lower() == name.lower()), None)


def _layouts(body: Any, path: Path) -> list[Any]:
    if _get(body, "completed") is False:
        raise DocumentError(
            f"{path.name}: the parsing job had not finished. Fetch its result again."
        )
    if str(_get(body, "status") or "").lower() in ("fail", "failed", "error"):
        raise DocumentError(f"{path.name}: the parsing job failed ({_get(body, 'message')}).")
    data = _get(body, "data")
    for holder in (body, _get(body, "layouts"), data, _get(data, "layouts")):
        if isinstance(holder, list):
            return holder
    if _get(body, "cells"):
        return [body]
    raise DamagedFileError(f"{path.name} holds no layouts.")


def _left_out(given: list[Any]) -> Iterator[str]:
    """What stands among the layouts and is none."""
    count = sum(not isinstance(entry, dict) and entry not in (None, "") for entry in given)
    if count:
        yield f"{count} entries of the list are no layouts and were left out."


def _distinct(layouts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Windows of a fetched result may overlap."""
    seen: set[tuple[str, str]] = set()
    for place, layout in enumerate(layouts):
        key = (str(layout.get("uniqueId") or f"#{place}"), str(layout.get("index")))
        if key not in seen:
            seen.add(key)
            yield layout


def _page_sizes(body: Any, layouts: list[dict[str, Any]]) -> dict[int, tuple[float, float]]:
    """Pixel size of each 1-based page; without it the reach of the boxes stands in."""
    info = _get(_get(body, "data") or body, "docInfo")
    sizes: dict[int, tuple[float, float]] = {}
    for place, given in enumerate(entries(_get(info, "pages")), 1):
        width, height = number(given.get("imageWidth")), number(given.get("imageHeight"))
        if width and height:
            sizes[whole(given.get("pageIdCurDoc")) or place] = (width, height)
    if sizes:
        return sizes
    for layout in layouts:
        for page, xs, ys in [(p, *_extent(layout)) for p in _pages(layout)[:1]]:
            old = sizes.get(page, (1.0, 1.0))
            sizes[page] = (max(old[0], *xs, 1.0), max(old[1], *ys, 1.0))
    return sizes


def _pages(layout: dict[str, Any]) -> list[int]:
    value = layout.get("pageNum")
    found = map(whole, value if isinstance(value, list) else [value])
    return sorted({page + 1 for page in found if page is not None and page >= 0})


def _extent(layout: dict[str, Any]) -> tuple[list[float], list[float]]:
    points = entries(layout.get("pos"))[:4]
    return [number(p.get("x")) or 0.0 for p in points], [number(p.get("y")) or 0.0 for p in points]


def _tree_levels(body: Any) -> dict[str, int]:
    tree = _get(_get(_get(body, "data") or body, "logics"), "docTree")
    return {str(n.get("uniqueId")): whole(n.get("level")) or 0 for n in entries(tree)}


def _block(
    index: int,
    layout: dict[str, Any],
    sizes: dict[int, tuple[float, float]],
    levels: dict[str, int],
) -> Block:
    pages = _pages(layout)
    sub = str(layout.get("subType") or "")
    raw = str(layout.get("type") or ("table" if layout.get("cells") else "unknown"))
    kind = _kind(raw, sub)
    page = pages[0] if pages else None
    meta: dict[str, Any] = {"sub": sub} if sub else {}
    if layout.get("uniqueId"):
        meta["source_id"] = str(layout["uniqueId"])
    if kind == "image":
        meta["missing_image"] = "picture at the parser's cloud"
    block = Block(
        index=index,
        kind=kind,
        text="" if kind in ("table", "image") else _text(layout),
        html=_table(layout) if kind == "table" else "",
        page=page,
        page_end=pages[-1] if len(pages) > 1 else None,
        bbox=_bbox(layout, sizes.get(page or 0)),
        level=_level(layout, sub, levels) if kind == "title" else None,
        raw_type="caption" if _is(layout, _CAPTIONS) else "note" if _is(layout, _NOTES) else raw,
        meta=meta,
    )
    return with_rest(block, list(_further(layout, pages, sizes)))


def _further(
    layout: dict[str, Any], pages: list[int], sizes: dict[int, tuple[float, float]]
) -> Iterator[tuple[int, BBox]]:
    """The boxes of a layout on its second and later pages: four corners a page."""
    for place, page in enumerate(pages[1:], 1):
        corners = entries(layout.get("pos"))[4 * place : 4 * place + 4]
        box = _bbox({"pos": corners}, sizes.get(page))
        if box is not None:
            yield page, box


def _is(layout: dict[str, Any], names: frozenset[str]) -> bool:
    return str(layout.get("type")) in names or str(layout.get("subType")) in names


def _kind(raw: str, sub: str) -> BlockKind:
    if sub in _SUBTYPES:
        return _SUBTYPES[sub]
    if raw in _CAPTIONS or raw in _NOTES or raw == "multicolumn":
        return "text"
    return _TYPES.get(raw, "unknown")


def _level(layout: dict[str, Any], sub: str, levels: dict[str, int]) -> int:
    markdown = str(layout.get("markdownContent") or "")
    hashes = len(markdown) - len(markdown.lstrip("#"))
    level = whole(layout.get("level"))
    if level is not None and level >= 0:
        return level + 1
    if str(layout.get("uniqueId")) in levels:
        return levels[str(layout.get("uniqueId"))] + 1
    return hashes or (1 if sub in ("doc_title", "doc_name") else 2)


def _text(layout: dict[str, Any]) -> str:
    text = words(layout.get("text")).strip()
    return (
        text or "".join(words(block.get("text")) for block in entries(layout.get("blocks"))).strip()
    )


def _table(layout: dict[str, Any]) -> str:
    rows: dict[int, list[dict[str, Any]]] = {}
    for cell in entries(layout.get("cells")):
        rows.setdefault(whole(cell.get("ysc")) or 0, []).append(cell)
    lines = []
    for y in sorted(rows):
        cells = sorted(rows[y], key=lambda c: whole(c.get("xsc")) or 0)
        lines.append("<tr>" + "".join(map(_cell, cells)) + "</tr>")
    return f"<table>{''.join(lines)}</table>" if lines else ""


def _cell(cell: dict[str, Any]) -> str:
    wide, high = _span(cell, "xsc", "xec"), _span(cell, "ysc", "yec")
    spans = (f' colspan="{wide}"' if wide > 1 else "") + (f' rowspan="{high}"' if high > 1 else "")
    text = " ".join(filter(None, (_text(inner) for inner in entries(cell.get("layouts")))))
    return f"<td{spans}>{escape(text)}</td>"


def _span(cell: dict[str, Any], first: str, last: str) -> int:
    start = whole(cell.get(first)) or 0
    return (whole(cell.get(last)) or start) - start + 1


def _bbox(layout: dict[str, Any], size: tuple[float, float] | None) -> BBox | None:
    xs, ys = _extent(layout)
    if not size or len(xs) < 2:
        return None
    x0, x1 = max(min(xs) / size[0], 0.0), min(max(xs) / size[0], 1.0)
    y0, y1 = max(min(ys) / size[1], 0.0), min(max(ys) / size[1], 1.0)
    return BBox(x0=x0, y0=y0, x1=x1, y1=y1) if x1 > x0 and y1 > y0 else None
