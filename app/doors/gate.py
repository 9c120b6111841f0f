"""Who may pass: keys, rate limit, body limit."""

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fastapi import HTTPException, Request

from ...core.settings import Settings
from .access import ANYBODY, owner_by_secret, owners_of, presented

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from .opened import Opened

NEEDS_KEY = "A valid API key is needed: Authorization: Bearer <key>."


class Gate:
    """Checks requests against the settings of the opened process."""

    def __init__(self, opened: "Opened", clock: Callable[[], float] = time.monotonic) -> None:
        self.opened = opened
        self._clock = clock
        self._seen: dict[str, deque[float]] = {}

    def settings(self) -> Settings:
        """The process's settings."""
        return self.opened.settings()

    def owners(self) -> dict[str, str]:
        """Secret -> owner; empty: authentication is off."""
        return owners_of(key.get_secret_value() for key in self.settings().server.api_keys)

    def owner_of_headers(self, headers: Mapping[str, str]) -> str | None:
        """Who sends these headers (lower-case names); None: nobody that the keys know."""
        owners = self.owners()
        return owner_by_secret(owners, presented(headers)) if owners else ANYBODY

    def known_owner(self, request: Request) -> str | None:
        """The request's owner, or None."""
        return self.owner_of_headers(request.headers)

    def owner(self, request: Request) -> str:
        """The request's owner (a FastAPI dependency). Raises 401."""
        owner = self.known_owner(request)
        if owner is None:
            raise HTTPException(401, NEEDS_KEY, headers={"WWW-Authenticate": "Bearer"})
        return owner

    def paced_owner(self, request: Request) -> str:
        """The request's owner, counted. Raises 401, or 429 when there were too many."""
        owner = self.owner(request)
        limit = self.settings().server.requests_per_minute
        if not limit:
            return owner
        seen = self._seen.setdefault(owner, deque())
        now = self._clock()
        while seen and now - seen[0] >= 60:
            seen.popleft()
        if len(seen) >= limit:
            wait = max(1, int(60 - (now - seen[0])) + 1)
            text = f"Too many requests: {limit} a minute. Try again in {wait} s."
            raise HTTPException(429, text, headers={"Retry-After": str(wait)})
        seen.append(now)
        return owner


class LimitBody:
    """Refuses bodies over the upload limit before they are read into memory or a file."""

    def __init__(self, app: "ASGIApp", limit: Callable[[], int]) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Count what comes in; 413 when it is too much."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit()
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > limit:
            await _too_large(send, limit)
            return
        seen = 0

        async def counted() -> "Message":
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise HTTPException(413, _too_large_text(limit))
            return message

        await self._app(scope, counted, send)


def _too_large_text(limit: int) -> str:
    return f"The request is larger than {limit >> 20} MB."


async def _too_large(send: "Send", limit: int) -> None:
    import json

    body = json.dumps({"detail": _too_large_text(limit)}).encode()
    headers: Any = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})
