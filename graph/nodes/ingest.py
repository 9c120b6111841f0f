"""The ingestion graph's nodes. The heavy parts wait on the workbench; the state holds tokens."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from ...core.document import DocumentRecord, FileReport, ParsedDocument
from ...core.events import FileProgress
from ...core.options import IngestOptions
from ...core.ports import Vectors
from ...core.text import digest
from ...ingestion.build import Built, build_edition
from ...ingestion.parse import parse_input
from ...ingestion.parsers.ocr import installed as ocr_installed
from ...ingestion.sniff import Input, content_hash, find_inputs, skip_report
from ..policies import Node
from ..services import Services
from ..state import FileState, IngestState, Json

PIPELINE = "2"
"""Raised when chunks or figures of the same file would come out otherwise: editions then differ."""


READ_BY_OCR = frozenset({"pdf", "picture"})


@dataclass(frozen=True)
class Work:
    """One file on the workbench."""

    source: Input
    started: float
    hash: str = ""
    doc_id: str = ""
    edition: str = ""
    parsed: ParsedDocument | None = None
    built: Built | None = None
    vectors: Vectors | None = None


@dataclass
class Workbench:
    """Files in work, by token, and the gate that bounds how many are open at once."""

    gate: asyncio.Semaphore
    works: dict[str, Work] = field(default_factory=dict)

    def update(self, token: str, **changes: Any) -> Work:
        """Replace fields of a work."""
        self.works[token] = replace(self.works[token], **changes)
        return self.works[token]


Guard = Callable[[str], Path]
"""Turns a path that a caller named into one that may be read, or raises UsageError."""


def make_discover(services: Services, bench: Workbench, guard: Guard) -> Node:
    """Find the inputs below the paths; one task a file."""

    def find(paths: Sequence[str]) -> list[tuple[str, Input]]:
        inputs = find_inputs([guard(path) for path in paths])
        return [(digest(services.new_id()), source) for source in inputs]

    async def discover(state: IngestState) -> Json:
        found = await asyncio.to_thread(find, state["paths"])
        tasks = []
        for index, (token, source) in enumerate(found):
            bench.works[token] = Work(source=source, started=services.clock())
            tasks.append({"index": index, "total": len(found), "token": token, "path": source.name})
        return {"tasks": tasks, "reports": Overwrite([])}

    return discover


def progress(runtime: Runtime[IngestOptions], task: Json, stage: Any, **counts: Any) -> None:
    """Tell the stream which stage a file has reached."""
    event = FileProgress(
        index=task["index"] + 1, total=task["total"], path=task["path"], stage=stage, **counts
    )
    runtime.stream_writer(event.model_dump(mode="json"))


def _edition_of(work: Work, services: Services, options: IngestOptions) -> str:
    ingest = services.settings.ingest
    shape = f"{ingest.chunk_chars}/{ingest.overlap_chars}"
    choices = f"{options.source_type}|{options.parser}|{sorted(options.metadata.items())}"
    if work.source.kind in READ_BY_OCR:  # a scan that failed is read again once OCR is installed
        choices += f"|ocr={ocr_installed()}"
    return digest(work.hash, PIPELINE, shape, choices, services.embedder.name, length=8)


def _known(services: Services, work: Work, options: IngestOptions) -> FileReport | None:
    """The report of a file that needs no work: the same edition, or the same bytes elsewhere."""
    current = services.catalog.document(work.doc_id)
    if current is not None and current.edition == work.edition:
        return _record_report(current, work, state="unchanged")
    if current is not None:
        return None
    twins = services.catalog.find_by_hash(options.collection, work.hash)
    if not twins:
        return None
    report = _record_report(twins[0], work, state="duplicate")
    said = f"同样的内容已入库：{twins[0].name} / the same content is already indexed as it"
    return report.model_copy(update={"warnings": (said,)})


def _record_report(record: DocumentRecord, work: Work, *, state: Any) -> FileReport:
    return FileReport(
        path=str(work.source.name),
        state=state,
        doc_id=record.doc_id,
        title=record.title,
        pages=record.pages,
        chunks=record.chunks,
        figures=record.figures,
        blocks=record.blocks,
        warnings=record.warnings,
        parser=record.parser,
        source_type=record.source_type,
    )


def make_parse(services: Services, bench: Workbench) -> Node:
    """Read the file into blocks, unless it is known already."""

    def read(token: str, options: IngestOptions) -> FileReport | None:
        work = bench.works[token]
        skipped = skip_report(work.source)
        if skipped is not None:
            return skipped
        digested = content_hash(work.source)
        doc_id = digest(options.collection, work.source.source_key)
        work = bench.update(token, hash=digested, doc_id=doc_id)
        work = bench.update(token, edition=_edition_of(work, services, options))
        known = _known(services, work, options)
        if known is None:
            parsed = parse_input(work.source, options, services.settings.ingest)
            bench.update(token, parsed=parsed)
        return known

    async def parse(state: FileState, runtime: Runtime[IngestOptions]) -> Json:
        task = state["task"]
        progress(runtime, task, "parse")
        async with bench.gate:
            known = await asyncio.to_thread(read, task["token"], runtime.context)
        if known is None:
            return {"done": False}
        return {"done": True, "reports": [_finish(services, bench, task, runtime, known)]}

    return parse


def make_structure(services: Services, bench: Workbench) -> Node:
    """Sections, chunks and figures."""

    def build(token: str, options: IngestOptions) -> None:
        work = bench.works[token]
        assert work.parsed is not None
        built = build_edition(
            work.parsed,
            _identity(work, options),
            options=options,
            settings=services.settings.ingest,
        )
        bench.update(token, built=built, parsed=work.parsed.model_copy(update={"images": {}}))

    async def structure(state: FileState, runtime: Runtime[IngestOptions]) -> Json:
        progress(runtime, state["task"], "structure")
        await asyncio.to_thread(build, state["task"]["token"], runtime.context)
        return {}

    return structure


def make_embed(services: Services, bench: Workbench) -> Node:
    """Vectors of the chunks."""

    def encode(token: str) -> None:
        built = bench.works[token].built
        assert built is not None
        texts = [chunk.embedding_text for chunk in built.edition.chunks]
        bench.update(token, vectors=services.embedder.embed_passages(texts))

    async def embed(state: FileState, runtime: Runtime[IngestOptions]) -> Json:
        progress(runtime, state["task"], "embed")
        await asyncio.to_thread(encode, state["task"]["token"])
        return {}

    return embed


def make_commit(services: Services, bench: Workbench) -> Node:
    """Make the new edition the visible one."""

    def write(token: str, options: IngestOptions) -> FileReport:
        work = bench.works[token]
        assert work.built is not None
        assert work.vectors is not None
        record = work.built.record.model_copy(update={"ingested_at": services.now()})
        services.store.commit(record, work.built.edition, work.vectors)
        return _record_report(record, work, state=record.state)

    async def commit(state: FileState, runtime: Runtime[IngestOptions]) -> Json:
        task = state["task"]
        progress(runtime, task, "commit")
        report = await asyncio.to_thread(write, task["token"], runtime.context)
        return {"reports": [_finish(services, bench, task, runtime, report)]}

    return commit


def _identity(work: Work, options: IngestOptions) -> DocumentRecord:
    """Who the document is; what it holds is filled in from its blocks."""
    return DocumentRecord(
        doc_id=work.doc_id,
        edition=work.edition,
        collection=options.collection,
        name=work.source.name,
        source_key=work.source.source_key,
        content_hash=work.hash,
        title=work.source.name,
        metadata=options.metadata,
    )


def _finish(
    services: Services,
    bench: Workbench,
    task: Json,
    runtime: Runtime[IngestOptions],
    report: FileReport,
) -> Json:
    work = bench.works.pop(task["token"], None)
    seconds = services.clock() - work.started if work else 0.0
    report = report.model_copy(update={"seconds": round(seconds, 3), "path": task["path"]})
    counts = {"state": report.state, "chunks": report.chunks, "figures": report.figures}
    progress(runtime, task, "done", **counts)
    return {"index": task["index"], **report.model_dump(mode="json")}


async def report(state: IngestState) -> Json:
    """Counts by state."""
    reports = state.get("reports", [])
    states = [item["state"] for item in reports]
    return {"summary": {name: states.count(name) for name in sorted(set(states))}}
