"""What is indexed and what can be shown."""

from typing import Any, Literal

from pydantic import Field

from .document import BBox
from .label import Label
from .model import Noun

ChunkType = Literal["section_text", "table", "image", "chart", "equation", "code"]
CaptionOrigin = Literal["parser", "geometry", "footnote", "context", "pile", "none"]


class PageBox(Noun):
    """A box on a 1-based physical page."""

    page: int
    bbox: BBox


class Chunk(Noun):
    """One unit of retrieval.

    `embedding_text` (title and section path first) is what the vectors and the keyword index see;
    `text` is verbatim from the document and is what is shown and quoted. `ordinal` counts the
    chunks of an edition from 0; neighbours are ordinal-1 and ordinal+1.
    """

    chunk_id: str
    doc_id: str
    edition: str
    collection: str
    doc_title: str
    chunk_type: ChunkType
    text: str
    embedding_text: str
    semantic_id: str
    ordinal: int
    section_path: str = ""
    section_title: str = ""
    section_level: int = 0
    section_number: str = ""
    page_start: int | None = None
    page_end: int | None = None
    boxes: tuple[PageBox, ...] = ()
    box_starts: tuple[int, ...] = ()
    """Where the text of each box begins in `text`, parallel to `boxes`; empty: not known."""
    figure_id: str = ""
    mentions: tuple[str, ...] = ()
    """Figure ids of this document that the text names ("如图3所示")."""
    source_ids: tuple[int, ...] = ()
    """Indexes of the parsed blocks that the chunk was made from."""
    language: str = ""
    html: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """Filterable values of the source: source_type, year, question, marks, lecture, ..."""


class Figure(Noun):
    """A picture, chart or table that can be shown.

    `summary` is embedded, `description` is what the writer sees (machine-made where `described`).
    `label` is None when nothing numbers the object. `mentions` are the ids of the chunks that name
    it. `group` joins the parts of one multi-part figure.
    """

    figure_id: str
    doc_id: str
    edition: str
    collection: str
    doc_title: str
    kind: Literal["image", "chart", "table"]
    ordinal: int
    label: Label | None = None
    label_text: str = ""
    caption: str = ""
    caption_origin: CaptionOrigin = "none"
    caption_confidence: float = 0.0
    footnote: str = ""
    summary: str = ""
    description: str = ""
    described: bool = False
    section_path: str = ""
    page: int | None = None
    page_end: int | None = None
    bbox: BBox | None = None
    asset_id: str = ""
    available: bool = True
    """False: the document names the picture but its bytes are missing."""
    decoration: bool = False
    html: str = ""
    context_before: str = ""
    context_after: str = ""
    mentions: tuple[str, ...] = ()
    chunk_id: str = ""
    group: str = ""


class Edition(Noun):
    """Everything that ingesting one document yields, before it is committed."""

    chunks: tuple[Chunk, ...]
    figures: tuple[Figure, ...]
    assets: dict[str, bytes] = Field(default_factory=dict, repr=False)
    """Picture bytes by asset id."""
