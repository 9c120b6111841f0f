"""Where to go next: pure functions of the state."""

from collections.abc import Callable
from typing import Literal

from .state import ChatState, FileState


def after_receive(state: ChatState) -> Literal["analyse", "__end__"]:
    """A message of files alone is answered by what became of them."""
    return "__end__" if state.get("only_files") else "analyse"


def after_analyse(state: ChatState) -> Literal["retrieve", "reply", "recall"]:
    """Greetings, unclear questions and an empty collection are answered without retrieval; so are
    messages about the last answer, from what it cites."""
    if state.get("plain"):
        return "reply"
    return "retrieve" if state["analysis"].get("need_retrieval", True) else "recall"


def after_reflect(state: ChatState) -> Literal["retrieve", "select_figures"]:
    """`reflect` leaves new queries only when another round is worth it and within the budget."""
    return "retrieve" if state.get("queries") else "select_figures"


def after_model(state: ChatState) -> Literal["check_citations", "write_extract"]:
    """A model that failed has left no draft: the extractive writer takes over."""
    return "check_citations" if state.get("draft") else "write_extract"


def after_check(state: ChatState) -> Literal["repair", "finish"]:
    """A model may correct, once, what its evidence does not support."""
    return "repair" if (state.get("answer") or {}).get("mend") else "finish"


def unless_done(following: str) -> Callable[[FileState], str]:
    """On to `following`; unchanged, duplicate and failed files end where they are."""
    return lambda state: "__end__" if state.get("done") else following
