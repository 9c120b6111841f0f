"""Clients of the openai package: one an event loop, made off the loop, closed on request."""

import asyncio
import threading
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from .openai_errors import Endpoint

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

CONNECT_SECONDS = 10.0
C = TypeVar("C", "OpenAI", "AsyncOpenAI")


class Clients:
    """Hands out the sync client and each event loop's async client for one endpoint.

    Importing the package and loading the certificates block for a while: the async client is
    therefore made in a thread. Retries are not the client's: tuwen counts them itself.
    """

    def __init__(self, endpoint: Endpoint, *, timeout: float) -> None:
        self.endpoint = endpoint
        self.timeout = timeout
        self._lock = threading.Lock()
        self._sync: OpenAI | None = None
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = (
            WeakKeyDictionary()
        )

    def sync(self) -> "OpenAI":
        """The blocking client."""
        from openai import DefaultHttpxClient, OpenAI, Timeout

        with self._lock:
            if self._sync is None:
                self._sync = _private(
                    OpenAI(
                        base_url=self.endpoint.url,
                        api_key=self._key(),
                        timeout=Timeout(self.timeout, connect=min(CONNECT_SECONDS, self.timeout)),
                        max_retries=0,
                        http_client=DefaultHttpxClient(trust_env=not self.endpoint.local),
                    )
                )
            return self._sync

    async def running(self) -> "AsyncOpenAI":
        """The client of the running event loop."""
        loop = asyncio.get_running_loop()
        with self._lock:
            client = self._by_loop.get(loop)
        if client is None:
            made = await asyncio.to_thread(self._make_async)
            with self._lock:
                client = self._by_loop.setdefault(loop, made)
            if client is not made:
                await made.close()
        return client

    def _make_async(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

        return _private(
            AsyncOpenAI(
                base_url=self.endpoint.url,
                api_key=self._key(),
                timeout=Timeout(self.timeout, connect=min(CONNECT_SECONDS, self.timeout)),
                max_retries=0,
                http_client=DefaultAsyncHttpxClient(trust_env=not self.endpoint.local),
            )
        )

    def _key(self) -> str:
        # Local servers need none, but the package insists on a value and would read the
        # environment, which is the composition root's business.
        return self.endpoint.api_key.get_secret_value() or "none"

    async def aclose(self) -> None:
        """Close the running loop's client and the sync one; a later call opens new ones."""
        loop = asyncio.get_running_loop()
        with self._lock:
            client = self._by_loop.pop(loop, None)
        if client is not None:
            await client.close()
        self.close()

    def close(self) -> None:
        """Close the sync client, and (without waiting) the clients of loops that still run."""
        with self._lock:
            client, self._sync = self._sync, None
            others = list(self._by_loop.items())
            self._by_loop.clear()
        if client is not None:
            client.close()
        for loop, other in others:
            if loop.is_running():
                asyncio.run_coroutine_threadsafe(other.close(), loop)


def _private(client: C) -> C:
    """The client without the names that the package takes from the environment: an account's
    organisation is no business of another endpoint."""
    client.organization = None
    client.project = None
    return client
