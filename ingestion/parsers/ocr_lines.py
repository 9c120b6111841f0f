"""Recognised lines of a page to paragraphs and headings in reading order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from ...core.document import BBox
from ...core.text import has_cjk

_COLUMN_GAP = 0.015
_HEADING = 1.35
_HEADING_CHARS = 60


# Letters and digits that the engine spaces out, where the type is set wide among Chinese text.
_APART = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z0-9./%°-]{1,2}(?: [A-Za-z0-9./%°-]{1,2})+(?![A-Za-z0-9])"
)
_UNIT = re.compile(
    r"[kMGmcdμ]?(?:W|Wh|Pa|Hz|V|A|VA|N|J|g|m|L|l|s|t|Ω)[23²³]?|°C|r/min|min|km/h|m/s|m[³3]/h|kN·m|dB"
)


def compact(text: str) -> str:
    """A recognised line without the blanks inside its numbers, units and codes.

    "转速 2 9 5 0 r / mi n" is 转速 2950 r/min; a row of numbers alone stays as it is.
    """
    chinese = has_cjk(text)
    return _APART.sub(lambda found: _joined(found.group(), chinese), text)


def _joined(run: str, chinese: bool) -> str:
    parts = run.split(" ")
    whole = "".join(parts)
    if _UNIT.fullmatch(whole):
        return whole
    single = sum(len(part) == 1 for part in parts)
    if not chinese or len(parts) < 3 or single * 2 < len(parts):
        return run
    number = re.match(r"[\d.]+", whole)
    if number and _UNIT.fullmatch(whole[number.end() :]):
        return f"{number.group()} {whole[number.end() :]}"
    return whole


@dataclass(frozen=True)
class Line:
    """One recognised line; `box` in fractions of the page."""

    text: str
    box: BBox

    @property
    def height(self) -> float:
        """Of the line's box."""
        return self.box.y1 - self.box.y0


@dataclass(frozen=True)
class Paragraph:
    """Lines that belong together."""

    text: str
    box: BBox
    heading: bool = False


def paragraphs(lines: Sequence[Line]) -> Iterator[Paragraph]:
    """Lines in reading order, joined while one goes on closely below in the same column."""
    usual = median(line.height for line in lines) if lines else 0.0
    group: list[Line] = []
    for line in ordered(list(lines)):
        if group and not _follows(group[-1], line):
            yield _paragraph(group, usual)
            group = []
        group.append(line)
    if group:
        yield _paragraph(group, usual)


def ordered(lines: list[Line]) -> list[Line]:
    """Reading order by recursive cuts along white gaps: columns first, then rows."""
    if len(lines) < 2:
        return lines
    for parts in (_columns(lines), _rows(lines)):
        if parts is not None:
            return [line for part in parts for line in ordered(part)]
    return sorted(lines, key=lambda line: (line.box.x0, line.box.y0))


def _columns(lines: list[Line]) -> tuple[list[Line], list[Line]] | None:
    """Both sides of the widest vertical gap, where each side holds several rows."""
    found = _gap([(line.box.x0, line.box.x1) for line in lines])
    if found is None or found[0] < _COLUMN_GAP:
        return None
    left = [line for line in lines if line.box.x0 < found[1]]
    right = [line for line in lines if line.box.x0 >= found[1]]
    return (left, right) if min(_row_count(left), _row_count(right)) >= 3 else None


def _row_count(lines: Sequence[Line]) -> int:
    rows, low = 0, -1.0
    for line in sorted(lines, key=lambda line: line.box.y0):
        if line.box.y0 >= low - line.height / 2:
            rows += 1
        low = max(low, line.box.y1)
    return rows


def _rows(lines: list[Line]) -> tuple[list[Line], list[Line]] | None:
    """Both sides of the widest horizontal gap; lines that touch a little still part."""
    shrink = 0.2 * median(line.height for line in lines)
    lows = [line.box.y0 + shrink for line in lines]
    # A line much lower than the others has nothing left of its height.
    highs = [max(line.box.y1 - shrink, low) for line, low in zip(lines, lows, strict=True)]
    found = _gap(list(zip(lows, highs, strict=True)))
    if found is None:
        return None
    above = [line for line in lines if line.box.y0 + shrink < found[1]]
    return above, [line for line in lines if line.box.y0 + shrink >= found[1]]


def _gap(spans: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """(width, end) of the widest gap that no span covers."""
    best: tuple[float, float] | None = None
    ordered_spans = sorted(spans)
    end = ordered_spans[0][1]
    for low, high in ordered_spans[1:]:
        if low > end and (best is None or low - end > best[0] + 1e-9):
            best = (low - end, low)
        end = max(end, high)
    return best


def _follows(above: Line, below: Line) -> bool:
    """Whether `below` goes on the paragraph: close, of one size, and the line above is full."""
    a, b = above.box, below.box
    height = max(above.height, below.height)
    alike = max(above.height, below.height) < 1.4 * min(above.height, below.height)
    overlap = min(a.x1, b.x1) - max(a.x0, b.x0)
    full = a.x1 >= b.x1 - 2 * height
    return alike and full and overlap > 0 and -height / 2 < b.y0 - a.y1 < height * 0.8


def _paragraph(lines: Sequence[Line], usual: float) -> Paragraph:
    text = lines[0].text
    for line in lines[1:]:
        text += (" " if text[-1].isascii() and line.text[0].isascii() else "") + line.text
    box = BBox.around([line.box for line in lines])
    large = all(line.height > _HEADING * usual for line in lines)
    return Paragraph(text, box, large and len(text) <= _HEADING_CHARS and len(lines) < 3)
