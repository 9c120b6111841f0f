"""What a caption looks like: "图2.1 水位", not "图2.1给出了…"."""

import re

from ..core.document import Block
from ..core.label import Label, find_labels, parse_label

_MAX_CAPTION = 300
CAPTION_KINDS = frozenset({"figure", "table", "scheme", "algorithm"})
# A cheap look before the labels are read: what captions begin with.
_LIKELY = re.compile(
    r"\W{0,3}(?:[图圖表附插续續照]|fig|tab|chart|graph|plate|scheme|algorithm|exhibit|box|map|photo)",
    re.I,
)
# "图3给出了…" and "Figure 3 shows …" are sentences about a figure, not its caption.
SENTENCE = re.compile(
    r"^\s*(?:所示|给出|給出|中(?!国|央|心|间|部)|为(?:了)?|是|可见|可知|可以|列出|显示|顯示|表明|说明了|描述了|展示|反映|的(?!确)|所列|所|与图|和图|至图|，|。|、"
    r"|shows?\b|presents?\b|illustrates?\b|is\b|are\b|depicts?\b|gives?\b|lists?\b|summari[sz]es?\b|reports?\b"
    r"|demonstrates?\b|provides?\b|compares?\b|indicates?\b|we\b|and\b|in\b|of\b|,|\))",
    re.I,
)


def own_label(text: str) -> Label | None:
    """The label that a caption begins with; "第3题" numbers a question, not its picture."""
    label = parse_label(text)
    return None if label is not None and label.kind == "question" else label


def is_caption(text: str, *, most: int = _MAX_CAPTION) -> Label | None:
    """The label of a text that has a caption's form: "图2.1 水位", not "图2.1给出了…".

    `most` characters: a longer one is a paragraph that begins with a label.
    """
    body = text.strip()
    if not _LIKELY.match(body) or len(body) > most:
        return None
    spans = find_labels(body[:80])
    if not spans or body[: spans[0].start].strip() or spans[0].label.kind not in CAPTION_KINDS:
        return None
    if len(spans) > 1 and spans[1].start <= spans[0].end:
        return None
    return None if SENTENCE.match(body[spans[0].end :]) else spans[0].label


def fits(block: Block, label: Label) -> bool:
    """Whether a table stands under a table's label, a picture under another."""
    return (label.kind == "table") == (block.kind == "table")
