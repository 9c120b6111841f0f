"""Scans: pages rendered with PDFium and read with RapidOCR (extra `ocr`)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...core.document import BBox, Block, ParsedDocument
from ...core.errors import MissingExtraError, NoTextError
from .pdf import inspect, quiet

_DPI = 200
_MIN_SCORE = 0.5


class OcrParser:
    """Reads PDFs page by page; one block a text line group, in reading order."""

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "rapidocr-1"

    def accepts(self, path: Path) -> bool:
        """Whether it is a PDF."""
        with path.open("rb") as file:
            return b"%PDF-" in file.read(1024)

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        quiet()
        facts = inspect(path)
        read = _reader()
        blocks: list[Block] = []
        empty: list[int] = []
        for page, lines in enumerate(_pages(path, read), 1):
            if not lines:
                empty.append(page)
            for text, box in _paragraphs(lines):
                blocks.append(
                    Block(
                        index=len(blocks),
                        kind="text",
                        text=text,
                        page=page,
                        bbox=box,
                        raw_type="ocr",
                    )
                )
        if not blocks:
            raise NoTextError(f"OCR found no text in {path.name}.", pages=facts.pages)
        return ParsedDocument(
            title=path.stem,
            blocks=tuple(blocks),
            pages=facts.pages,
            page_labels=facts.labels,
            unreadable_pages=tuple(empty),
            parser=self.name,
            doc_type="pdf",
            source_pdf=str(path),
        )


Line = tuple[str, BBox]


def _reader() -> Any:
    try:
        from rapidocr import RapidOCR
    except ImportError as error:
        raise MissingExtraError("rapidocr", "ocr") from error
    return RapidOCR()


def _pages(path: Path, read: Any) -> Iterator[list[Line]]:
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(path)
    try:
        for index in range(len(document)):
            page = document[index]
            bitmap = page.render(scale=_DPI / 72)
            picture = bitmap.to_numpy()
            yield list(_lines(read(picture), picture.shape[1], picture.shape[0]))
            bitmap.close()
            page.close()
    finally:
        document.close()


def _lines(result: Any, width: int, height: int) -> Iterator[Line]:
    if result.boxes is None:
        return
    for corners, text, score in zip(result.boxes, result.txts, result.scores, strict=True):
        if float(score) < _MIN_SCORE or not text.strip():
            continue
        xs, ys = [float(p[0]) / width for p in corners], [float(p[1]) / height for p in corners]
        box = (max(min(xs), 0.0), max(min(ys), 0.0), min(max(xs), 1.0), min(max(ys), 1.0))
        if box[2] > box[0] and box[3] > box[1]:
            yield text.strip(), BBox(x0=box[0], y0=box[1], x1=box[2], y1=box[3])


def _paragraphs(lines: list[Line]) -> Iterator[Line]:
    """Lines joined while the next follows closely below in the same column."""
    current: Line | None = None
    for text, box in sorted(lines, key=lambda line: (round(line[1].y0, 2), line[1].x0)):
        if current is not None and _follows(current[1], box):
            joint = " " if current[0][-1].isascii() and text[0].isascii() else ""
            current = (f"{current[0]}{joint}{text}", _union(current[1], box))
        else:
            if current is not None:
                yield current
            current = (text, box)
    if current is not None:
        yield current


def _follows(above: BBox, below: BBox) -> bool:
    height = below.y1 - below.y0
    overlap = min(above.x1, below.x1) - max(above.x0, below.x0)
    full = above.x1 - above.x0 > 0.5
    return full and overlap > 0 and -height < below.y0 - above.y1 < height * 0.8


def _union(a: BBox, b: BBox) -> BBox:
    return BBox(x0=min(a.x0, b.x0), y0=min(a.y0, b.y0), x1=max(a.x1, b.x1), y1=max(a.y1, b.y1))
