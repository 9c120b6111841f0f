"""Reading a table against its grain: the row with the largest value, the row that holds a value."""

import re
from collections.abc import Iterator, Sequence

from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_columns import (
    ASKED_NOUNS,
    Columns,
    asked_column,
    is_called,
    reading_of,
    turned_round,
    with_rows,
)
from .extractive_comparing import compared, rank_of, rows_of
from .extractive_concepts import (
    asked_terms,
    concepts,
    extreme_of,
    han_folded,
    is_concept,
    occurs,
    terms_in,
)
from .extractive_heads import Grid, column_heads, header_rows, without_numbering
from .extractive_quantities import extremes
from .extractive_tables import SURE, Reading
from .extractive_values import number, worths

_MOST = 3
SUMS = re.compile(r"合计|总计|小计|平均|均值|全年|total|average|mean|\bsum\b|overall", re.I)
_KEY_ASKED = re.compile(
    r"哪(?:[一几]?[个种款台项类些年月天])?|几月|什么|谁"
    r"|\b(?:which|what|who|welche[rsnm]?|quel(?:le)?s?)\b",
    re.I,
)
_WHICH_ASKED = re.compile(
    r"哪|几月|谁|\b(?:which|who|welche[rsnm]?)\b"
    r"|\bwhat(?:['’]s| is| are) the (?:most|least|\w+est)\b"
    r"|最[一-鿿]{1,2}的[一-鿿]{1,6}[？?。]?$|^[一-鿿]{2,12}最[一-鿿]{1,2}[？?。]?$"
    r"|^(?:the )?[a-z]+ with the (?:most|least|\w+est)\b"
    r"|^(?:the )?(?:most (?:expensive|powerful)|[a-z]{3,}est) [a-z][a-z \-]{1,30}\W*$",
    re.I,
)

_TIME_ASKED = re.compile(
    r"哪一?个?[年月]|几月|何年|什么时候|\b(?:which|what) (?:year|month|quarter)|\bwhen\b", re.I
)
_TIME = re.compile(r"(?:19|20)\d{2}|\d{1,2}月|[一二三四]季|\bQ[1-4]\b|^FY", re.I)
# Heads of a property that its superlative names in other words.
_ALSO = {
    "weight": re.compile(r"\bmass\b|质量(?=$|\s*[(（/])|[(（](?:kg|g|t|吨|公斤)[)）]", re.I),
    "length": re.compile(r"^长(?=$|\s*[(（/])|全长", re.I),
    "distance": re.compile(r"^距|距离|里程|\bdistance\b", re.I),
    "price": re.compile(
        r"[价费]$|[价费](?=\s*[(（/])|费用|金额|\b(?:prices?|costs?|fees?)\b", re.I
    ),
}
_IN_BRACKETS = re.compile(r"[(（\[][^)）\]]*[)）\]]")
_CODE = re.compile(r"(?=.*\d)[A-Za-z]{0,6}[\-–./ ]?[\dA-Za-z\-./]{1,12}")
_AGE = re.compile(r"(?P<old>\boldest\b|最[老旧])|\byoungest\b|\bnewest\b|最年轻|最新", re.I)
_BUILT = re.compile(
    r"年[份代]|[建投生出][成产运造厂]\S{0,2}[年日时]|\b(?:year|built|commission\w*|installed|founded|born)\b",
    re.I,
)
_AGED = re.compile(r"年龄|[机役]龄|\bage\b", re.I)


def of_total(question: str, row: str) -> bool:
    """Whether the row sums up the others where one of those is asked for: 全年 is no month."""
    return bool(_WHICH_ASKED.search(question) and SUMS.search(row))


def properties(text: str) -> frozenset[str]:
    """The properties that a text names, by their words or by a unit that is theirs alone."""
    found = {name for name, words in _ALSO.items() if words.search(text)}
    return frozenset({*concepts(text), *found})


