"""`/health` and `/metrics`."""

import asyncio
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response

from ... import __version__
from . import metrics
from .gate import Gate
from .talk import Talk

Json = dict[str, Any]


def router(gate: Gate, talk: Talk) -> APIRouter:
    """The operator's routes."""
    routes = APIRouter(tags=["operation"])

    @routes.get("/health")
    async def health() -> Json:
        """Whether questions can be answered; open to everybody, tells nothing about the data."""
        services = await gate.opened.aservices()
        await asyncio.to_thread(services.catalog.fingerprint, "")
        return {
            "status": "ok",
            "version": __version__,
            "model": services.chat is not None,
            "authentication": bool(gate.owners()),
        }

    @routes.get("/metrics", response_class=Response, include_in_schema=False)
    @routes.get("/health/metrics", response_class=Response)
    async def prometheus(request: Request) -> Response:
        """Prometheus metrics; with authentication on, for key holders.

        Below LangGraph's server `/metrics` is its own: the same numbers, open like its health.
        """
        if gate.known_owner(request) is None:
            raise HTTPException(401, "A valid API key is needed.")
        body, kind = metrics.exposition()
        return Response(body, media_type=kind)

    return routes
