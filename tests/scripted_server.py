"""An OpenAI-compatible server on loopback that plays a script and records what it was asked.

Every behaviour of real endpoints that tuwen must survive is a `Reply` or a rule of the server:

    with ScriptedServer() as server:
        server.script(Reply(status=429, headers={"Retry-After": "2"}), Reply("答案是 9"))
        ... base_url=server.url ...
        assert server.requests[0].body["model"] == "tiny"

A script's replies are used in order, the last one for every further call. One thread a request;
stalls end at once when the server closes.
"""

import json
import selectors
import socket
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.scripted_replies import (
    Asked,
    Json,
    Reply,
    Rules,
    completion,
    embeddings,
    events,
    refusal,
    rerank,
)

__all__ = ["Asked", "Reply", "Rules", "ScriptedServer"]


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
        if refused := refusal(asked, self.server_owner.rules):
            self._json(refused[0], {"error": refused[1]})
        elif asked.path.endswith("/chat/completions"):
            self._chat(asked, self.server_owner.next_reply(asked))
        elif asked.path.endswith("/embeddings"):
            self._json(200, embeddings(asked.body))
        elif asked.path.endswith("/rerank"):
            self._json(200, rerank(asked.body, self.server_owner.rules.rerank_form))
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
            self._json(200, completion(asked.body, reply), reply)

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
        for index, (stall, event) in enumerate(events(body, reply)):
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
            if self._heard():
                if not self.connection.recv(1, socket.MSG_PEEK):
                    raise ConnectionResetError
                return

    def _heard(self) -> bool:
        with selectors.DefaultSelector() as one:  # select() refuses descriptors above 1023
            one.register(self.connection, selectors.EVENT_READ)
            return bool(one.select(0))

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()
