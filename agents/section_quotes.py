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
from ..tools.named import bare_work, without_names, work_of
from .analyst_rules import folded
from .exam_items import lines_of, place_of
from .extractive_draft import Draft
from .passages import Passage

MOST_CHARS = 800
"""Of one document's section."""
MOST_SAID = 400
"""Of the text under a figure's label."""
_KINDS = frozenset({"section", "appendix"})
_ASKING = re.compile(
    r"请问|告诉我|给我|根据|按照?|看看?|一下|概括|总结|说明|描述|介绍|规定|要求|讲述?|说|写"
    r"|主要|具体|内容|原文"
    r"|什么|哪些|怎么|如何|方面|关于|[的了是有在里中请列出呢吗些个下呀啊]"
    r"|\b(?:what|does|do|is|are|was|say|says|said|about|cover|covers|state|states|content|contents"
    r"|of|the|in|according|to|tell|me|show|read|quote|please|summari[sz]e|describe|explain|give"
    r"|text"
    r"|document|manual|handbook|report|paper|exam|test|slides|standard|require|requires)\b",
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
    if finding is None:
        return None
    numbers = {chunk_id: p.n for p in passages for chunk_id in p.chunk_ids}
    ids = [i for m in finding.matches if m.label.kind in _KINDS for i in m.chunk_ids]
    own = [chunks[i] for i in dict.fromkeys(ids) if i in chunks and i in numbers]
    if any(label.kind not in _KINDS for label in analysis.labels):
        return None
    if not _asks_sections_alone(analysis, own):
        return None
    by_document: dict[tuple[str, str], list[Chunk]] = {}
    for chunk in own:
        if not chunk.figure_id:
            by_document.setdefault((chunk.doc_id, work_of(chunk)), []).append(chunk)
    lines: list[str] = []
    for (_, work), members in by_document.items():
        if len(by_document) > 1:
            lines.append(_titled(members[0], work, language))
        lines += lines_of([(c, c.text) for c in members], numbers, room=MOST_CHARS)
    return Draft(text="\n".join(lines)) if lines else None


def quote_mentions(
    analysis: Analysis,
    finding: LabelFinding,
    passages: Sequence[Passage],
    chunks: Mapping[str, Chunk],
) -> Draft | None:
    """What the text says under a figure's or table's label that no picture carries: a program, a
    drawing of characters. None when there is none."""
    numbers = {chunk_id: p.n for p in passages for chunk_id in p.chunk_ids}
    lines: list[str] = []
    for match in finding.matches:
        if match.exact or match.figure_ids or match.label.kind not in ("figure", "table"):
            continue
        for chunk in (chunks[i] for i in match.chunk_ids[:1] if i in chunks and i in numbers):
            at = next((s.start for s in find_labels(chunk.text) if s.label == match.label), 0)
            begin = max(chunk.text.rfind("\n", 0, at) + 1, 0)
            lines += lines_of([(chunk, chunk.text[begin:])], numbers, room=MOST_SAID)
    alone = _asks_sections_alone(analysis, [chunks[i] for i in numbers if i in chunks])
    return Draft(text="\n".join(lines)) if lines and alone else None


def _titled(chunk: Chunk, work: str, language: str) -> str:
    """The document, and the regulation inside it, before what it says."""
    if not work:
        return place_of(chunk, language)
    return f"{chunk.doc_title} · {bare_work(work)}{'：' if language == 'zh' else ':'}"


def _asks_sections_alone(analysis: Analysis, own: Sequence[Chunk]) -> bool:
    """Whether nothing but sections (or figures), and perhaps their document, is named."""
    if not analysis.labels:
        return False
    text = analysis.rewritten
    for span in reversed(find_labels(text)):
        text = f"{text[: span.start]} {text[span.end :]}"
    titles = {chunk.doc_title for chunk in own if chunk.doc_title}
    works = {bare_work(work) for chunk in own if (work := work_of(chunk))}
    return not folded(_ASKING.sub(" ", without_names(text, [*titles, *works])))
