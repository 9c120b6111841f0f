"""The graphs' states: ids and short plain text, never bytes, vectors or whole pages.

Each key says who writes it. Reset at a turn's start is `Overwrite`, never a sentinel.
"""

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from ..tools.merge import merge_hits

Json = dict[str, Any]


def merge_unique(left: list[Json], right: list[Json]) -> list[Json]:
    """Union in first-seen order: a notice is given once."""
    merged = list(left)
    merged.extend(item for item in right if item not in merged)
    return merged


def add_up(left: dict[str, float], right: dict[str, float]) -> dict[str, float]:
    """Sum by key: milliseconds per node, model calls and tokens."""
    return {key: round(left.get(key, 0) + right.get(key, 0), 3) for key in {**left, **right}}


def merge_legs(left: list[Json], right: list[Json]) -> list[Json]:
    """Leg results by leg and query, in a fixed order whatever branch ended first."""
    merged = {(leg["leg"], leg["query"]): leg for leg in [*left, *right]}
    return [merged[key] for key in sorted(merged)]


def by_part(left: list[Json], right: list[Json]) -> list[Json]:
    """What the parts of a compound question found, in the parts' order whatever ended first."""
    merged = {item["part"]: item for item in [*left, *right]}
    return [merged[part] for part in sorted(merged)]


def append_reports(left: list[Json], right: list[Json]) -> list[Json]:
    """File reports by their place in the batch; a file that ran again replaces its report."""
    merged = {report["index"]: report for report in [*left, *right]}
    return [merged[index] for index in sorted(merged)]


class ChatInput(TypedDict):
    """All that a client sends."""

    messages: Annotated[list[AnyMessage], add_messages]
    """The conversation; a turn adds the question, `finish` adds the answer."""


class Turn(TypedDict, total=False):
    """What the retrieval subgraph shares with the chat graph."""

    analysis: Json
    """`analyse`: the Analysis."""
    language: str
    """`analyse`: what our own words are said in: the run's choice, else the question's language."""
    queries: list[str]
    """`analyse`, `reflect`: what the next round searches."""
    hits: Annotated[list[Json], merge_hits]
    """Retrieval: ranked hits of all rounds, best first."""
    coverage: float
    """`fuse`: the best keyword coverage of the round (see KeywordHits)."""
    evidence: list[Json]
    """`gather`: the groups that the writer may cite."""
    finding: Json
    """`search_labels`: what the labels in the question name."""
    notices: Annotated[list[Json], merge_unique]
    """Any node: what degraded."""
    spent: Annotated[dict[str, float], add_up]
    """Every node: milliseconds by node name; model calls and tokens."""


class ChatState(ChatInput, Turn, total=False):
    """The chat graph's room."""

    received: list[Json]
    """`receive`: notices on this turn's uploads."""
    only_files: bool
    """`receive`: the message held files and no question."""
    focus: Json
    """`finish`: what the thread is about; kept across turns."""
    last: list[Json]
    """`finish`: questions, answers and cited evidence of the last two turns; kept across turns."""
    tried: list[str]
    """`reflect`: queries already searched in this turn."""
    seen: str
    """`reflect`: digest of the evidence that it has judged in this turn."""
    round: int
    """`reflect`: rounds of retrieval done in this turn."""
    started: float
    """`analyse`: the clock at the turn's start."""
    looked: Json
    """`analyse`: the reply by rules to a question about a document as a whole."""
    parts: list[Json]
    """`analyse`: the Analyses of a compound question's parts; [] when it is one question."""
    found: Annotated[list[Json], by_part]
    """`retrieve_part`: what each part found; `combine` empties it."""
    plain: str
    """`analyse`: why no retrieval is needed: chat, ask_back or empty; "" when it is."""
    verdict: Json
    """`reflect`: the Sufficiency."""
    images: list[Json]
    """`select_figures`: figures that belong to the answer."""
    draft: Json
    """The writer: text, message id, whether it abstains, whether a model wrote all of it; `repair`:
    that it was asked."""
    answer: Json
    """`check_citations`: text, verdict, sources, whether to repair; `finish`: the finish event."""


class ChatOutput(TypedDict):
    """What `invoke` returns."""

    messages: Annotated[list[AnyMessage], add_messages]
    answer: Json


class RetrievalInput(TypedDict, total=False):
    """What the retrieval subgraph is given. `spent` is not: adding it twice would double it."""

    analysis: Json
    language: str
    queries: list[str]
    hits: Annotated[list[Json], merge_hits]
    focus: Json


class RetrievalState(Turn, total=False):
    """The retrieval subgraph's room."""

    focus: Json

    legs: Annotated[list[Json], merge_legs]
    """The legs: their rankings in this round."""
    ranking: list[Json]
    """`fuse` to `apply_rules`: this round's hits."""
    crowd: float
    """`fuse`: how far the words leave open which hit it is (see KeywordHits)."""


class IngestInput(TypedDict):
    """Paths of files or folders."""

    paths: list[str]


class IngestState(IngestInput, total=False):
    """The ingestion graph's room."""

    tasks: list[Json]
    """`discover`: one task a file."""
    reports: Annotated[list[Json], append_reports]
    """One report a file."""
    summary: Json
    """`report`: counts by state."""


class IngestOutput(TypedDict):
    """One FileReport a file and the counts."""

    reports: Annotated[list[Json], append_reports]
    summary: Json


class FileState(TypedDict, total=False):
    """One file on its way: the heavy parts wait on the workbench under `token`."""

    task: Json
    token: str
    done: bool
    """`parse`: nothing is left to do (unchanged or duplicate)."""
    reports: Annotated[list[Json], append_reports]
