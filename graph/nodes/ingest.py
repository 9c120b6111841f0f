"""The ingestion graph's nodes. The heavy parts wait on the workbench; the state holds tokens."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from ...core.document import DocumentRecord, FileReport
from ...core.events import FileProgress
from ...core.indexing import index_passages
from ...core.options import IngestOptions
from ...core.text import digest
from ...ingestion.build import Built, build_edition
from ...ingestion.parse import parse_input
from ...ingestion.parsers.ocr import Told
from ...ingestion.sniff import find_inputs
from ..policies import Node
from ..services import Services
from ..state import FileState, IngestState, Json
from .describe import describe as ask_models
from .describe import models_of
from .pages import with_pages
from .workbench import Work, Workbench, begun, known, record_report, untouched

Guard = Callable[[str], Path]
"""Turns a path that a caller named into one that may be read, or raises UsageError."""


def make_discover(services: Services, bench: Workbench, guard: Guard) -> Node:
    """Find the inputs below the paths: a report for what needs no reading, a task for the rest."""

    def find(
        paths: Sequence[str], options: IngestOptions
    ) -> list[tuple[str, Work, FileReport | None]]:
        rows = []
        for source in find_inputs([guard(path) for path in paths]):
            started = services.clock()
            work, report = untouched(services, Work(source, started), options)
            rows.append((digest(services.new_id()), work, report))
        return rows

    async def discover(state: IngestState, runtime: Runtime[IngestOptions]) -> Json:
        found = await asyncio.to_thread(find, state["paths"], runtime.context)
        tasks, reports = [], []
        for index, (token, work, report) in enumerate(found):
            name = work.source.name
            task = {"index": index, "total": len(found), "token": token, "path": name}
            if report is None:
                bench.works[token] = work
                tasks.append(task)
            else:
                reports.append(finished(services, work, task, runtime, report))
        return {"tasks": tasks, "reports": Overwrite(reports)}

    return discover


def progress(runtime: Runtime[IngestOptions], task: Json, stage: Any, **counts: Any) -> None:
    """Tell the stream which stage a file has reached."""
    event = FileProgress(
        index=task["index"] + 1, total=task["total"], path=task["path"], stage=stage, **counts
    )
    runtime.stream_writer(event.model_dump(mode="json"))


def make_parse(services: Services, bench: Workbench) -> Node:
    """Read the file into blocks, unless it is known already.

    That it was begun is noted until it is stored, so that an end in between leaves a trace.
    """

    def read(token: str, options: IngestOptions, told: Told) -> FileReport | None:
        report = known(services, bench, token, options)
        if report is None:
            work = bench.works[token]
            services.catalog.note_failure(options.collection, work.doc_id, begun(work))
            source = work.source
            parsed = parse_input(source, options, services.settings.ingest, told)
            bench.update(token, parsed=parsed)
        else:
            services.catalog.forget_failures([bench.works[token].doc_id])
        return report

    async def parse(state: FileState, runtime: Runtime[IngestOptions]) -> Json:
        task = state["task"]
        progress(runtime, task, "parse")
        loop = asyncio.get_running_loop()

        def told(pages: int, of_pages: int) -> None:
            counts = {"pages": pages, "of_pages": of_pages}
            loop.call_soon_threadsafe(partial(progress, runtime, task, "parse", **counts))

        report = await asyncio.to_thread(read, task["token"], runtime.context, told)
        if report is None:
            return {"done": False}
        work = bench.clear(task["token"])
        return {"done": True, "reports": [finished(services, work, task, runtime, report)]}

    return parse


def make_structure(services: Services, bench: Workbench) -> Node:
    """Sections, chunks and figures."""

    def build(token: str, options: IngestOptions) -> None:
        work = bench.works[token]
        assert work.parsed is not None
        built = _build(services, work, options)
        again = work.bare != work.edition
        bench.update(token, built=built, parsed=work.parsed if again else None)

    async def structure(state: FileState, runtime: Runtime[IngestOptions]) -> Json:
        progress(runtime, state["task"], "structure")
        await asyncio.to_thread(build, state["task"]["token"], runtime.context)
        return {}

    return structure


def _build(services: Services, work: Work, options: IngestOptions) -> Built:
    assert work.parsed is not None
    identity = _identity(work, options)
    return build_edition(work.parsed, identity, options=options, settings=services.settings.ingest)


def make_describe(services: Services, bench: Workbench) -> Node:
    """What models say of pictures and tables, where one is set; a failing model costs only that."""

    def ask(token: str, options: IngestOptions, models: tuple[str, str]) -> None:
        work, describer = bench.works[token], services.describer
        assert work.built is not None
        assert describer is not None
        said = ask_models(work.built, describer, models)
        if not said.whole:
            work = bench.update(token, edition=work.bare)
            work = bench.update(token, built=_build(services, work, options))
        assert work.built is not None
        bench.update(token, built=said.put_into(work.built), parsed=None)

    async def describe(state: FileState, runtime: Runtime[IngestOptions]) -> Json:
        models = models_of(services, runtime.context)
        if any(models):
            progress(runtime, state["task"], "describe")
            await asyncio.to_thread(ask, state["task"]["token"], runtime.context, models)
        return {}

    return describe


def make_embed(services: Services, bench: Workbench) -> Node:
    """Vectors of the chunks."""

    def encode(token: str) -> None:
        built = bench.works[token].built
        assert built is not None
        texts = [chunk.embedding_text for chunk in built.edition.chunks]
        bench.update(token, vectors=index_passages(services.embedder, texts))

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
        built = with_pages(services, work.built, work.source)
        known_by = {"ingested_at": services.now(), "stamp": work.stamp}
        record = built.record.model_copy(update=known_by)
        services.store.commit(record, built.edition, work.vectors)
        services.catalog.forget_failures([work.doc_id])
        report = record_report(record, work, state=record.state)
        return report.model_copy(update={"model_calls": work.built.model_calls})

    async def commit(state: FileState, runtime: Runtime[IngestOptions]) -> Json:
        task = state["task"]
        progress(runtime, task, "commit")
        report = await asyncio.to_thread(write, task["token"], runtime.context)
        work = bench.clear(task["token"])
        return {"reports": [finished(services, work, task, runtime, report)]}

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


def finished(
    services: Services,
    work: Work | None,
    task: Json,
    runtime: Runtime[IngestOptions],
    report: FileReport,
) -> Json:
    """A file's report in its state form, which the stream is told of; however the file ended."""
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
