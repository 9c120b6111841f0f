"""Captions that stand inside a picture's box: read from the PDF's own text.

A full-page figure or a table that was taken for a picture is cut out together with its caption,
and layout analysis gives no text for what is inside a picture.
"""

import re
from collections.abc import Callable, Sequence

from ...core.document import BBox, Block
from ...core.label import find_labels
from ..caption_text import is_caption
from ..clean import dehyphenate

_MARGIN = 0.03  # of the page's height over and under the box
_LINES = 6
_LETTERS = 2  # after the label
_ENDED = re.compile(r"[.。!?！？]\s*$")

Inside = Callable[[Sequence[float]], str]


def with_inner_captions(blocks: Sequence[Block], inside: Inside) -> list[Block]:
    """A page's blocks; pictures without a caption get the one that stands inside their box.

    `inside` gives the text of a box of page fractions. A label that another block of the page
    begins with is taken already.
    """
    heads = [text for b in blocks for text in (b.text, *b.captions, *b.footnotes)]
    taken = {label.key for text in heads if (label := is_caption(text[:200]))}
    done = []
    for block in blocks:
        caption = ""
        if block.kind == "image" and block.bbox and not block.captions:
            caption = _caption(inside(_wider(block.bbox)), taken)
        if caption and (label := is_caption(caption)):
            taken.add(label.key)
            block = block.model_copy(update={"captions": (caption,)})  # noqa: PLW2901
        done.append(block)
    return done


def _caption(text: str, taken: set[str]) -> str:
    """The first lines of `text` that are a caption with a new label; empty without one."""
    lines = [line.strip() for line in text.splitlines()]
    for place, line in enumerate(lines):
        label = is_caption(line)
        if label is None or label.key in taken or not _says(line):
            continue
        found = [line]
        for following in lines[place + 1 : place + _LINES]:
            if _ENDED.search(found[-1]) or not following or is_caption(following):
                break
            found.append(following)
        return " ".join(dehyphenate("\n".join(found)).split())[:300]
    return ""


def _says(line: str) -> bool:
    """Whether words follow the label: "Figure 3: Results", not "Table 3" in a row of cells."""
    return len(re.findall(r"[^\W\d_]", line[find_labels(line[:80])[0].end :])) >= _LETTERS


def _wider(box: BBox) -> list[float]:
    return [box.x0, max(0.0, box.y0 - _MARGIN), box.x1, min(1.0, box.y1 + _MARGIN)]
