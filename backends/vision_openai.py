"""Descriptions of pictures by an OpenAI-compatible vision model."""

import base64
import time
from collections.abc import Callable
from io import BytesIO

from langchain_core.messages import HumanMessage

from ..core.settings import ChatSettings
from ..core.text import sentences
from .openai_chat import OpenAIChat

NO_PICTURE = "NO_PICTURE"
"""What the prompt asks the model to say when it sees none."""
LONGEST_SIDE = 2048
MOST_BYTES = 4 << 20
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


class OpenAIVision:
    """Thread-safe; blocking, for threads of the ingestion. Raises ModelError."""

    def __init__(
        self, settings: ChatSettings, *, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._chat = OpenAIChat(settings=settings, vision=True, part="vision", pause=pause)

    @property
    def name(self) -> str:
        """Model name: part of the description cache's key."""
        return f"openai:{self._chat.settings.model}"

    def describe(self, image: bytes, prompt: str) -> str:
        """What the model says of the picture; "" when there is no picture to send or it saw none.

        A picture is PNG, JPEG, GIF or WebP. A description that was cut ends at its last sentence.
        """
        mime = mime_type(image)
        if not mime:
            return ""
        image, mime = fitting(image, mime)
        url = f"data:{mime};base64,{base64.b64encode(image).decode()}"
        blocks: list[str | dict[str, object]] = [
            {"type": "text", "text": prompt},
            {"type": "image_url", "image_url": {"url": url}},
        ]
        reply = self._chat.invoke([HumanMessage(content=blocks)])
        text = reply.text.strip()
        if NO_PICTURE in text:
            return ""
        if reply.response_metadata.get("finish_reason") == "length":
            text = _whole_sentences(text)
        return text

    def close(self) -> None:
        """Close the connections."""
        self._chat.close()


def mime_type(image: bytes) -> str:
    """The type of a picture that vision endpoints read, by its first bytes; "" for others."""
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for start, mime in _SIGNATURES if image.startswith(start)), "")


def fitting(image: bytes, mime: str) -> tuple[bytes, str]:
    """The picture, made smaller where it is larger than endpoints take; one that cannot be read
    goes as it is, for the endpoint to judge."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(image)) as picture:
            if max(picture.size) <= LONGEST_SIDE and len(image) <= MOST_BYTES:
                return image, mime
            small = picture.convert("RGB")
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError):
        return image, mime
    small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    kept = BytesIO()
    small.save(kept, "JPEG", quality=90)
    return kept.getvalue(), "image/jpeg"


def _whole_sentences(text: str) -> str:
    """The text up to its last sentence end; "" when it has none."""
    ends = [end for start, end in sentences(text) if text[start:end].endswith(tuple("。！？.!?"))]
    return text[: ends[-1]] if ends else ""
