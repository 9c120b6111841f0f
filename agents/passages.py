"""What the writer reads: evidence groups as numbered passages, and their form in a prompt."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from ..core.chunk import Chunk, ChunkType, Figure
from ..core.evidence import Evidence
from ..core.model import Noun
from ..core.ports import Catalog
from .extractive_heads import Grid
from .extractive_tables import html_grids, markdown_grids

# Split texts share this many characters at most; a longer common part is no overlap.
_LONGEST_OVERLAP = 400
_FENCE = re.compile(r"<(?=/?\s*passage\b)", re.IGNORECASE)
_CJK_OR_WIDE = re.compile(r"[^\x00-\u02ff]")
_LATIN = re.compile(r"[A-Za-z]+|\d|[^\sA-Za-z\d]")


class Passage(Noun):
    """An evidence group as the writer sees it and cites it: [n].

    `text` is verbatim document text, the chunks in document order without the overlap of split
    chunks; `html` holds the tables, joined by a newline.
    """

    n: int
    title: str
    section_path: str = ""
    page_start: int | None = None
    page_end: int | None = None
    chunk_type: ChunkType = "section_text"
    text: str = ""
    html: str = ""
    chunk_ids: tuple[str, ...] = ()
    doc_id: str = ""
    hit_text: str = ""
    """Text of the chunk that was found; the rest are its neighbours."""
    score: float = 0.0
    meaning: float = 0.0
    """Cosine to the query by which the dense leg found it; 0: another leg did."""
    row: bool = False
    """Whether it was taken in for a row of a table that the question names."""

    @cached_property
    def grids(self) -> list[Grid]:
        """The passage's tables as rows of cell texts, read once."""
        return html_grids(self.html) if self.html else markdown_grids(self.text)

    @property
    def pages(self) -> str:
        """`5`, `5-6` or nothing."""
        if self.page_start is None:
            return ""
        if self.page_end is None or self.page_end == self.page_start:
            return str(self.page_start)
        return f"{self.page_start}-{self.page_end}"


def load_passages(
    catalog: Catalog, evidence: Sequence[Evidence], meanings: Mapping[str, float] | None = None
) -> list[Passage]:
    """The passages of evidence groups; a group whose chunks are all gone is left out.

    `meanings` are cosines of found chunks, by chunk id.
    """
    wanted = [chunk_id for group in evidence for chunk_id in group.chunk_ids]
    chunks = {chunk.chunk_id: chunk for chunk in catalog.chunks(wanted)}
    passages = []
    for group in evidence:
        members = [chunks[i] for i in group.chunk_ids if i in chunks]
        if members:
            meaning = max(((meanings or {}).get(i, 0.0) for i in group.chunk_ids), default=0.0)
            passages.append(_passage(group, members).model_copy(update={"meaning": meaning}))
    return passages


def context_form(passages: Sequence[Passage], figures: Sequence[Figure], budget_tokens: int) -> str:
    """The context of a prompt: passages fenced as data, then the figures with their ids.

    Stays within `budget_tokens` by the safe estimate: figures' lines are kept first, later
    passages are shortened or left out before earlier ones.
    """
    tail = _figure_lines(figures)
    room = budget_tokens - estimate_tokens(tail)
    parts = []
    for passage in passages:
        head = f"{_head(passage)}\n<passage n={passage.n}>\n"
        foot = "\n</passage>"
        space = room - estimate_tokens(head) - estimate_tokens(foot) - 1
        body = _fenced(passage.text)
        if estimate_tokens(body) > space:
            body = _shortened(body, space)
        if not body:
            break
        parts.append(head + body + foot)
        room -= estimate_tokens(parts[-1]) + 1
    return "\n\n".join([*parts, tail] if tail else parts)


def estimate_tokens(text: str) -> int:
    """A count that no common tokenizer exceeds by much: 1 a wide character, digit or mark, and
    one for each three letters of a Latin word."""
    wide = len(_CJK_OR_WIDE.findall(text))
    narrow = _CJK_OR_WIDE.sub(" ", text)
    return wide + sum(-(-len(piece) // 3) for piece in _LATIN.findall(narrow))


def _passage(group: Evidence, members: Sequence[Chunk]) -> Passage:
    hit = next((c for c in members if c.chunk_id == group.chunk_id), members[0])
    starts = [c.page_start for c in members if c.page_start is not None]
    ends = [c.page_end or c.page_start for c in members if c.page_start is not None]
    return Passage(
        n=group.n,
        title=hit.doc_title,
        section_path=hit.section_path,
        page_start=min(starts, default=None),
        page_end=max((end for end in ends if end is not None), default=None),
        chunk_type=hit.chunk_type,
        text=_joined([c.text for c in members]),
        html="\n".join(c.html for c in members if c.html),
        chunk_ids=tuple(c.chunk_id for c in members),
        doc_id=hit.doc_id,
        hit_text=hit.text,
        score=group.score,
        row=group.row,
    )


def _joined(texts: Sequence[str]) -> str:
    """Texts one after the other; what the end of one and the start of the next share, once."""
    whole = ""
    for text in texts:
        shared = _overlap(whole, text)
        if not whole:
            whole = text
        else:
            whole += text[shared:] if shared else "\n" + text
    return whole


def _overlap(left: str, right: str) -> int:
    """Length of the longest end of `left` that begins `right`; too short ones are chance."""
    for size in range(min(len(left), len(right), _LONGEST_OVERLAP), 7, -1):
        if left.endswith(right[:size]):
            return size
    return 0


def _head(passage: Passage) -> str:
    pages = f"p. {passage.pages}" if passage.pages else ""
    fields = [passage.title, passage.section_path, pages, passage.chunk_type]
    return f"[{passage.n}] " + " · ".join(_one_line(field) for field in fields if field)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fenced(text: str) -> str:
    """The text, unable to close or open the fence around it."""
    return _FENCE.sub("<\u200b", text)


def _shortened(text: str, space: int) -> str:
    """The longest beginning of `text` that fits `space` tokens with an ellipsis."""
    if space < 20:
        return ""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) + 1 <= space:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def _figure_lines(figures: Sequence[Figure]) -> str:
    if not figures:
        return ""
    lines = ["figures:"]
    for figure in figures:
        about = figure.description or figure.summary
        fields = [figure.label_text, figure.caption, figure.doc_title]
        text = " · ".join(_one_line(field) for field in fields if field)
        lines.append(f"- id={figure.figure_id} · {figure.kind} · {text}".rstrip(" ·"))
        if about and figure.described:
            lines.append(f"  (machine-made description) {_fenced(_one_line(about))[:300]}")
    return "\n".join(lines)
