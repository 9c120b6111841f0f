"""`/images/{id}`: registered pictures and nothing else; thumbnails; signed addresses."""

import asyncio
import hashlib
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse

from ...core.settings import ServerSettings
from ...graph.services import Services
from .access import may_use, sign, signature_holds
from .gate import Gate

TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
}
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cache-Control": "private, max-age=3600",
}


def signing_secret(settings: ServerSettings) -> bytes:
    """Derived from the keys: whoever changes a key withdraws the addresses. b"" without keys."""
    keys = sorted(key.get_secret_value() for key in settings.api_keys)
    return hashlib.sha256("\n".join(["tuwen-pictures", *keys]).encode()).digest() if keys else b""


def signer(settings: ServerSettings, now: Callable[[], float] = time.time) -> Callable[[str], str]:
    """Name -> "?expires=…&signature=…"; "" with authentication off.

    The expiry is rounded up to a full hour, so the same answer has the same addresses.
    """
    secret = signing_secret(settings)

    def query(name: str) -> str:
        if not secret:
            return ""
        expires = (int(now() + settings.picture_hours * 3600) // 3600 + 1) * 3600
        return f"?expires={expires}&signature={sign(secret, name, expires)}"

    return query


def allowed(gate: Gate, request: Request, name: str, collection: str) -> bool:
    """Whether the request may see a picture: by its address's signature or by its owner's key."""
    secret = signing_secret(gate.settings().server)
    query = request.query_params
    if secret and query.get("signature"):
        expires = query.get("expires", "")
        now = time.time()
        if expires.isascii() and expires.isdigit() and len(expires) < 13:
            return signature_holds(secret, name, int(expires), query["signature"], now=now)
        return False
    owner = gate.known_owner(request)
    return owner is not None and may_use(owner, collection)


def router(gate: Gate) -> APIRouter:
    """The picture route."""
    routes = APIRouter(tags=["pictures"])

    @routes.get("/images/{figure_id}", response_class=Response)
    async def image(
        request: Request, figure_id: str, w: Annotated[int, Query(ge=0, le=2000)] = 0
    ) -> Response:
        """A picture of an answer by its figure id; `w` is a thumbnail's width in pixels."""
        services = await gate.opened.aservices()
        found = await asyncio.to_thread(find_picture, services, figure_id)
        if found is None or not allowed(gate, request, figure_id, found[1]):
            raise HTTPException(404, "There is no such picture.")
        path = found[0]
        kind = TYPES.get(path.suffix.lower(), "application/octet-stream")
        if w and kind != "application/octet-stream":
            data = await asyncio.to_thread(thumbnail, path, w)
            if data is not None:
                return Response(data, media_type="image/png", headers=SAFE_HEADERS)
        return FileResponse(path, media_type=kind, headers=SAFE_HEADERS)

    return routes


def find_picture(services: Services, figure_id: str) -> tuple[Path, str] | None:
    """A registered picture's file and its collection. Blocking."""
    figures = services.catalog.figures([figure_id])
    if not figures or not figures[0].asset_id:
        return None
    path = services.assets.path(figures[0].asset_id)
    return (path, figures[0].collection) if path else None


def thumbnail(path: Path, width: int) -> bytes | None:
    """The picture at most `width` pixels wide, as PNG; None: no picture that Pillow reads."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            picture.thumbnail((width, width * 4))
            out = io.BytesIO()
            picture.convert("RGBA" if "A" in picture.getbands() else "RGB").save(out, "PNG")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None
    return out.getvalue()


def page_address(doc_id: str, page: int, chunk_id: str, sign_name: Callable[[str], str]) -> str:
    """The address of a page's picture with a chunk's boxes drawn."""
    query = sign_name(page_name(doc_id, page))
    mark = f"{'&' if query else '?'}chunk={quote(chunk_id, safe='')}" if chunk_id else ""
    return f"/documents/{quote(doc_id, safe='')}/pages/{page}.png{query}{mark}"


def page_name(doc_id: str, page: int) -> str:
    """What a page picture's signature is over."""
    return f"page:{doc_id}:{page}"
