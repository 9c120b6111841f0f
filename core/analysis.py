"""What the intent analyst says of a question."""

from typing import Any, Literal

from pydantic import Field

from .label import Label
from .model import Noun

QuestionType = Literal[
    "reference",
    "formula",
    "calculation",
    "figure",
    "numeric",
    "definition",
    "requirement",
    "conceptual",
    "chat",
]


class FigurePlace(Noun):
    """A figure that is asked for by where it stands: on a page, or as the n-th of its kind; with
    none of these the one in focus."""

    kind: Literal["picture", "table", "any"] = "any"
    page: int = 0
    """Physical page or slide, from 1; 0: none is named."""
    nth: int = 0
    """From 1, -1 for the last one; 0: none is named."""
    step: int = 0
    """From the figure in focus: 1 is the next one."""
    words: str = ""
    """The rest of the question, which may name the document."""

    @property
    def focused(self) -> bool:
        """Whether the figure in focus is meant."""
        return not (self.page or self.nth or self.step)


class Analysis(Noun):
    """The question, made self-contained, and how to answer it.

    `rewritten` equals the raw question when that is self-contained. `queries` are what to search,
    the raw question always among them. `wish` is how precisely a picture is asked for: `exact`
    (a label), `weak` ("发电量图"), `none`. `ask_back` holds a question to the user when the
    question cannot be resolved (no antecedent).
    """

    question: str
    rewritten: str
    queries: tuple[str, ...]
    question_type: QuestionType = "conceptual"
    need_retrieval: bool = True
    use_context: bool = False
    labels: tuple[Label, ...] = ()
    wish: Literal["exact", "weak", "none"] = "none"
    place: FigurePlace | None = None
    """Where the figure stands that is asked for without a label."""
    filters: dict[str, Any] = Field(default_factory=dict)
    language: Literal["zh", "en"] = "en"
    repeated: bool = False
    ask_back: str = ""
    about: str = ""
    """What the message wants of the last answer (repeat, shorten, sources, ...); "": it asks of the
    documents."""
    topic: str = ""
    """With `about`: the question that the last answer was to."""
    named: str = ""
    """The words of the question that name documents in full; "": none."""
    named_docs: tuple[str, ...] = ()
    """Ids of the documents that they name."""
    named_year: str = ""
    """The year of the question that their names say."""
    rules: tuple[str, ...] = ()
    """Names of the rules that fired, for the trace."""


class Focus(Noun):
    """What the thread is about: kept across turns so that a follow-up can be resolved."""

    topic: str = ""
    """The last self-contained question."""
    doc_ids: tuple[str, ...] = ()
    figure_ids: tuple[str, ...] = ()
    labels: tuple[Label, ...] = ()
    asked: tuple[str, ...] = ()
    """Questions asked before in this thread, folded."""


class Sufficiency(Noun):
    """The reflection node's verdict on the evidence."""

    verdict: Literal["answer", "caveat", "gap", "conflict", "unanswerable"]
    reason: str = ""
    signals: dict[str, float] = Field(default_factory=dict)
    missing: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    """New queries for a gap; never one that was tried."""
