"""What is drawn on a page of a PDF beside text: lines, areas, curves and pictures, with places."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

MOST = 5_000
"""Objects of a page that are looked at: a map may have hundreds of thousands."""
_MOST_POINTS = 60
_FLAT = 0.75
"""Points by which a line may be off the horizontal or vertical."""
_WHITE = 250
_DEPTH = 4

Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1, 0, 0, 1, 0, 0)


class Drawn(NamedTuple):
    """A drawn object and its box in fractions of the page as it is shown, from the top left.

    `slanted`: it has a curve or a line that is neither horizontal nor vertical; `filled`: with
    another colour than white.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    slanted: bool = False
    filled: bool = False
    picture: bool = False

    @property
    def area(self) -> float:
        """Of the page's."""
        return (self.x1 - self.x0) * (self.y1 - self.y0)


def drawn_on(page: Any) -> list[Drawn]:
    """The page's drawn objects, the first `MOST` of them, without text, white areas and what is
    outside of the page. Whoever calls holds PDFium's lock (`alone`)."""
    box, turn = page.get_bbox(), page.get_rotation()
    found: list[Drawn] = []
    for number, (obj, matrix) in enumerate(_objects(page)):
        if number >= MOST:
            break
        if (made := _drawn(obj, matrix, box, turn)) is not None:
            found.append(made)
    return found


def _objects(page: Any) -> Iterator[tuple[Any, Matrix]]:
    """Paths, pictures and shadings with what moves them to the page; forms are gone through."""
    from pypdfium2 import raw

    stack: list[tuple[Any, Matrix, int]] = [
        (raw.FPDFPage_GetObject(page.raw, n), _SAME, 0)
        for n in reversed(range(raw.FPDFPage_CountObjects(page.raw)))
    ]
    while stack:
        obj, matrix, depth = stack.pop()
        kind = raw.FPDFPageObj_GetType(obj)
        if kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEPTH:
            inner = _times(_matrix(obj), matrix)
            count = raw.FPDFFormObj_CountObjects(obj)
            stack.extend(
                (raw.FPDFFormObj_GetObject(obj, n), inner, depth + 1)
                for n in reversed(range(min(count, MOST)))
            )
        elif kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING):
            yield obj, matrix


def _matrix(obj: Any) -> Matrix:
    from pypdfium2 import raw

    values = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(obj, values):
        return _SAME
    return values.a, values.b, values.c, values.d, values.e, values.f


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


def _drawn(obj: Any, matrix: Matrix, box: Sequence[float], turn: int) -> Drawn | None:
    from pypdfium2 import raw

    kind = raw.FPDFPageObj_GetType(obj)
    path = kind == raw.FPDF_PAGEOBJ_PATH
    filled, seen = _painted(obj) if path else (False, True)
    frame = _frame(obj, matrix)
    if frame is None or not seen:
        return None
    x0, y0, x1, y1 = shown(frame, box, turn)
    if x1 <= 0 or y1 <= 0 or x0 >= 1 or y0 >= 1:
        return None
    inside = max(x0, 0.0), max(y0, 0.0), min(x1, 1.0), min(y1, 1.0)
    return Drawn(*inside, path and _slanted(obj), filled, not path)


def _frame(obj: Any, matrix: Matrix) -> tuple[float, float, float, float] | None:
    from ctypes import c_float

    from pypdfium2 import raw

    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    if not raw.FPDFPageObj_GetBounds(obj, left, bottom, right, top):
        return None
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (left.value, right.value) for y in (bottom.value, top.value)]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def shown(
    frame: Sequence[float], box: Sequence[float], turn: int
) -> tuple[float, float, float, float]:
    """Fractions of the page as it is shown, from the top left, of a frame in the page's points."""
    wide, high = max(box[2] - box[0], 1e-6), max(box[3] - box[1], 1e-6)
    left, right = (frame[0] - box[0]) / wide, (frame[2] - box[0]) / wide
    low, top = (frame[1] - box[1]) / high, (frame[3] - box[1]) / high
    if turn == 90:
        return low, left, top, right
    if turn == 180:
        return 1 - right, low, 1 - left, top
    if turn == 270:
        return 1 - top, 1 - right, 1 - low, 1 - left
    return left, 1 - top, right, 1 - low


def _painted(path: Any) -> tuple[bool, bool]:
    """Whether a path is filled with a colour, and whether it can be seen at all."""
    from ctypes import c_int

    from pypdfium2 import raw

    mode, stroke = c_int(), c_int()
    raw.FPDFPath_GetDrawMode(path, mode, stroke)
    filled = mode.value != raw.FPDF_FILLMODE_NONE and not _white(path, raw.FPDFPageObj_GetFillColor)
    lined = bool(stroke.value) and not _white(path, raw.FPDFPageObj_GetStrokeColor)
    return filled, filled or lined


def _white(path: Any, colour: Any) -> bool:
    from ctypes import c_uint

    red, green, blue, alpha = c_uint(), c_uint(), c_uint(), c_uint()
    if not colour(path, red, green, blue, alpha):
        return False
    return min(red.value, green.value, blue.value) >= _WHITE or alpha.value == 0


def _slanted(path: Any) -> bool:
    """Whether some of its first segments is a curve or a slanting line."""
    from ctypes import c_float

    from pypdfium2 import raw

    before: tuple[float, float] | None = None
    for number in range(min(raw.FPDFPath_CountSegments(path), _MOST_POINTS)):
        segment = raw.FPDFPath_GetPathSegment(path, number)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_BEZIERTO:
            return True
        x, y = c_float(), c_float()
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        here = x.value, y.value
        line = before is not None and kind == raw.FPDF_SEGMENT_LINETO
        if line and before and min(abs(here[0] - before[0]), abs(here[1] - before[1])) > _FLAT:
            return True
        before = here
    return False
