"""What a scripted endpoint may answer and refuse, in the form of OpenAI's interface."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """One answer of the model. A string is streamed in pieces of `piece` characters."""

    text: str | Sequence[str] = ""
    reasoning: str | Sequence[str] = ""
    reasoning_key: str = "reasoning_content"
    finish: str | None = "stop"
    usage: tuple[int, int] | None = (11, 7)
    status: int = 200
    error: Json | str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    piece: int = 2
    stall_before: float = 0.0
    """Seconds before the status line."""
    stall_first: float = 0.0
    """Seconds between the headers and the first delta."""
    stall_between: float = 0.0
    """Seconds before the last delta of the text."""
    stall_end: float = 0.0
    """Seconds between the finish reason and the end of the stream."""
    drop_after: int | None = None
    """Close the connection after so many events, without an end."""
    empty_choices: bool = False
    """Send `choices: []` at the start, in the middle and with the usage."""
    raw: str | None = None
    """The whole body as it is: an SSE transcript, HTML, broken JSON."""
    raw_type: str = "text/event-stream"
    ignore_stream: bool = False
    """Answer a streaming request with one JSON object."""


@dataclass(frozen=True)
class Asked:
    """A recorded request."""

    path: str
    body: Json
    headers: dict[str, str]

    @property
    def messages(self) -> list[Json]:
        return list(self.body.get("messages", []))

    @property
    def text(self) -> str:
        """All text of the messages."""
        return "\n".join(_text(message.get("content")) for message in self.messages)

    @property
    def images(self) -> list[str]:
        """Addresses of all picture parts."""
        return [
            part["image_url"]["url"]
            for message in self.messages
            if isinstance(message.get("content"), list)
            for part in message["content"]
            if part.get("type") == "image_url"
        ]


@dataclass
class Rules:
    """What the endpoint refuses, with a 400 like the real ones."""

    formats: frozenset[str] = frozenset({"json_schema", "json_object", "text"})
    params: dict[str, str] = field(default_factory=dict)
    """Refused parameter -> error message."""
    api_key: str = ""
    models: frozenset[str] = frozenset()
    text_only: bool = False
    thinking_needs_stream: bool = False
    no_system: bool = False
    window: int = 0
    """Characters of all messages plus max_tokens; 0: no limit."""
    embed_limit: int = 0
    embed_chars: int = 0
    rerank_limit: int = 0
    rerank_chars: int = 0
    rerank_form: str = "jina"
    """jina (query, documents) or tei (query, texts)."""


def _pieces(text: str | Sequence[str], size: int) -> list[str]:
    if not isinstance(text, str):
        return list(text)
    return [text[i : i + size] for i in range(0, len(text), size)]


def events(body: Json, reply: Reply) -> Iterator[tuple[float, str]]:
    """(seconds to wait before, data) of each server-sent event."""
    empty = {"id": "x", "object": "chat.completion.chunk", "choices": []}
    if reply.empty_choices:
        yield 0.0, json.dumps(empty)
    first: Json = {"role": "assistant", "content": None}
    yield 0.0, _delta(body, first, None)
    stall = reply.stall_first
    for piece in _pieces(reply.reasoning, reply.piece):
        yield stall, _delta(body, {"content": None, reply.reasoning_key: piece}, None)
        stall = 0.0
    pieces = _pieces(reply.text, reply.piece)
    for index, piece in enumerate(pieces):
        last = index and index == len(pieces) - 1
        yield (reply.stall_between if last else stall), _delta(body, {"content": piece}, None)
        stall = 0.0
        if reply.empty_choices and index == 0:
            yield 0.0, json.dumps(empty)
    if reply.finish is not None:
        yield 0.0, _delta(body, {}, reply.finish)
    asked_usage = (body.get("stream_options") or {}).get("include_usage")
    if reply.usage and asked_usage:
        yield reply.stall_end, json.dumps({**empty, "usage": _usage(reply.usage)})
    yield (0.0 if reply.usage and asked_usage else reply.stall_end), "[DONE]"


def _delta(body: Json, delta: Json, finish: str | None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    event = {"id": "x", "object": "chat.completion.chunk", "created": 1, "choices": [choice]}
    return json.dumps({**event, "model": body.get("model", "")}, ensure_ascii=False)


def completion(body: Json, reply: Reply) -> Json:
    message: Json = {"role": "assistant", "content": _joined(reply.text)}
    if reply.reasoning:
        message[reply.reasoning_key] = _joined(reply.reasoning)
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", ""),
        "choices": [] if reply.empty_choices else [choice],
        **({"usage": _usage(reply.usage)} if reply.usage else {}),
    }


def _joined(text: str | Sequence[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def _usage(usage: tuple[int, int]) -> Json:
    return {
        "prompt_tokens": usage[0],
        "completion_tokens": usage[1],
        "total_tokens": usage[0] + usage[1],
    }


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content)
    return content or ""


def refusal(asked: Asked, rules: Rules) -> tuple[int, Json] | None:
    body = asked.body
    if rules.api_key and asked.headers.get("authorization") != f"Bearer {rules.api_key}":
        return 401, {"message": "Incorrect API key provided", "code": "invalid_api_key"}
    if rules.models and body.get("model") not in rules.models:
        return 404, {"message": f"The model `{body.get('model')}` does not exist"}
    for check in (_chat_refusal, _batch_refusal):
        if message := check(asked, rules):
            code = "context_length_exceeded" if "maximum context" in message else None
            return 400, {"message": message, "type": "invalid_request_error", "code": code}
    return None


def _chat_refusal(asked: Asked, rules: Rules) -> str:
    body = asked.body
    kind = (body.get("response_format") or {}).get("type", "text")
    size = len(asked.text) + int(body.get("max_tokens") or 0)
    refused = [message for name, message in rules.params.items() if name in body]
    problems = [
        (kind not in rules.formats, f"This response_format type {kind} is unavailable now"),
        (bool(refused), refused[0] if refused else ""),
        (
            rules.text_only and bool(asked.images),
            "unknown variant `image_url`, expected `text`",
        ),
        (
            rules.thinking_needs_stream
            and not body.get("stream")
            and body.get("enable_thinking") is not False,
            "parameter.enable_thinking must be set to false for non-streaming calls",
        ),
        (
            rules.no_system and any(m["role"] == "system" for m in asked.messages),
            "System role not supported",
        ),
        (
            bool(rules.window) and size > rules.window,
            f"This model's maximum context length is {rules.window} tokens, you asked {size}",
        ),
    ]
    return next((message for bad, message in problems if bad), "")


def _batch_refusal(asked: Asked, rules: Rules) -> str:
    if asked.path.endswith("/embeddings"):
        inputs = asked.body["input"]
        inputs = inputs if isinstance(inputs, list) else [inputs]
        if any(not isinstance(text, str) for text in inputs):
            return "input must be strings, token arrays are not supported"
        if rules.embed_limit and len(inputs) > rules.embed_limit:
            return f"batch size is invalid, it should not be larger than {rules.embed_limit}"
        if rules.embed_chars and any(len(text) > rules.embed_chars for text in inputs):
            return f"maximum context length is {rules.embed_chars} tokens"
    if asked.path.endswith("/rerank"):
        key = "texts" if rules.rerank_form == "tei" else "documents"
        if key not in asked.body:
            return f"missing field `{key}`"
        if rules.rerank_limit and len(asked.body[key]) > rules.rerank_limit:
            return f"batch size > maximum allowed batch size {rules.rerank_limit}"
        if rules.rerank_chars and any(len(t) > rules.rerank_chars for t in asked.body[key]):
            return f"maximum context length is {rules.rerank_chars} tokens"
    return ""


def embeddings(body: Json) -> Json:
    """Vectors of length 2, not unit, last input first: order and length are the client's work."""
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    rows = [
        {"object": "embedding", "index": i, "embedding": _vector(text)}
        for i, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "model": body["model"], "data": rows[::-1], "usage": usage}


def _vector(text: str) -> list[float]:
    raw = hashlib.sha256(text.encode()).digest()[:8]
    values = [byte - 127.5 for byte in raw]
    length = sum(v * v for v in values) ** 0.5
    return [2 * v / length for v in values]


def rerank(body: Json, form: str) -> Any:
    """Score: share of the query's characters that the text has; best first."""
    texts = body["texts" if form == "tei" else "documents"]
    query = set(body["query"])
    scores = [len(query & set(text)) / max(len(query), 1) for text in texts]
    order = sorted(range(len(texts)), key=lambda i: (-scores[i], i))
    if form == "tei":
        return [{"index": i, "score": scores[i]} for i in order]
    return {"results": [{"index": i, "relevance_score": scores[i]} for i in order]}
