"""One small file a strategy: each cuts blocks into chunks."""

from collections.abc import Iterator, Sequence

from ...core.document import SourceType
from ...core.settings import IngestSettings
from ..structure import Placed
from .draft import Draft
from .exam import exam_chunks
from .page import page_chunks
from .semantic import semantic_chunks
from .slides import slide_chunks


def drafts_for(
    source_type: SourceType, items: Sequence[Placed], settings: IngestSettings, name: str
) -> Iterator[Draft]:
    """Text drafts by the strategy of the source type.

    Sizes follow the settings: 500/80 as they are, 800/150 and 300/50 in proportion.
    """
    size, overlap = settings.chunk_chars, min(settings.overlap_chars, settings.chunk_chars // 2)
    long, long_overlap = size * 8 // 5, overlap * 15 // 8
    if source_type == "slides":
        return slide_chunks(items, long, long_overlap, name)
    if source_type in ("exam", "solution"):
        return exam_chunks(items, size, overlap, by_part=source_type == "solution")
    if source_type == "notes":
        return semantic_chunks(items, long, long_overlap)
    if source_type == "formula_sheet":
        return semantic_chunks(items, size * 3 // 5, overlap * 5 // 8)
    return page_chunks(items) if source_type == "page" else semantic_chunks(items, size, overlap)
