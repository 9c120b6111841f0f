"""Who holds an office: the name beside it in a table, the sentences that name somebody with it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from ..core.text import has_cjk
from .extractive_forms import Line
from .extractive_heads import Grid, column_heads, header_rows
from .extractive_sentences import Candidate
from .extractive_tables import SURE, Reading
from .extractive_values import number
from .passages import Passage

_WHO = re.compile(
    r"^(?:who(?:['’]s|\s+is|\s+are|\s+was|\s+were)|name)\s+(?:the\s+|its\s+|their\s+|our\s+)?"
    r"(?P<en>[a-z][a-z&,\- ]{1,60}?)(?:\s+(?:of|at|for)\s+(?:the\s+)?[^?]{1,60})?\W*$"
    r"|^(?:请问)?(?:现任|公司的?)?(?P<zh>[一-鿿A-Za-z]{2,10}?)(?:都?是|为|由)?谁\W*$"
    r"|^谁是(?:公司的?|现任)?(?P<first>[一-鿿A-Za-z]{2,10})\W*$",
    re.IGNORECASE,
)
_SHORT = re.compile(r"[A-Z]{2,6}")
_SMALL = frozenset({"of", "and", "for", "the", "in"})
_TITLED = re.compile(
    r"(?:[A-Z][\w.’'\-]*|[A-Z]\.)(?:\s+(?:[A-Z][\w.’'\-]*|[A-Z]\.|(?:de|van|von|da|del)\b)){1,4}"
)
_HAN_NAME = re.compile(r"[一-鿿·]{2,4}(?:先生|女士)?")
_NAME_HEAD = re.compile(r"姓名|名字|成员|人员|\bnames?\b", re.IGNORECASE)
_PARTED = re.compile(r"[、，,/;；]|兼|\band\b")
_NEAR = 60
_BETWEEN = 3
"""Characters of a cell between a name and an office: an age, a gender."""
_MOST = 6


def office_asked(question: str) -> str:
    """The office, role or rank whose holder is asked for; "": nobody is."""
    found = _WHO.match(unicodedata.normalize("NFKC", question).strip())
    return (found["en"] or found["zh"] or found["first"]).strip() if found else ""


def is_office(office: str, cell: str) -> bool:
    """Whether a cell says the office, alone or beside others, in full or where its initials are
    asked for."""
    whole = " ".join(unicodedata.normalize("NFKC", cell).split())
    return any(_is_one(office, part.strip()) for part in (whole, *_PARTED.split(whole)))


def _is_one(office: str, name: str) -> bool:
    if _SHORT.fullmatch(office):
        words = [w for w in re.split(r"[\s\-]+", name) if w and w.lower() not in _SMALL]
        first = "".join(word[:1] for word in words)
        return first == office and len(words[-1]) > 1
    return name.casefold() == office.casefold()


def holders(office: str, grid: Grid) -> Iterator[Reading]:
    """Those whose row says the office right behind their name: other columns are of other firms."""
    heads = header_rows(grid)
    names = column_heads(grid, heads)
    for row in grid[heads:]:
        cells = [c for c, cell in enumerate(row) if cell.strip()]
        if len(cells) < 2 or not _is_person(row[cells[0]], names[cells[0]]):
            continue
        for at in cells[1:]:
            if is_office(office, row[at]):
                said, name = row[at].strip(), row[cells[0]].strip()
                mark = "：" if has_cjk(said) else ": "
                yield Reading(f"{said}{mark}{name}", name, SURE, said)
            if number(row[at]) is None and len(row[at].strip()) > _BETWEEN:
                break


def _is_person(cell: str, head: str) -> bool:
    """Whether a cell is somebody's name: by what it is headed, or where nothing heads it."""
    name, plain = "".join(cell.split()), "".join(head.split())
    named = not plain or _NAME_HEAD.search(plain) is not None
    formed = _HAN_NAME.fullmatch(name) or _TITLED.fullmatch(" ".join(cell.split()))
    return named and formed is not None


def office_lines(question: str, passages: Sequence[Passage]) -> list[Line]:
    """The holders of the office that the question asks for, of the first table that has it."""
    office = office_asked(question)
    for passage in passages if office else ():
        for grid in passage.grids:
            found = {r.value: r.statement for r in holders(office, grid)}
            if found:
                return [(passage.n, said) for said in found.values()][:_MOST]
    return []


def naming_holder(question: str, ranked: Sequence[Candidate]) -> list[Candidate]:
    """Of the sentences those that name somebody beside the office asked for, where any says it in
    full; all where none does."""
    office = office_asked(question)
    if " " not in office or has_cjk(office):
        return list(ranked)
    words = r"\s+".join(map(re.escape, office.split()))
    said = re.compile(rf"(?<![a-z]){words}(?![a-z])", re.I)
    if not any(said.search(c.text) for c in ranked):
        return list(ranked)
    return [c for c in ranked if any(_named(c.text, m, office) for m in said.finditer(c.text))]


def _named(text: str, office: re.Match[str], asked: str) -> bool:
    """Whether a name stands before the office in its sentence, or right behind it: behind a comma
    stands the firm."""
    words = {word.casefold() for word in asked.split()}
    before, behind = text[max(0, office.start() - _NEAR) : office.start()], text[office.end() :]
    names = [*_TITLED.finditer(before), *filter(None, [_TITLED.match(behind.lstrip())])]
    return any(not words & {p.casefold() for p in name.group().split()} for name in names)
