"""How pages are written beside a source, in the terminal and in Markdown alike."""

from typing import Any

Json = dict[str, Any]


def pages(item: Json) -> str:
    """`p. 3`, `p. 3-4`, with the printed label where it differs; empty without pages."""
    first, last = item.get("page_start"), item.get("page_end")
    page = item.get("page") or first
    if page is None:
        return ""
    span = f"p. {page}" if first in (None, last) else f"p. {first}-{last}"
    label = item.get("page_label") or ""
    return f"{span} ({label})" if label and label != str(page) else span
