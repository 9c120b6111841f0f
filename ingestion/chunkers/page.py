"""One chunk a page: text, tables and figures as Markdown."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ...core.document import Block
from ..structure import Placed
from ..tables import markdown, read_table
from .draft import TEXT_KINDS, Draft
from .place import Place, places_of


def page_chunks(items: Sequence[Placed]) -> Iterator[Draft]:
    """Drafts by page; a document without pages is one."""
    for page, group in groupby(items, key=lambda item: item.block.page or 0):
        members = list(group)
        text, places = "", list[Place]()
        for item in members:
            line = _line(item.block)
            text += "\n" if text and line else ""
            if line:
                places.extend(places_of(item.block, len(text), len(line)))
            text += line
        if text:
            yield Draft(
                text=text,
                blocks=tuple(item.block for item in members),
                places=tuple(places),
                section=members[0].section,
                semantic=f"page{page}",
            )


def _line(block: Block) -> str:
    if block.kind == "title":
        return f"{'#' * min(block.level or 1, 6)} {block.text.strip()}"
    if block.kind in TEXT_KINDS:
        return block.text.strip() or block.latex.strip()
    notes = [*block.captions, *block.footnotes]
    if block.kind == "table" and block.html:
        return "\n".join([*block.captions, markdown(read_table(block.html)), *block.footnotes])
    return "\n".join(notes)
