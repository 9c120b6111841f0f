"""Figures that a PDF draws with lines and areas and that layout analysis did not cut out.

A figure's caption without a picture is looked for; what is drawn over it (or under it) up to the
next paragraph is its picture, with the short texts that stand in it. Frames around text, the rules
of a table and underlines are no drawing.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...core.document import VISUAL_KINDS, BBox, Block, ParsedDocument
from ..caption_text import is_caption
from ..captions import caption_all
from .page_drawings import Drawn, drawn_on
from .pdf import alone

_KINDS = frozenset({"figure", "scheme"})
_TEXTS = frozenset({"text", "title", "aside", "footnote", "unknown", "list", "code"})
_WHOLE = 0.7  # of the page's area: a background
_THIN = 0.004
_JOIN = 0.025  # of the page: how far apart the pieces of one drawing may be
_REACH = 0.12  # of the page's height: how far a caption may be from its drawing
_LEAST_WIDE, _LEAST_HIGH = 0.08, 0.03
_SHORT = 60  # characters of a text that may be a label inside a drawing
_PROSE = 0.3  # of a frame's area that its text fills
_FRAMES = 0.8  # of a drawing's area: what covers so much of it is a frame
_LETTER = 0.03  # of the page: what is smaller may be a letter
_AXIS = 0.08
_MARGIN = 0.006
_DPI, _MOST_PIXELS = 170, 1800


class _Found(NamedTuple):
    caption: Block
    box: BBox
    labels: tuple[Block, ...]


def with_drawings(parsed: ParsedDocument, path: Path) -> ParsedDocument:
    """The document with a picture for each figure caption that had none and a drawing near it, in
    front of the caption. Texts inside a drawing become the picture's."""
    import pypdfium2 as pdfium

    lone = _lone_captions(parsed.blocks)
    if not lone:
        return parsed
    found: list[_Found] = []
    pictures: dict[str, str | bytes] = {}
    with alone():
        document = pdfium.PdfDocument(path)
        try:
            for page, captions in lone.items():
                own = [block for block in parsed.blocks if block.page == page]
                here = _cut(document, page, own, captions)
                found.extend(figure for figure, _ in here)
                pictures.update({_name(page, n): data for n, (_, data) in enumerate(here)})
        finally:
            document.close()
    return _joined(parsed, found, pictures) if found else parsed


def _cut(
    document: Any, page: int, own: Sequence[Block], captions: list[Block]
) -> list[tuple[_Found, bytes]]:
    """The figures of a page with their pictures; none where the page cannot be drawn."""
    try:
        shown = document[page - 1]
        figures = _figures(drawn_on(shown), own, captions)
        return [(figure, _picture(shown, figure.box)) for figure in figures]
    except (RuntimeError, ValueError, OSError):  # PDFium's own error is a RuntimeError
        return []


def _lone_captions(blocks: Sequence[Block]) -> dict[int, list[Block]]:
    """Texts of a figure caption's form whose label no picture bears, by page."""
    shown = {item.label.key for item in caption_all(blocks) if item.label}
    lone: dict[int, list[Block]] = {}
    for block in blocks:
        label = is_caption(block.text) if block.kind in _TEXTS and block.bbox else None
        if label and label.kind in _KINDS and label.key not in shown and block.page:
            lone.setdefault(block.page, []).append(block)
    return lone


def _figures(drawn: Sequence[Drawn], own: Sequence[Block], captions: list[Block]) -> list[_Found]:
    """The drawing of each caption of a page, none twice."""
    taken = [block.bbox for block in own if block.kind in VISUAL_KINDS and block.bbox]
    lines = [b.bbox for b in own if b.bbox and (_prose(b) or b.kind == "equation")]
    usable = [
        d
        for d in drawn
        if d.area < _WHOLE and not any(_within(d, box) for box in taken)
        # Letters of a formula, underlines and marks inside a paragraph.
        if d.y1 - d.y0 > _LEAST_HIGH or not any(_within(d, box) for box in lines)
    ]
    clusters = [c for c in _clusters(usable) if _draws(c, own)]
    found: list[_Found] = []
    for caption in captions:
        boxes = [_frame(cluster) for cluster in clusters]
        box = _nearest(caption, boxes, own)
        if box is None:
            continue
        clusters = [c for c in clusters if not _within(_frame(c), box)]
        labels = tuple(block for block in own if _label_of(block, box, captions))
        whole = BBox.around([box, *(block.bbox for block in labels if block.bbox)])
        found.append(_Found(caption, _wider(whole), labels))
    return found