def looked_up(question: str, grid: Grid, tokenizer: Tokenizer) -> list[Reading]:
    """What the table answers by comparing its rows or by being searched for a value; best first.

    A superlative ("哪个月产量最高", "the quietest fan") gives the row at that end of the column
    that the question speaks of; a value of the question ("a noise of 58 dB", "Welches Kurzzeichen
    hat Polypropylen") gives the asked-for cell of the rows that hold it. Empty: neither is asked.
    """
    grid = without_numbering(grid)
    if len(grid) < 3:
        return []
    heads = header_rows(grid)
    columns = column_heads(grid, heads)
    body = [row for row in grid[heads:] if any(cell.strip() for cell in row)]
    plain = [[han_folded(cell, tokenizer).strip() for cell in row] for row in body]
    table = Columns(grid, columns, body, plain)
    if ranked := rank_of(question):
        return _at_rank(*ranked, table, tokenizer)
    if pair := compared(question):
        return _of_compared(pair.names, pair.question, table, tokenizer)
    turned = turned_round(table, tokenizer) if _over_time(question, table) else None
    best = _extreme(question, turned, tokenizer) if turned else []
    return best or _extreme(question, table, tokenizer) or _holding(question, table, tokenizer)


def compares(question: str) -> bool:
    """Whether the question compares rows or asks for one by its rank: no single cell, whatever
    words it is headed by, answers it."""
    return compared(question) is not None or rank_of(question) is not None


def _of_compared(
    names: Sequence[str], question: str, table: Columns, tokenizer: Tokenizer
) -> list[Reading]:
    """The row of those named, or of two in all, or the one of two columns, that is at the end of
    the compared property."""
    if rows := rows_of(names, table.plain, tokenizer):
        named = with_rows(table, rows)
        return _extreme(question, named, tokenizer) or _of_only_numbers(question, named)
    asked = asked_column(question, table, tokenizer)
    if len(names) == 1 and len(table.body) == 2 and asked is not None:
        return _extreme(question, table, tokenizer)
    if len(names) == 1 and len(table.heads) == 3 and extreme_of(question)[0]:
        return _extreme(question, turned_round(table, tokenizer), tokenizer)
    turned = turned_round(table, tokenizer)
    rows = rows_of(names, turned.plain, tokenizer) if len(names) > 1 else []
    return _extreme(question, with_rows(turned, rows), tokenizer) if rows else []


def _of_only_numbers(question: str, table: Columns) -> list[Reading]:
    """The row at the asked end of the only column of numbers, whatever it is headed."""
    ends = extremes(question) & {"high", "low"}
    numeric = [
        c
        for c in range(1, len(table.heads))
        if all(c < len(row) and number(row[c]) is not None for row in table.plain)
    ]
    if len(ends) != 1 or len(numeric) != 1 or extreme_of(question)[0]:
        return []
    return _at_end(numeric[0], next(iter(ends)), table, None)


def _at_rank(rank: int, noun: str, table: Columns, tokenizer: Tokenizer) -> list[Reading]:
    """The row of that rank in the first column of numbers, of a table that names its rows so."""
    if (
        not noun
        or not table.heads
        or not is_called(table.heads[0], noun, asked_terms(noun, tokenizer), tokenizer)
    ):
        return []
    for c in range(1, len(table.heads)):
        values = [number(row[c]) if c < len(row) else None for row in table.plain]
        rows = [r for r, v in enumerate(values) if v is not None and not _sums(table, r)]
        if len(rows) * 2 > len(table.plain):
            rows.sort(key=lambda r: -(values[r] or 0.0))
            place = rows[rank - 1] if len(rows) >= rank else None
            return [] if place is None else [reading_of(table.body[place][0], c, place, table)]
    return []


def _sums(table: Columns, row: int) -> bool:
    return bool(SUMS.search(table.plain[row][0]))


def _over_time(question: str, table: Columns) -> bool:
    """Whether a year, quarter or month is asked for, and the columns are headed by them."""
    heads = [head for head in table.heads[1:] if head.strip()]
    series = sum(1 for head in heads if _TIME.search(head))
    return bool(_TIME_ASKED.search(question)) and series > 1 and series * 2 > len(heads)


