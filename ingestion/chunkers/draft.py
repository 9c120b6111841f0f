"""What a chunker yields, and running text that remembers its blocks."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...core.chunk import ChunkType
from ...core.document import Block, Section
from ..structure import Placed
from .place import Place, last_page, places_of, within
from .split import Span, split

TEXT_KINDS = frozenset(
    {
        "text",
        "list",
        "equation",
        "code",
        "footnote",
        "aside",
        "header",
        "footer",
        "unknown",
        "title",
    }
)
_UNFINISHED = re.compile(r"[^。！？!?.…：:；;”\"'）)\]】|\d%]$")


@dataclass(frozen=True)
class Draft:
    """A chunk before it has its ids. `semantic` names what it belongs to within the document."""

    text: str
    blocks: tuple[Block, ...]
    section: Section | None
    semantic: str
    chunk_type: ChunkType = "section_text"
    html: str = ""
    embed: str = ""
    """What is embedded instead of `text`, when set (a figure's caption and summary)."""
    figure: int | None = None
    number: str = ""
    """Number of a clause that has no heading ("5.2.1"), and `title` as it is said ("第三条")."""
    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    places: tuple[Place, ...] = ()
    """Where on the pages the parts of `text` stand; empty: all of it where the blocks are."""

    @property
    def position(self) -> int:
        """Index of the first block: the place in the reading order."""
        return self.blocks[0].index if self.blocks else -1


@dataclass(frozen=True)
class Run:
    """Blocks written one after the other; `spans` are their places in `text`."""

    text: str
    spans: tuple[Span, ...]
    placed: tuple[Placed, ...]

    def within(self, start: int, end: int) -> tuple[Placed, ...]:
        """The blocks that share a character with text[start:end]."""
        first, last = self._reach(start, end)
        pairs = zip(self.placed[first:last], self.spans[first:last], strict=True)
        return tuple(item for item, (a, b) in pairs if a < end and b > start)

    def places(self, start: int, end: int) -> tuple[Place, ...]:
        """Where the parts of text[start:end] without its outer blanks stand."""
        piece = self.text[start:end]
        begin = start + len(piece) - len(piece.lstrip())
        first, last = self._reach(begin, begin + len(piece.strip()))
        found = [
            place
            for item, (a, b) in zip(self.placed[first:last], self.spans[first:last], strict=True)
            for place in places_of(item.block, a, b - a)
        ]
        return within(found, begin, begin + len(piece.strip()))

    def _reach(self, start: int, end: int) -> tuple[int, int]:
        """From the block that begins at `start` or last before it to the one behind the last that
        begins before `end`: a run may have thousands."""
        return max(0, bisect_right(self._starts, start) - 1), bisect_left(self._starts, end)

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.spans]

    def atoms(self) -> list[Span]:
        """Places of the blocks that must stay whole: formulas."""
        pairs = zip(self.placed, self.spans, strict=True)
        return [span for item, span in pairs if item.block.kind == "equation"]


def run_of(items: Sequence[Placed]) -> Run:
    """Write text blocks one after the other; a paragraph cut by a page end is joined again."""
    pieces = [""]
    length = 0
    spans: list[Span] = []
    used: list[Placed] = []
    for item in items:
        body = body_of(item.block)
        if not body:
            continue
        joint = _joint(pieces[-1], used[-1].block if used else None, item.block)
        length += len(joint)
        spans.append((length, length + len(body)))
        used.append(item)
        pieces += (joint, body)
        length += len(body)
    return Run("".join(pieces), tuple(spans), tuple(used))


def body_of(block: Block) -> str:
    """A text block's words; code with its caption and notes."""
    body = block.text.strip() or block.latex.strip()
    if block.kind == "code":
        return "\n".join(filter(None, (*block.captions, body, *block.footnotes)))
    return body


def page_runs(items: Sequence[Placed]) -> Iterator[Run]:
    """Runs by page; a paragraph that goes on over the page's end keeps its pages together."""
    group: list[Placed] = []
    for item in items:
        before = group[-1].block if group else None
        turned = before is not None and last_page(before) != item.block.page
        if (
            before is not None
            and turned
            and _joint(before.text.strip(), before, item.block) == "\n"
        ):
            yield run_of(group)
            group = []
        group.append(item)
    run = run_of(group)
    if run.text:
        yield run


def _joint(text: str, before: Block | None, block: Block) -> str:
    """What stands between two blocks: nothing or a blank inside one sentence, else a line end."""
    if before is None:
        return ""
    plain = before.kind == "text" and block.kind == "text"
    if not plain or not _UNFINISHED.search(text[-2:]) or before.text.count("\n") > 2:
        return "\n"
    first = block.text.strip()[:1]
    moved = last_page(before) != block.page or bool(block.meta.get("continues"))
    if first.isascii() and first.islower():
        return " "
    long_enough = len(before.text) > 30
    return (
        "" if moved and long_enough and "一" <= first <= "鿿" and "一" <= text[-1] <= "鿿" else "\n"
    )


def cut_run(
    run: Run, size: int, overlap: int, semantic: str, metadata: dict[str, Any] | None = None
) -> Iterator[Draft]:
    """Drafts of a run."""
    for start, end in split(run.text, size, overlap, run.atoms()):
        inside = run.within(start, end)
        if inside:
            yield Draft(
                text=run.text[start:end].strip(),
                blocks=tuple(item.block for item in inside),
                section=inside[0].section,
                semantic=semantic,
                chunk_type=chunk_type(inside),
                metadata=dict(metadata or {}),
                places=run.places(start, end),
            )


def chunk_type(items: Sequence[Placed]) -> ChunkType:
    """`code` or `equation` when there is nothing else, else `section_text`."""
    kinds = {item.block.kind for item in items}
    if kinds == {"code"}:
        return "code"
    return "equation" if kinds == {"equation"} else "section_text"


def texts(items: Sequence[Placed]) -> list[Placed]:
    """The text blocks, headings left out: a chunk carries them in its section path."""
    return [i for i in items if i.block.kind in TEXT_KINDS and i.block.kind != "title"]