def _clusters(drawn: Sequence[Drawn]) -> list[list[Drawn]]:
    """Objects that are near each other, together."""
    clusters: list[tuple[list[Drawn], Drawn]] = []
    for item in sorted(drawn, key=lambda d: (d.y0, d.x0)):
        members, frame = [item], item
        while near := [c for c in clusters if _gap(c[1], frame) <= _JOIN]:
            clusters = [c for c in clusters if c not in near]
            members = [m for c in near for m in c[0]] + members
            frame = _span(members)
        clusters.append((members, frame))
    return [members for members, _ in clusters]


def _span(members: Sequence[Drawn]) -> Drawn:
    return Drawn(
        min(d.x0 for d in members),
        min(d.y0 for d in members),
        max(d.x1 for d in members),
        max(d.y1 for d in members),
    )


def _gap(a: Drawn, b: Drawn) -> float:
    return max(a.x0 - b.x1, b.x0 - a.x1, a.y0 - b.y1, b.y0 - a.y1, 0.0)


def _draws(cluster: Sequence[Drawn], own: Sequence[Block]) -> bool:
    """Whether the objects are more than a frame around text, rules, or the grid of a table."""
    frame = _span(cluster)
    small = frame.x1 - frame.x0 < _LEAST_WIDE or frame.y1 - frame.y0 < _LEAST_HIGH
    if small or _prose_in(frame, own):
        return False
    if any(d.picture for d in cluster):
        return True
    inner = [d for d in cluster if d.area < _FRAMES * frame.area]
    return not _letters(cluster, inner) and (_curved(cluster, inner, own) or _shapes(inner))


def _letters(cluster: Sequence[Drawn], inner: Sequence[Drawn]) -> bool:
    """Whether it is a formula whose letters are drawn as areas: few objects are larger."""
    large = [d for d in cluster if _length(d) > _LETTER]
    return len(large) < 3 and not any(d.slanted or d.filled for d in large) and not _axes(inner)


def _curved(cluster: Sequence[Drawn], inner: Sequence[Drawn], own: Sequence[Block]) -> bool:
    """Whether there are curves: one around a text is a frame with round corners."""
    slanted = sum(d.slanted for d in cluster)
    if slanted > 1 and any(d.slanted for d in inner):
        return True
    return slanted > 0 and not _texts_in(_span(cluster), own)


def _shapes(inner: Sequence[Drawn]) -> bool:
    """Whether areas stand apart, as bars and the nodes of a diagram do and cells do not."""
    solid = [d for d in inner if min(d.x1 - d.x0, d.y1 - d.y0) > _THIN]
    apart = [d for d in solid if not any(_gap(d, o) < _THIN for o in solid if o is not d)]
    return len(apart) >= 3 or sum(d.filled for d in apart) >= 2


def _length(item: Drawn) -> float:
    return max(item.x1 - item.x0, item.y1 - item.y0)


def _axes(items: Sequence[Drawn]) -> bool:
    """Whether there are long lines both across and down."""
    return any(d.x1 - d.x0 > _AXIS for d in items) and any(d.y1 - d.y0 > _AXIS for d in items)


def _texts_in(frame: Drawn, own: Sequence[Block]) -> bool:
    return any(b.kind in _TEXTS and b.bbox and _within(b.bbox, _bbox(frame)) for b in own)


def _prose_in(frame: Drawn, own: Sequence[Block]) -> bool:
    """Whether paragraphs fill much of the frame: a box of text is no drawing."""
    boxes = (b.bbox for b in own if b.bbox and b.kind in _TEXTS and len(b.text) > _SHORT)
    return sum(_overlap(box, _bbox(frame)) for box in boxes) > _PROSE * frame.area


def _nearest(caption: Block, boxes: Sequence[BBox], own: Sequence[Block]) -> BBox | None:
    """The drawing over the caption, else under it, with what stands beside it; no paragraph may
    be between."""
    text = caption.bbox
    assert text is not None
    for over in (True, False):
        near = [
            (abs(_apart(box, text, over=over)), box)
            for box in boxes
            if -0.01 <= _apart(box, text, over=over) <= _REACH and _shared(box, text) > 0
            if not any(_between(block, box, caption, over=over) for block in own)
        ]
        if near:
            first = min(near, key=lambda pair: pair[0])[1]
            return BBox.around([first, *_beside(first, boxes, own)])
    return None


def _apart(box: BBox, text: BBox, *, over: bool) -> float:
    return text.y0 - box.y1 if over else box.y0 - text.y1


