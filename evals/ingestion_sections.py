"""Section trees against the PDF's outline, else the parser's Markdown: found and nested right.

Markdown of papers has its headings on one level: there the numbers say what stands under what.

python -m tuwen.evals.ingestion_sections FOLDER...
"""

import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.document import ParsedDocument, Section
from ..core.options import IngestOptions
from ..core.settings import IngestSettings
from ..ingestion.parse import parse_input
from ..ingestion.sniff import find_inputs
from ..ingestion.structure import structure

_NUMBER = re.compile(r"^(?:[A-Z]|\d+)(?:\.\d+)*\.?\s+")
_LETTERS = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Heading:
    """A heading and the one that it stands under ("" at the top)."""

    title: str
    parent: str


@dataclass(frozen=True)
class Score:
    """Headings of the outline, those among ours, those under the same parent as in the outline."""

    gold: int
    found: int
    nested: int
    extra: int
    missing: tuple[str, ...] = ()


def outline(pdf: Path) -> list[Heading]:
    """The PDF's bookmarks; empty where it has none."""
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(pdf)
    try:
        items = [(mark.level, mark.get_title()) for mark in document.get_toc()]
    finally:
        document.close()
    return list(_nested(items))


def _nested(items: Sequence[tuple[int, str]]) -> Iterator[Heading]:
    stack: list[tuple[int, str]] = []
    for level, raw in items:
        title = plain(raw)
        while stack and stack[-1][0] >= level:
            stack.pop()
        yield Heading(title, stack[-1][1] if stack else "")
        stack.append((level, title))


def markdown_headings(path: Path) -> list[Heading]:
    """Headings of a Markdown file after the first, the document's title; numbers give parents."""
    lines = path.read_text(encoding="utf-8").splitlines()
    raw = [line.lstrip("#").strip() for line in lines if re.match(r"#{1,6}\s", line)][1:]
    by_number: dict[str, str] = {}
    found = []
    for title in raw:
        match = _NUMBER.match(f"{title} ")
        number = match.group().strip().rstrip(".") if match else ""
        found.append(Heading(plain(title), by_number.get(number.rpartition(".")[0], "")))
        if number:
            by_number[number] = plain(title)
    return found


def gold_of(parsed: ParsedDocument, folder: Path) -> list[Heading]:
    """What the sections are compared with; empty: nothing is there."""
    gold = outline(Path(parsed.source_pdf)) if parsed.source_pdf else []
    beside = sorted(folder.glob("*.md"))
    return gold or (markdown_headings(beside[0]) if beside else [])


def ours(sections: Sequence[Section]) -> list[Heading]:
    """Our sections in the same form."""
    titles = {section.section_id: plain(section.title) for section in sections}
    return [Heading(titles[s.section_id], titles.get(s.parent or "", "")) for s in sections]


def plain(title: str) -> str:
    """Letters and digits without the number in front: outlines leave it out."""
    text = unicodedata.normalize("NFKC", title).strip()
    return "".join(_LETTERS.findall(_NUMBER.sub("", text))).lower()


def score(gold: Sequence[Heading], made: Sequence[Heading]) -> Score:
    """Each heading of the outline against the first of ours with its title not yet taken."""
    left = list(made)
    found = nested = 0
    missing = []
    for heading in gold:
        same = [one for one in left if one.title == heading.title]
        if not same:
            missing.append(heading.title)
            continue
        best = next((one for one in same if one.parent == heading.parent), same[0])
        left.remove(best)
        found += 1
        nested += best.parent == heading.parent
    return Score(len(gold), found, nested, len(left), tuple(missing))


def main(arguments: Sequence[str]) -> None:
    """One row a document with an outline, then the totals."""
    out = sys.stdout.write
    out("| document | headings | found | nested right | others of ours |\n|---|--:|--:|--:|--:|\n")
    scores = []
    for item in find_inputs([Path(name) for name in arguments]):
        if item.skip_reason or item.kind not in ("mineru", "pdf"):
            continue
        parsed = parse_input(item, IngestOptions(), IngestSettings(parser="docvortex"))
        gold = gold_of(parsed, item.path.parent if item.kind == "mineru" else Path("/nonexistent"))
        if not gold:
            continue
        made = structure(parsed.blocks, parsed.doc_type, title=parsed.title)
        result = score(gold, ours(made.sections))
        scores.append(result)
        name = item.path.parent.name if item.kind == "mineru" else item.name
        out(f"| {name} | {result.gold} | {result.found} | {result.nested} | {result.extra} |\n")
        for title in result.missing:
            sys.stderr.write(f"{name}: not found: {title}\n")
    total = sum(s.gold for s in scores) or 1
    found, nested = sum(s.found for s in scores), sum(s.nested for s in scores)
    out(f"\nFound {found / total:.3f}, nested right {nested / total:.3f} of {total} headings.\n")


if __name__ == "__main__":
    main(sys.argv[1:])
