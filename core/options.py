"""What a caller may choose for one run: JSON-able, every field defaulted, described."""

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class RunOptions:
    """The context schema of the chat graph: one run's choices, no live objects."""

    collection: str = field(
        default="default", metadata={"description": "The collection to search."}
    )
    filters: dict[str, Any] = field(
        default_factory=dict,
        metadata={"description": "Metadata that a chunk must have, e.g. {'year': 2023}."},
    )
    top_k: int = field(
        default=0, metadata={"description": "Chunks kept after reranking; 0: the setting."}
    )
    effort: Literal["quick", "normal", "deep"] = field(
        default="normal", metadata={"description": "How many re-queries and how long."}
    )
    language: Literal["auto", "zh", "en"] = field(
        default="auto", metadata={"description": "Answer language; auto: the question's."}
    )
    figures: bool = field(default=True, metadata={"description": "Whether to show figures."})
    use_model: bool = field(
        default=True,
        metadata={"description": "False: the extractive writer even if a model is configured."},
    )
    ask_back: bool = field(
        default=False, metadata={"description": "Whether an unclear question may be asked back."}
    )

    def __post_init__(self) -> None:
        """A collection's name is trimmed at every door."""
        object.__setattr__(self, "collection", self.collection.strip())


@dataclass(frozen=True)
class IngestOptions:
    """The context schema of the ingestion graph."""

    collection: str = field(default="default", metadata={"description": "Where to put it."})
    source_type: str = field(
        default="", metadata={"description": "Overrides the guess: slides, exam, notes, ..."}
    )
    parser: str = field(default="auto", metadata={"description": "auto, magic-pdf, mineru or ocr."})
    metadata: dict[str, Any] = field(
        default_factory=dict, metadata={"description": "Your own filterable values."}
    )
    describe: bool = field(
        default=True,
        metadata={"description": "Have the vision model, if one is set, describe pictures."},
    )
    summarise_tables: bool = field(
        default=False,
        metadata={"description": "Have the helper or chat model summarise tables: a call each."},
    )

    def __post_init__(self) -> None:
        """A collection's name is trimmed at every door."""
        object.__setattr__(self, "collection", self.collection.strip())
