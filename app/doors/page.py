"""The chat page at `/app`: static files, no build step, everything shown as text."""

from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, RedirectResponse, Response

STATIC = Path(__file__).resolve().parent / "static"
FILES = {
    "app.js": "text/javascript; charset=utf-8",
    "render.js": "text/javascript; charset=utf-8",
    "words.js": "text/javascript; charset=utf-8",
    "app.css": "text/css; charset=utf-8",
    "vendor/marked.umd.js": "text/javascript; charset=utf-8",
    "vendor/purify.min.js": "text/javascript; charset=utf-8",
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self';"
        " object-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def router() -> APIRouter:
    """The page's routes."""
    routes = APIRouter(tags=["page"], include_in_schema=False)

    @routes.get("/app")
    async def bare() -> RedirectResponse:
        """The page lives below a slash, so that its files are found beside it."""
        return RedirectResponse("app/", status_code=307)

    @routes.get("/app/")
    async def index() -> Response:
        """The page."""
        return FileResponse(
            STATIC / "app.html", media_type="text/html; charset=utf-8", headers=HEADERS
        )

    @routes.get("/app/{name:path}")
    async def asset(name: str) -> Response:
        """The page's script and style: by name from a list, never by path."""
        if name not in FILES:
            raise HTTPException(404, "There is no such file.")
        return FileResponse(STATIC / name, media_type=FILES[name], headers=HEADERS)

    return routes
