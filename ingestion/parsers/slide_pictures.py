"""Pictures of slides that draw something: charts and diagrams of a deck have no captions, and what
layout analysis cuts out of them are icons and lines.

A slide draws what stands beside its text and is not on most slides: pixels are compared with the
deck's median slide, text and tables left out. So a scanned deck is judged like a drawn one.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.document import BBox, Block, ParsedDocument
from ..visual_kinds import SLIDE
from .pdf import alone

Pixels = NDArray[np.int16]

FEWEST = 4
"""Pages of a deck."""
_WIDE = 1.15
_SMALL_WIDTH, _WIDTH, _QUALITY = 240, 1200, 82
_DIFFERENT = 40
"""Grey levels by which a pixel differs from another slide's."""
_DRAWN = 0.015
"""Share of pixels beside text from which on a slide draws something."""
_ALIKE = 0.3
"""Of what two slides draw, the share that only one of them has when they look the same."""
_MARGIN = 0.008
_TOP = 0.35
_LONGEST_TITLE = 80
_MOST_TEXT = 300
_LEAST_LETTERS = 4
_READ = frozenset({"text", "title", "list", "table", "equation", "code", "header", "footer"})
_READ |= {"page_number", "aside", "footnote"}


def with_slides(parsed: ParsedDocument, path: Path) -> ParsedDocument:
    """The document with a picture of each slide that draws something, behind the slide's blocks;
    as it was when it is no deck."""
    import pypdfium2 as pdfium

    with alone():
        document = pdfium.PdfDocument(path)
    try:
        with alone():
            if not _is_deck(document):
                return parsed
            small = [grey(document, index, _SMALL_WIDTH) for index in range(len(document))]
        pages = _drawn_pages(small, parsed.blocks)
        pictures: dict[str, str | bytes] = {}
        for page in pages:
            with alone():
                pictures[f"slides/page_{page}.jpg"] = _jpeg(document[page - 1])
    finally:
        with alone():
            document.close()
    return _joined(parsed, pages, pictures)


def _is_deck(document: Any) -> bool:
    """Whether most pages are wider than high."""
    try:
        sizes = [document.get_page_size(index) for index in range(len(document))]
    except RuntimeError:  # PDFium's own error is one: a page is damaged
        return False
    wide = sum(width > _WIDE * height for width, height in sizes)
    return len(sizes) >= FEWEST and 5 * wide > 4 * len(sizes)


def grey(document: Any, index: int, width: int) -> Pixels | None:
    """A page's pixels in grey, so many wide; None where the page is damaged and cannot be drawn."""
    try:
        page = document[index]
        bitmap = page.render(scale=width / max(1.0, page.get_width()), grayscale=True)
    except RuntimeError:
        return None
    pixels: Pixels = bitmap.to_numpy().reshape(bitmap.height, bitmap.width, -1)[:, :, 0]
    copy = pixels.astype(np.int16)
    bitmap.close()
    return copy


def _jpeg(page: Any) -> bytes:
    bitmap = page.render(scale=_WIDTH / page.get_width())
    out = io.BytesIO()
    bitmap.to_pil().convert("RGB").save(out, "JPEG", quality=_QUALITY)
    bitmap.close()
    return out.getvalue()


def _drawn_pages(small: Sequence[Pixels | None], blocks: Sequence[Block]) -> list[int]:
    """Physical pages of the slides that draw something; the cover and dividers do not count."""
    shape = next((pixels.shape for pixels in small if pixels is not None), ())
    fit = [p if p is not None and p.shape == shape else None for p in small]
    same = [pixels for pixels in fit if pixels is not None]
    if not same:
        return []
    usual = np.median(np.stack(same), axis=0)
    found: dict[int, NDArray[np.bool_]] = {}
    for page, pixels in enumerate(fit, 1):
        own = [block for block in blocks if block.page == page]
        if pixels is None or page == 1 or _letters(own) < _LEAST_LETTERS:
            continue
        mask = (np.abs(pixels - usual) > _DIFFERENT) & ~_text_mask(own, shape)
        if mask.mean() > _DRAWN:
            found[page] = mask
    return [page for page in found if not _divider(page, found)]


def _letters(blocks: Sequence[Block]) -> int:
    return sum(char.isalpha() for block in blocks for char in block.text)


def _text_mask(blocks: Sequence[Block], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, dtype=bool)
    high, wide = shape[:2]
    for block in blocks:
        if block.bbox is None or block.kind not in _READ:
            continue
        box = block.bbox
        top, bottom = (box.y0 - _MARGIN) * high, (box.y1 + _MARGIN) * high
        left, right = (box.x0 - _MARGIN) * wide, (box.x1 + _MARGIN) * wide
        mask[max(int(top), 0) : int(bottom) + 1, max(int(left), 0) : int(right) + 1] = True
    return mask


def _divider(page: int, found: dict[int, NDArray[np.bool_]]) -> bool:
    """Whether slides elsewhere in the deck look the same: one that is built up step by step is
    like its neighbours only."""
    own = found[page]
    alike = {p for p, mask in found.items() if (mask ^ own).sum() < _ALIKE * (mask | own).sum()}
    low = high = page
    while low - 1 in alike:
        low -= 1
    while high + 1 in alike:
        high += 1
    return sum(not low <= p <= high for p in alike) > 1


def _joined(
    parsed: ParsedDocument, pages: Sequence[int], pictures: dict[str, str | bytes]
) -> ParsedDocument:
    """The blocks with the slides' pictures, numbered anew, marked as a deck."""
    made = [_picture(page, [b for b in parsed.blocks if b.page == page]) for page in pages]
    merged = sorted([*parsed.blocks, *made], key=lambda block: block.page or 0)
    blocks = [block.model_copy(update={"index": n}) for n, block in enumerate(merged)]
    for place, block in enumerate(blocks):
        wide = {k: v for k, v in block.meta.items() if k != "landscape"}
        wide |= {"landscape": True} if place == 0 else {}
        if wide != block.meta:
            blocks[place] = block.model_copy(update={"meta": wide})
    images = {**parsed.images, **pictures}
    return parsed.model_copy(update={"blocks": tuple(blocks), "images": images})


def _picture(page: int, own: Sequence[Block]) -> Block:
    """A slide as a picture: its title is its caption."""
    said = [" ".join(block.text.split()) for block in own if block.kind in ("text", "title")]
    words = " ".join(text for text in said if text)[:_MOST_TEXT]
    title = _title(own)
    return Block(
        index=0,
        kind="image",
        image=f"slides/page_{page}.jpg",
        captions=(title,) if title else (),
        page=page,
        bbox=BBox(x0=0, y0=0, x1=1, y1=1),
        raw_type="slide",
        meta={"sub": SLIDE, "text_in_picture": words},
    )


def _title(own: Sequence[Block]) -> str:
    """The first line of the topmost text."""
    texts = [
        block
        for block in own
        if block.kind in ("text", "title") and block.bbox and block.bbox.y0 < _TOP
        if _letters([block]) > 1
    ]
    first = min(texts, key=lambda block: block.bbox.y0 if block.bbox else 1, default=None)
    line = first.text.strip().split("\n")[0].strip() if first else ""
    return line if len(line) <= _LONGEST_TITLE else ""
