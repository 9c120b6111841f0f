"""An OpenAI-compatible server on loopback that plays a script and records what it was asked.

Every behaviour of real endpoints that tuwen must survive is a `Reply` or a rule of the server:

    with ScriptedServer() as server:
        server.script(Reply(status=429, headers={"Retry-After": "2"}), Reply("答案是 9"))
        ... base_url=server.url ...
        assert server.requests[0].body["model"] == "tiny"

A script's replies are used in order, the last one for every further call. One thread a request;
stalls end at once when the server closes.
"""

import hashlib
import json
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

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
    rerank_form: str = "jina"
    """jina (query, documents) or tei (query, texts)."""


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves is part of the tests; anything else is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class ScriptedServer:
    """Starts at once; `url` ends in /v1. Use as a context manager or call `close`."""

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules or Rules()
        self.requests: list[Asked] = []
        self.respond: Callable[[Asked], Reply] | None = None
        self._replies: list[Reply] = [Reply("ok")]
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self.hung_up = threading.Event()
        """A client left before its reply was over."""
        self._http = _Http(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """Base address for the openai package."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script(self, *replies: Reply | str) -> None:
        """Play these from now on."""
        with self._lock:
            self._replies = [r if isinstance(r, Reply) else Reply(r) for r in replies]

    def next_reply(self, asked: Asked) -> Reply:
        """Record a chat request and take its reply."""
        with self._lock:
            if self.respond is not None:
                return self.respond(asked)
            return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    def record(self, asked: Asked) -> None:
        with self._lock:
            self.requests.append(asked)

    def close(self) -> None:
        """Stop; stalled replies end."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(timeout=5)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(_Handler):
            server_owner = owner

        return Handler


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_owner: ScriptedServer

    def log_message(self, format: str, *args: Any) -> None:
        """Tests are quiet."""

    def do_GET(self) -> None:
        models = sorted(self.server_owner.rules.models) or ["tiny"]
        self._json(200, {"object": "list", "data": [{"id": m, "object": "model"} for m in models]})

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(size) or b"{}")
        asked = Asked(self.path, body, {k.lower(): v for k, v in self.headers.items()})
        self.server_owner.record(asked)
        try:
            self._route(asked)
        except (BrokenPipeError, ConnectionResetError):
            self.server_owner.hung_up.set()
            self.close_connection = True

    def _route(self, asked: Asked) -> None:
        if refusal := _refusal(asked, self.server_owner.rules):
            self._json(refusal[0], {"error": refusal[1]})
        elif asked.path.endswith("/chat/completions"):
            self._chat(asked, self.server_owner.next_reply(asked))
        elif asked.path.endswith("/embeddings"):
            self._json(200, _embeddings(asked.body))
        elif asked.path.endswith("/rerank"):
            self._json(200, _rerank(asked.body, self.server_owner.rules.rerank_form))
        else:
            self._json(404, {"error": {"message": f"no route {asked.path}"}})

    def _chat(self, asked: Asked, reply: Reply) -> None:
        self.server_owner.closing.wait(reply.stall_before)
        if reply.status != 200:
            error = reply.error if reply.error is not None else {"message": "scripted failure"}
            self._json(reply.status, error if isinstance(error, str) else {"error": error}, reply)
        elif reply.raw is not None:
            self._raw(reply.raw, reply.raw_type)
        elif asked.body.get("stream") and not reply.ignore_stream:
            self._stream(asked.body, reply)
        else:
            self._json(200, _completion(asked.body, reply), reply)

    def _json(self, status: int, body: Any, reply: Reply | None = None) -> None:
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        kind = "text/html" if isinstance(body, str) else "application/json"
        self._raw(text, kind, status=status, headers=reply.headers if reply else {})

    def _raw(
        self, text: str, kind: str, *, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, body: Json, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for index, (stall, event) in enumerate(_events(body, reply)):
            if reply.drop_after is not None and index >= reply.drop_after:
                self.close_connection = True
                return
            self.wfile.flush()
            self._wait(stall)
            self._chunk(f"data: {event}\n\n")
        self._chunk("")

    def _wait(self, seconds: float) -> None:
        """Keep the client waiting. Raises ConnectionResetError as soon as it has left."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.server_owner.closing.wait(min(left, 0.05)):
                return
            if select.select([self.connection], [], [], 0)[0]:
                if not self.connection.recv(1, socket.MSG_PEEK):
                    raise ConnectionResetError
                return

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def _pieces(text: str | Sequence[str], size: int) -> list[str]:
    if not isinstance(text, str):
        return list(text)
    return [text[i : i + size] for i in range(0, len(text), size)]


def _events(body: Json, reply: Reply) -> Iterator[tuple[float, str]]:
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


def _completion(body: Json, reply: Reply) -> Json:
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


def _refusal(asked: Asked, rules: Rules) -> tuple[int, Json] | None:
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
    return ""


def _embeddings(body: Json) -> Json:
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


def _rerank(body: Json, form: str) -> Any:
    """Score: share of the query's characters that the text has; best first."""
    texts = body["texts" if form == "tei" else "documents"]
    query = set(body["query"])
    scores = [len(query & set(text)) / max(len(query), 1) for text in texts]
    order = sorted(range(len(texts)), key=lambda i: (-scores[i], i))
    if form == "tei":
        return [{"index": i, "score": scores[i]} for i in order]
    return {"results": [{"index": i, "relevance_score": scores[i]} for i in order]}
