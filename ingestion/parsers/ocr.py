"""Scans and pictures: read with RapidOCR (extra `ocr`), whose models come with it."""

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...core.document import BBox, Block, ParsedDocument
from ...core.errors import DamagedFileError, MissingExtraError, NoTextError
from .ocr_lines import Line, compact, paragraphs
from .ocr_turn import quarter_turns, turned, upright
from .pdf import alone, inspect, quiet
from .slide_pictures import with_slides

_DPI = 200
_LONGEST_SIDE = 3000
_MIN_SCORE = 0.5


def installed() -> bool:
    """Whether the extra is there."""
    return importlib.util.find_spec("rapidocr") is not None


Told = Callable[[int, int], None]
"""Hears (pages done, pages to do): OCR takes seconds a page."""


def silent(done: int, total: int) -> None:
    """Nobody listens."""


class OcrParser:
    """Reads PDFs and pictures page by page; one block a paragraph, in reading order."""

    def __init__(self, told: Told = silent) -> None:
        self._told = told

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "rapidocr-3"

    def accepts(self, path: Path) -> bool:
        """Whether it is a PDF."""
        with path.open("rb") as file:
            return b"%PDF-" in file.read(1024)

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        return self._pdf(path) if self.accepts(path) else self._picture(path)

    def _pdf(self, path: Path) -> ParsedDocument:
        facts = inspect(path)
        pages = range(1, facts.pages + 1)
        blocks = numbered(
            block for page in read_pages(path, pages, self._told) for block in page[1]
        )
        if not blocks:
            raise NoTextError(f"OCR found no text in {path.name}.", pages=facts.pages)
        seen = {block.page for block in blocks} | set(facts.blank)
        parsed = ParsedDocument(
            title=path.stem,
            blocks=blocks,
            pages=facts.pages,
            page_labels=facts.labels,
            unreadable_pages=tuple(page for page in pages if page not in seen),
            parser=self.name,
            doc_type="pdf",
            source_pdf=str(path),
        )
        return with_slides(parsed, path)

    def _picture(self, path: Path) -> ParsedDocument:
        """The picture itself with the text that stands in it; each frame of a TIFF is a page."""
        read = _reader()
        found: list[Block] = []
        pages = 0
        for page, frame in enumerate(_frames(path), 1):
            pages = page
            found.extend(_blocks(frame, page, read))
        if not found:
            raise NoTextError(f"OCR found no text in {path.name}.", pages=pages)
        picture = Block(
            index=0, kind="image", image=path.name, page=1, bbox=BBox(x0=0, y0=0, x1=1, y1=1)
        )
        return ParsedDocument(
            title=path.stem,
            blocks=numbered([picture, *found]),
            images={path.name: str(path)},
            pages=pages,
            parser=self.name,
            doc_type="picture",
        )


def numbered(blocks: "Iterator[Block] | Sequence[Block]") -> tuple[Block, ...]:
    """The blocks with their indexes counted through."""
    return tuple(block.model_copy(update={"index": n}) for n, block in enumerate(blocks))


def read_pages(
    path: Path, pages: Sequence[int], told: Told = silent
) -> Iterator[tuple[int, list[Block]]]:
    """The blocks of the physical `pages` of a PDF, page by page; `told` hears of each before."""
    import pypdfium2 as pdfium

    quiet()
    read = _reader()
    with alone():
        document = pdfium.PdfDocument(path)
    try:
        for done, number in enumerate(pages):
            told(done, len(pages))
            with alone():
                picture = drawn(document, number - 1)
            yield number, [] if picture is None else list(_blocks(picture, number, read))
    finally:
        with alone():
            document.close()


def drawn(document: Any, index: int) -> Any:
    """A page's pixels; None where the page is damaged and cannot be drawn."""
    try:
        page = document[index]
        scale = min(_DPI / 72, _LONGEST_SIDE / max(1.0, *page.get_size()))
        bitmap = page.render(scale=scale)
    except RuntimeError:  # PDFium's own error is one
        return None
    picture = bitmap.to_numpy().copy()  # they go with the bitmap
    bitmap.close()
    page.close()
    return picture


def _reader() -> Any:
    try:
        from rapidocr import RapidOCR
    except ImportError as error:
        raise MissingExtraError("rapidocr", "ocr") from error
    return RapidOCR(params={"Global.log_level": "error"})


def _frames(path: Path) -> Iterator[Any]:
    """Pixel arrays (height, width, 3), blue first, as the engine takes them."""
    import numpy as np
    from PIL import Image, ImageSequence, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            for frame in ImageSequence.Iterator(picture):
                small = frame.convert("RGB")
                small.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
                yield np.asarray(small)[:, :, ::-1]
                if picture.format != "TIFF":
                    return
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError) as error:
        raise DamagedFileError(
            f"{path.name} cannot be read as a picture; it may be damaged. Save it again and retry."
        ) from error


def _blocks(picture: Any, page: int, read: Any) -> Iterator[Block]:
    result = read(picture, use_det=True, use_cls=True)  # the engine keeps what it was last told
    turns = quarter_turns(result, picture, lambda line: _sureness(read, line))
    if turns:  # line by line, the engine takes some of them for upside down: read it upright
        picture = upright(picture, turns)
        result = read(picture, use_det=True, use_cls=False)
    lines = list(_lines(result, picture))
    for paragraph in paragraphs(lines):
        yield Block(
            index=0,
            kind="title" if paragraph.heading else "text",
            level=1 if paragraph.heading else None,
            text=paragraph.text,
            page=page,
            bbox=turned(paragraph.box, 4 - turns),
            raw_type="ocr",
        )


def _sureness(read: Any, line: Any) -> float:
    scores = read(line, use_det=False, use_cls=False).scores
    return float(scores[0]) if scores else 0.0


def _lines(result: Any, picture: Any) -> Iterator[Line]:
    """Lines of a result, boxes as fractions of the picture, unsure ones left out."""
    if result.boxes is None:
        return
    height, width = picture.shape[:2]
    for corners, text, score in zip(result.boxes, result.txts, result.scores, strict=True):
        if float(score) < _MIN_SCORE or not text.strip():
            continue
        xs, ys = [float(p[0]) / width for p in corners], [float(p[1]) / height for p in corners]
        box = (max(min(xs), 0.0), max(min(ys), 0.0), min(max(xs), 1.0), min(max(ys), 1.0))
        if box[2] > box[0] and box[3] > box[1]:
            yield Line(compact(text.strip()), BBox(x0=box[0], y0=box[1], x1=box[2], y1=box[3]))
