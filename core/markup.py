"""HTML of documents, before it is parsed."""

_LONGEST = 6  # digits: more is no number of columns


def parsable(html: str) -> str:
    """The HTML as Beautiful Soup may be given it.

    Comments without an end are text: its parser would look for the end of each of them. A line
    without a tag that looks like an address or a file's name is text all the same: its end is
    marked, or a warning would be shown.
    """
    head, closed, rest = html.rpartition("-->")
    html = f"{head}{closed}{rest.replace('<!--', '')}"
    return html if "<" in html else f"{html}\n"


def span_of(value: object, most: int) -> int:
    """What a cell's `colspan` or `rowspan` says, 1 to `most`; 1 where it says none."""
    text = str(value or "1").strip()
    if not (text.isascii() and text.isdecimal()):
        return 1
    return min(max(1, int(text[:_LONGEST])), most)