def _extreme(question: str, table: Columns, tokenizer: Tokenizer) -> list[Reading]:
    """The rows at the asked-for end of the column that the question names."""
    property_, end = extreme_of(question)
    found = extremes(question) & {"high", "low"}
    aged = None if property_ else _aged_column(question, table)
    if not _WHICH_ASKED.search(question):
        return []
    asked = asked_column(question, table, tokenizer)
    table = table if asked is not None else _of_kind(question, table, tokenizer)
    if own := aged or _own_superlative(question, table, tokenizer):
        return _at_end(*own, table, asked)
    if not end and len(found) != 1:
        return []
    end = end or next(iter(found))
    terms = [t for t in asked_terms(question, tokenizer) if not _is_superlative(t)]
    column = _named_column(
        terms, f"#{property_}" if property_ else "", table, asked, tokenizer, end, question
    )
    return [] if column is None else _at_end(column, end, table, asked)


def _of_kind(question: str, table: Columns, tokenizer: Tokenizer) -> Columns:
    """The table with only the rows that are called what is asked for, where several are."""
    noun = next((m[1] for form in ASKED_NOUNS if (m := form.search(question))), "")
    rows = rows_of([noun], table.plain, tokenizer) if len(noun) > 1 else []
    return with_rows(table, rows) if rows else table


def _own_superlative(question: str, table: Columns, tokenizer: Tokenizer) -> tuple[int, str] | None:
    """The column whose head has a superlative of its own that the question says in full, and the
    end of it that the question asks for beside that: "the highest peak efficiency"."""
    for c, head in enumerate(table.heads):
        name = _IN_BRACKETS.sub(" ", tokenizer.fold(head)).strip()
        if not c or not extremes(name) or " " not in name:
            continue
        found = re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", question, re.I)
        if found is None:
            continue
        ends = extremes(f"{question[: found.start()]} {question[found.end() :]}") & {"high", "low"}
        if len(ends) == 1:
            return c, next(iter(ends))
    return None


def _aged_column(question: str, table: Columns) -> tuple[int, str] | None:
    """The column of ages or of years of building, and its end that the oldest or the newest has."""
    found = _AGE.search(question)
    if not found:
        return None
    for c, head in enumerate(table.heads):
        if c and _AGED.search(head):
            return c, "high" if found["old"] else "low"
        if c and _BUILT.search(head):
            return c, "low" if found["old"] else "high"
    return None


def _at_end(column: int, end: str, table: Columns, asked: int | None) -> list[Reading]:
    """The rows at that end of the column; none where few of its cells can be compared."""
    found_worths = worths([row[column] if column < len(row) else "" for row in table.plain])
    rows = [
        (value, r)
        for r, value in enumerate(found_worths)
        if value is not None and not SUMS.search(table.plain[r][0])
    ]
    if len(rows) < 2 or len(rows) < len(table.plain) / 2:
        return []
    best = (max if end == "high" else min)(value for value, _ in rows)
    chosen = [r for value, r in rows if value == best][:_MOST]
    return [reading_of(_row_name(table, r, column, asked), column, r, table) for r in chosen]


def _is_superlative(term: str) -> bool:
    return term == "最" or bool(extremes(term))


def _named_column(
    terms: Sequence[str],
    property_: str,
    table: Columns,
    asked: int | None,
    tokenizer: Tokenizer,
    end: str,
    question: str,
) -> int | None:
    """The column of figures whose head says most of the question's words; None: none does. A head
    with a superlative of its own counts for that end, unless it is said in full: the highest
    efficiency is one of "peak efficiency", "lowest flow of a turbine" asks for no lowest one."""
    best: tuple[float, int] | None = None
    for c, head in enumerate(table.heads):
        cells = [row[c] for row in table.plain if c < len(row) and row[c]]
        figures = sum(1 for worth in worths(cells) if worth is not None)
        if c == asked or not cells or figures * 2 <= len(cells) or _own_end(head, end, question):
            continue
        plain = han_folded(head, tokenizer)
        words, folded = set(tokenizer.tokens(head)), tokenizer.fold(plain)
        said = sum(1 for term in terms if occurs(term, words, folded))
        of_it = property_ and (
            property_[1:] in properties(plain)
            or (is_concept(property_[1:]) and occurs(property_, words, folded))
        )
        said += 2 if of_it else 0
        share = said / max(1, len(asked_terms(plain, tokenizer)))
        if said and (best is None or said + share > best[0]):
            best = (said + share, c)
    return best[1] if best else None


