"""A section or article asked for by its number alone is quoted as it stands.

"What does 3.2 say?" shares no word with the section's text, so no sentence can be told by its
words; where two documents have such a section, each is quoted under its name.
"""

import re
from collections.abc import Mapping, Sequence

from ..core.analysis import Analysis
from ..core.chunk import Chunk
from ..core.label import find_labels
from ..tools.labels import LabelFinding
from .analyst_rules import folded
from .exam_items import lines_of, place_of
from .extractive_draft import Draft
from .passages import Passage

MOST_CHARS = 800
"""Of one document's section."""
_KINDS = frozenset({"section", "appendix"})
_ASKING = re.compile(
    r"请问|告诉我|给我|根据|按照?|看看?|一下|概括|总结|说明|描述|介绍|规定|要求|讲述?|说|写|主要|具体|内容|原文"
    r"|什么|哪些|怎么|如何|方面|关于|[的了是有在里中请列出呢吗些个下呀啊]"
    r"|\b(?:what|does|do|is|are|was|say|says|said|about|cover|covers|state|states|content|contents"
    r"|of|the|in|according|to|tell|me|show|read|quote|please|summari[sz]e|describe|explain|give|text"
    r"|document|manual|handbook|report|require|requires)\b",
    re.IGNORECASE,
)


def quote_sections(
    analysis: Analysis,
    finding: LabelFinding | None,
    passages: Sequence[Passage],
    chunks: Mapping[str, Chunk],
    language: str,
) -> Draft | None:
    """The asked sections, verbatim, each line cited; None when more than sections is asked for, or
    none was found."""
    if finding is None or not _asks_sections_alone(analysis, passages):
        return None
    numbers = {chunk_id: p.n for p in passages for chunk_id in p.chunk_ids}
    ids = [i for m in finding.matches if m.label.kind in _KINDS for i in m.chunk_ids]
    own = [chunks[i] for i in dict.fromkeys(ids) if i in chunks and i in numbers]
    by_document: dict[str, list[Chunk]] = {}
    for chunk in own:
        if not chunk.figure_id:
            by_document.setdefault(chunk.doc_id, []).append(chunk)
    lines: list[str] = []
    for members in by_document.values():
        if len(by_document) > 1:
            lines.append(place_of(members[0], language))
        lines += lines_of([(c, c.text) for c in members], numbers, room=MOST_CHARS)
    used = tuple(dict.fromkeys(int(n) for line in lines for n in re.findall(r"\[(\d+)\]$", line)))
    return Draft(text="\n".join(lines), used=used) if lines else None


def _asks_sections_alone(analysis: Analysis, passages: Sequence[Passage]) -> bool:
    """Whether nothing but sections, and perhaps their document, is named."""
    if not analysis.labels or any(label.kind not in _KINDS for label in analysis.labels):
        return False
    text = analysis.rewritten
    for span in reversed(find_labels(text)):
        text = f"{text[: span.start]} {text[span.end :]}"
    for title in sorted({p.title for p in passages if p.title}, key=len, reverse=True):
        text = text.replace(title, " ")
    return not folded(_ASKING.sub(" ", text))
