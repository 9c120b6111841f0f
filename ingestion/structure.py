"""The heading tree: levels rebuilt from numbering, missed headings found, furniture out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..core.document import Block, Section
from .caption_text import is_caption
from .furniture import dropped_blocks, slide_titles
from .marks import only_marks
from .numbering import CHAPTER, PART, Number, lettered, number_of
from .titles import is_docket, is_work

_MISSED_CHARS = 60
_LOOK_AHEAD = 300
_BODY_END = re.compile(r"[。；;，,：:！？!?、]\s*$|\.\s*$")
_UNIT_FIRST = re.compile(
    r"^(?:[mkcMGT]?(?:m|g|s|A|V|W|Pa|Hz|Ω|J|N|L|B|b)(?:[²³/·\d]|\b)|min\b|[%％‰℃°×*/=+<>≤≥±~～-]"
    r"|[年月日时分秒个名人次元万亿吨米倍种项套台件页]|mm|cm|km|kg|dB|rpm)"
)
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|will|should|shall|can|may|must)\b", re.I)
WORK = PART + 5
"""Rank of a regulation's title: under a part of the compilation, over its chapters."""
_WORK_AHEAD = 5
_LISTED = ("一、", "（一）", "item")
_TRUSTED = ("markdown", "html", "docx", "epub")
_SLUG = re.compile(r"\s+")


@dataclass(frozen=True)
class Placed:
    """A block of content and the section that holds it (None before the first heading)."""

    block: Block
    section: Section | None


@dataclass(frozen=True)
class Structured:
    """Content in reading order under its sections; `dropped` gives reasons by block index.

    Heading blocks are among `placed` (kind title): they are where sections begin.
    """

    placed: tuple[Placed, ...]
    sections: tuple[Section, ...]
    dropped: dict[int, str]


@dataclass
class _Node:
    """An open heading on the stack."""

    section: Section
    given: int
    number: Number | None


@dataclass
class _Tree:
    """The sections made so far; `stack` holds the open ones from the root."""

    trusted: bool
    stack: list[_Node] = field(default_factory=list)
    nodes: list[_Node] = field(default_factory=list)
    by_number: dict[tuple[str, ...], _Node] = field(default_factory=dict)
    by_id: dict[str, _Node] = field(default_factory=dict)

    def add(self, block: Block, number: Number | None) -> Section:
        given = block.level or 1
        self._open_for(number, given)
        title = _SLUG.sub(" ", block.text).strip()
        parent = self.stack[-1].section if self.stack else None
        section = Section(
            section_id=f"s{len(self.nodes)}",
            number=number.text if number else "",
            title=title,
            level=len(self.stack) + 1,
            path=f"{parent.path} > {title}" if parent else title,
            parent=parent.section_id if parent else None,
            page_start=block.page,
        )
        node = _Node(section, given, number)
        self.stack.append(node)
        self.nodes.append(node)
        self.by_id[section.section_id] = node
        deep = CHAPTER + 10 * (len(number.parts) - 1) if number is not None else 0
        if number is not None and number.rank <= deep and number.rank != WORK:
            self.by_number[number.parts] = node
        return section

    def _open_for(self, number: Number | None, given: int) -> None:
        """Leave on the stack what the new heading stands under."""
        if number is None or self.trusted:
            while self.stack and self.stack[-1].given >= given:
                self.stack.pop()
            return
        if len(number.parts) > 1 and (above := self._above(number)) is not None:
            self.stack = above
            return
        while self.stack and self._closes(self.stack[-1], number, given):
            self.stack.pop()

    @staticmethod
    def _closes(node: _Node, number: Number, given: int) -> bool:
        if node.number is None:
            return node.given >= given
        return node.number.rank >= number.rank

    def _above(self, number: Number) -> list[_Node] | None:
        """The stack down to the latest heading that is the longest prefix of the number."""
        for size in range(len(number.parts) - 1, 0, -1):
            node = self.by_number.get(number.parts[:size])
            if node is not None:
                return self._path_to(node)
        return None

    def _path_to(self, node: _Node) -> list[_Node]:
        path = [node]
        while (parent := path[0].section.parent) is not None:
            path.insert(0, self.by_id[parent])
        return path


def structure(
    blocks: Sequence[Block], doc_type: str = "", *, title: str = "", slides: bool = False
) -> Structured:
    """Sections over the content blocks, in reading order.

    A heading that is the document's `title` is no section of its own, except in Markdown, where the
    author made it one. `slides`: what a parser takes for a page's header is the slide's title.
    """
    if slides:
        blocks = slide_titles(blocks)
    dropped = dropped_blocks(blocks)
    kept = [block for block in blocks if block.index not in dropped]
    titles = _headings(kept)
    letters = _letters(list(titles.values()))
    works = _works(kept, titles)
    tree = _Tree(trusted=_trusted(titles, doc_type))
    placed: list[Placed] = []
    section: Section | None = None
    for block in kept:
        heading = titles.get(block.index)
        if heading is not None:
            own = _is_title(heading, title) and not tree.nodes and doc_type not in _TRUSTED
            number = works.get(heading.index) or letters.get(heading.index)
            number = number or number_of(heading.text)
            section = None if own else tree.add(heading, number)
        placed.append(Placed(heading or _body(block), section))
    return Structured(tuple(placed), _with_ends(tree, placed), dropped)


def _body(block: Block) -> Block:
    """What a parser took for a heading and is none is text, and is read as such."""
    return block.model_copy(update={"kind": "text"}) if block.kind == "title" else block


