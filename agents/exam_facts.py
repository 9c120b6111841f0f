"""Facts of an exam paper: how long it is, how many questions and marks, which course and year.

They stand on the cover, in the heading of a part or behind a question, in words that a question
does not repeat ("3 Hours"), so they are read by their form. Every value is given with the line that
says it; only the marks of a question's parts are added up, and that is said.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..core.chunk import Chunk
from ..core.label import Label, display, parse_label
from ..core.label_question import PART
from ..core.text import sentences
from ..tools.citations import quotable
from .extractive_draft import Draft

COVER_CHUNKS = 6
_LONGEST = 240
_MOST_COUNTED = 12
_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "duration",
        re.compile(
            r"(?:考试|答题|作答|答卷)(?:的)?(?:时间|时长|时限)(?!安排|地点|表|冲突)|(?:考|答"
            r"|做)多(?:久|长时间)|多长时间.{0,6}(?:考|答|做)完?"
            r"|\bhow (?:long|much time)\b|\b(?:duration|time (?:allowed|limit|given)"
            r"|length of the)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "count",
        re.compile(
            r"(?:多少|几)道?(?:大|小)?(?:道|个)?题|题(?:目)?(?:的)?(?:数量|总数|数)"
            r"|\bhow many (?:\w+ )?(?:questions|problems|exercises)\b"
            r"|\bnumber of questions\b",
            re.IGNORECASE,
        ),
    ),
    (
        "marks",
        re.compile(
            r"多少分|几分|分值|满分|总分|卷面分|\b(?:how many|what|total|maximum|max"
            r"|number of)\b.{0,24}\b(?:marks?|points?)\b"
            r"|\b(?:marks?|points?)\b.{0,30}\b(?:worth|for|total|available|does|is|are)\b"
            r"|\bworth\b",
            re.IGNORECASE,
        ),
    ),
    (
        "course",
        re.compile(
            r"(?:哪门|什么|哪个)(?:课程?|科目|学科)|(?:课程|科目)(?:的)?(?:名称|名字|代码|编号"
            r"|代号)"
            r"|\b(?:which|what) (?:course|module|unit|subject)\b|\b(?:course|module|unit"
            r"|subject) (?:code|name|title)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "date",
        re.compile(
            r"(?:哪一?年|哪个学[年期]|什么时候|哪天)(?:的)?(?:考试|试[卷题]|考|卷)|(?:试卷|考试"
            r"|卷子).{0,6}(?:哪一?年|年份|哪个学期)"
            r"|\b(?:which|what) (?:year|semester|term|date|period)\b|\bwhen (?:is"
            r"|was) the (?:exam|paper|test)\b|\byear of the (?:exam|paper)\b",
            re.IGNORECASE,
        ),
    ),
)
_TIME = re.compile(
    r"\d+(?:\.\d+)?\s*(?:hours?|hrs?|h|minutes?|mins?|小时|分钟)(?![A-Za-z])|\b(?:one|two|three"
    r"|four|an?)\s+(?:and a half )?hours?\b"
    r"|[一二三两半]+个?(?:半)?小时",
    re.IGNORECASE,
)
_TIME_WORD = re.compile(
    r"time\s+allowed|duration|time\s+limit|to complete|考试(?:时间|时长)|答题时间|时间[:：]"
    r"|限时|用时|时量",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"(?:total|maximum|max\.?|out of|full)\b[^.\n]{0,70}?\b\d{2,3}\b|\b\d{2,3}\s+(?:marks"
    r"|points)\s+(?:in total|total|are available)"
    r"|(?:满分|总分|共计?|全卷)[^。；;\n]{0,12}?\d{2,3}\s*分",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten"
    r"|\d{1,2})(?:\s*\(\d{1,2}\))?\s+(?:compulsory |main |different )?(?:questions|problems)\b"
    r"|共[^。；;\n]{0,10}?[\d一二三四五六七八九十]{1,3}\s*(?:道|个)?(?:大|小)?题",
    re.IGNORECASE,
)
_COURSE = re.compile(
    r"(?<![A-Za-z])(?-i:[A-Z]{2,8})[\s-]?\d{3,6}[A-Z]?(?:/\d{3,5})*(?![A-Za-z\d])|(?:course|module"
    r"|unit|paper)\s+(?:code|title|name)\b"
    r"|(?:课程|科目)(?:名称|代码|编号)?\s*[:：]|《[^》]{2,30}》.{0,8}(?:试[卷题]|考试)",
    re.IGNORECASE,
)
_CODE_ALONE = re.compile(r"[A-Z]{2,8}[\s-]?\d{3,6}[A-Z]?")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_MARKS = re.compile(
    r"[\[(（【]\s*(?:total\s+|本题|满分|共|计|每小?题)*\s*(?P<n>\d{1,3})\s*"
    r"(?:(?:marks?|points?|pts|分)\s*[\])）】]|[\]】](?=\s*(?:\n|$|\()))",
    re.IGNORECASE,
)
_HEAD_MARKS = re.compile(
    r"[\[(（【]\s*(?:total\s+|本题|本大题|满分|共|计|小?题)*\s*(?P<n>\d{1,3})\s*(?:marks?|points"
    r"?|pts|分)\s*[\])）】]"
    r"|(?:worth|carries)\s+(?P<w>\d{1,3})\s*(?:marks?|points?)|(?:本题|本大题|满分"
    r"|共)\s*(?P<z>\d{1,3})\s*分",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"每(?:小)?题\s*\d+(?:\.\d+)?\s*分|each (?:question )?(?:is )?worth \d+|\d+ marks? each",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"worth\s+(?P<list>\d+(?:\s*,\s*\d+)*,?\s+and\s+\d+)\s+(?:marks?|points?)\s+respectively",
    re.IGNORECASE,
)


class Paper(NamedTuple):
    """A paper's text chunks in order; `items` those of what was asked for, by label."""

    doc_id: str
    title: str
    cover: tuple[Chunk, ...]
    items: tuple[tuple[Label, tuple[Chunk, ...]], ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()
    """Whole numbers of the questions that were found in it, each with its first chunk's id."""


class Fact(NamedTuple):
    """A line that is said, and the chunk that says it."""

    text: str
    chunk_id: str
    doc_id: str


def asked_facts(question: str) -> list[str]:
    """Which facts of a paper a question may ask for, by their words."""
    return [kind for kind, cue in _ASKED if cue.search(question)]


def facts_of(paper: Paper, kinds: Sequence[str], language: str) -> list[Fact]:
    """The facts of these kinds that the paper says."""
    found: list[Fact] = []
    for kind in kinds:
        if kind == "marks" and paper.items:
            for label, chunks in paper.items:
                found += _item_marks(paper, label, chunks, language)
        else:
            found += _cover_fact(paper, kind, language)
    return list(dict.fromkeys(found))


def cover_of(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """The chunks before the first question; where there are none, the first one."""
    first = next((i for i, c in enumerate(chunks) if c.metadata.get("question")), len(chunks))
    return tuple(chunks[: min(max(first, 1), COVER_CHUNKS)])


def cover_lines(chunks: Sequence[Chunk]) -> Iterator[tuple[str, Chunk]]:
    """Lines of the chunks, each with its heading first; a label and its value on the next line are
    one."""
    rows: list[tuple[str, Chunk]] = []
    said = ""
    for chunk in chunks:
        if chunk.section_title and chunk.section_title != said:
            rows.append((chunk.section_title, chunk))
            said = chunk.section_title
        for line in chunk.text.splitlines():
            text = " ".join(re.sub(r"[*_`#]{1,3}", "", line).split())
            if text:
                rows.append((text, chunk))
    for place, (text, chunk) in enumerate(rows):
        following = rows[place + 1][0] if place + 1 < len(rows) else ""
        opens = text.endswith((":", "：")) or _CODE_ALONE.fullmatch(text)
        if opens and following and len(following) <= _LONGEST // 4:
            yield f"{text} {following}", chunk
        else:
            yield text, chunk


def _sentences(chunks: Sequence[Chunk]) -> Iterator[tuple[str, Chunk]]:
    """The lines, then what runs on over line ends."""
    yield from cover_lines(chunks)
    for chunk in chunks:
        flat = " ".join(re.sub(r"[*_`#]{1,3}", "", chunk.text).split())
        yield from ((flat[start:end].strip(), chunk) for start, end in sentences(flat))


def _cover_fact(paper: Paper, kind: str, language: str) -> list[Fact]:
    pattern = {"marks": _TOTAL, "count": _COUNT, "course": _COURSE, "date": _YEAR}.get(kind)
    rows = [(t, c) for t, c in _sentences(paper.cover) if len(t) <= _LONGEST]
    if kind == "duration":
        timed = [(t, c) for t, c in rows if _TIME.search(t)]
        rows = [(t, c) for t, c in timed if _TIME_WORD.search(t)] or timed
    elif pattern is not None:
        rows = [(t, c) for t, c in rows if pattern.search(t)]
    if rows:
        text, chunk = rows[0]
        said = [(t, c) for t, c in rows if kind == "course" and _CODE_ALONE.match(t)]
        text, chunk = said[0] if said else rows[0]
        return [Fact(quotable(text), chunk.chunk_id, paper.doc_id)]
    return _counted(paper, language) if kind == "count" else []


def _counted(paper: Paper, language: str) -> list[Fact]:
    """The questions that were found in the paper, each with its place, where its cover does not
    say how many there are."""
    zh = language == "zh"
    lead = (
        "试卷没有写明题数；按题号可以认出：" if zh else "The paper does not say; these were found:"
    )
    found = [
        Fact(f"第 {number} 题" if zh else f"Question {number}", chunk_id, paper.doc_id)
        for number, chunk_id in paper.numbers[:_MOST_COUNTED]
    ]
    return [Fact(lead, "", paper.doc_id), *found] if found else []


def _item_marks(paper: Paper, label: Label, chunks: Sequence[Chunk], language: str) -> list[Fact]:
    """The marks of one question: in its heading, on the cover, of its part, else the sum of its
    parts' marks."""
    texts = _own_texts(label, [c for c in chunks if not c.figure_id])
    own = [chunk for _, chunk in texts]
    name = display(label, language)
    for text, chunk in texts:
        head = text.strip()[:_LONGEST].split("\n", 1)[0]
        if found := _HEAD_MARKS.search(f"{head}\n" if len(head) < _LONGEST else ""):
            return [
                _worth(name, found["n"] or found["w"] or found["z"], head, chunk, paper, language)
            ]
        if not label.sub:
            break
    if not label.sub and (listed := _from_list(paper, label)):
        return [_worth(name, listed[0], listed[1], listed[2], paper, language)]
    marks = [(int(m["n"]), c) for text, c in texts for m in _MARKS.finditer(text)]
    if not marks:
        each = [(t, c) for t, c in cover_lines(own) if _EACH.search(t)]
        return [Fact(quotable(t), c.chunk_id, paper.doc_id) for t, c in each[:1]]
    if len(marks) == 1:
        return [_worth(name, str(marks[0][0]), "", marks[0][1], paper, language)]
    total = sum(value for value, _ in marks)
    parts = " + ".join(str(value) for value, _ in marks)
    if language == "zh":
        text = f"{name}里写明的分值：{parts}，合计 {total} 分。"
    else:
        text = f"Marks given in {name}: {parts}, {total} in all."
    return [Fact(text, marks[0][1].chunk_id, paper.doc_id)]


def _own_texts(label: Label, chunks: Sequence[Chunk]) -> list[tuple[str, Chunk]]:
    """What the chunks say of the question; of a part of one, "1(a)", what stands between its letter
    and the next, and nothing where it is not told from the others."""
    if not label.sub:
        return [(chunk.text, chunk) for chunk in chunks]
    found: list[tuple[str, Chunk]] = []
    for chunk in chunks:
        whole = parse_label(chunk.text.strip().split("\n", 1)[0]) == label
        if text := chunk.text if whole else _lettered(chunk.text, label.sub):
            found.append((text, chunk))
    if found:
        return found
    alone = sum(len(_MARKS.findall(chunk.text)) for chunk in chunks) == 1
    headed = any(_HEAD_MARKS.search(c.text.strip().split("\n", 1)[0]) for c in chunks)
    return [(chunk.text, chunk) for chunk in chunks] if alone and not headed else []


def _lettered(text: str, letter: str) -> str:
    """The text from "(a)" at a line's start to "(b)"; of the first letter, which may be lost, what
    stands before the second; empty: it is not there."""
    start = _letter_at(letter, text, 0)
    if start < 0 and letter.lower() != "a":
        return ""
    end = _letter_at(chr(ord(letter[-1]) + 1), text, max(start, 0))
    if start < 0:
        return text[:end] if end > 0 else ""
    return text[start:end] if end > start else text[start:]


def _letter_at(letter: str, text: str, first: int) -> int:
    """Where a part's letter stands at the start of a line; -1: nowhere."""
    form = re.compile(rf"^[^\w\n]{{0,8}}{re.escape(letter)}\)", re.MULTILINE | re.IGNORECASE)
    found = form.search(text, first)
    return found.start() if found else -1


def _from_list(paper: Paper, label: Label) -> tuple[str, str, Chunk] | None:
    """The n-th of the marks that the cover lists for the questions in order."""
    if len(label.parts) != 1 or label.parts[0].startswith(PART) or not label.parts[0].isdecimal():
        return None
    place = int(label.parts[0])
    for text, chunk in _sentences(paper.cover):
        if found := _LISTED.search(text):
            values = re.findall(r"\d+", found["list"])
            if place <= len(values):
                return values[place - 1], text, chunk
    return None


def _worth(name: str, value: str, said: str, chunk: Chunk, paper: Paper, language: str) -> Fact:
    quote = quotable(" ".join(said.split()))
    if language == "zh":
        text = f"{name}：{value} 分" + (f"（“{quote}”）" if quote else "")
    else:
        text = f"{name}: {value} marks" + (f' ("{quote}")' if quote else "")
    return Fact(text, chunk.chunk_id, paper.doc_id)


def say_facts(
    facts: Sequence[Fact], titles: dict[str, str], numbers: dict[str, int], language: str
) -> Draft:
    """The facts, under the papers' names where there are several."""
    docs = list(dict.fromkeys(fact.doc_id for fact in facts))
    lines = []
    for fact in facts:
        name = f"{titles[fact.doc_id]}{'：' if language == 'zh' else ': '}" if len(docs) > 1 else ""
        mark = f" [{numbers[fact.chunk_id]}]" if fact.chunk_id in numbers else ""
        lines.append(f"{name}{fact.text}{mark}")
    return Draft(text="\n".join(dict.fromkeys(lines)))
