"""An exam item asked for by its number is quoted as it stands: the question, or its solution."""

import re
from collections.abc import Mapping, Sequence

from ..core.analysis import Analysis
from ..core.chunk import Chunk
from ..core.label import Label, display
from ..tools.citations import quotable
from ..tools.labels import LabelFinding
from .extractive_draft import Draft
from .passages import Passage

MOST_CHARS = 1500
"""Of one item; a longer one ends with an ellipsis, its page is cited."""
_LETTER = 24
_PART_NUMBERS = frozenset("123456789")
_PARTED = re.compile(r"(?<=[\])])[ ]+(?=\([a-h]\)\s)")
_ASKS_ANSWER = re.compile(
    r"答案|解析|解答|理由|怎么做|怎么解|如何做|如何解|为什么|选什么|选哪|解法|过程|求解"
    r"|\b(?:answers?|solutions?|solve|solved|explain|explanation|why|reason\w*|worked)\b",
    re.IGNORECASE,
)
_SOLUTION = re.compile(
    r"(?:^|\n|(?<=[。．.\s]))[ \t]*(?:【(?:解答|解析|答案|分析|详解)】"
    r"|(?:(?:参考)?答案|解析|解答|答|解|(?:Model[ ])?(?:Solutions?|Answers?))[ \t]*(?:[:：.．]|$))",
    re.IGNORECASE | re.MULTILINE,
)


def quote_items(
    analysis: Analysis,
    finding: LabelFinding | None,
    passages: Sequence[Passage],
    chunks: Mapping[str, Chunk],
    language: str,
) -> Draft | None:
    """The asked items, verbatim, each line cited; None when no item was asked for and found.

    Asked for its answer, an item is quoted from its solution on; one whose solution is nowhere is
    quoted as it is, behind a sentence that says so.
    """
    matches = [m for m in finding.matches if m.label.kind == "question"] if finding else []
    wants = _ASKS_ANSWER.search(analysis.rewritten) is not None
    numbers = {chunk_id: p.n for p in passages for chunk_id in p.chunk_ids}
    lines: list[str] = []
    for match in matches:
        own = [chunks[i] for i in match.chunk_ids if i in chunks and i in numbers]
        own = [chunk for chunk in own if not chunk.figure_id]
        if own:
            lines += _quoted(match.label, own, numbers, wants=wants, language=language)
    if not lines:
        return None
    return Draft(text="\n".join(dict.fromkeys(lines)))


def missing_item(analysis: Analysis, finding: LabelFinding | None) -> bool:
    """Whether all that the question names are exam items that no paper has."""
    gone = [m.label for m in finding.missing] if finding else []
    return bool(gone) and all(label in gone for label in analysis.labels)


def _quoted(
    label: Label, own: Sequence[Chunk], numbers: Mapping[str, int], *, wants: bool, language: str
) -> list[str]:
    texts = [(chunk, chunk.text) for chunk in _without_repeats(own, label)]
    whole = label.sub and all(c.metadata.get("sub_question") != label.sub for c in own)
    texts = (_part([c for c, _ in texts], label.sub) if whole else []) or texts
    if wants:
        solved = [(c, part) for c, text in texts if (part := solution_of(text, c))]
        answers = [c for c in own if c.metadata.get("source_type") == "solution"]
        solved = solved or (_part(answers, label.sub) if label.sub else [])
        if not solved:
            return [_unsolved(label, language), *lines_of(texts, numbers)]
        texts = solved
    groups: dict[str, list[tuple[Chunk, str]]] = {}
    for chunk, text in texts:
        groups.setdefault(place_of(chunk, language), []).append((chunk, text))
    if len(groups) == 1:
        return lines_of(texts, numbers)
    return [line for name, group in groups.items() for line in (name, *lines_of(group, numbers))]


def _part(own: Sequence[Chunk], sub: str) -> list[tuple[Chunk, str]]:
    """The lines of a part of an item; the second one is (b) where the parts have letters."""
    found = _lettered(own, sub)
    letter = chr(ord("a") + int(sub) - 1) if sub in _PART_NUMBERS else ""
    return found or (_lettered(own, letter) if letter else [])


