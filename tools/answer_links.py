"""Markdown links, their definitions and bare addresses, at a position of an answer.

Each reader says how long its construct is, that it is none, or (None) that more text must come.
"""

import re
from typing import NamedTuple

_LABEL = 200  # longest link text, characters; a longer one is harmless, see Scanner._apart
_TARGET = 2000
_DEFINITION = re.compile(r"\[[^\]\n]{1,200}\]:[ \t]*(?:\n[ \t]*)?<?(\S+)[^\n]*")
_DEFINITION_START = re.compile(r"\[[^\]\n]{0,200}(?:\]:|\]?$)")
_BLANK = re.compile(r"\n[ \t]*\n")
_URL_START = re.compile(r"(?:https?|ftp)://|www\.", re.IGNORECASE)
_URL_STARTS = ("http://", "https://", "ftp://", "www.")
_URL_BODY = re.compile(r"[A-Za-z0-9\-._~:/?#@!$&*+,;=%]+")
# "[1](2020年)" is a marker and a bracket, not a link.
_ADDRESS = re.compile(r"[:/#?%&\\@<]|\w\.[A-Za-z]|^$")


class Link(NamedTuple):
    """A construct of `length` characters; length 0: there is none."""

    length: int = 0
    label: str = ""
    target: str = ""

    @property
    def is_address(self) -> bool:
        """Whether it really leads somewhere."""
        return self.length > 0 and _ADDRESS.search(self.target) is not None


def read_link(text: str, *, final: bool) -> Link | None:
    """[label](target) at the start of `text`."""
    end = _matching(text, 0, "[]", _LABEL)
    if end == -1 or end + 1 == len(text):
        return Link() if final else None
    if end < 0 or text[end + 1] != "(":
        return Link()
    close = _matching(text, end + 1, "()", _TARGET)
    if close < 0:
        return None if close == -1 and not final else Link()
    target = text[end + 2 : close].strip().strip("<>").partition(" ")[0]
    return Link(close + 1, text[1:end], target)


def read_image(text: str, *, final: bool) -> Link | None:
    """What follows the "!" of a picture: [alt](target), [alt][name] or [alt]."""
    link = read_link(text, final=final)
    if link is None or link.length:
        return link
    end = _matching(text, 0, "[]", _LABEL)
    if end < 0:
        return link
    if not text.startswith("[", end + 1):
        return Link(end + 1, text[1:end])
    close = _matching(text, end + 1, "[]", _LABEL)
    if close == -1 and not final:
        return None
    return Link((close if close >= 0 else end) + 1, text[1:end])


def _matching(text: str, start: int, pair: str, limit: int) -> int:
    """Index of the bracket that closes the one at `start`; -1: not yet, -2: it cannot come."""
    depth = 0
    i = start
    stop = min(len(text), start + limit)
    while i < stop:
        char = text[i]
        if char == "\\":
            i += 2
            continue
        if char == "\n" and (pair == "[]" or text[i - 1] == "\n"):
            return -2
        depth += (char == pair[0]) - (char == pair[1])
        if depth == 0:
            return i
        i += 1
    return -1 if len(text) < start + limit else -2


def read_definition(text: str, *, final: bool) -> Link | None:
    """A link's definition ("[r]: https://…"), which makes every [r] live."""
    if not _DEFINITION_START.match(text):
        return Link()
    found = _DEFINITION.match(text)
    complete = found is not None and found.end() < len(text)
    if not complete and not final and len(text) < _TARGET and not _BLANK.search(text):
        return None
    if found is None or not re.search(r"[:/]|&#|\w\.\w", found[1]):
        return Link()
    return Link(found.end())


def read_url(text: str, *, final: bool) -> tuple[int, str] | None:
    """A bare address: its length and what is shown of it, code without scheme and query.

    (0, "") when `text` starts with none.
    """
    start = _URL_START.match(text)
    if start is None:
        may = any(s.startswith(text[:8].lower()) for s in _URL_STARTS)
        return None if may and not final else (0, "")
    body = _URL_BODY.match(text, start.end())
    end = body.end() if body else start.end()
    if end == len(text) and not final and len(text) < _TARGET:
        return None
    url = text[:end].rstrip(".,;:!?*_~")
    shown = re.sub(r"^(?:https?|ftp)://", "", url, flags=re.IGNORECASE)
    shown = re.split(r"[?#]", shown)[0].rstrip("/")
    return max(len(url), start.end()), f"`{shown}`" if shown else ""
