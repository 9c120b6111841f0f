"""Typed progress events: what the stream's `custom` mode carries.

The terminal, the page and SSE read the same family; the last event of a chat run is the finish
event (`core.evidence.Finish`).
"""

from typing import Literal

from pydantic import Field

from .evidence import ImageItem, Notice
from .model import Noun


class FileProgress(Noun):
    """File k of n reached a stage of ingestion."""

    type: Literal["ingest.file"] = "ingest.file"
    index: int
    total: int
    path: str
    stage: Literal["parse", "structure", "describe", "embed", "commit", "done"]
    state: str = ""
    chunks: int = 0
    figures: int = 0
    pages: int = 0
    """Pages read so far, of `of_pages`; 0 of 0: the format has none or they are not counted."""
    of_pages: int = 0


class Analysed(Noun):
    """The question was understood."""

    type: Literal["analysed"] = "analysed"
    rewritten: str
    question_type: str
    queries: tuple[str, ...]


class Retrieved(Noun):
    """A round of retrieval ended."""

    type: Literal["retrieved"] = "retrieved"
    round: int
    queries: tuple[str, ...]
    hits: int


class Reflected(Noun):
    """The evidence was judged."""

    type: Literal["reflected"] = "reflected"
    verdict: str
    reason: str = ""


class FigureShown(Noun):
    """A figure belongs to the answer."""

    type: Literal["figure"] = "figure"
    image: ImageItem


class Reasoning(Noun):
    """A model's reasoning: never part of the answer."""

    type: Literal["reasoning"] = "reasoning"
    text: str


class NoticeGiven(Noun):
    """Something degraded or was left out."""

    type: Literal["notice"] = "notice"
    notice: Notice


class Trace(Noun):
    """What ran, for `tuwen ask --json`."""

    nodes: dict[str, float] = Field(default_factory=dict)
    """Milliseconds per node."""
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
