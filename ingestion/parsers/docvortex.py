"""PDF, Office, HTML, EPUB and CSV in process with docvortex; big PDFs in page windows."""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...core.document import Block, ParsedDocument
from ...core.errors import DamagedFileError, DocumentError, LockedFileError, NoTextError
from .docvortex_blocks import Gathered
from .docx_notes import with_notes_of
from .drawn_figures import with_drawings
from .hidden_sheets import hidden_note
from .html_page import without_surroundings
from .ocr import OcrParser, Told, read_pages, silent
from .ocr import installed as ocr_installed
from .pdf import PageTexts, PdfFacts, inspect, quiet
from .salvage import salvaged
from .slide_pictures import with_slides
from .text import read_text

_OFFICE = {".docx", ".doc", ".pptx", ".ppt", ".xlsx", ".xls", ".rtf", ".odt", ".ods", ".odp"}
_SUFFIXES = frozenset(_OFFICE | {".pdf", ".html", ".htm", ".xhtml", ".epub", ".csv", ".tsv"})
_PAGED = frozenset({".pdf", ".pptx", ".ppt", ".odp"})
# What the engine is known to raise on broken input beside its own ValueError.
_FAILURES = (
    ValueError,
    RuntimeError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    OSError,
)


class DocvortexParser:
    """Reads every format that docvortex does; `page_window` bounds the memory on big PDFs.

    `ocr`: pages of a PDF without usable text are read by OCR (None: when the extra is installed).
    """

    def __init__(
        self, page_window: int = 200, *, ocr: bool | None = None, told: Told = silent
    ) -> None:
        self._window = page_window
        self._told = told
        self._ocr = ocr_installed() if ocr is None else ocr

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        from importlib.metadata import version

        return f"docvortex-{version('docvortex')}"

    def accepts(self, path: Path) -> bool:
        """Whether the suffix is one of the engine's."""
        return path.suffix.lower() in _SUFFIXES

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        quiet()
        with path.open("rb") as file:
            is_pdf = b"%PDF-" in file.read(1024)
        if not is_pdf:
            return self._other(path)
        try:
            return self._pdf(path)
        except DamagedFileError as error:
            return self._rest(path, error)

    def _rest(self, path: Path, error: DamagedFileError) -> ParsedDocument:
        """What is left of a PDF that was cut off; the error where nothing is."""
        left = salvaged(path.read_bytes())
        if left is None:
            raise error
        with tempfile.TemporaryDirectory(prefix="tuwen-pdf-") as folder:
            copy = Path(folder) / path.name
            copy.write_bytes(left[0])
            try:
                parsed = self._pdf(copy)
            except DocumentError:
                raise error from None
        note = f"The file is damaged: {left[1]} page(s) could be recovered. Get it again."
        changes = {"incomplete": True, "source_pdf": "", "warnings": (note, *parsed.warnings)}
        return parsed.model_copy(update=changes)

    def _pdf(self, path: Path) -> ParsedDocument:
        facts = inspect(path)
        if not any(facts.texts):
            if self._ocr and facts.unreadable:
                return OcrParser(self._told).parse(path)
            raise NoTextError(
                f"{path.name} has no text layer on its {facts.pages} page(s): it needs OCR or "
                "MinerU. Install OCR with: pip install 'tuwen[ocr]', or ingest MinerU's output "
                "folder.",
                pages=facts.pages,
            )
        gathered = Gathered()
        for first in range(1, facts.pages + 1, self._window):
            self._told(first - 1, facts.pages)
            last = min(first + self._window - 1, facts.pages)
            self._window_of(path, (first, last), facts, gathered)
        unread = self._scanned(path, facts, gathered) if self._ocr else facts.unreadable
        notes = (*_recovered_note(gathered), *_unreadable_note(unread, facts.pages))
        parsed = ParsedDocument(
            title=_title(facts.title, gathered.blocks, path),
            blocks=tuple(gathered.blocks),
            images=gathered.images,
            pages=facts.pages,
            page_labels=facts.labels,
            unreadable_pages=unread,
            parser=self.name,
            doc_type="pdf",
            warnings=(*gathered.warnings, *notes),
            source_pdf=str(path),
        )
        return with_slides(with_drawings(parsed, path), path)

    def _scanned(self, path: Path, facts: PdfFacts, gathered: Gathered) -> tuple[int, ...]:
        """Put what OCR reads on the unreadable pages in its place; the pages still unread."""
        if not facts.unreadable:
            return ()
        read = dict(read_pages(path, facts.unreadable, self._told))
        gathered.insert([block for blocks in read.values() for block in blocks])
        done = [page for page in facts.unreadable if read[page]]
        if done:
            gathered.warnings.append(f"{_shown(done)} read by OCR: check names and numbers.")
        return tuple(page for page in facts.unreadable if not read[page])

    def _window_of(
        self, path: Path, window: tuple[int, int], facts: PdfFacts, gathered: Gathered
    ) -> None:
        import docvortex

        first, last = window
        if not any(facts.texts[first - 1 : last]):
            return
        try:
            result = docvortex.parse(
                path, file_suffix="pdf", page_range=f"{first}-{last}", parse_mode="txt"
            )
        except _FAILURES:
            # The layout is lost for this window, its text is not.
            gathered.warnings.append(f"Pages {first}-{last}: no layout analysis, plain text used.")
            gathered.plain(facts, first, last)
            return
        with PageTexts(path) as texts:
            gathered.take(result, paged=True, facts=facts, texts=texts)

    def _other(self, path: Path) -> ParsedDocument:
        import docvortex

        suffix = path.suffix.lower().lstrip(".")
        source: Path | bytes = path
        around: list[Block] = []
        notes: tuple[str, ...] = ()
        if suffix in ("csv", "tsv"):
            text, notes = read_text(path)
            source = text.encode()
        elif suffix in ("html", "htm", "xhtml"):
            text, notes = read_text(path)
            page, around = without_surroundings(_CHARSET.sub(r"\1utf-8", text))
            source, suffix = page.encode(), "html"
        try:
            result = docvortex.parse(source, **({"file_suffix": suffix} if suffix else {}))
        except _FAILURES as error:
            raise _refusal(path, error) from error
        gathered = Gathered()
        gathered.take(result, paged=path.suffix.lower() in _PAGED, facts=None)
        if not any(block.text or block.html or block.image for block in gathered.blocks):
            raise NoTextError(f"{path.name} holds no text.")
        gathered.insert(around)
        if suffix == "docx":
            gathered.blocks = with_notes_of(path, gathered.blocks)
        meta = result.middle_json.metadata.document
        return ParsedDocument(
            title=_title(str(getattr(meta, "title", "") or ""), gathered.blocks, path),
            blocks=tuple(gathered.blocks),
            images=gathered.images,
            pages=len(result.middle_json.pages) if path.suffix.lower() in _PAGED else None,
            parser=self.name,
            doc_type=suffix,
            warnings=(
                *gathered.warnings,
                *notes,
                *(hidden_note(path) if suffix == "xlsx" else ()),
            ),
        )


