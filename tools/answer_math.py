"""Formulas at a position of an answer: $…$, $$…$$, \\(…\\), \\[…\\]; money is none."""

import re

INLINE = 300  # longest inline formula, characters
DISPLAY = 3000
_CLOSING = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_DOLLARS = {"\\(": "$", "\\[": "$$", "$$": "$$"}
_BLANK = re.compile(r"\n[ \t]*\n")
_CLOSE_DOLLAR = re.compile(r"(?<![\s\\])\$(?!\d)")
_JOINED = re.compile(r"\](?=[(:])")
_TAG = re.compile(r"<(?=/?[A-Za-z][A-Za-z0-9:-]*[\s/>]|!)")

Step = tuple[int, str]


def read_dollar(text: str, *, final: bool, safe: bool) -> Step | None:
    """(characters taken, text written) for `text` that starts with one or two dollar signs.

    None: more text must come. `safe`: no tag and no link survives inside.
    """
    if text.startswith("$$"):
        return read_marked(text, "$$", final=final, safe=safe, dollars=False)
    body = text[1 : INLINE + 1]
    line = body.partition("\n")[0]
    unfinished = len(line) == len(body) < INLINE and not final
    close = _CLOSE_DOLLAR.search(line)
    # "$5/$" may go on with a digit: "$5/$10" is money
    if unfinished and (close is None or close.end() == len(line)):
        return None
    if close is None or close.start() == 0 or line[0].isspace():
        return 1, "$"
    return close.end() + 1, f"${_quiet(line[: close.start()], safe)}$"


def read_marked(text: str, mark: str, *, final: bool, safe: bool, dollars: bool) -> Step | None:
    r"""The same for `$$`, `\(` and `\[`. `dollars`: write the latter two as $ and $$."""
    limit = INLINE if mark == "\\(" else DISPLAY
    close = _CLOSING[mark]
    end = text.find(close, len(mark), limit)
    blank = _BLANK.search(text, 0, limit)
    if blank and (end < 0 or blank.start() < end):
        return len(mark), mark
    if end < 0:
        return (len(mark), mark) if final or len(text) >= limit else None
    inner = text[len(mark) : end]
    opened, closed = (_DOLLARS[mark], _DOLLARS[mark]) if dollars else (mark, close)
    inner = inner.strip() if opened == "$" else inner
    return end + len(close), f"{opened}{_quiet(inner, safe)}{closed}"


def _quiet(formula: str, safe: bool) -> str:
    """A formula in which a viewer without mathematics sees no tag and no link."""
    return _JOINED.sub("] ", _TAG.sub("< ", formula)) if safe else formula
