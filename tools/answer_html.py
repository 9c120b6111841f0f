"""What becomes of one HTML tag in an answer: Markdown table marks, a line break, or nothing.

Tags are recognised as a browser would (quoted attribute values may hold ">"); what is no complete,
plausible tag is escaped, so that nothing that reaches the reader is live.
"""

import re
from typing import Literal, NamedTuple

LIMIT = 2000  # a longer "tag" is text
REASONING = frozenset({"think", "thinking", "reasoning"})
_DROPPED_NAMES = (
    "script style iframe object embed applet template noscript svg xmp noembed noframes"
)
DROPPED = frozenset(_DROPPED_NAMES.split())
"""Elements that go with their content."""
_KNOWN_NAMES = """
    a abbr address area article aside audio b base basefont bdi bdo big blink blockquote body br
    button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir
    div dl dt em fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head
    header hr html i img input ins isindex kbd keygen label legend li link main map mark marquee
    math menu meta meter nav nobr ol optgroup option output p param picture plaintext pre progress q
    rp rt ruby s samp search section select small source span strike strong sub summary sup table
    tbody td textarea tfoot th thead time title tr track tt u ul var video wbr
"""
_KNOWN = frozenset(_KNOWN_NAMES.split())
_BREAK_NAMES = "p div br hr h1 h2 h3 h4 h5 h6 ul ol dl dt dd blockquote pre section"
_BREAKS = frozenset(_BREAK_NAMES.split())
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]*)(.*)>", re.DOTALL)
_ATTRIBUTES = re.compile(
    r"""(?:[\s/]*(?:[^\s"'<>/=]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]*)"""
    r"""|(?:disabled|checked|hidden|async|defer|controls|autoplay|open|nowrap|selected)\b))*[\s/]*"""
)


class Tag(NamedTuple):
    """A complete tag: name in lower case, whether it closes, and where it ends in the text."""

    name: str
    closing: bool
    end: int


def read_tag(text: str, *, final: bool) -> Tag | Literal["open", "none"]:
    """The tag that `text` starts with; "open" when more text could complete it, "none" if not.

    `text` starts with "<".
    """
    if not re.match(r"</?(?:[A-Za-z]|$)", text):
        return "none"
    end = _tag_end(text)
    if end == -1:
        return "none" if final else "open"
    found = _TAG.fullmatch(text[:end]) if end is not None else None
    if found is None or end is None:
        return "none"
    name = found[2].lower()
    if name not in _KNOWN | DROPPED | REASONING or not _ATTRIBUTES.fullmatch(found[3]):
        return "none"
    return Tag(name, found[1] == "/", end)


def _tag_end(text: str) -> int | None:
    """Index after the tag's ">"; -1 when it has not come yet, None when it cannot come."""
    quote = ""
    for i, char in enumerate(text[1:LIMIT], 1):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == ">":
            return i + 1
        elif char == "<":
            return None
        if char == "\n" and text[i - 1] == "\n":
            return None
    return -1 if len(text) < LIMIT else None


class TableWriter:
    """Turns table tags into the rows of a Markdown table, and other tags into breaks."""

    def __init__(self) -> None:
        self.depth = 0
        self._cells = 0
        self._rows = 0

    def write(self, tag: Tag) -> str:
        """The text that stands for the tag."""
        if tag.name == "table":
            self.depth = max(0, self.depth + (-1 if tag.closing else 1))
            self._rows = self._cells = 0
            return "\n\n" if tag.closing or self.depth == 1 else " "
        if self.depth == 0:
            if tag.name == "li":
                return "" if tag.closing else "\n- "
            return "\n" if tag.name in _BREAKS and (not tag.closing or tag.name == "p") else ""
        if tag.name == "tr":
            return self._row_end() if tag.closing else "| "
        if tag.name in {"td", "th"} and tag.closing:
            self._cells += 1
            return " | "
        return " " if tag.name in _BREAKS else ""

    def _row_end(self) -> str:
        self._rows += 1
        rule = "\n" + "|---" * self._cells + "|" if self._rows == 1 and self._cells else ""
        self._cells = 0
        return rule + "\n"
