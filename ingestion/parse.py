"""From an input to a parsed document: the parser is picked by content."""

import tempfile
from pathlib import Path

from ..core.document import ParsedDocument
from ..core.errors import (
    DamagedFileError,
    DocumentError,
    EmptyFileError,
    NoTextError,
    SettingsError,
    UnsupportedFileError,
)
from ..core.options import IngestOptions
from ..core.ports import Parser
from ..core.settings import IngestSettings
from . import images
from .furniture import is_toc_title
from .numbering import number_of
from .parsers.archive import unpack
from .parsers.documentmind import DocumentMindParser
from .parsers.docvortex import DocvortexParser
from .parsers.external import MagicPdfParser, MineruApiParser
from .parsers.markdown import MarkdownParser
from .parsers.middle import MiddleJsonParser
from .parsers.mineru import MineruParser
from .parsers.ocr import OcrParser, Told, silent
from .parsers.ocr import installed as ocr_installed
from .parsers.text import TextParser
from .sniff import Input, InputKind, find_inputs

_SUPPORTED = "PDF, Office, HTML, EPUB, CSV, Markdown, text, MinerU output, Document Mind layouts"


def parse_input(
    item: Input, options: IngestOptions, settings: IngestSettings, told: Told = silent
) -> ParsedDocument:
    """Blocks of one input; `told` hears how many pages are read. Raises DocumentError saying what
    is wrong and what to do."""
    _refuse(item, settings)
    if item.kind == "zip":
        return _archive(item, options, settings)
    parsed = parser_for(item, options, settings, told).parse(item.path)
    if not parsed.blocks:
        raise NoTextError(f"{item.name} holds no text.", pages=parsed.pages or 0)
    title = parsed.title or _first_title(parsed) or Path(item.name).stem
    return parsed.model_copy(update={"title": title})


def parser_for(
    item: Input, options: IngestOptions, settings: IngestSettings, told: Told = silent
) -> Parser:
    """The parser of an input's kind; PDFs by the option, else by the setting."""
    readers: dict[InputKind, Parser] = {
        "mineru": MineruParser(),
        "middle": MiddleJsonParser(),
        "docmind": DocumentMindParser(),
        "markdown": MarkdownParser(),
        "text": TextParser(),
    }
    if item.kind == "picture":
        return OcrParser()
    if item.kind != "pdf":
        return readers.get(item.kind) or DocvortexParser(settings.page_window)
    chosen = settings.parser if options.parser in ("", "auto") else options.parser
    return _pdf_parser(chosen, settings, told)


def _pdf_parser(name: str, settings: IngestSettings, told: Told) -> Parser:
    if name == "ocr":
        return OcrParser(told)
    if name == "magic-pdf":
        return MagicPdfParser(settings.magic_pdf_command)
    if name == "mineru":
        return MineruApiParser(settings.mineru_url)
    if name not in ("auto", "docvortex"):
        raise SettingsError(f"Unknown parser {name!r}: use auto, magic-pdf, mineru or ocr.")
    ocr = None if name == "auto" else False
    return DocvortexParser(settings.page_window, ocr=ocr, told=told)


def _refuse(item: Input, settings: IngestSettings) -> None:
    if item.kind == "missing":
        raise DocumentError(f"{item.name} does not exist. Check the path.")
    if item.kind == "empty":
        raise EmptyFileError(f"{item.name} is empty (0 bytes).")
    suffix = item.path.suffix.lower()
    if suffix == ".pdf" and item.kind != "pdf":
        what = "a web page" if item.kind == "html" else "something else"
        raise DamagedFileError(f"{item.name} is not a PDF but {what}. Download it again.")
    if item.kind == "picture" and not ocr_installed():
        raise UnsupportedFileError(
            f"{item.name} is a picture. To read the text in it, install OCR with: "
            "pip install 'tuwen[ocr]'. Pictures of a document come in with that document."
        )
    if item.kind == "unknown":
        raise UnsupportedFileError(f"No reader for {item.name}. Supported: {_SUPPORTED}.")
    size = item.path.stat().st_size
    if size > settings.max_file_mb << 20:
        raise DocumentError(
            f"{item.name} has {size >> 20} MB, more than the limit of {settings.max_file_mb} MB "
            "(setting ingest.max_file_mb)."
        )


def _first_title(parsed: ParsedDocument) -> str:
    """The first heading of the first page that is no chapter's and no table of contents'."""
    for block in parsed.blocks[:20]:
        text = " ".join(block.text.split())
        if block.kind != "title" or (block.page or 1) > 1 or is_toc_title(text):
            continue
        return text[:200] if len(text) > 1 and number_of(text) is None else ""
    return ""


def _archive(item: Input, options: IngestOptions, settings: IngestSettings) -> ParsedDocument:
    """The one document in a result archive; its pictures are read before the folder goes."""
    with tempfile.TemporaryDirectory(prefix="tuwen-zip-") as folder:
        unpack(item.path, Path(folder))
        inner = [found for found in find_inputs([Path(folder)]) if not found.skip_reason]
        ranked = [f for f in inner if f.kind in ("mineru", "middle", "docmind")] or inner
        if not ranked:
            raise UnsupportedFileError(f"{item.name} holds no document. Supported: {_SUPPORTED}.")
        if len(ranked) > 1 or ranked[0].kind == "zip":
            raise UnsupportedFileError(
                f"{item.name} holds {len(ranked)} documents. Unpack it and ingest the folder."
            )
        parsed = parse_input(ranked[0], options, settings)
        loaded = {name: images.load(source) for name, source in parsed.images.items()}
    title = parsed.title if parsed.title != Path(ranked[0].name).stem else item.path.stem
    return parsed.model_copy(update={"images": loaded, "source_pdf": "", "title": title})
