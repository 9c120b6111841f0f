"""Text of content lists in one normal form, equal for the first and the second list version."""

import re
from typing import Any

from .loose import words

_MATH = re.compile(r"\$\$.+?\$\$|(?<!\\)\$(?!\s*\d[\d.,]*\s*(?:\\\$|$))(?:\\.|[^$\\])+\$", re.S)
_ESCAPED = re.compile(r"\\([_*$#~`<>|&\[\]{}()+.!-])")
_BREAK = re.compile(r"[ \t\u00a0]*\n[ \t\u00a0]*")
_BLANKS = re.compile(r"[ \t\u00a0]+")


def normal(text: str) -> str:
    """Markdown escapes undone outside formulas, one blank around inline formulas, single blanks."""
    pieces: list[str] = []
    start = 0
    for math in _MATH.finditer(text):
        pieces.append(_ESCAPED.sub(r"\1", text[start : math.start()]))
        pieces.append(f" {_trimmed(math.group())} ")
        start = math.end()
    pieces.append(_ESCAPED.sub(r"\1", text[start:]))
    return _BREAK.sub("\n", _BLANKS.sub(" ", "".join(pieces))).strip()


def _trimmed(math: str) -> str:
    if math.startswith("$$"):
        return f"$$\n{math[2:-2].strip()}\n$$"
    return f"${math[1:-1].strip()}$"


def phrases(value: Any) -> list[str]:
    """Captions or notes: a string, a list of strings, a list of spans, a dictionary or nothing."""
    if isinstance(value, str):
        return [text] if (text := normal(value)) else []
    if isinstance(value, dict):
        return phrases(value.get("content", value.get("text")))
    if not isinstance(value, list):
        return phrases(words(value))
    if any(isinstance(part, dict) for part in value):
        return [text for text in (normal(p) for p in _span_groups(value)) if text]
    return [text for part in value for text in phrases(part)]


def _span_groups(spans: list[Any]) -> list[str]:
    """Text spans side by side are captions of their own; a formula glues its neighbours."""
    groups: list[str] = []
    glued = False
    for span in spans:
        math = isinstance(span, dict) and "equation" in str(span.get("type"))
        text = span_text(span)
        if groups and (glued or math):
            groups[-1] += text
        else:
            groups.append(text)
        glued = math
    return groups


def span_text(value: Any) -> str:
    """The text of spans however nested; formulas between dollars."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(span_text(part) for part in value)
    if not isinstance(value, dict):
        return words(value)
    inner = span_text(value.get("content", value.get("text", value.get("item_content", ""))))
    if "equation" in str(value.get("type")) and inner:
        return f" ${inner.strip()}$ "
    return inner


def items_of(value: Any) -> list[str]:
    """Items of a list block: strings, spans or dictionaries."""
    if not isinstance(value, list):
        return [value] if isinstance(value, str) else []
    return [text for item in value if (text := span_text(item))]