def _refusal(path: Path, error: Exception) -> DocumentError:
    if "password" in str(error).lower() or "encrypt" in str(error).lower():
        return LockedFileError(
            f"{path.name} is password protected. Save a copy without the password, then try again."
        )
    kind = path.suffix.lower().lstrip(".") or "document"
    return DamagedFileError(
        f"{path.name} cannot be read as {kind}; it may be damaged. Save it again and retry."
    )


_CHARSET = re.compile(r"(?i)(<meta[^>]+charset=[\"']?)[\w-]+")
_NO_TITLE = re.compile(
    r"[\u0080-\u00ff]\W*[\u0080-\u00ff]|"
    r"\.(docx?|pdf|indd|pptx?|tex|dvi|xlsx?|exe|rtf|wps|cdr|qxd)\b|^<[0-9A-Fa-f]+>$|^\W*$"
    r"|^\W*(?:table of contents|contents|form 10-?[kq]|form 8-?k|目\s*录)\W*$"
    r"|^(untitled|microsoft|powerpoint|幻灯片|word|slide|无标题|新建|document\d*)\b",
    re.I,
)


def _title(declared: str, blocks: list[Block], path: Path) -> str:
    """The heading marked as the document's own, else the declared title when it is a real one.

    A title that the file's name contains ("学习" in "04学习-贝叶斯") says less than the name.
    """
    marked = (
        " ".join(block.text.split())[:200]
        for block in blocks[:40]
        if block.raw_type == "doc_title"
        and block.text
        and (block.page or 1) <= 2
        and not _NO_TITLE.search(block.text)
    )
    real = "" if _NO_TITLE.search(declared) or "\ufffd" in declared else declared
    title = next(marked, "") or real
    return path.stem if not title or title in path.stem else title


def _recovered_note(gathered: Gathered) -> tuple[str, ...]:
    pages = gathered.recovered
    if not pages:
        return ()
    shown = ", ".join(map(str, pages[:20])) + (" …" if len(pages) > 20 else "")
    return (f"Layout analysis lost text on page(s) {shown}; it is kept as plain text.",)


def _unreadable_note(pages: Sequence[int], total: int) -> tuple[str, ...]:
    if not pages:
        return ()
    shown = ", ".join(map(str, pages[:20])) + (" …" if len(pages) > 20 else "")
    return (f"No text could be read on {len(pages)} of {total} page(s): {shown} (OCR needed).",)


def _shown(pages: Sequence[int]) -> str:
    rest = " …" if len(pages) > 20 else ""
    return f"{len(pages)} page(s) ({', '.join(map(str, pages[:20]))}{rest})"
