"""The chat graph's drawing, from the graph itself."""

from dataclasses import replace
from typing import Any, cast

from ..core.settings import Settings
from .chat import build_chat_graph
from .services import Services


def draw_chat() -> str:
    """Mermaid text. The topology needs no services, only a model's place is kept."""
    blank: Any = cast(Any, None)
    services = Services(
        settings=Settings(),
        catalog=blank,
        vectors=blank,
        keywords=blank,
        assets=blank,
        store=blank,
        tokenizer=blank,
        embedder=blank,
        reranker=None,
    )
    with_model = replace(services, chat=_placeholder())
    return build_chat_graph(with_model, drawn=True).compile().get_graph(xray=True).draw_mermaid()


def _placeholder() -> Any:
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    return FakeListChatModel(responses=[""])