def _lettered(own: Sequence[Chunk], sub: str) -> list[tuple[Chunk, str]]:
    """The lines of an item from "(b)" up to "(c)", or （2） up to （3）, where its parts are no
    chunks."""
    following = str(int(sub) + 1) if sub.isdecimal() else chr(ord(sub[0]) + 1)
    begins = re.compile(rf"^[*∗†\s]*{_marked(sub)}")
    ends = re.compile(rf"^[*∗†\s]*(?:{_marked(following)}|(?:Q|Question )\d)")
    found: list[tuple[Chunk, str]] = []
    inside = False
    for chunk in own:
        lines: list[str] = []
        for line in _PARTED.sub("\n", chunk.text).splitlines():
            if inside and ends.match(line):
                return [*found, (chunk, "\n".join(lines))] if lines else found
            inside = inside or bool(begins.match(line))
            if inside:
                lines.append(line)
        if lines:
            found.append((chunk, "\n".join(lines)))
    return found


def _marked(sub: str) -> str:
    """How a part's mark is written: (b), （2）, ②."""
    ring = chr(ord("①") + int(sub) - 1) if sub in _PART_NUMBERS else ""
    plain = rf"[(（]\s*{re.escape(sub)}\s*[)）]"
    return f"(?:{plain}|{ring})" if ring else plain


def place_of(chunk: Chunk, language: str) -> str:
    """The paper and its part: what tells items of one number apart."""
    part = str(chunk.metadata.get("part", ""))
    where = f"{chunk.doc_title} {part}".strip()
    return f"{where}：" if language == "zh" else f"{where}:"


def _without_repeats(own: Sequence[Chunk], label: Label) -> list[Chunk]:
    """The asked sub-question alone where it has a chunk; its stem is only the way to it."""
    asked = [c for c in own if label.sub and c.metadata.get("sub_question") == label.sub]
    kept: list[Chunk] = []
    for chunk in asked or own:
        bare = "".join(chunk.text.split())
        if not any(bare in "".join(other.text.split()) for other in own if _longer(other, chunk)):
            kept.append(chunk)
    return kept or list(asked or own)


def _longer(other: Chunk, chunk: Chunk) -> bool:
    return other is not chunk and len(other.text) > len(chunk.text)


def solution_of(text: str, chunk: Chunk) -> str:
    """The part of an item's text that solves it; all of it in a paper of answers; "" when none.

    What stands before the solution is the question; a few characters are the answer's letter.
    """
    mark = _SOLUTION.search(text)
    answers = chunk.metadata.get("source_type") == "solution" or _in_answers(chunk)
    if mark is not None and not (answers and mark.start() <= _LETTER):
        return text[mark.start() :].strip()
    return text if answers else ""


def _in_answers(chunk: Chunk) -> bool:
    named = re.search(r"答案|解析|解答|\b(?:answers|solutions)\b", chunk.section_path, re.I)
    return named is not None or bool(chunk.metadata.get("answer_key"))


def lines_of(
    texts: Sequence[tuple[Chunk, str]], numbers: Mapping[str, int], *, room: int = MOST_CHARS
) -> list[str]:
    """Each line of the texts with its chunk's citation, up to `room` characters."""
    out: list[str] = []
    for chunk, text in texts:
        for line in filter(None, (" ".join(line.split()) for line in text.splitlines())):
            if line.isdecimal() and int(line) in (chunk.page_start, chunk.page_end):
                continue  # the page's printed number
            if room <= 0:
                return out
            cut = line if len(line) <= room else line[:room].rstrip() + "…"
            out.append(f"{quotable(cut)} [{numbers[chunk.chunk_id]}]")
            room -= len(line)
    return out


def _unsolved(label: Label, language: str) -> str:
    name = display(label, language)
    if language == "zh":
        return f"资料里有{name}的题目，没有找到它的答案："
    return f"The documents hold {name} but no answer to it was found:"
