"""What kind of document it is, guessed from name, form and words."""

import re
from collections.abc import Sequence

from ..core.document import Block, ParsedDocument, SourceType
from .chunkers.answer_key import answer_key
from .chunkers.questions import questions

# Longer ones on average: a workbook or manual with numbered lines, not a paper of questions.
_LONGEST_QUESTION = 1200
_SLIDES = frozenset({"ppt", "pptx", "odp"})
_EXAM_WORDS = re.compile(
    r"\b(?:exam(?:ination)?|mid-?term|quiz|past paper|test paper)\b"
    r"|试[题卷]|考试|测验|期末|期中|真题|模拟卷|練習題|考卷",
    re.I,
)
_SOLUTION_WORDS = re.compile(
    r"\b(?:answers?|solutions?|marking scheme|tutorial|worksheet|homework)\b"
    r"|\b(?:exercise|problem|question)s?\s+sheet|\bsheet\s?\d+\b"
    r"|答案|解答|题解|作业|习题",
    re.I,
)
_MARKS = re.compile(
    r"[\[(（]\s*(?:total\s+)?(?:marks?\s*:?\s*\d+|\d+\s*(?:marks?|points?|pts))\s*[\])）]"
    r"|[（(【]\s*(?:本题|满分|共|每小?题)*\s*\d+\s*分\s*[)）】]",
    re.I,
)
_BARE_MARKS = re.compile(r"^\s*\[\d{1,2}\](?:\s|$)", re.M)
_CHOICES = re.compile(r"^\s*A\s*[.．、).].*\n\s*B\s*[.．、).]", re.M)
_ANSWER = re.compile(
    r"^\s*(?:答案|解析|【答案】|【解析】|参考答案|Answer|Solution)\s*[:：】]", re.M
)
_FORMULA_NAME = re.compile(
    r"公式(?:表|汇总|大全|速查|手册)|formula(?:e|s)?\s*(?:sheet|booklet|list)|cheat\s*sheet", re.I
)
_STANDARD = re.compile(
    r"\b(?:GB|GB/[TZ]|DL/T|JB/T|HG/T|SH/T|YB/T|NB/T|ISO|IEC|DIN|EN|ASTM|BS|ANSI|IEEE|JIS|CNS)\b"
    r"[\s/T]*(?:EN\s*)?\d{2,6}"
)
_STANDARD_PARTS = re.compile(
    r"规范性引用文件|規範性引用文件|normative references|术语和定义|terms and definitions", re.I
)


def guess(parsed: ParsedDocument, name: str) -> SourceType:
    """The source type; `document` when nothing speaks for another."""
    text = "\n".join(block.text for block in parsed.blocks if block.text)
    label = re.sub(r"[_.]+", " ", f"{name} {parsed.title}")
    if parsed.doc_type in _SLIDES or _landscape(parsed.blocks):
        return "slides"
    if (exam := _exam(label, text)) is not None:
        return exam
    if _FORMULA_NAME.search(label):
        return "formula_sheet"
    if _STANDARD.search(label) or len(set(_STANDARD_PARTS.findall(text[:20000]))) > 1:
        return "standard"
    headings = sum(block.kind == "title" for block in parsed.blocks)
    return "notes" if parsed.doc_type == "markdown" and headings > 1 else "document"


def _landscape(blocks: Sequence[Block]) -> bool:
    return any(block.meta.get("landscape") for block in blocks[:1])


def _exam(label: str, text: str) -> SourceType | None:
    """Many numbered questions and signs of an exam: marks, choices, answers, the name."""
    found = questions(text)
    if len(found) < 2:
        return None
    named = bool(_EXAM_WORDS.search(label)) or bool(_EXAM_WORDS.search(text[:300]))
    if not named and len(text) > _LONGEST_QUESTION * len(found):
        return None
    solved = bool(_SOLUTION_WORDS.search(label))
    bare = len(_BARE_MARKS.findall(text)) if named else 0
    key = answer_key(text)
    signs = bare + (len(key.entries) if key else 0)
    signs += sum(len(sign.findall(text)) for sign in (_MARKS, _CHOICES, _ANSWER))
    if signs * 3 >= len(found) and (signs >= 3 or named):
        return "solution" if solved else "exam"
    if solved and len(found) > 1:
        return "solution"
    return "exam" if named and len(found) >= 4 and signs else None
