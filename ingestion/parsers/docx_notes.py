"""Footnotes and endnotes of Word files, which the engine leaves out."""

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring

from ...core.document import Block

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_KINDS = ("footnote", "endnote")
_MOST_BYTES = 64 << 20
_ENOUGH = 40
"""Characters, blanks left out, by which a paragraph's block is found."""


def with_notes_of(path: Path, blocks: Sequence[Block]) -> list[Block]:
    """The blocks with each note behind the paragraph that refers to it, numbered anew; a note
    whose paragraph is not found stands at the end. A file without notes, or none that can be read,
    leaves them as they are."""
    try:
        with zipfile.ZipFile(path) as archive:
            notes = dict(_notes(archive))
            referring = list(_referring(_part(archive, "document"))) if notes else []
    except (OSError, KeyError, ValueError, ParseError, zipfile.BadZipFile):
        return list(blocks)
    behind: dict[int, list[str]] = {}
    at = 0
    for text, ids in referring:
        at = next((n for n in range(at, len(blocks)) if _holds(blocks[n], text)), at)
        found = at if blocks and _holds(blocks[at], text) else len(blocks) - 1
        behind.setdefault(found, []).extend(notes.pop(i) for i in ids if i in notes)
    behind.setdefault(len(blocks) - 1, []).extend(notes.values())
    placed = [made for n, block in enumerate(blocks) for made in (block, *_made(behind.get(n, ())))]
    return [block.model_copy(update={"index": n}) for n, block in enumerate(placed)]


def _made(notes: Sequence[str]) -> Iterator[Block]:
    return (Block(index=0, kind="footnote", text=note, raw_type="note") for note in notes)


def _notes(archive: zipfile.ZipFile) -> Iterator[tuple[tuple[str, str], str]]:
    for kind in _KINDS:
        if f"word/{kind}s.xml" not in archive.namelist():
            continue
        for note in _part(archive, f"{kind}s").iter(f"{_W}{kind}"):
            # Those with a type are the lines that separate notes from text.
            text = "" if note.get(f"{_W}type") not in (None, "normal") else _text(note)
            if text:
                yield (kind, note.get(f"{_W}id", "")), text


def _referring(document: Element) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Paragraphs with references to notes: their text and which notes they name."""
    for paragraph in document.iter(f"{_W}p"):
        named = [
            (kind, mark.get(f"{_W}id", ""))
            for kind in _KINDS
            for mark in paragraph.iter(f"{_W}{kind}Reference")
        ]
        if named:
            yield _text(paragraph), named


def _part(archive: zipfile.ZipFile, name: str) -> Element:
    entry = archive.getinfo(f"word/{name}.xml")
    if entry.file_size > _MOST_BYTES:
        raise ValueError(f"word/{name}.xml is too large")
    return fromstring(archive.read(entry))


def _text(element: Element) -> str:
    return " ".join("".join(part.text or "" for part in element.iter(f"{_W}t")).split())


def _holds(block: Block, text: str) -> bool:
    words = "".join(text.split())[:_ENOUGH]
    return bool(words) and words in "".join((block.text or block.html).split())
