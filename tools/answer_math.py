"""Formulas at a position of an answer: $…$, $$…$$, \\(…\\), \\[…\\]; money is none.

Viewers take `$$` at the end or the beginning of a line for a mark of its own line: a formula over
several lines with words beside its marks would swallow what follows. It is written on its own
lines or else in one.
"""

import re

INLINE = 300  # longest inline formula, characters
DISPLAY = 3000
_CLOSING = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_DOLLARS = {"\\(": "$", "\\[": "$$", "$$": "$$"}
_BLANK = re.compile(r"\n[ \t]*\n")
_CLOSE_DOLLAR = re.compile(r"(?<![\s\\])\$(?!\d)")
_JOINED = re.compile(r"\](?=[(:])")
_COMMENT = re.compile(r"(?<!\\)%")
_TAG = re.compile(r"<(?=/?[A-Za-z][A-Za-z0-9:-]*[\s/>]|!)")

Step = tuple[int, str]


def read_dollar(text: str, *, final: bool, safe: bool, line: str | None = None) -> Step | None:
    """(characters taken, text written) for `text` that starts with one or two dollar signs.

    None: more text must come. `safe`: no tag and no link survives inside. `line`: see read_marked.
    """
    if text.startswith("$$"):
        return read_marked(text, "$$", final=final, safe=safe, line=line)
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


def read_marked(text: str, mark: str, *, final: bool, safe: bool, line: str | None) -> Step | None:
    r"""The same for `$$`, `\(` and `\[`.

    `line`, what stands before it on its line: the latter two are written as $ and $$, and several
    lines as one where words stand beside the marks. None: the formula stays as it is written.
    """
    limit = INLINE if mark == "\\(" else DISPLAY
    close = _CLOSING[mark]
    end = text.find(close, len(mark), limit)
    blank = _BLANK.search(text, 0, limit)
    if blank and (end < 0 or blank.start() < end):
        return len(mark), mark
    if end < 0:
        return (len(mark), mark) if final or len(text) >= limit else None
    inner = text[len(mark) : end]
    opened, closed = (mark, close) if line is None else (_DOLLARS[mark], _DOLLARS[mark])
    inner = inner.strip() if opened == "$" else inner
    if opened == "$$" and line is not None and "\n" in inner:
        after = text[end + len(close) :].lstrip(" \t\r")
        if not after and not final:
            return None
        inner = _laid_out(inner, alone=not line.strip() and after[:1] in {"", "\n"})
    return end + len(close), f"{opened}{_quiet(inner, safe)}{closed}"


def _laid_out(formula: str, *, alone: bool) -> str:
    """A formula of several lines between marks on lines of their own, or in one line.

    LaTeX takes a line break for a blank, but for one that ends a comment.
    """
    if alone or _COMMENT.search(formula):
        return "\n" + formula.strip("\n") + "\n"
    return " ".join(formula.split())


def _quiet(formula: str, safe: bool) -> str:
    """A formula in which a viewer without mathematics sees no tag and no link."""
    return _JOINED.sub("] ", _TAG.sub("< ", formula)) if safe else formula
