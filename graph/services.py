"""What the graphs are built from: opened once, bound to the nodes, never in the state."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..agents.capabilities import Capabilities
from ..core.ports import (
    AssetStore,
    Catalog,
    Describer,
    Embedder,
    KeywordIndex,
    Reranker,
    Store,
    Tokenizer,
    VectorIndex,
)
from ..core.settings import Settings

if TYPE_CHECKING:  # importing LangChain takes a second, which `tuwen --help` need not wait for
    from langchain_core.language_models import BaseChatModel


@dataclass(frozen=True)
class Services:
    """Stores, encoders and models. `sentences` compares single sentences (default: `embedder`),
    which is done a hundred times a question and so by a light encoder; `across` compares the best
    of them again, also across languages (default: `embedder`). Both have the built-in encoders'
    scale; `paired` says that they are the halves of the built-in pair. `late` reranks once more,
    token by token, where the encoder keeps its tokens. `chat`, `judge` and
    `describer` are None without an endpoint.

    `sign` gives the query that opens a picture's address to a browser without a key. `clock` gives
    monotonic seconds, `now` an ISO 8601 date and time, `new_id` message ids.
    """

    settings: Settings
    catalog: Catalog
    vectors: VectorIndex
    keywords: KeywordIndex
    assets: AssetStore
    store: Store
    tokenizer: Tokenizer
    embedder: Embedder
    reranker: Reranker | None
    chat: "BaseChatModel | None" = None
    judge: "BaseChatModel | None" = None
    describer: Describer | None = None
    sentences: Embedder | None = None
    across: Embedder | None = None
    paired: bool = False
    late: Reranker | None = None
    capabilities: Capabilities = field(default_factory=Capabilities)
    sign: Callable[[str], str] = lambda _: ""
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], str] = field(
        default=lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    )
    new_id: Callable[[], str] = field(default=lambda: str(uuid.uuid4()))
