"""The PDF behind a document, kept with it: its pages can be shown whatever becomes of the file."""

import hashlib
import zipfile
from dataclasses import replace
from pathlib import Path

from ...ingestion.build import Built
from ...ingestion.sniff import Input
from ..services import Services

MAX_BYTES = 512 << 20
"""Larger PDFs are drawn from where they lie, while they lie there."""
MADE_BY_PARSERS = ("_layout.pdf", "_span.pdf", "_spans.pdf", "_model.pdf")


def with_pages(services: Services, built: Built, source: Input) -> Built:
    """The edition with its PDF among its assets; as it was when there is none. Blocking.

    Uploads lie in the home folder already and live as long as their document.
    """
    data = pdf_bytes(services.settings.home.absolute(), built.record.source_pdf, source)
    if not data:
        return built
    name = f"{hashlib.sha256(data).hexdigest()[:40]}.pdf"
    assets = {**built.edition.assets, name: data}
    return replace(
        built,
        record=built.record.model_copy(update={"page_asset": name}),
        edition=built.edition.model_copy(update={"assets": assets}),
    )


def pdf_bytes(home: Path, recorded: str, source: Input) -> bytes:
    """The PDF that the parser named, or the one in the result archive; b"" for none."""
    try:
        if recorded:
            path = Path(recorded)
            inside = path.absolute().is_relative_to(home)
            fits = not inside and path.is_file() and path.stat().st_size <= MAX_BYTES
            return path.read_bytes() if fits else b""
        return _archived(source.path) if source.kind == "zip" else b""
    except (OSError, zipfile.BadZipFile, RuntimeError, ValueError):
        return b""  # the document is read already; it only has no pictures of its pages


def _archived(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        found = [
            entry
            for entry in archive.infolist()
            if entry.filename.lower().endswith(".pdf")
            and not entry.filename.lower().endswith(MADE_BY_PARSERS)
            and entry.file_size <= MAX_BYTES
        ]
        ranked = sorted(found, key=lambda e: (not e.filename.endswith("origin.pdf"), e.filename))
        return archive.read(ranked[0]) if ranked else b""
