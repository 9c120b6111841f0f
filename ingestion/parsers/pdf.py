"""What a PDF is before it is parsed: locked, broken, a scan; its labels and readable pages."""

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import DamagedFileError, EmptyFileError, LockedFileError

_USABLE = re.compile(r"[^\W_]")
_GARBAGE = re.compile(r"[\ufffd\ufffe\uffff\x00-\x08\x0e-\x1f\ue000-\uf8ff]|\(cid:\d+\)")
_ENOUGH = 2


class Word(NamedTuple):
    """A word and its box in points from the page's top left."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class PdfFacts:
    """`texts` holds each page's raw text, empty where it is unusable; `labels` the printed ones."""

    pages: int
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    title: str
    blank: tuple[int, ...] = ()
    """Physical pages on which nothing is drawn."""

    @property
    def unreadable(self) -> tuple[int, ...]:
        """Physical pages without usable text on which something is drawn."""
        empty = (page for page, text in enumerate(self.texts, 1) if not text)
        return tuple(page for page in empty if page not in self.blank)


def quiet() -> None:
    """Silence loguru's debug lines of docvortex and the closing notes of pypdfium2."""
    from loguru import logger

    logger.disable("docvortex")
    logging.getLogger("pypdfium2").setLevel(logging.ERROR)
    logging.getLogger("pypdf").setLevel(logging.ERROR)


@contextmanager
def alone() -> Iterator[None]:
    """Whoever calls PDFium does it in here: two threads inside it end the process. The lock is the
    one that docvortex takes for its own calls, and may be taken again by the thread that has it."""
    from docvortex.document.pdf.pdfium import pdfium_guard

    with pdfium_guard():
        yield


def inspect(path: Path) -> PdfFacts:
    """Open with PDFium. Raises EmptyFileError, LockedFileError or DamagedFileError."""
    quiet()
    if path.stat().st_size == 0:
        raise EmptyFileError(f"{path.name} is empty (0 bytes).")
    with alone():
        return _inspected(path)


def _inspected(path: Path) -> PdfFacts:
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        raise _refusal(path, str(error)) from error
    try:
        count = len(document)
        if count == 0:
            raise DamagedFileError(f"{path.name} has no pages. Export or download it again.")
        texts = tuple(_page_text(document, index) for index in range(count))
        empty = (index for index in range(count) if not texts[index])
        blank = tuple(index + 1 for index in empty if _is_blank(document, index))
        labels = tuple(document.get_page_label(index) for index in range(count))
        title = document.get_metadata_value("Title").strip()
    finally:
        document.close()
    return PdfFacts(count, texts, labels if any(labels) else (), title, blank)


def _refusal(path: Path, reason: str) -> DamagedFileError | LockedFileError:
    if "password" in reason.lower() or "security" in reason.lower():
        return LockedFileError(
            f"{path.name} is password protected. Save a copy without the password, then try again."
        )
    return DamagedFileError(
        f"{path.name} is damaged and cannot be opened as a PDF. Export or download it again."
    )


def _page_text(document: "object", index: int) -> str:
    import pypdfium2 as pdfium

    assert isinstance(document, pdfium.PdfDocument)
    try:
        page = document[index]
        textpage = page.get_textpage()
        text = textpage.get_text_range()
        textpage.close()
        page.close()
    except pdfium.PdfiumError:
        return ""
    return text if usable(text) else ""


def _is_blank(document: "object", index: int) -> bool:
    import pypdfium2 as pdfium

    assert isinstance(document, pdfium.PdfDocument)
    try:
        page = document[index]
        nothing = next(iter(page.get_objects(max_depth=1)), None) is None
        page.close()
    except pdfium.PdfiumError:
        return False
    return nothing


def usable(text: str) -> bool:
    """Whether there are letters, and not mostly the code points of a broken font map."""
    letters = len(_USABLE.findall(text))
    return letters >= _ENOUGH and len(_GARBAGE.findall(text)) * 3 < letters


def unrotated(
    box: Sequence[float], page: Sequence[float], rotation: int
) -> tuple[float, float, float, float]:
    """(left, bottom, right, top) in the page's own points of a box as the page is shown.

    `box` has fractions from the shown top left; `page` is (left, bottom, right, top) in points;
    `rotation` is clockwise, in degrees.
    """
    left, bottom, right, top = page
    wide, high = right - left, top - bottom
    points = []
    for x, y in ((box[0], box[1]), (box[2], box[3])):
        if rotation == 90:
            points.append((left + y * wide, bottom + x * high))
        elif rotation == 180:
            points.append((right - x * wide, bottom + y * high))
        elif rotation == 270:
            points.append((right - y * wide, top - x * high))
        else:
            points.append((left + x * wide, top - y * high))
    (x0, y0), (x1, y1) = points
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


class PageTexts:
    """The PDF's own characters inside a box of a page; for what layout analysis gave no text."""

    def __init__(self, path: Path) -> None:
        import pypdfium2 as pdfium

        with alone():
            self._document = pdfium.PdfDocument(path)

    def __enter__(self) -> "PageTexts":
        return self

    def __exit__(self, *_: object) -> None:
        with alone():
            self._document.close()

    def inside(self, index: int, box: Sequence[float] | None) -> str:
        """Text in a box of page fractions from the top left; empty when there is none."""
        if not box:
            return ""
        with alone():
            text = self._bounded(index, box)
        return text.replace("\r\n", "\n").strip() if usable(text) else ""

    def words(self, index: int) -> tuple[list[Word], tuple[float, float]]:
        """The words of a page with their boxes in points from its top left, and its width and
        height; none where the page is turned or its text cannot be used."""
        with alone():
            page = self._document[index]
            left, bottom, right, top = page.get_bbox()
            textpage = page.get_textpage()
            turned = page.get_rotation() != 0
            found = [] if turned else list(_words(textpage, left, top))
            textpage.close()
            page.close()
        good = usable("".join(word.text for word in found))
        return (found if good else []), (right - left, top - bottom)

    def _bounded(self, index: int, box: Sequence[float]) -> str:
        page = self._document[index]
        left, bottom, right, top = unrotated(box, page.get_bbox(), page.get_rotation())
        textpage = page.get_textpage()
        text: str = textpage.get_text_bounded(left=left, bottom=bottom, right=right, top=top)
        textpage.close()
        page.close()
        return text


def _words(textpage: Any, left: float, top: float) -> Iterator[Word]:
    """Characters that touch, as words."""
    from pypdfium2 import raw

    word: Word | None = None
    for index in range(textpage.count_chars()):
        char = chr(raw.FPDFText_GetUnicode(textpage.raw, index))
        if char.isspace() or not char.isprintable():
            if word is not None:
                yield word
            word = None
            continue
        x0, low, x1, high = textpage.get_charbox(index, loose=True)
        box = Word(char, x0 - left, top - high, x1 - left, top - low)
        if word is not None and _touch(word, box):
            word = Word(
                word.text + char, word.x0, min(word.y0, box.y0), box.x1, max(word.y1, box.y1)
            )
            continue
        if word is not None:
            yield word
        word = box
    if word is not None:
        yield word


def _touch(word: Word, char: Word) -> bool:
    height = char.y1 - char.y0
    return abs(char.y0 - word.y0) < 0.5 * height and -1 < char.x0 - word.x1 < 0.25 * height
