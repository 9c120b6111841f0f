"""Tables of figures without rules, as statements of accounts have them, from where words stand.

Layout analysis tears them apart: figures become headings and paragraphs, one column becomes the
table. Here a row is a line with a label, a gap, and nothing but figures behind it; rows whose
figures stand below each other are a table. What layout analysis made of such a place is replaced
only where it did not find the figures in one table itself.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from ...core.document import BBox, Block
from .pdf import Word

LEAST_ROWS, LEAST_COLUMNS = 3, 2
"""One row less where the columns have heads."""
_MOST_HEADS, _MOST_BETWEEN = 5, 3
"""Lines of heads above the first row, and lines without figures between two rows."""
_GAP, _HEAD_GAP = 1.1, 0.6
"""Widths of a blank, in heights of a line, that part a label from figures, and heads."""
_APART = 2.6
"""Heights of a line between two rows of one table, at most."""
_FILLED = 0.4
"""Share of the places of a table that have figures, at least."""
_FOUND, _HEADED = 0.9, 0.5
"""Shares of a table's figures, and of its heads' words, that another reading must have to be left
alone."""
_SIGN = r"[(（]?[-–—+]?[$€£¥]?[(（]?[-–—+]?"
_FIGURE = re.compile(
    rf"{_SIGN}(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?[)）]?(?:[%x]|bps|ppt?s?)?[)）]?"
    r"|[-–—]+%?|N/?[AM]|n/?[am]|\*+"
)
_MARK = re.compile(r"[$€£¥]+|[(（]")
_TAIL = re.compile(r"[%)）]+|bps|ppt?s?")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_DIGIT = re.compile(r"\d")
_NUMBERS = re.compile(r"\d[\d,.]*\d|\d")


class _Line(NamedTuple):
    label: tuple[Word, ...]
    figures: tuple[Word, ...]

    @property
    def words(self) -> tuple[Word, ...]:
        return (*self.label, *self.figures)

    @property
    def y0(self) -> float:
        return min(word.y0 for word in self.words)

    @property
    def y1(self) -> float:
        return max(word.y1 for word in self.words)


_Span = tuple[float, float]


class AlignedTable(NamedTuple):
    """A grid, heads first, and its box in points."""

    grid: tuple[tuple[str, ...], ...]
    box: tuple[float, float, float, float]

    @property
    def html(self) -> str:
        """The grid as an HTML table."""
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.grid)
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def with_aligned_tables(
    blocks: Sequence[Block], words: Sequence[Word], size: tuple[float, float]
) -> list[Block]:
    """The blocks of one page, those of a torn table replaced by it, numbered through from the
    first: later steps tell blocks apart by number. `size` is the page's, in points."""
    kept = list(blocks)
    for table in aligned_tables(words):
        inside = [block for block in kept if _lies_in(block, table.box, size)]
        if not inside or _read_already(inside, table) or not _says_all(inside, table):
            continue
        x0, y0, x1, y1 = table.box
        box = BBox(x0=x0 / size[0], y0=y0 / size[1], x1=x1 / size[0], y1=y1 / size[1])
        own = [block for block in inside if block.kind == "table"]
        made = Block(
            index=inside[0].index,
            kind="table",
            html=table.html,
            page=inside[0].page,
            bbox=box,
            captions=tuple(note for block in own for note in block.captions),
            footnotes=tuple(note for block in own for note in block.footnotes),
            raw_type="aligned",
        )
        place = kept.index(inside[0])
        kept = [block for block in kept if block not in inside]
        kept.insert(place, made)
    if len(kept) == len(blocks):
        return kept
    return [block.model_copy(update={"index": n}) for n, block in enumerate(kept, blocks[0].index)]


def has_figures(text: str) -> bool:
    """Whether a page's text has as many figures as the smallest table."""
    return len(_NUMBERS.findall(text)) >= (LEAST_ROWS - 1) * LEAST_COLUMNS


def aligned_tables(words: Sequence[Word]) -> list[AlignedTable]:
    """The tables of figures of a page, from the top."""
    lines = [_split(line) for line in _lines(words)]
    tables: list[AlignedTable] = []
    start = 0
    for first, last in _runs(lines):
        table = _table(lines[start : last + 1], first - start)
        start = last + 1
        if table is not None:
            tables.append(table)
    return tables