def _beside(first: BBox, boxes: Sequence[BBox], own: Sequence[Block]) -> Iterator[BBox]:
    """Parts of one figure side by side: drawings of the same height with no paragraph between and
    no caption of their own under them."""
    heads = [b.bbox for b in own if b.bbox and is_caption(b.text)]
    for box in boxes:
        level = min(box.y1, first.y1) - max(box.y0, first.y0)
        if box is first or level < 0.5 * min(box.y1 - box.y0, first.y1 - first.y0):
            continue
        joint = BBox.around([first, box])
        crossed = any(_prose(b) and b.bbox and _within(b.bbox, joint) for b in own)
        under = [h for h in heads if 0 <= h.y0 - joint.y1 <= _REACH and _shared(h, box) > 0]
        if not crossed and all(_shared(h, first) > 0 for h in under):
            yield box


def _between(block: Block, box: BBox, caption: Block, *, over: bool) -> bool:
    """Whether a block parts a drawing from a caption: a paragraph, a table, another caption."""
    if block.bbox is None or block.index == caption.index or caption.bbox is None:
        return False
    top, bottom = (box.y1, caption.bbox.y0) if over else (caption.bbox.y1, box.y0)
    middle = (block.bbox.y0 + block.bbox.y1) / 2
    if not top <= middle <= bottom or _shared(block.bbox, BBox.around([box, caption.bbox])) <= 0:
        return False
    return _prose(block) or block.kind in VISUAL_KINDS


def _prose(block: Block) -> bool:
    long = len(block.text) > _SHORT or is_caption(block.text) is not None
    return block.kind in _TEXTS and (long or (block.kind == "title" and block.level is not None))


def _label_of(block: Block, box: BBox, captions: Sequence[Block]) -> bool:
    """Whether a short text stands in the drawing or at its edge: an axis, a legend, a node."""
    if block.bbox is None or block.kind not in _TEXTS or block in captions:
        return False
    if len(block.text) > _SHORT or is_caption(block.text):
        return False
    return _within(block.bbox, _wider(box, 0.02))


def _frame(cluster: Sequence[Drawn]) -> BBox:
    return _bbox(_span(cluster))


def _bbox(item: Drawn) -> BBox:
    return BBox(x0=item.x0, y0=item.y0, x1=item.x1, y1=item.y1)


def _within(inner: Drawn | BBox, box: BBox) -> bool:
    x, y = (inner.x0 + inner.x1) / 2, (inner.y0 + inner.y1) / 2
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def _shared(a: BBox, b: BBox) -> float:
    return min(a.x1, b.x1) - max(a.x0, b.x0)


def _overlap(a: BBox, b: BBox) -> float:
    high = min(a.y1, b.y1) - max(a.y0, b.y0)
    return max(_shared(a, b), 0.0) * max(high, 0.0)


def _wider(box: BBox, by: float = _MARGIN) -> BBox:
    return BBox(
        x0=max(box.x0 - by, 0.0),
        y0=max(box.y0 - by, 0.0),
        x1=min(box.x1 + by, 1.0),
        y1=min(box.y1 + by, 1.0),
    )


def _name(page: int, number: int) -> str:
    return f"drawn/page_{page}_{number}.png"


def _picture(page: Any, box: BBox) -> bytes:
    """The part of the page as a picture."""
    import io

    wide, high = page.get_size()
    most = max((box.x1 - box.x0) * wide, (box.y1 - box.y0) * high)
    bitmap = page.render(scale=min(_DPI / 72, _MOST_PIXELS / max(most, 1.0)))
    image = bitmap.to_pil().convert("RGB")
    w, h = image.size
    out = io.BytesIO()
    cut = (int(box.x0 * w), int(box.y0 * h), round(box.x1 * w), round(box.y1 * h))
    image.crop(cut).save(out, "PNG")
    bitmap.close()
    return out.getvalue()


def _joined(
    parsed: ParsedDocument, found: Sequence[_Found], pictures: dict[str, str | bytes]
) -> ParsedDocument:
    """The blocks with the pictures in front of their captions, numbered anew."""
    inside = {block.index for figure in found for block in figure.labels}
    names = iter(pictures)
    front = {figure.caption.index: _made(figure, next(names)) for figure in found}
    blocks: list[Block] = []
    for block in parsed.blocks:
        if block.index in front:
            blocks.append(front[block.index])
        if block.index not in inside:
            blocks.append(block)
    numbered = tuple(b.model_copy(update={"index": n}) for n, b in enumerate(blocks))
    images = {**parsed.images, **pictures}
    return parsed.model_copy(update={"blocks": numbered, "images": images})


def _made(figure: _Found, name: str) -> Block:
    words = " ".join(" ".join(block.text.split()) for block in figure.labels)
    return Block(
        index=0,
        kind="image",
        image=name,
        page=figure.caption.page,
        bbox=figure.box,
        raw_type="drawing",
        meta={"text_in_picture": words} if words else {},
    )
