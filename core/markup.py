"""HTML of documents, read."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

_LONGEST = 6  # digits: more is no number of columns


def parsed(html: str) -> "BeautifulSoup":
    """The HTML as a tree. A line without a tag that looks like an address or a file's name is text
    all the same: its end is marked, or Beautiful Soup would warn of it."""
    from bs4 import BeautifulSoup

    head, closed, rest = html.rpartition("-->")
    # Comments without an end are text; the parser would look for the end of each of them.
    html = f"{head}{closed}{rest.replace('<!--', '')}"
    return BeautifulSoup(html if "<" in html else f"{html}\n", "html.parser")


def span_of(value: object, most: int) -> int:
    """What a cell's `colspan` or `rowspan` says, 1 to `most`; 1 where it says none."""
    text = str(value or "1").strip()
    if not (text.isascii() and text.isdecimal()):
        return 1
    return min(max(1, int(text[:_LONGEST])), most)
