"""Errors as HTTP: a status and words, never a path, never a stack trace."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

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
INVALID = "invalid_request_error"
TYPES: dict[int, tuple[str, str | None]] = {
    401: ("authentication_error", "invalid_api_key"),
    403: ("permission_error", None),
    429: ("rate_limit_error", "rate_limit_exceeded"),
}
"""OpenAI's (type, code) by status."""

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
    """Answer errors with their status and words, under `/v1/` in OpenAI's form. Starlette also
    raises what is not tuwen's."""

    @app.exception_handler(TuwenError)
    @app.exception_handler(Exception)
    async def say(request: Request, error: Exception) -> Response:
        status, text = failure(error)
        if is_openai(request):
            return openai_error(status, text)
        return JSONResponse({"detail": written(text)}, status_code=status)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        if is_openai(request):
            return openai_error(400, wrong_in(error.errors()))
        return JSONResponse({"detail": [shown(one) for one in error.errors()]}, status_code=422)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        if not is_openai(request):
            return await http_exception_handler(request, error)
        answer = openai_error(error.status_code, str(error.detail))
        answer.headers.update(error.headers or {})
        return answer


def is_openai(request: Request) -> bool:
    """Whether the request came for the OpenAI form."""
    path = str(request.scope["path"]).removeprefix(str(request.scope.get("root_path", "")))
    return path.startswith("/v1/")


def written(text: str) -> str:
    """The text as it can be sent: half a character of UTF-16, which JSON may hold, is marked."""
    return text.encode("utf-8", "replace").decode()


def shown(problem: Mapping[str, Any]) -> dict[str, Any]:
    """One problem of a request, without what was sent: that may be no valid JSON (NaN)."""
    place = [part if isinstance(part, int) else written(str(part)) for part in problem["loc"]]
    return {"type": problem["type"], "loc": place, "msg": written(str(problem["msg"]))}


def openai_error(status: int, text: str, code: str | None = None) -> JSONResponse:
    """An error in OpenAI's form: the type by the status, unless `code` says more."""
    kind, known = TYPES.get(status, ("server_error" if status >= 500 else INVALID, None))
    error = {"message": written(text), "type": kind, "param": None, "code": code or known}
    return JSONResponse({"error": error}, status_code=status)


def wrong_in(problems: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with a request, in one sentence a problem."""
    said = []
    for problem in problems:
        place = ".".join(str(part) for part in problem["loc"] if part != "body") or "the body"
        if place == "messages" and problem["type"] in ("too_short", "missing"):
            said.append("messages is empty: send at least one message of the user.")
        else:
            said.append(f"{place}: {problem['msg']}.")
    return " ".join(said)
