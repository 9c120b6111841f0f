"""Chat messages in, plain text out: whatever shape a client sends."""

import re
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage

MAX_QUESTION_CHARS = 4000
"""The middle of a longer paste is not read; the message itself is kept."""


SOURCES_TITLE = "**来源 / Sources**"
APPENDIX = re.compile(
    r"(?:\n\n!\[[^\n]*\]\([^\n]*/images/[^\n]*\)(?:\n\n\*[^\n]*)?)*"
    rf"(?:\n\n{re.escape(SOURCES_TITLE)}\n(?:\n?- [^\n]*)+)?\s*\Z"
)
"""Figures and sources as the doors write them under an answer (`app/doors/markdown.py`)."""
PICTURE_TYPES = frozenset({"image", "image_url", "input_image"})
MAX_PICTURES = 4
"""Pictures of one question that a seeing model is shown."""


def text_of(message: BaseMessage) -> str:
    """The text of a message: a string, or a list of content blocks (`{"type":"text"}`)."""
    content: Any = message.content
    if isinstance(content, str):
        return content.strip()
    parts = [
        block if isinstance(block, str) else str(block.get("text", ""))
        for block in content
        if isinstance(block, str) or block.get("type") == "text"
    ]
    return "\n".join(part for part in parts if part).strip()


def answer_text(message: BaseMessage) -> str:
    """What an earlier answer said: without the figures and sources that doors put under it.

    They are links for the reader; to a model they would be pictures to look at, or to copy.
    """
    data = message.additional_kwargs.get("tuwen")
    answer = data.get("answer") if isinstance(data, dict) else None
    if isinstance(answer, str):
        return answer.strip()
    return without_appendix(text_of(message))


def without_appendix(text: str) -> str:
    """An answer's Markdown without the figures and sources at its end."""
    return APPENDIX.sub("", text).rstrip()


def questions(messages: Sequence[AnyMessage]) -> tuple[str, list[str]]:
    """The question (the last human message) and the earlier ones, oldest first."""
    asked = [text_of(message) for message in messages if isinstance(message, HumanMessage)]
    if not asked:
        return "", []
    return shortened(asked[-1]), [shortened(text) for text in asked[:-1]]


def shortened(text: str) -> str:
    """Both ends of a long paste: the question stands at one of them."""
    if len(text) <= MAX_QUESTION_CHARS:
        return text
    half = MAX_QUESTION_CHARS // 2
    return f"{text[:half]}\n…\n{text[-half:]}"


def pictures(messages: Sequence[AnyMessage]) -> list[dict[str, Any]]:
    """The picture blocks of the question, in whatever form the client sent them."""
    asked = [message for message in messages if isinstance(message, HumanMessage)]
    return picture_blocks(asked[-1])[:MAX_PICTURES] if asked else []


def picture_blocks(message: BaseMessage) -> list[dict[str, Any]]:
    """The picture blocks of a message."""
    content: Any = message.content
    blocks = [] if isinstance(content, str) else content
    return [b for b in blocks if isinstance(b, dict) and b.get("type") in PICTURE_TYPES]


def first_pictures(messages: Sequence[AnyMessage]) -> bool:
    """Whether the question is the first of its thread that comes with a picture."""
    asked = [message for message in messages if isinstance(message, HumanMessage)]
    earlier = any(picture_blocks(message) for message in asked[:-1])
    return bool(asked) and bool(picture_blocks(asked[-1])) and not earlier


def history_messages(messages: Sequence[AnyMessage]) -> list[tuple[str, str]]:
    """(role, text) of the turns before the last human message; pictures are left out."""
    last = max((i for i, m in enumerate(messages) if isinstance(m, HumanMessage)), default=0)
    roles = {"human": "user", "ai": "assistant"}
    return [
        (roles[message.type], text)
        for message in messages[:last]
        if message.type in roles
        and (text := answer_text(message) if message.type == "ai" else text_of(message))
    ]


def last_answer(messages: Sequence[AnyMessage]) -> str:
    """What the last turn answered; empty in a thread's first turn."""
    turns = history_messages(messages)
    return turns[-1][1] if turns and turns[-1][0] == "assistant" else ""