def _letters(titles: Sequence[Block]) -> dict[int, Number]:
    """Headings "A Settings", "B Prompts" by index, where "A.1" or the order A, B shows them."""
    numbers = [number_of(block.text) for block in titles]
    below = {n.parts[0] for n in numbers if n is not None and len(n.parts) > 1}
    found = [
        (block.index, letter)
        for block, number in zip(titles, numbers, strict=True)
        if number is None and (letter := lettered(block.text)) is not None
    ]
    kept: dict[int, Number] = {}
    before = ""
    for place, (index, letter) in enumerate(found):
        following = [other.text for _, other in found[place + 1 :]]
        goes_on = letter.text == (chr(ord(before) + 1) if before else "A")
        if letter.text in below or (goes_on and (before or "B" in following)):
            kept[index] = letter
            before = letter.text
    return kept


def _works(blocks: Sequence[Block], titles: dict[int, Block]) -> dict[int, Number]:
    """Titles of whole regulations in a compilation, by index: their chapters stand under them.

    A heading is one when its number or date, its first chapter or its first article comes next.
    """
    found: dict[int, Number] = {}
    for place, block in enumerate(blocks):
        heading = titles.get(block.index)
        if heading is None:
            continue
        number = number_of(heading.text)
        name = number.rest if number is not None else heading.text
        if (number is None or number.scheme in _LISTED) and is_work(name):
            following = [other.text.strip() for other in blocks[place + 1 : place + _WORK_AHEAD]]
            if any(is_docket(text) for text in following[:1]) or any(map(_begins, following)):
                text, parts = (number.text, number.parts) if number else ("", ("",))
                found[block.index] = Number(text, parts, WORK, "work", name)
    return found


def _begins(text: str) -> bool:
    number = number_of(text[:40])
    return number is not None and number.text == "1" and number.scheme.startswith("第")


def _is_title(heading: Block, title: str) -> bool:
    return " ".join(heading.text.split()) == title and number_of(heading.text) is None


def _trusted(titles: dict[int, Block], doc_type: str) -> bool:
    """Whether the author's own levels count: written formats that use more than one."""
    levels = {block.level or 1 for block in titles.values()}
    return doc_type in _TRUSTED and len(levels) > 1


def _with_ends(tree: _Tree, placed: Sequence[Placed]) -> tuple[Section, ...]:
    last: dict[str, int] = {}
    for item in placed:
        if item.section and item.block.page:
            page = item.block.page_end or item.block.page
            last[item.section.section_id] = max(page, last.get(item.section.section_id, 0))
    return tuple(
        node.section.model_copy(update={"page_end": last.get(node.section.section_id)})
        for node in tree.nodes
    )


def _headings(blocks: Sequence[Block]) -> dict[int, Block]:
    """Heading blocks by index: the flagged ones that can be headings, and the missed ones."""
    flagged = {b.index: b for b in blocks if b.kind == "title" and not _is_body(b)}
    schemes = {n.scheme for b in flagged.values() if (n := number_of(b.text))}
    if not schemes & {"decimal", "appendix", "第章", "第节"}:
        return flagged
    found = dict(flagged)
    last: Number | None = None
    for place, block in enumerate(blocks):
        if block.index in flagged:
            last = number_of(block.text) or last
            continue
        number = _missed(block, last) if last is not None else None
        if number is not None and _before_next(number, blocks[place + 1 :], flagged):
            found[block.index] = block.model_copy(update={"kind": "title", "level": 1})
            last = number
    return found


def _is_body(block: Block) -> bool:
    """A flagged heading that is a whole paragraph, a document number or date, a figure's caption
    or a question's marks."""
    if len(block.text) > 160 or block.text.count("\n") > 3 or only_marks(block.text):
        return True
    return is_docket(block.text) or is_caption(block.text) is not None


def _missed(block: Block, last: Number) -> Number | None:
    """The number of a text that is the next heading after `last` by form and by sequence."""
    text = block.text.strip()
    if block.kind != "text" or not 0 < len(text) <= _MISSED_CHARS or "\n" in text:
        return None
    number = number_of(text)
    if number is None or number.scheme not in ("decimal", "第章", "第节") or not number.rest:
        return None
    if _BODY_END.search(text) or _UNIT_FIRST.match(number.rest) or _VERB.search(number.rest):
        return None
    return number if _follows(number, last) else None


def measures(rest: str) -> bool:
    """Whether what follows a number is a unit: "3.5 kg" is an amount and no clause."""
    return bool(_UNIT_FIRST.match(rest))


def _follows(number: Number, last: Number) -> bool:
    """Whether the number is the next sibling, the first child, or the next of an outer level."""
    if number.scheme != last.scheme:
        return number.scheme == "decimal" and number.parts == (last.parts[0], "1")
    own, before = number.parts, last.parts
    if own == (*before, "1"):
        return True
    head = own[:-1]
    if len(own) > len(before) or before[: len(head)] != head:
        return False
    return (
        own[-1].isdecimal()
        and before[len(head)].isdecimal()
        and int(own[-1]) == int(before[len(head)]) + 1
    )


def _before_next(number: Number, rest: Sequence[Block], flagged: dict[int, Block]) -> bool:
    """A heading of one member is only believed when the next flagged number goes on from it."""
    if len(number.parts) > 1 or number.scheme != "decimal":
        return True
    for block in rest[:_LOOK_AHEAD]:
        following = number_of(block.text) if block.index in flagged else None
        if following is not None and following.scheme == "decimal":
            return following.parts[0] == number.parts[0] or _follows(following, number)
    return False
