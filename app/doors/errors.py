"""Errors as HTTP: a status and words, never a path, never a stack trace."""

import logging

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from ...core.errors import (
    DocumentError,
    ModelError,
    StoreBusyError,
    StoreError,
    TuwenError,
)
from .talk import BusyThreadError

logger = logging.getLogger(__name__)
INTERNAL = "An internal error; the server's log has the details."


STATUSES: tuple[tuple[type[TuwenError], int, str], ...] = (
    (BusyThreadError, 409, ""),
    (StoreBusyError, 503, "The store is busy. Try again in a moment."),
    (StoreError, 503, "The store cannot be used at the moment; the server's log says why."),
    (DocumentError, 422, ""),
    (ModelError, 502, "The model's endpoint failed. Try again, or ask without a model."),
    (TuwenError, 400, ""),
)
"""(kind, status, text); "": the error's own words. Store errors name folders, so theirs are not."""


def failure(error: BaseException) -> tuple[int, str]:
    """(status, text) of an error."""
    for kind, status, text in STATUSES:
        if isinstance(error, kind):
            if text:
                logger.error("%s: %s", type(error).__name__, error)
            return status, text or str(error)
    logger.error("unexpected: %r", error, exc_info=error)
    return 500, INTERNAL


def install(app: FastAPI) -> None:
    """Answer errors with their status and words. Starlette also raises what is not tuwen's."""

    @app.exception_handler(TuwenError)
    @app.exception_handler(Exception)
    async def say(_: Request, error: Exception) -> JSONResponse:
        status, text = failure(error)
        return JSONResponse({"detail": text}, status_code=status)
