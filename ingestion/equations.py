"""Numbers of equations and algorithms: which labels a text holds, not only mentions."""

import re
from collections.abc import Iterator, Sequence

from ..core.document import Block
from ..core.label import Label, parse_label

_NUMBER = r"[A-Za-z]?\d{1,3}(?:\s*[.．\-–—]\s*\d{1,3}){0,3}[a-z]?"
_TAG = re.compile(rf"\\tag\s*\*?\s*\{{\s*[(（]?\s*(?P<n>{_NUMBER})\s*[)）]?\s*\}}")
_AT_END = re.compile(
    rf"(?:\\left\s*)?[(（]\s*(?P<n>{_NUMBER})\s*(?:\\right\s*)?[)）]\s*[.,。，]?\s*\$*\s*$"
)
_GAP = re.compile(r"(?:\\q?quad|\\hfill|[.…·⋯]{3,}|\s{2,}|\n|[,.;，。；]|[}\])])\s*(?:\\left\s*)?$")
_ALONE = re.compile(rf"^\s*[(（]\s*(?P<n>{_NUMBER})\s*[)）]\s*$")


def held_labels(blocks: Sequence[Block], after: Block | None = None) -> list[str]:
    """Label keys of the equations and algorithms among the blocks ("equation:2.3").

    `after` is the block that follows the last one: it may hold nothing but the number.
    """
    keys: list[str] = []
    for place, block in enumerate(blocks):
        following = blocks[place + 1] if place + 1 < len(blocks) else after
        keys.extend(key for key in _of_block(block, following) if key not in keys)
    return keys


def _of_block(block: Block, following: Block | None) -> Iterator[str]:
    if block.kind == "code":
        label = parse_label(" ".join(block.captions)) if block.captions else None
        if label is not None:
            yield label.key
    if block.kind != "equation":
        return
    numbers = equation_numbers(block.text or block.latex)
    if not numbers and following is not None and (alone := _ALONE.match(following.text)):
        numbers = [alone["n"]]
    for number in numbers:
        if (label := _label(number)) is not None:
            yield label.key


def equation_numbers(text: str) -> list[str]:
    r"""Numbers that a formula carries: \tag{2.3}, or (2.3) at its end, set off from the formula."""
    tags = [match["n"] for match in _TAG.finditer(text)]
    if tags:
        return tags
    body = text.strip().strip("$").strip()
    match = _AT_END.search(body)
    return [match["n"]] if match and _GAP.search(body[: match.start()]) else []


def _label(number: str) -> Label | None:
    label = parse_label(f"式({number})")
    return label if label is not None and label.kind == "equation" else None
