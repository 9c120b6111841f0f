"""Chunks of figures: one a picture, a long table as parts that repeat caption and head."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..core.chunk import ChunkType, Figure
from ..core.document import Block
from .chunkers.draft import Draft
from .chunkers.place import Place, located, noted, places_of
from .chunkers.split import split
from .tables import Table, html_of, markdown, split_rows
from .visual_kinds import SLIDE
from .visuals import Visual

_AROUND = 8


def figure_drafts(
    place: int, visual: Visual, figure: Figure, size: int, blocks: Mapping[int, Block]
) -> Iterator[Draft]:
    """One draft a picture; a long table as parts that repeat its head.

    `blocks` are all of the document by index: captions may have been taken from them.
    """
    semantic = f"f{visual.group if visual.group is not None else place}"
    kind: ChunkType = figure.kind
    common: dict[str, Any] = {
        "blocks": (visual.captioned.block,),
        "section": visual.placed.section,
        "semantic": semantic,
        "chunk_type": kind,
        "figure": place,
    }
    if visual.table is None:
        text = _picture_text(visual, figure)[:size]
        slide = visual.text if visual.captioned.block.meta.get("sub") == SLIDE else ""
        embed = "\n".join(filter(None, (_headline(figure), figure.summary, slide)))
        places = _places(visual, text, figure, blocks)
        yield Draft(text=text, embed=embed, places=places, **common)
        return
    parts = list(_table_parts(visual.table, figure, size))
    total = sum(len(part.text) for part in parts)
    done = 0
    for part in parts:
        text = "\n".join(filter(None, (_short(figure.caption, size), part.text, part.note)))
        embed = "\n".join(filter(None, (text, _around(figure))))
        middle = done + len(part.text) // 2
        done += len(part.text)
        places = _places(visual, text, figure, blocks, (middle, total))
        yield Draft(text=text, html=part.html, embed=embed, places=places, **common)


def says_nothing(visual: Visual, figure: Figure) -> bool:
    """A missing picture of which nothing is said: neither shown nor found."""
    said = figure.caption or figure.footnote or figure.label_text or visual.text or visual.table
    return not figure.available and not said


def _places(
    visual: Visual,
    text: str,
    figure: Figure,
    blocks: Mapping[int, Block],
    part: tuple[int, int] | None = None,
) -> tuple[Place, ...]:
    """Captions, notes and the text around a picture stand in boxes of their own.

    `part` is the middle of a table's part and the length of the whole: which half holds it. A
    picture, also of a table, stands in the first.
    """
    block = visual.captioned.block
    known = noted(block)
    for index in visual.captioned.extra:
        known.append(_standing(blocks[index], blocks[index].text))
    around = {"before": figure.context_before, "after": figure.context_after}
    for near in range(block.index - _AROUND, block.index + _AROUND + 1):
        words = " ".join(blocks[near].text.split()) if near in blocks else ""
        if around["before"] and near < block.index and words.endswith(around["before"]):
            known.append(_standing(blocks[near], around["before"]))
        elif words and near < block.index and words in around["before"]:
            known.append(_standing(blocks[near], words))
        if around["after"] and near > block.index and words.startswith(around["after"]):
            known.append(_standing(blocks[near], around["after"]))
    middle, length = part or (0, 0)
    halves = [place for place in places_of(block, 0, length) if place.start <= middle]
    return located(text, replace(halves[-1 if part else 0], start=0), known)


def _standing(block: Block, text: str) -> tuple[str, Place]:
    return " ".join(text.split()), Place(0, block.page, block.bbox)


def _headline(figure: Figure) -> str:
    return figure.caption or figure.label_text


def _around(figure: Figure) -> str:
    return figure.summary if not figure.caption else ""


def _picture_text(visual: Visual, figure: Figure) -> str:
    """Words of the document about the picture: caption, notes, what it says, else its context."""
    own = "\n".join(filter(None, (figure.caption, figure.footnote, visual.text)))
    near = "\n".join(filter(None, (figure.context_before, figure.context_after)))
    return own or near or figure.section_path or figure.doc_title


def _short(text: str, size: int) -> str:
    return text if len(text) <= size // 2 else text[: size // 2 - 1] + "…"


@dataclass(frozen=True)
class _TablePart:
    """A part of a table as it is stored."""

    text: str
    html: str
    note: str = ""


def _table_parts(table: Table, figure: Figure, size: int) -> Iterator[_TablePart]:
    room = max(size - len(_short(figure.caption, size)) - 2, size // 4)
    note = _short(figure.footnote, room) if figure.footnote else ""
    parts = split_rows(table, room)
    for number, part in enumerate(parts):
        text = markdown(part)
        last = number + 1 == len(parts)
        fits = last and len(text) + len(note) + 1 <= room
        for piece in _row_pieces(text, room):
            yield _TablePart(piece, html_of(part.rows, part.head), note if fits else "")
        if last and note and not fits:
            yield _TablePart("", "", note)


def _row_pieces(text: str, room: int) -> Iterator[str]:
    """A part that is one row longer than allowed, cut between its cells and sentences."""
    if len(text) <= room:
        yield text
        return
    lines = text.replace(" | ", " |\n")
    pieces = (lines[start:end] for start, end in split(lines, room, 0))
    yield from (piece for piece in pieces if re.search(r"\w", piece))
