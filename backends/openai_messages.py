"""LangChain messages to the wire: text-only models get captions instead of pictures."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    convert_to_openai_messages,
)

Json = dict[str, Any]
_PICTURES = frozenset({"image", "image_url", "input_image"})


def to_wire(
    messages: Sequence[BaseMessage], *, vision: bool, system_role: bool = True
) -> list[Json]:
    """The messages in the endpoint's form.

    Reasoning of earlier answers is not sent back. Without `vision` no picture is sent, whatever
    message it is in. Without `system_role` the system text opens the first user message.
    """
    clean = [_clean(message, vision=vision) for message in messages]
    wire = convert_to_openai_messages(clean)
    listed = wire if isinstance(wire, list) else [wire]
    return listed if system_role else _without_system(listed)


def _clean(message: BaseMessage, *, vision: bool) -> BaseMessage:
    content = message.content
    if isinstance(content, list):
        blocks = [_block(block, vision=vision) for block in content]
        kept = [block for block in blocks if block is not None]
        content = kept if any(_is_picture(block) for block in kept) else _joined(kept)
    update: Json = {"content": content}
    if isinstance(message, AIMessage):
        update["additional_kwargs"] = {}
    return message.model_copy(update=update)


def _is_picture(block: str | Json) -> bool:
    return isinstance(block, dict) and block.get("type") in _PICTURES


def _block(block: str | Json, *, vision: bool) -> str | Json | None:
    """A content block as it may be sent; None: it is nothing that a chat model reads."""
    if isinstance(block, str) or block.get("type") == "text":
        return block
    if not _is_picture(block):
        return None
    return _picture(block) if vision else {"type": "text", "text": caption_text(block)}


def _picture(block: Json) -> Json | None:
    """Any form of a picture block, those of chat pages included, as an `image_url` part."""
    if isinstance(block.get("image_url"), dict):
        return {"type": "image_url", "image_url": block["image_url"]}
    source = block.get("image_url") or block.get("url")
    mime = block.get("mime_type") or block.get("mimeType") or "image/png"
    data = block.get("base64") or block.get("data")
    url = source or (f"data:{mime};base64,{data}" if data else "")
    return {"type": "image_url", "image_url": {"url": url}} if url else None


def caption_text(block: Json) -> str:
    """What a model that cannot see is told of a picture: its caption, else its name."""
    about = {**block.get("metadata", {}), **block.get("extras", {}), **block}
    for key in ("caption", "description", "alt", "title", "name", "filename"):
        if isinstance(about.get(key), str) and about[key].strip():
            return f"[picture: {about[key].strip()}]"
    return "[picture, not visible to this model]"


def _joined(blocks: Sequence[str | Json]) -> str:
    parts = [block if isinstance(block, str) else str(block.get("text", "")) for block in blocks]
    return "\n".join(part for part in parts if part)


def _without_system(wire: list[Json]) -> list[Json]:
    system = "\n\n".join(str(m["content"]) for m in wire if m["role"] == "system")
    rest = [dict(m) for m in wire if m["role"] != "system"]
    first = next((m for m in rest if m["role"] == "user"), None)
    if not system:
        return rest
    if first is None:
        return [{"role": "user", "content": system}, *rest]
    if isinstance(first["content"], str):
        first["content"] = f"{system}\n\n{first['content']}"
    else:
        first["content"] = [{"type": "text", "text": system}, *first["content"]]
    return rest


def has_pictures(messages: Sequence[BaseMessage]) -> bool:
    """Whether any message carries a picture block."""
    return any(
        _is_picture(block)
        for message in messages
        if isinstance(message.content, list)
        for block in message.content
    )
