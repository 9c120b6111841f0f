"""Values of a parser's JSON, read as they are meant.

Older and hand-made files write numbers as text, one value where a list belongs, null for nothing
and words where only blocks should be. What cannot be read is nothing, never an error: one odd value
must not cost the document.
"""

import math
from typing import Any

_MOST = 10**9  # no page, row or level is beyond it


def number(value: Any) -> float | None:
    """A finite number, written as one or as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def whole(value: Any) -> int | None:
    """A whole number, written as one, with a decimal point or as text."""
    found = number(value)
    return int(found) if found is not None and abs(found) <= _MOST else None


def numbers(value: Any) -> list[float]:
    """The finite numbers of a list."""
    found = map(number, value) if isinstance(value, list) else ()
    return [one for one in found if one is not None]


def entries(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; one alone is a list of one."""
    if isinstance(value, dict):
        return [value]
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def words(value: Any) -> str:
    """Text; numbers as text, the parts of a list as lines, "" for anything else."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(words, value)))
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return ""
    return str(value)
