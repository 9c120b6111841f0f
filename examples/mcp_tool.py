"""MCP: list the tools and call `answer`, over streamable HTTP with nothing but httpx."""

from typing import Any

import httpx
from common import HEADERS, QUESTION, URL, show


def call(method: str, **params: Any) -> dict[str, Any]:
    """One JSON-RPC request."""
    answer = httpx.post(
        f"{URL}/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
        headers={"Accept": "application/json, text/event-stream", **HEADERS},
        timeout=120,
    )
    answer.raise_for_status()
    return answer.json()["result"]


print("tools:", [tool["name"] for tool in call("tools/list")["tools"]])
result = call("tools/call", name="answer", arguments={"question": QUESTION})
show(result["structuredContent"])
