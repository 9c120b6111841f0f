"""Exam items by number: 第17题, Question 3(b), 第三大题第2小题 -> the chunks of exactly that item.

Exam and solution papers carry `question`, `part` and `sub_question` in their chunks' metadata;
other documents may carry the label itself. A paper and its solutions count as one, so that an item
comes with its answer; the same number in several parts of a paper gives several items.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from ..core.chunk import Chunk
from ..core.document import DocumentRecord
from ..core.label import Label
from ..core.label_number import HAN_NUMBER, canonical
from ..core.label_question import PART
from ..core.model import Noun
from ..core.ports import Catalog

EXAM_SOURCES = frozenset({"exam", "solution"})
_MOST_CHUNKS = 12  # of one item
_MOST_PAPERS = 40  # that are read through for the numbers there are
_VARIANTS = "ABCDEFGH"  # of a question of which each candidate gets one: Q2A, Q2B
_PART_RUN = 2  # characters in a row that name a part: 选择题, 填空
_NUMERAL = re.compile(
    rf"\s*(?:第\s*)?(?P<n>\d{{1,2}}|{HAN_NUMBER})\s*(?:[、.．:：,，)）\s]|部分|大题|$)"
    r"|\s*(?:Part|Section)\s+(?P<en>\d{1,2}|[A-H]|I{1,3}|IV|V)\b",
    re.IGNORECASE,
)
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5}
_ONLY_WORDS = "paper"  # of papers that are called nothing else: exam.pdf, exam-answers.pdf
_PAPER_WORD = re.compile(
    r"\.[a-z0-9]{1,5}$|answers?|solutions?|questions?|exam(?:ination)?s?|papers?|mark(?:ing)?\s*scheme"
    r"|参考答案|答案|解析|解答|详解|试题|试卷|题目|原卷|[\W_]+",
    re.IGNORECASE,
)
_SOLVED = re.compile(
    r"答案|解析|解答|详解|\b(?:answers?|solutions?|marking scheme)\b", re.IGNORECASE
)


class Item(Noun):
    """One item of one paper: its chunks, what was asked for first."""

    doc_id: str
    title: str
    part: str
    """The part of the paper that numbers it, as written; empty: the paper has none."""
    chunks: tuple[Chunk, ...]
    exact: bool = True
    """False: the sub-question that was asked for has no chunk of its own."""
    solved: bool = False
    """It stands in a paper's or book's answers."""


def find_items(catalog: Catalog, collection: str, label: Label, question: str = "") -> list[Item]:
    """Every item with the label's number; `question` may name the part ("选择题第5题")."""
    part, number = _split(label)
    if not number:
        return _grouped(_part_chunks(catalog, collection, part), label)
    if part:
        return _inside(catalog, collection, part, label)
    tried = [[number], [f"{number}{letter}" for letter in _VARIANTS]]
    if label.sub:
        tried = [[number + label.sub, number + label.sub.upper()], [number]]
    plain = label.model_copy(update={"sub": ""})
    labelled = catalog.select(collection, {"labels": [label.key, plain.key]})
    items: list[Item] = []
    for spellings in tried:
        ids = [*catalog.select(collection, {"question": spellings}), *labelled]
        found = _grouped(catalog.chunks(list(dict.fromkeys(ids))), label)
        known = {item.doc_id for item in items}
        items += [item for item in found if item.doc_id not in known]
    return _of_part(catalog, items, question)


def same_paper(items: Sequence[Item], records: Iterable[DocumentRecord]) -> dict[str, str]:
    """For each item's document a name that a paper and its solutions share."""
    names = {record.doc_id: record.name for record in records}
    keys = {doc: _PAPER_WORD.sub("", n.casefold()) or _ONLY_WORDS for doc, n in names.items()}
    seen: dict[str, list[str]] = {}
    for doc, key in keys.items():
        seen.setdefault(key, []).append(names[doc])
    return {
        doc: key if key and len(set(seen[key])) == len(seen[key]) else doc
        for doc, key in keys.items()
    } | {item.doc_id: item.doc_id for item in items if item.doc_id not in keys}


def known_numbers(catalog: Catalog, collection: str, docs: Sequence[str]) -> list[Label]:
    """Labels of the items that exam and solution papers hold; `docs` first, else all of a small
    collection, of a large one the first papers."""
    papers = [r.doc_id for r in catalog.documents(collection) if r.source_type in EXAM_SOURCES]
    own = _numbered(catalog, [doc for doc in papers if doc in docs])
    own = own or _numbered(catalog, papers[:_MOST_PAPERS])
    numbers = dict.fromkeys(str(c.metadata["question"]) for c in own)
    return [
        Label(kind="question", parts=tuple(n.split(".")))
        for n in numbers
        if n.split(".")[0].isdigit()
    ]


def _numbered(catalog: Catalog, docs: Sequence[str]) -> list[Chunk]:
    return [c for doc in docs for c in catalog.chunks_of(doc) if c.metadata.get("question")]


def _split(label: Label) -> tuple[int, str]:
    """The part's number (0: none) and the item's number ("": the whole part)."""
    first, *rest = label.parts
    if first.startswith(PART):
        return int(first[1:]), ".".join(rest)
    return 0, ".".join(label.parts)