def _own_end(head: str, end: str, question: str) -> bool:
    """Whether the head has a superlative of its own that is of the other end, or that the question
    repeats with it."""
    own = extremes(head)
    name = _IN_BRACKETS.sub(" ", head).strip()
    return bool(own - {end}) or bool(own and name.casefold() in question.casefold())


def _row_name(table: Columns, row: int, column: int, asked: int | None) -> str:
    """The cell that names the row: of the column asked for, else the first, a code with the name
    behind it."""
    key = asked if asked is not None and asked != column else (0 if column else 1)
    cells = table.body[row]
    if key == 0 and column > 1 and _CODE.fullmatch(cells[0].strip()) and number(cells[1]) is None:
        return f"{cells[0].strip()} {cells[1].strip()}"
    return cells[key] if key < len(cells) else ""


def _holding(question: str, table: Columns, tokenizer: Tokenizer) -> list[Reading]:
    """The asked-for cell of the rows that hold a value which the question names."""
    if not _KEY_ASKED.search(question):
        return []
    asked = asked_column(question, table, tokenizer)
    found = [hit for hit in _matches(question, table, tokenizer) if hit[1] != asked]
    if not found or (asked is None and not _names_value(question, table, found, tokenizer)):
        return []
    rows = list(dict.fromkeys(r for r, _ in found))
    if len(rows) > _MOST:
        return []
    readings = []
    for r in rows:
        column = next(c for row, c in found if row == r)
        key = asked if asked is not None else 0
        if key == column or key >= len(table.body[r]) or not table.body[r][key].strip():
            continue
        readings.append(_pair(table, r, column, key))
    return readings


def _pair(table: Columns, row: int, column: int, key: int) -> Reading:
    """ "58 · Model: F20": the value that was named, and the cell asked for."""
    held, value = table.body[row][column].strip(), table.body[row][key].strip()
    if column == 0:
        return reading_of(held, key, row, table)
    head = table.heads[column].strip()
    mark = "：" if has_cjk(f"{head}{table.heads[key]}{value}") else ": "
    shown = f"{head}{mark}{held}" if head else held
    asked = f"{table.heads[key].strip()}{mark}{value}" if table.heads[key].strip() else value
    return Reading(f"{asked} · {shown}", value, SURE, shown)


def _matches(question: str, table: Columns, tokenizer: Tokenizer) -> Iterator[tuple[int, int]]:
    """(row, column) of the cells that the question says: a name in full, or a number that stands
    below a head whose unit or words the question says too."""
    asked = tokenizer.fold(question)
    for r, row in enumerate(table.plain):
        for c, cell in enumerate(row):
            if c < len(table.heads) and _said(tokenizer.fold(cell), c, asked, table, tokenizer):
                yield r, c


def _said(cell: str, column: int, asked: str, table: Columns, tokenizer: Tokenizer) -> bool:
    if cell not in asked or (len(cell) < 2 and not cell.isdigit()):
        return False
    inside = re.search(rf"(?<![\w.\-]){re.escape(cell)}(?![\w]|\.\d)", asked, re.A)
    if number(cell) is None or re.search(r"[a-z\u4e00-\u9fff]", cell):
        return inside is not None or has_cjk(cell)
    if not inside:
        return False
    head = tokenizer.fold(table.heads[column])
    unit = re.search(r"[(（]([^)）]{1,12})[)）]|/\s*(\S{1,8})$", head)
    symbol = (unit[1] or unit[2]).strip() if unit else ""
    behind = asked[inside.end() :].lstrip()
    words = [t for t in asked_terms(head, tokenizer) if len(t) > 1]
    beside = bool(symbol) and behind.startswith(symbol)
    return beside or bool(terms_in(asked, words, tokenizer))


def _names_value(
    question: str, table: Columns, found: Sequence[tuple[int, int]], tokenizer: Tokenizer
) -> bool:
    """Whether the question says the head of the value too, so that its row is what is asked."""
    return any(
        c and terms_in(question, asked_terms(tokenizer.fold(table.heads[c]), tokenizer), tokenizer)
        for _, c in found
    )
