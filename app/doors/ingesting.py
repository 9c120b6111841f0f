"""Ingestion for the doors: events while it runs, jobs to ask after."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any

from ...core.options import IngestOptions
from ..ingest import load_report
from ..render import report_json
from . import metrics
from .opened import Opened

Json = dict[str, Any]
KEPT_JOBS = 200


@dataclass
class Job:
    """An ingestion that runs or ran."""

    job_id: str
    owner: str
    total: int
    state: str = "running"
    events: list[Json] = field(default_factory=list)
    files: list[Json] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    def shown(self) -> Json:
        """The job as clients see it."""
        return {
            "job_id": self.job_id,
            "state": self.state,
            "total": self.total,
            "progress": self.events[-1] if self.events else None,
            "files": self.files,
        }


class Ingesting:
    """Runs the ingestion graph for uploads."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._jobs: dict[str, Job] = {}

    async def events(self, paths: Sequence[str], options: IngestOptions) -> AsyncGenerator[Json]:
        """`ingest.file` events, then `report` with one report a file."""
        graph = await self._opened.agraph("local_ingest")
        state: Json = {}
        stream: Any = graph.astream(
            {"paths": list(paths)},
            {"recursion_limit": 100},
            context=options,
            stream_mode=["values", "custom"],
            subgraphs=True,
        )
        async with aclosing(stream):
            async for namespace, mode, part in stream:
                if mode == "custom":
                    yield part
                elif not namespace:
                    state = part
        files = [report_json(load_report(item)) for item in state.get("reports", [])]
        for file in files:
            metrics.FILES.labels(file["state"]).inc()
        yield {"type": "report", "files": files}

    def start(self, job_id: str, owner: str, paths: Sequence[str], options: IngestOptions) -> Job:
        """Run in the background."""
        job = Job(job_id=job_id, owner=owner, total=len(paths))
        while len(self._jobs) >= KEPT_JOBS:
            self._jobs.pop(next(iter(self._jobs)))
        self._jobs[job_id] = job
        job.task = asyncio.create_task(self._work(job, paths, options))
        return job

    async def _work(self, job: Job, paths: Sequence[str], options: IngestOptions) -> None:
        ended = False
        try:
            async for event in self.events(paths, options):
                if event["type"] == "report":
                    job.files = event["files"]
                else:
                    job.events = [event]
            ended = True
        finally:
            job.state = "done" if ended else "failed"

    def job(self, job_id: str, owner: str) -> Job | None:
        """The owner's job of that id."""
        job = self._jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    async def close(self) -> None:
        """Stop what runs."""
        for job in self._jobs.values():
            if job.task is not None and not job.task.done():
                job.task.cancel()
                with suppress(asyncio.CancelledError):
                    await job.task
