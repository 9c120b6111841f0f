"""What a parser yields and what the catalog keeps of a document."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

from pydantic import Field

from .model import Noun

BlockKind = Literal[
    "title",
    "text",
    "list",
    "table",
    "image",
    "chart",
    "equation",
    "code",
    "header",
    "footer",
    "page_number",
    "footnote",
    "aside",
    "toc",
    "unknown",
]
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}$")
VISUAL_KINDS: frozenset[str] = frozenset({"image", "chart", "table"})
SourceType = Literal[
    "document", "slides", "exam", "solution", "notes", "formula_sheet", "page", "standard"
]
FileState = Literal["ready", "partial", "failed", "unchanged", "duplicate", "skipped"]


class BBox(Noun):
    """A box on a page, origin top left, as fractions of the page's width and height (0..1)."""

    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def around(cls, boxes: Sequence["BBox"]) -> "BBox":
        """The smallest box that holds all of the boxes, one at least."""
        return cls(
            x0=min(b.x0 for b in boxes),
            y0=min(b.y0 for b in boxes),
            x1=max(b.x1 for b in boxes),
            y1=max(b.y1 for b in boxes),
        )


class Block(Noun):
    """One parsed layout element, in reading order.

    `page` is the 1-based physical page (None: the format has no pages). `image` names the
    picture inside the parser's output; the bytes come from `ParsedDocument.images`.
    """

    index: int
    kind: BlockKind
    text: str = ""
    html: str = ""
    latex: str = ""
    image: str = ""
    captions: tuple[str, ...] = ()
    footnotes: tuple[str, ...] = ()
    page: int | None = None
    page_end: int | None = None
    bbox: BBox | None = None
    level: int | None = None
    raw_type: str = ""
    meta: dict[str, Any] = Field(default_factory=dict)


class ParsedDocument(Noun):
    """A parser's whole yield: blocks in reading order and where the pictures' bytes are.

    `images` maps a block's `image` name to a file path or to bytes. `page_labels` are the
    printed page labels, one per physical page, where the format has them. `unreadable_pages` are
    physical pages on which no text could be read.
    """

    title: str
    blocks: tuple[Block, ...]
    images: dict[str, str | bytes] = Field(default_factory=dict, repr=False)
    pages: int | None = None
    page_labels: tuple[str, ...] = ()
    unreadable_pages: tuple[int, ...] = ()
    parser: str = ""
    doc_type: str = ""
    warnings: tuple[str, ...] = ()
    source_pdf: str = ""
    incomplete: bool = False
    """The file was cut off: what is here is what was left of it."""


class Section(Noun):
    """A node of the heading tree. `path` joins the titles from the root with " > "."""

    section_id: str
    number: str = ""
    title: str
    level: int
    path: str
    parent: str | None = None
    page_start: int | None = None
    page_end: int | None = None


class BlockAccount(Noun):
    """Nothing is lost in silence: total == indexed + merged + sum(dropped.values())."""

    total: int = 0
    indexed: int = 0
    merged: int = 0
    dropped: dict[str, int] = Field(default_factory=dict)

    @property
    def balanced(self) -> bool:
        """Whether every block is accounted for."""
        return self.total == self.indexed + self.merged + sum(self.dropped.values())


EMPTY_FOLDER = "empty folder"
"""The reason of a report on a folder that holds nothing."""


class FileReport(Noun):
    """What happened to one file; `error` says why and what to do when the state is not ready."""

    path: str
    state: FileState
    doc_id: str = ""
    title: str = ""
    pages: int | None = None
    chunks: int = 0
    figures: int = 0
    blocks: BlockAccount = BlockAccount()
    warnings: tuple[str, ...] = ()
    error: str = ""
    reason: str = ""
    seconds: float = 0.0
    parser: str = ""
    source_type: str = ""
    model_calls: int = 0
    """Calls of vision and chat models for this file in this run; remembered replies are none."""


def split_name(name: str) -> tuple[str, str]:
    """A file's name without its ending, and the ending with its dot; "" where it has none."""
    ending = _SUFFIX.search(name)
    return (name[: ending.start()], ending.group()) if ending else (name, "")


class DocumentRecord(Noun):
    """A document as the catalog keeps it.

    `doc_id` is stable for a source (collection + source key); `edition` changes with the content
    or with the pipeline that read it. Only the active edition is searched.
    """

    doc_id: str
    edition: str
    collection: str
    name: str
    source_key: str
    content_hash: str
    title: str
    state: FileState = "ready"
    source_type: SourceType = "document"
    doc_type: str = ""
    parser: str = ""
    language: str = ""
    pages: int | None = None
    page_labels: tuple[str, ...] = ()
    chunks: int = 0
    figures: int = 0
    blocks: BlockAccount = BlockAccount()
    warnings: tuple[str, ...] = ()
    metadata: dict[str, Any] = Field(default_factory=dict)
    source_pdf: str = ""
    page_asset: str = ""
    stamp: str = ""
    """Size and time of change of what was read: the same again need not be read again."""
    ingested_at: str = ""

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """What it is called: its title, file name without its kind, and aliases, each once."""
        stem, _ = split_name(self.name)
        alias = self.metadata.get("alias") or self.metadata.get("aliases") or ()
        aliases = (alias,) if isinstance(alias, str) else tuple(map(str, alias))
        return tuple(dict.fromkeys((self.title, stem, *aliases)))

    def page_label(self, page: int | None) -> str:
        """What is printed on a physical page, where that is anything else than its number."""
        label = self.page_labels[page - 1] if page and page <= len(self.page_labels) else ""
        return "" if label == str(page) else label
