"""From a hit to the finish event."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from .document import BBox
from .model import Noun

Leg = Literal["dense", "visual", "keyword", "label"]
Verdict = Literal["supported", "partly", "unsupported", "unchecked"]


class Place(NamedTuple):
    """Where a chunk stands: physical pages from 1, None in documents without pages."""

    doc_id: str
    page_start: int | None
    page_end: int | None


class LegScore(NamedTuple):
    """Where one leg ranked a chunk: rank from 1, score higher is better."""

    rank: int
    score: float


_NO_LEGS: Mapping[str, LegScore] = {}


class Explain(NamedTuple):
    """Why a hit stands where it stands, or why it was dropped."""

    legs: Mapping[str, LegScore] = _NO_LEGS
    fused: float = 0.0
    reranked: float | None = None
    rules: tuple[str, ...] = ()
    dropped: str = ""


class Hit(NamedTuple):
    """A chunk id with its score (higher is better) and the reasons.

    Tuples, not models: a round makes hundreds of them, and checking each took a third of its time.
    """

    chunk_id: str
    score: float
    explain: Explain = Explain()


class LegResult(Noun):
    """One leg's ranking for one query. `coverage` and `crowd` (keyword leg): see KeywordHits."""

    leg: Leg
    query: str
    ids: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    coverage: float | None = None
    crowd: float = 0.0


class Evidence(Noun):
    """What the writer may cite as [n]: a group of neighbouring chunks around one hit."""

    n: int
    chunk_id: str
    chunk_ids: tuple[str, ...]
    score: float = 0.0
    row: bool = False
    """Whether it was taken in for a row of a table that the question names."""


class Source(Noun):
    """A cited source of an answer, as every door shows it. Pages are 1-based physical pages."""

    n: int
    doc: str
    doc_id: str = ""
    page_start: int | None = None
    page_end: int | None = None
    page_label: str = ""
    section_path: str = ""
    quote: str = ""
    page: int | None = None
    bbox: BBox | None = None
    chunk_id: str = ""
    verdict: Verdict = "unchecked"


class ImageItem(Noun):
    """A figure or table of an answer. `url` is served by the app and is never a file path."""

    id: str
    url: str
    type: Literal["image", "chart", "table"]
    label: str = ""
    caption: str = ""
    source: str = ""
    page: int | None = None
    score: float = 0.0
    why: tuple[str, ...] = ()
    available: bool = True
    html: str = ""


class Notice(Noun):
    """Something the reader should know: what degraded, what was not found, what was removed."""

    code: str
    text: str


class Finish(Noun):
    """The finish event: the same through every door."""

    type: Literal["finish"] = "finish"
    answer: str
    verdict: str = ""
    abstained: bool = False
    sources: tuple[Source, ...] = ()
    images: tuple[ImageItem, ...] = ()
    notices: tuple[Notice, ...] = ()
