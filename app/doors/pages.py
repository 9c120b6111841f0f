"""`/documents/{id}/pages/{n}.png`: a page as a picture with the cited boxes drawn."""

import asyncio
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path as FilePath
from threading import Lock
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response

from ...core.document import DocumentRecord
from ...core.text import digest
from ...graph.services import Services
from . import page_picture
from .gate import Gate
from .pictures import SAFE_HEADERS, allowed, page_name

SECONDS = 30
KEPT = 64
MISSING = "This page has no picture: the document is no PDF, or its file is no longer there."


class PageCache:
    """The last page pictures, by what they show."""

    def __init__(self, size: int = KEPT) -> None:
        self._size = size
        self._lock = Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """The picture, if it is kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: str, data: bytes) -> None:
        """Keep it; the one used longest ago goes."""
        with self._lock:
            self._kept[key] = data
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)


def router(gate: Gate) -> APIRouter:
    """The page route."""
    routes = APIRouter(tags=["pictures"])
    cache = PageCache()

    @routes.get(
        "/documents/{doc_id}/pages/{page}", response_class=Response, include_in_schema=False
    )
    @routes.get("/documents/{doc_id}/pages/{page}.png", response_class=Response)
    async def page_image(
        request: Request,
        doc_id: str,
        page: Annotated[int, Path(ge=1, le=100000)],
        chunk: Annotated[str, Query(max_length=200, description="Draw this chunk's boxes.")] = "",
        w: Annotated[int, Query(ge=100, le=2400, description="Width in pixels.")] = 1000,
    ) -> Response:
        """A page of a PDF with the boxes of a cited chunk."""
        services = await gate.opened.aservices()
        record = await asyncio.to_thread(services.catalog.document, doc_id)
        if record is None or not allowed(gate, request, page_name(doc_id, page), record.collection):
            raise HTTPException(404, "There is no such document.")
        data = await asyncio.to_thread(picture, services, cache, record, page, chunk, w)
        if data is None:
            raise HTTPException(404, MISSING)
        return Response(data, media_type="image/png", headers=SAFE_HEADERS)

    return routes


def picture(
    services: Services, cache: PageCache, record: DocumentRecord, page: int, chunk: str, width: int
) -> bytes | None:
    """The page's PNG; None: there is no PDF to draw from, or no such page. Blocking."""
    boxes = boxes_of(services, record, page, chunk)
    key = digest(record.doc_id, record.edition, str(page), str(width), repr(boxes))
    kept = cache.get(key)
    if kept is not None:
        return kept
    pdf = page_file(services, record)
    if pdf is None:
        return None
    data = draw(pdf, page, width, boxes)
    if data:
        cache.put(key, data)
    return data or None


def page_file(services: Services, record: DocumentRecord) -> FilePath | None:
    """The PDF whose pages the document's are: the kept one, else the one it was read from."""
    if record.page_asset and (kept := services.assets.path(record.page_asset)) is not None:
        return kept
    source = FilePath(record.source_pdf) if record.source_pdf else None
    return source if source is not None and source.is_file() else None


def boxes_of(
    services: Services, record: DocumentRecord, page: int, chunk_id: str
) -> list[tuple[float, float, float, float]]:
    """The chunk's boxes on that page as fractions of the page."""
    found = services.catalog.chunks([chunk_id]) if chunk_id else []
    return [
        (box.bbox.x0, box.bbox.y0, box.bbox.x1, box.bbox.y1)
        for item in found
        if item.doc_id == record.doc_id
        for box in item.boxes
        if box.page == page
    ]


def draw(
    pdf: FilePath, page: int, width: int, boxes: list[tuple[float, float, float, float]]
) -> bytes:
    """PNG bytes, b"" when the page cannot be drawn.

    In a process of its own: PDFium is not thread-safe, ingestion uses it too, and a broken file
    must not take the server with it.
    """
    marks = ";".join(",".join(f"{value:.5f}" for value in box) for box in boxes)
    script = FilePath(page_picture.__file__)
    argv = [sys.executable, str(script), str(pdf), str(page), str(width), marks]
    try:
        done = subprocess.run(argv, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return b""
    return done.stdout if done.returncode == 0 else b""