def _part_chunks(catalog: Catalog, collection: str, part: int) -> list[Chunk]:
    ids = catalog.select(collection, {"source_type": sorted(EXAM_SOURCES)})
    return [c for c in catalog.chunks(ids) if _numeral(_part_of(c)) == part]


def _part_of(chunk: Chunk) -> str:
    return str(chunk.metadata.get("part", ""))


def _numeral(part: str) -> int:
    """三、解答题 and Part C are 3; 0 for a part without a number."""
    found = _NUMERAL.match(part)
    if found is None:
        return 0
    if found["n"]:
        return int(canonical(found["n"]) or 0)
    text = found["en"].upper()
    if text.isdigit():
        return int(text)
    return _ROMAN.get(text, ord(text[0]) - 64)


def _grouped(chunks: Sequence[Chunk], label: Label) -> list[Item]:
    """Chunks by paper, part and item, in the papers' order."""
    groups: dict[tuple[str, str, str], list[Chunk]] = {}
    for chunk in sorted(chunks, key=lambda c: (c.doc_id, c.ordinal)):
        block = chunk.semantic_id if not chunk.figure_id else ""
        key = (chunk.doc_id, _part_of(chunk), block)
        owner = key
        if chunk.figure_id:
            owner = next((k for k in groups if k[:2] == key[:2]), key)
        groups.setdefault(owner, []).append(chunk)
    return [_item(part, members, label) for (_, part, _), members in groups.items()]


def _item(part: str, members: list[Chunk], label: Label) -> Item:
    first = members[0]
    asked = [c for c in members if str(c.metadata.get("sub_question", "")) == label.sub]
    stem = [c for c in members if not c.metadata.get("sub_question")]
    chosen = members
    if label.sub and asked:
        chosen = [*asked, *(c for c in stem if c not in asked)]
    own = not label.sub or bool(asked) or _spelled(first, label)
    solved = first.metadata.get("source_type") == "solution" or bool(
        _SOLVED.search(f"{part} {first.section_path}")
    )
    return Item(
        doc_id=first.doc_id,
        title=first.doc_title,
        part=part or _leaf(first),
        chunks=tuple(chosen[:_MOST_CHUNKS]),
        exact=own,
        solved=solved,
    )


def _spelled(chunk: Chunk, label: Label) -> bool:
    return str(chunk.metadata.get("question", "")).casefold().endswith(label.sub)


def _leaf(chunk: Chunk) -> str:
    return chunk.section_path.rpartition(" > ")[2]


def _inside(catalog: Catalog, collection: str, part: int, label: Label) -> list[Item]:
    """Item n of a part, in every paper: the one numbered so, else the n-th (numbers may run on)."""
    number = label.parts[1]
    out: list[Item] = []
    found = _part_chunks(catalog, collection, part)
    for doc in dict.fromkeys(chunk.doc_id for chunk in found):
        inside = [c for c in found if c.doc_id == doc and c.metadata.get("question")]
        numbers = list(dict.fromkeys(str(c.metadata["question"]) for c in inside))
        place = int(number)
        if number not in numbers and place <= len(numbers):
            number_here = numbers[place - 1]
        else:
            number_here = number
        out += _grouped([c for c in inside if str(c.metadata["question"]) == number_here], label)
    return out


def _of_part(catalog: Catalog, items: list[Item], question: str) -> list[Item]:
    """In a paper with several items of a number, those of the part that the question names."""
    out: list[Item] = []
    for doc, found in by_document(items).items():
        own = _titled(found, catalog.chunks_of(doc)) if len(found) > 1 else found
        shares = [_shared(item.part, question) for item in own]
        best = max(shares)
        out += own if not best else [i for i, s in zip(own, shares, strict=True) if s == best]
    return out


def by_document(items: Iterable[Item]) -> dict[str, list[Item]]:
    """The items of each document, in their order."""
    out: dict[str, list[Item]] = {}
    for item in items:
        out.setdefault(item.doc_id, []).append(item)
    return out


def _titled(items: Sequence[Item], chunks: Sequence[Chunk]) -> list[Item]:
    """The items with their parts' whole titles: "一、选择题", where the part begins."""
    titles: dict[str, str] = {}
    for chunk in chunks:
        part = _part_of(chunk)
        if part and part not in titles:
            lines = (line.strip() for line in chunk.text.splitlines())
            head = next((x for x in lines if x.startswith(part) and _NUMERAL.match(x)), part)
            titles[part] = re.split(r"[（(]", head, maxsplit=1)[0].strip()[:40]
    return [i.model_copy(update={"part": titles.get(i.part, i.part)}) for i in items]


def _shared(part: str, question: str) -> int:
    """Characters of the part's title that the question says, in runs."""
    matcher = SequenceMatcher(None, part.casefold(), question.casefold(), autojunk=False)
    least = {True: _PART_RUN, False: 2 * _PART_RUN}
    runs = [m for m in matcher.get_matching_blocks() if m.size]
    text = part
    return sum(m.size for m in runs if m.size >= least[not text[m.a : m.a + m.size].isascii()])
