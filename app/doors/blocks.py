"""Files in message content blocks, in every shape that chat clients send.

LangChain's own (`type`, `mimeType` or `mime_type`, `data` or `base64`, `metadata`), OpenAI's
(`image_url`, `input_image`, `file.file_data`) and data addresses. Remote addresses are never
fetched.
"""

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

TEXT_TYPES = frozenset({"text", "input_text"})
_DATA_URL = re.compile(r"data:([\w.+/-]*)(?:;[\w=.+-]+)*;base64,", re.IGNORECASE)
SUFFIXES = {
    "application/pdf": ".pdf",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "text/html": ".html",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}


@dataclass(frozen=True)
class Attached:
    """A file block: its name, kind and base64 text, or why it cannot be read."""

    name: str
    mime: str
    data: str = ""
    problem: str = ""

    def content(self) -> bytes:
        """The bytes; b"" when the base64 is broken."""
        try:
            return base64.b64decode(self.data, validate=True)
        except (binascii.Error, ValueError):
            return b""


def is_text(block: Any) -> bool:
    """Whether a content block is words."""
    return isinstance(block, str) or (
        isinstance(block, dict) and str(block.get("type", "text")) in TEXT_TYPES
    )


def attached(block: dict[str, Any], number: int) -> Attached:
    """A block that is not text, read."""
    metadata, inner = _inner(block, "metadata"), _inner(block, "file")
    mime = str(block.get("mimeType") or block.get("mime_type") or "")
    names = (metadata.get("name"), metadata.get("filename"), block.get("filename"))
    raw = _payload(block, inner)
    name = next((str(n) for n in (*names, inner.get("filename")) if n), "")
    match = _DATA_URL.match(raw[:200])
    if match:
        mime, raw = match.group(1) or mime, raw[match.end() :]
    elif re.match(r"\w+://", raw[:20]):
        return Attached(name or f"file-{number}", mime, problem="address")
    suffix = SUFFIXES.get(mime.lower(), "")
    if not name:
        name = f"file-{number}{suffix}"
    elif suffix and "." not in name[-6:]:
        name += suffix
    return Attached(name, mime.lower(), raw, problem="" if raw else "empty")


def _inner(block: dict[str, Any], key: str) -> dict[str, Any]:
    value = block.get(key)
    return value if isinstance(value, dict) else {}


def _payload(block: dict[str, Any], inner: dict[str, Any]) -> str:
    url = block.get("image_url") or block.get("url") or ""
    if isinstance(url, dict):
        url = url.get("url", "")
    choices = (block.get("data"), block.get("base64"), inner.get("file_data"), url)
    return next((item for item in choices if isinstance(item, str) and item), "")


def has_files(message: BaseMessage) -> bool:
    """Whether a message holds anything but words."""
    content = message.content
    return isinstance(content, list) and any(not is_text(block) for block in content)


def split(message: BaseMessage) -> tuple[list[Any], list[Attached]]:
    """The text blocks, and the files."""
    content: Any = message.content
    words = [block for block in content if is_text(block)]
    files = [
        attached(block, number)
        for number, block in enumerate((b for b in content if not is_text(b)), 1)
        if isinstance(block, dict)
    ]
    return words, files


def without_files(message: BaseMessage, notes: list[dict[str, Any]] | None = None) -> BaseMessage:
    """The message under its own id with its words only; `notes` say what became of the files."""
    if not has_files(message):
        return message
    words, files = split(message)
    said = notes or [{"name": item.name, "mime": item.mime} for item in files]
    kept = {**message.additional_kwargs, "attachments": said}
    names = "、".join(item.name for item in files)
    content = words or [{"type": "text", "text": f"📎 {names}"}]
    return message.model_copy(update={"content": content, "additional_kwargs": kept})


def strip(value: Any) -> Any:
    """Any state value without bytes in messages: what a checkpoint may hold."""
    if isinstance(value, HumanMessage):
        return without_files(value)
    if isinstance(value, list):
        return [strip(item) for item in value]
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(strip(item) for item in value)
    if isinstance(value, dict):
        return _strip_dict(value)
    return value


def _strip_dict(value: dict[Any, Any]) -> dict[Any, Any]:
    content = value.get("content")
    if isinstance(content, list) and ("role" in value or "type" in value):
        kept = [block for block in content if is_text(block)]
        if len(kept) != len(content):
            return {**value, "content": kept or ""}
        return value
    return {key: strip(item) for key, item in value.items()}