def _lines(words: Sequence[Word]) -> list[list[Word]]:
    """The words by lines, from the top; a line's words overlap each other by half their height."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda w: ((w.y0 + w.y1) / 2, w.x0)):
        last = lines[-1] if lines else None
        middle = (word.y0 + word.y1) / 2
        if last and last[0].y0 < middle < last[0].y1:
            last.append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda w: w.x0) for line in lines]


def _split(line: Sequence[Word]) -> _Line:
    """The label and the figures behind the gap; no figures where anything else stands among them
    or no gap is before them."""
    joined = _joined(line)
    first = len(joined)
    while first and _FIGURE.fullmatch(joined[first - 1].text):
        first -= 1
    label, figures = joined[:first], joined[first:]
    while label and figures and figures[0].x0 - label[-1].x1 < _GAP * _height(figures[0]):
        label, figures = [*label, figures[0]], figures[1:]
    return _Line(tuple(label), tuple(figures))


def _joined(line: Sequence[Word]) -> list[Word]:
    """With "$", "(" and "%", ")" as parts of the figures that they stand beside."""
    words: list[Word] = []
    mark: Word | None = None
    for word in line:
        if _MARK.fullmatch(word.text):
            mark = word
            continue
        text, begun = word.text, mark is not None and _DIGIT.match(word.text.lstrip("(（-–—"))
        if mark is not None and begun:
            text = f"{mark.text}{text}"  # the number's own place counts
        elif mark is not None:
            words.append(mark)
        mark = None
        if words and _TAIL.fullmatch(text) and _DIGIT.search(words[-1].text):
            words[-1] = words[-1]._replace(text=f"{words[-1].text}{text}", x1=word.x1)
        else:
            words.append(word._replace(text=text))
    return [*words, mark] if mark is not None else words


def _height(word: Word) -> float:
    return max(word.y1 - word.y0, 1.0)


def _runs(lines: Sequence[_Line]) -> Iterator[tuple[int, int]]:
    """(first, last) line of rows that belong together: no prose and no wide blank between them."""
    first = last = -1
    for n, line in enumerate(lines):
        if first >= 0 and _parts(lines, last, n):
            yield first, last
            first = -1
        if line.figures and not _of_years(line):
            first, last = (n if first < 0 else first), n
    if first >= 0:
        yield first, last


def _of_years(line: _Line) -> bool:
    return all(_YEAR.fullmatch(word.text) for word in line.figures)


def _parts(lines: Sequence[_Line], last: int, n: int) -> bool:
    """Whether line `n` is no more of the table that had its last row at `last`."""
    here = lines[n]
    if _wide(lines, n - 1) or n - last > _MOST_BETWEEN:
        return True
    return not here.figures and here.label[-1].x1 > lines[last].figures[0].x0


def _table(lines: Sequence[_Line], first: int) -> AlignedTable | None:
    """The table of the rows from `first` on, with the heads above them; None: they are none."""
    rows = [line for line in lines[first:] if line.figures and not _of_years(line)]
    columns = _columns(rows)
    full = [row for row in rows if len(row.figures) >= LEAST_COLUMNS]
    if len(columns) < LEAST_COLUMNS or len(full) < LEAST_ROWS - 1 or len(full) * 2 < len(rows):
        return None
    if sum(1 for row in rows if row.label) * 2 < len(rows) or _crossed(rows, columns):
        return None
    first = _with_titles(lines, first, columns)
    top = first
    while top and first - top < _MOST_HEADS and _is_head(lines, top - 1, columns):
        top -= 1
    if len(full) < LEAST_ROWS and top == first:
        return None
    grid = (_heads(lines[top:first], columns), *_body(lines[first:], columns))
    words = [word for line in lines[top:] for word in line.words]
    box = (
        min(w.x0 for w in words),
        min(w.y0 for w in words),
        max(w.x1 for w in words),
        max(w.y1 for w in words),
    )
    return AlignedTable(grid, box)


def _with_titles(lines: Sequence[_Line], first: int, columns: Sequence[_Span]) -> int:
    """The first line of the body: one or two titles of rows ("Revenue:") may stand between the
    first figures and the heads."""
    for up in (1, 2):
        head = first - up - 1
        if head < 0:
            return first
        titles = lines[first - up : first]
        short = all(not t.figures and t.label[-1].x1 < columns[0][0] for t in titles)
        near = all(not _wide(lines, n) for n in range(first - up, first))
        if short and near and _is_head(lines, head, columns):
            return first - up
    return first


def _wide(lines: Sequence[_Line], n: int) -> bool:
    """Whether the blank between line `n` and the next one parts them."""
    return lines[n + 1].y0 - lines[n].y1 > _APART * (lines[n].y1 - lines[n].y0)


def _columns(rows: Sequence[_Line]) -> list[_Span]:
    """Where figures stand below each other, from the left."""
    spans: list[_Span] = []
    for word in sorted((w for row in rows for w in row.figures), key=lambda w: w.x0):
        if spans and word.x0 < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], word.x1))
        else:
            spans.append((word.x0, word.x1))
    return spans


def _crossed(rows: Sequence[_Line], columns: Sequence[_Span]) -> bool:
    """Whether figures of one row fall into one column, labels reach into the figures, or most
    columns have none of a row."""
    twice = sum(
        1 for row in rows if len({_column(w, columns) for w in row.figures}) < len(row.figures)
    )
    over = sum(1 for row in rows if row.label and row.label[-1].x1 > columns[-1][0])
    filled = sum(len(row.figures) for row in rows)
    sparse = filled < _FILLED * len(rows) * len(columns)
    return sparse or twice * 5 > len(rows) or over * 5 > len(rows)


def _column(word: Word, columns: Sequence[_Span]) -> int:
    return max(range(len(columns)), key=lambda c: _shared((word.x0, word.x1), columns[c]))


def _shared(one: _Span, other: _Span) -> float:
    """How far two spans overlap; negative: how far they are apart."""
    return min(one[1], other[1]) - max(one[0], other[0])


def _is_head(lines: Sequence[_Line], n: int, columns: Sequence[_Span]) -> bool:
    """Whether the line above a table heads its columns: pieces stand over figures, no prose."""
    line = lines[n]
    if _wide(lines, n) or any(
        _DIGIT.search(w.text) and not _YEAR.fullmatch(w.text) for w in line.figures
    ):
        return False
    height = line.y1 - line.y0
    pieces = _pieces(line)
    over = [piece for piece in pieces if piece[-1].x1 > columns[0][0]]
    left = columns[0][0] - height
    crossing = any(piece[0].x0 < left and len(piece) > 6 for piece in over)
    return bool(over) and not crossing


def _pieces(line: _Line) -> list[list[Word]]:
    """The words between wide blanks."""
    pieces: list[list[Word]] = []
    for word in line.words:
        if pieces and word.x0 - pieces[-1][-1].x1 < _HEAD_GAP * _height(word):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return pieces


def _heads(lines: Sequence[_Line], columns: Sequence[_Span]) -> tuple[str, ...]:
    """What stands over the labels and over each column; a piece over several heads them all."""
    cells: list[list[str]] = [[] for _ in range(len(columns) + 1)]
    for line in lines:
        pieces = _pieces(line)
        if 0 <= len(pieces) - len(columns) <= 1:  # one over each, if not right over it
            for c, piece in enumerate(reversed(pieces)):
                cells[len(columns) - c].append(" ".join(word.text for word in piece))
            continue
        for piece in pieces:
            text = " ".join(word.text for word in piece)
            span = piece[0].x0, piece[-1].x1
            over = [c for c, column in enumerate(columns) if _shared(span, column) > 0]
            if not over and span[0] > columns[0][0]:
                over = [max(range(len(columns)), key=lambda c: _shared(span, columns[c]))]
            for c in over:
                cells[c + 1].append(text)
            if not over:
                cells[0].append(text)
    return tuple(" ".join(parts) for parts in cells)


def _body(lines: Sequence[_Line], columns: Sequence[_Span]) -> list[tuple[str, ...]]:
    """The rows; a label of two lines is one where the second goes on in lower case."""
    rows: list[tuple[str, ...]] = []
    for line in lines:
        label = " ".join(word.text for word in line.label)
        cells = [""] * len(columns)
        for word in line.figures:
            place = _column(word, columns)
            cells[place] = f"{cells[place]} {word.text}".strip()
        if rows and label[:1].islower() and rows[-1][0] and not any(rows[-1][1:]):
            label = f"{rows.pop()[0]} {label}"
        rows.append((label, *cells))
    return rows


def _lies_in(
    block: Block, box: tuple[float, float, float, float], size: tuple[float, float]
) -> bool:
    """Whether most of the block is in the box."""
    if block.bbox is None or block.kind in ("image", "chart", "header", "footer", "page_number"):
        return False
    b = block.bbox
    x0, y0, x1, y1 = b.x0 * size[0], b.y0 * size[1], b.x1 * size[0], b.y1 * size[1]
    wide = max(0.0, _shared((x0, x1), (box[0], box[2])))
    high = max(0.0, _shared((y0, y1), (box[1] - 2, box[3] + 2)))
    return wide * high > 0.6 * max((x1 - x0) * (y1 - y0), 1e-6)


def _numbers(text: str) -> list[str]:
    return [re.sub(r"[,.]", "", number) for number in _NUMBERS.findall(text)]


def _read_already(inside: Sequence[Block], table: AlignedTable) -> bool:
    """Whether one table of the layout analysis has nearly all the figures, and the heads."""
    heads = re.findall(r"\w+", " ".join(table.grid[0][1:]))
    wanted = [n for row in table.grid[1:] for cell in row[1:] for n in _numbers(cell)]
    for block in inside:
        own, words = set(_numbers(block.html)), set(re.findall(r"\w+", block.html))
        headed = sum(word in words for word in heads) >= _HEADED * len(heads)
        parted = "<td" in block.html or "<th" in block.html
        if parted and headed and sum(n in own for n in wanted) >= _FOUND * len(wanted):
            return True
    return False


def _says_all(inside: Sequence[Block], table: AlignedTable) -> bool:
    """Whether the table has all that those blocks say."""
    mine = re.sub(r"[\W_]+", "", " ".join(cell for row in table.grid for cell in row))
    said = {word for row in table.grid for cell in row for word in re.findall(r"\w+", cell)}
    lost = total = 0
    for block in inside:
        text = re.sub(r"<[^>]+>", " ", f"{block.text} {block.html}")
        words = re.findall(r"\w+", text)
        total += len(words)
        lost += sum(1 for word in words if word not in said and word not in mine)
    return lost * 20 <= total
