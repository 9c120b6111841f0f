"""MCP results as JSON: LangGraph's door writes a tool's result in Python's notation.

It runs the graph without the request's headers, too: addresses become absolute here.
"""

import ast
import json
from typing import TYPE_CHECKING, Any

from .dress import absolute, base_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATHS = frozenset({"/mcp", "/mcp/"})


class ToolText:
    """Rewrites the answers of `POST /mcp`: the text as JSON, the same as structured content."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass everything else through."""
        asked = scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in PATHS
        if not asked:
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def held(message: "Message") -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if not message.get("more_body") and start is not None:
                told = readable(body, base_of("", heard(scope)))
                await send({**start, "headers": _sized(start["headers"], len(told))})
                await send({"type": "http.response.body", "body": told})

        await self._app(scope, receive, held)


def heard(scope: "Scope") -> dict[str, str]:
    """A request's headers by their lower-case names."""
    pairs = scope.get("headers", ())
    return {key.decode("latin-1"): value.decode("latin-1") for key, value in pairs}


def readable(body: bytes, base: str = "") -> bytes:
    """A JSON-RPC answer with its tool result as JSON; whatever is no such answer as it was."""
    try:
        answer = json.loads(body)
        content = answer["result"]["content"]
        value = ast.literal_eval(content[0]["text"])
    except (ValueError, SyntaxError, KeyError, IndexError, TypeError, RecursionError):
        return body
    if not isinstance(value, dict) or len(content) != 1:
        return body
    for key, name in (("images", "url"), ("sources", "page_url")):
        if isinstance(value.get(key), list):
            value[key] = [absolute(item, name, base) for item in value[key]]
    content[0]["text"] = json.dumps(value, ensure_ascii=False)
    answer["result"]["structuredContent"] = value
    return json.dumps(answer, ensure_ascii=False).encode()


def _sized(headers: Any, length: int) -> list[tuple[bytes, bytes]]:
    kept = [(key, value) for key, value in headers if key.lower() != b"content-length"]
    return [*kept, (b"content-length", str(length).encode())]
