"""`/documents` and `/collections`: upload, list, show, delete."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import (
    APIRouter,
    Depends,
    File,
    Form,
    HTTPException,
    Query,
    Request,
    Response,
    UploadFile,
)
from fastapi.responses import JSONResponse

from ...core.document import DocumentRecord
from ...core.errors import UsageError
from ...core.options import IngestOptions
from ...graph.services import Services
from . import uploads
from .access import is_thread_collection, may_use, private_name, shown_name
from .gate import Gate
from .ingesting import Ingesting
from .sse import encoded, stream

Json = dict[str, Any]
NO_DOCUMENT = "There is no such document."
HIDDEN = {"source_key", "source_pdf", "page_asset"}
"""Fields that name places on the server."""
MAX_FILES = 200


def router(gate: Gate, ingesting: Ingesting) -> APIRouter:
    """The routes about documents. What comes in first is matched first: jobs before documents."""
    routes = APIRouter(tags=["documents"])
    _add_upload(routes, gate, ingesting)
    _add_reading(routes, gate)
    _add_collections(routes, gate)
    return routes


def _add_upload(routes: APIRouter, gate: Gate, ingesting: Ingesting) -> None:
    @routes.post("/documents", response_model=None, responses={202: {}, 422: {}})
    async def upload(
        request: Request,
        owner: Annotated[str, Depends(gate.paced_owner)],
        files: Annotated[list[UploadFile], File(description="One or more files.")],
        collection: Annotated[str, Form(min_length=1, max_length=200)] = "default",
        source_type: Annotated[str, Form(max_length=40)] = "",
        shared: Annotated[bool, Form()] = False,
        wait: Annotated[bool, Form()] = True,
    ) -> Response:
        """Ingest files. `Accept: text/event-stream`: progress as events; `wait=false`: a job."""
        services = await gate.opened.aservices()
        name = written_name(gate, owner, collection, shared=shared)
        if len(files) > MAX_FILES:
            raise UsageError(f"At most {MAX_FILES} files at once.")
        paths = [str(await _keep(services, name, item)) for item in files]
        options = IngestOptions(collection=name, source_type=source_type)
        if not wait:
            job = ingesting.start(uuid.uuid4().hex, owner, paths, options)
            return JSONResponse(job.shown(), status_code=202)
        events = ingesting.events(paths, options)
        if "text/event-stream" in request.headers.get("accept", ""):
            return stream(encoded(events))
        return await _reported(events)

    @routes.get("/documents/jobs/{job_id}")
    async def job(job_id: str, owner: Annotated[str, Depends(gate.owner)]) -> Json:
        """How far an upload with `wait=false` is."""
        found = ingesting.job(job_id, owner)
        if found is None:
            raise HTTPException(404, "There is no such job.")
        return found.shown()


def _add_reading(routes: APIRouter, gate: Gate) -> None:
    owner_of = Depends(gate.owner)

    @routes.get("/documents")
    async def documents(
        owner: Annotated[str, owner_of],
        collection: Annotated[str, Query(max_length=200)] = "",
    ) -> Json:
        """The documents that the caller may see, of one collection or of all."""
        services = await gate.opened.aservices()
        records = await asyncio.to_thread(visible, services, owner, collection)
        return {"documents": [listed(record, owner) for record in records]}

    @routes.get("/documents/{doc_id}")
    async def document(doc_id: str, owner: Annotated[str, owner_of]) -> Json:
        """One document with its figures."""
        services = await gate.opened.aservices()
        return await asyncio.to_thread(_show, services, doc_id, owner)

    @routes.delete("/documents/{doc_id}")
    async def delete(doc_id: str, owner: Annotated[str, owner_of]) -> Json:
        """Delete a document from every index, with its pictures and its uploaded file."""
        services = await gate.opened.aservices()
        record = await asyncio.to_thread(find, services, doc_id, owner)
        await asyncio.to_thread(services.store.delete, doc_id)
        await asyncio.to_thread(uploads.forget, services, record.collection, record.name)
        return {"doc_id": doc_id, "deleted": True}


def _add_collections(routes: APIRouter, gate: Gate) -> None:
    @routes.get("/collections")
    async def collections(owner: Annotated[str, Depends(gate.owner)]) -> Json:
        """The collections that the caller may search."""
        services = await gate.opened.aservices()
        found = await asyncio.to_thread(services.catalog.collections)
        return {
            "collections": [
                {
                    **info.model_dump(mode="json"),
                    "name": shown_name(owner, info.name),
                    "private": info.name.startswith("@"),
                }
                for info in found
                if may_use(owner, info.name) and not is_thread_collection(info.name)
            ]
        }


def written_name(gate: Gate, owner: str, collection: str, *, shared: bool) -> str:
    """The collection that an upload goes to: with authentication on, the owner's own by default.

    Raises UsageError for somebody else's.
    """
    name = collection.strip()
    if not name or any(ord(c) < 32 for c in name):
        raise UsageError("A collection's name is printable text.")
    if not may_use(owner, name):
        raise UsageError("That collection belongs to somebody else.")
    if not gate.owners() or shared or name.startswith("@"):
        return name
    return private_name(owner, name)


async def _keep(services: Services, collection: str, item: UploadFile) -> Any:
    limit = services.settings.server.max_upload_mb << 20
    data = await item.read(limit + 1)
    return await asyncio.to_thread(uploads.keep, services, collection, item.filename or "", data)


async def _reported(events: AsyncIterator[Json]) -> JSONResponse:
    reports: list[Json] = []
    async for event in events:
        reports = event["files"] if event["type"] == "report" else reports
    body: Json = {"files": reports}
    failed = all(report["state"] == "failed" for report in reports)
    if failed:
        body["detail"] = "; ".join(report["error"] for report in reports)
    return JSONResponse(body, status_code=422 if failed else 200)


def visible(services: Services, owner: str, collection: str) -> list[DocumentRecord]:
    """The documents that an owner may see. Blocking."""
    if not collection:
        records = services.catalog.documents(None)
        return [
            record
            for record in records
            if may_use(owner, record.collection) and not is_thread_collection(record.collection)
        ]
    names = [private_name(owner, collection), collection]
    return [
        record
        for name in names
        if may_use(owner, name)
        for record in services.catalog.documents(name)
    ]


def find(services: Services, doc_id: str, owner: str) -> DocumentRecord:
    """A document that the owner may see. Blocking. Raises 404."""
    record = services.catalog.document(doc_id)
    if record is None or not may_use(owner, record.collection):
        raise HTTPException(404, NO_DOCUMENT)
    return record


def listed(record: DocumentRecord, owner: str) -> Json:
    """A record without places on the server."""
    shown = record.model_dump(mode="json", exclude=HIDDEN)
    return {**shown, "collection": shown_name(owner, record.collection)}


def _show(services: Services, doc_id: str, owner: str) -> Json:
    record = find(services, doc_id, owner)
    figures = [
        {
            "id": figure.figure_id,
            "kind": figure.kind,
            "label": figure.label_text,
            "caption": figure.caption,
            "page": figure.page,
            "available": figure.available,
            "url": f"/images/{figure.figure_id}{services.sign(figure.figure_id)}"
            if figure.asset_id and figure.available
            else "",
        }
        for figure in services.catalog.figures_of(doc_id)
        if not figure.decoration
    ]
    return {**listed(record, owner), "figure_list": figures}
