"""What a batch has in hand, and which files need no work: unchanged, duplicate, skipped."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from ...core.document import DocumentRecord, FileReport, ParsedDocument
from ...core.options import IngestOptions
from ...core.ports import Vectors
from ...core.text import digest
from ...ingestion.build import Built
from ...ingestion.parsers.ocr import installed as ocr_installed
from ...ingestion.sniff import Input, content_hash, skip_report, stamp
from ..services import Services
from .describe import models_of

PIPELINE = "8"
"""Raised when chunks or figures of the same file would come out otherwise: editions then differ."""
NOTHING = hashlib.sha256().hexdigest()
READ_BY_OCR = frozenset({"pdf", "picture"})


@dataclass(frozen=True)
class Work:
    """One file on the workbench."""

    source: Input
    started: float
    stamp: str = ""
    hash: str = ""
    doc_id: str = ""
    edition: str = ""
    bare: str = ""
    """The edition's name when models that should describe its pictures could not."""
    parsed: ParsedDocument | None = None
    built: Built | None = None
    vectors: Vectors | None = None


@dataclass
class Workbench:
    """Files in work, by token, and what each of them has claimed to read."""

    works: dict[str, Work] = field(default_factory=dict)
    claims: dict[tuple[str, str], str] = field(default_factory=dict)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def update(self, token: str, **changes: Any) -> Work:
        """Replace fields of a work."""
        self.works[token] = replace(self.works[token], **changes)
        return self.works[token]

    def claim(self, collection: str, token: str) -> Work | None:
        """Take the content of a work; the other work that has it in hand, if there is one."""
        with self.guard:
            owner = self.claims.setdefault((collection, self.works[token].hash), token)
        return None if owner == token else self.works.get(owner)

    @contextmanager
    def holding(self, token: str) -> Iterator[None]:
        """Forget the work when its file's way ends, also by cancellation: its bytes would be
        claimed for ever."""
        try:
            yield
        finally:
            self.clear(token)

    def clear(self, token: str) -> Work | None:
        """Forget a work and what it claimed."""
        with self.guard:
            for key in [key for key, owner in self.claims.items() if owner == token]:
                del self.claims[key]
        return self.works.pop(token, None)


def untouched(
    services: Services, work: Work, options: IngestOptions
) -> tuple[Work, FileReport | None]:
    """The work with its identity, and a report when the file need not even be read.

    A file of the size and the time of change that its document was read at is that document.
    """
    if (skipped := skip_report(work.source)) is not None:
        return work, skipped
    doc_id = digest(options.collection, work.source.source_key)
    work = replace(work, doc_id=doc_id, stamp=stamp(work.source))
    current = services.catalog.document(doc_id) if work.stamp else None
    if current is None or current.stamp != work.stamp:
        return work, None
    same = replace(work, hash=current.content_hash)
    if current.edition != editions(same, services, options)["edition"]:
        return work, None
    return same, record_report(current, work, state="unchanged")


def known(
    services: Services, bench: Workbench, token: str, options: IngestOptions
) -> FileReport | None:
    """The report of a file that needs no work: the same edition, or the same bytes elsewhere.

    Raises IndexMismatchError before hours go into vectors that could not be stored.
    """
    services.store.check_fingerprint(options.collection)
    work = bench.update(token, hash=content_hash(bench.works[token].source))
    work = bench.update(token, **editions(work, services, options))
    current = services.catalog.document(work.doc_id)
    if current is not None and current.edition == work.edition:
        return record_report(current, work, state="unchanged")
    if current is not None:
        return None
    twins = services.catalog.find_by_hash(options.collection, work.hash)
    if twins:
        report = record_report(twins[0], work, state="duplicate")
        return report.model_copy(update={"warnings": (_same_as(twins[0].name),)})
    # Empty files have nothing in common; each is refused by itself.
    other = None if work.hash == NOTHING else bench.claim(options.collection, token)
    if other is None:
        return None
    said = (_same_as(other.source.name),)
    name = work.source.name
    return FileReport(path=name, state="duplicate", doc_id=other.doc_id, warnings=said)


def begun(work: Work) -> FileReport:
    """What is known of a file whose ingest has begun, and all that is left of one that was cut."""
    said = (
        "入库已开始但未完成（正在进行或被中断）；如已中断，请再次入库。"
        " / Its ingest began and has not ended: it is running, or was interrupted; if so, ingest it"
        " again."
    )
    return FileReport(
        path=work.source.name, state="failed", doc_id=work.doc_id, reason="unfinished", error=said
    )


def _same_as(name: str) -> str:
    return f"同样的内容已入库：{name} / the same content is already indexed as it"


def editions(work: Work, services: Services, options: IngestOptions) -> dict[str, str]:
    """Names of the edition with and without what models say: a failure is made good next time."""
    bare = _edition_of(work, services, options)
    models = models_of(services, options)
    return {"bare": bare, "edition": digest(bare, *models, length=8) if any(models) else bare}


def _edition_of(work: Work, services: Services, options: IngestOptions) -> str:
    ingest = services.settings.ingest
    shape = f"{ingest.chunk_chars}/{ingest.overlap_chars}"
    choices = f"{options.source_type}|{options.parser}|{sorted(options.metadata.items())}"
    if work.source.kind in READ_BY_OCR:  # a scan that failed is read again once OCR is installed
        choices += f"|ocr={ocr_installed()}"
    return digest(work.hash, PIPELINE, shape, choices, services.embedder.name, length=8)


def record_report(record: DocumentRecord, work: Work, *, state: Any) -> FileReport:
    """What the catalog knows of a document, as the report of a file."""
    return FileReport(
        path=work.source.name,
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
