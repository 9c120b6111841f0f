"""Reads a streamed reply: pieces of text and reasoning, under time limits."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import PermanentError
from .openai_errors import Endpoint, filtered, foreign, timed_out, translate
from .openai_think import ThinkSplitter

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Json = dict[str, Any]
END_GRACE_SECONDS = 2.0
"""How long to wait for the usage once the model has said that it has finished."""


@dataclass(frozen=True)
class Limits:
    """Seconds: until the first token, between two, and the loop's time at which all must end."""

    first: float
    idle: float
    deadline: float


@dataclass(frozen=True)
class Piece:
    """Part of a reply. `finish` and `usage` come once, with or after the last text."""

    text: str = ""
    reasoning: str = ""
    finish: str = ""
    usage: tuple[int, int] | None = None
    model: str = ""

    @property
    def empty(self) -> bool:
        """Whether the reader learns nothing from it."""
        return not (self.text or self.reasoning or self.finish or self.usage)


async def stream_reply(
    client: "AsyncOpenAI", params: Json, *, endpoint: Endpoint, limits: Limits, think: ThinkSplitter
) -> AsyncGenerator[Piece, None]:
    """Pieces of one streamed call; ends when the endpoint ends, or shortly after the finish.

    A stream that breaks after the finish reason is complete. Raises ModelError.
    """
    loop = asyncio.get_running_loop()
    until = min(loop.time() + limits.first, limits.deadline)
    events = _events(client, params, endpoint)
    started, finish = False, ""
    try:
        while True:
            try:
                async with asyncio.timeout_at(until):
                    piece = await anext(events, None)
            except TimeoutError:
                if finish:
                    break
                what, zh = _slowness(started, loop.time(), limits)
                raise timed_out(endpoint, what, zh=zh) from None
            except PermanentError:
                raise
            except Exception as error:
                if finish:
                    break
                raise translate(error, endpoint) from error
            if piece is None:
                break
            finish = piece.finish or finish
            if not piece.empty:
                started = True
                patience = END_GRACE_SECONDS if finish else limits.idle
                until = min(loop.time() + patience, limits.deadline)
            split = _split(piece, think)
            if not split.empty:
                yield split
    finally:
        await events.aclose()
    text, reasoning = think.flush()
    if text or reasoning:
        yield Piece(text=text, reasoning=reasoning)


def _slowness(started: bool, now: float, limits: Limits) -> tuple[str, str]:
    """In which way the endpoint was too slow, in English and in Chinese."""
    if now >= limits.deadline:
        return "did not finish in time", "没有按时答完"
    if started:
        idle = f"{limits.idle:g}"
        return f"fell silent for {idle} s in the middle of its answer", f"中途 {idle} 秒没有输出"
    return f"sent no word within {limits.first:g} s", f"{limits.first:g} 秒内没有开口"


def _split(piece: Piece, think: ThinkSplitter) -> Piece:
    text, reasoning = think.feed(piece.text) if piece.text else ("", "")
    return Piece(text, piece.reasoning + reasoning, piece.finish, piece.usage, piece.model)


async def _events(
    client: "AsyncOpenAI", params: Json, endpoint: Endpoint
) -> AsyncGenerator[Piece, None]:
    """Raw pieces. An endpoint that ignores `stream` and answers in one piece is read as well."""
    stream = await client.chat.completions.create(**params, stream=True)
    try:
        kind = stream.response.headers.get("content-type", "")
        if "event-stream" in kind or not kind:
            async for event in stream:
                yield read_choice(event, endpoint, key="delta")
        elif "json" in kind:
            from openai.types.chat import ChatCompletion

            body = json.loads(await stream.response.aread())
            yield read_choice(ChatCompletion.model_construct(**body), endpoint, key="message")
        else:
            raise foreign(endpoint)
    finally:
        await stream.close()


def read_choice(event: Any, endpoint: Endpoint, *, key: str) -> Piece:
    """A piece of a completion or of a chunk; anything may be missing or null."""
    if isinstance(event, str) or not hasattr(event, "choices"):
        raise foreign(endpoint)
    choice = next(iter(event.choices or []), None)
    said = _get(choice, key)
    finish = _get(choice, "finish_reason") or ""
    text, thought = _content(_get(said, "content"))
    text += _get(said, "refusal") or ""
    reasoning = _get(said, "reasoning_content") or _get(said, "reasoning") or ""
    if finish == "content_filter" and key == "message" and not text:
        raise filtered(endpoint)
    return Piece(
        text=text,
        reasoning=thought + (reasoning if isinstance(reasoning, str) else ""),
        finish=finish,
        usage=_usage(_get(event, "usage")),
        model=_get(event, "model") or "",
    )


def _get(thing: Any, key: str) -> Any:
    """An attribute or an item; None where there is none: compatible servers leave much out."""
    if isinstance(thing, dict):
        return thing.get(key)
    return getattr(thing, key, None)


def _content(content: Any) -> tuple[str, str]:
    """(text, reasoning) of a content value: null, a string, or a list of typed parts."""
    if isinstance(content, str):
        return content, ""
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content or []:
        thinking = _get(part, "thinking") or _get(part, "reasoning")
        if thinking:
            thoughts.append(thinking if isinstance(thinking, str) else _content(thinking)[0])
        else:
            texts.append(_get(part, "text") or "")
    return "".join(texts), "".join(thoughts)


def _usage(usage: Any) -> tuple[int, int] | None:
    """(prompt, completion) tokens."""
    prompt, completion = _get(usage, "prompt_tokens"), _get(usage, "completion_tokens")
    if not isinstance(prompt, int):
        return None
    return prompt, completion if isinstance(completion, int) else 0
