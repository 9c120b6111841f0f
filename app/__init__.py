"""The composition root: the only place that reads settings and opens stores.

A chat product embeds tuwen with `open_services` and `build_chat_graph`. The names are loaded at
their first use, so that `tuwen --help` does not wait for LangGraph.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..graph.chat import build_chat_graph
    from ..graph.ingest import build_ingest_graph
    from .config import load_settings
    from .services import open_services

__all__ = ["build_chat_graph", "build_ingest_graph", "load_settings", "open_services"]

_HOMES = {
    "build_chat_graph": "..graph.chat",
    "build_ingest_graph": "..graph.ingest",
    "load_settings": ".config",
    "open_services": ".services",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name], __name__), name)
