"""Readers of sets with evidence pages: MMLongBench-Doc and FinanceBench."""

import ast
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import UsageError
from .datasets import read_json, read_json_lines
from .sets import PageQuestion, PageSet, spread

PAGE_FORMATS = ("mmlongbench", "financebench")
NOT_ANSWERABLE = "not answerable"


def load_pages(kind: str, file: Path, docs: Sequence[Path], *, limit: int | None = None) -> PageSet:
    """Read the questions whose files are in one of the folders `docs`. Raises UsageError."""
    readers: dict[str, Callable[[Path], list[PageQuestion]]] = {
        "mmlongbench": read_mmlongbench,
        "financebench": read_financebench,
    }
    if kind not in readers:
        raise UsageError(f"--format is one of {', '.join(readers)}, not {kind!r}.")
    if not docs:
        raise UsageError("Name the folder of the documents with --docs.")
    try:
        questions = readers[kind](file)
    except (KeyError, TypeError, AttributeError, SyntaxError) as error:
        raise UsageError(f"{file} is not in the form of --format {kind}: {error!r}.") from error
    found = {path.name: path for folder in reversed(docs) for path in sorted(folder.rglob("*.pdf"))}
    usable = [question for question in questions if question.doc in found]
    if not usable:
        raise UsageError(f"None of the documents that {file.name} asks about is in the folders.")
    asked = spread(usable, limit)
    return PageSet(
        name=kind,
        files=tuple(str(found[name]) for name in sorted({question.doc for question in asked})),
        questions=asked,
        left_out=len(questions) - len(usable),
    )


def read_mmlongbench(file: Path) -> list[PageQuestion]:
    """`evidence_pages` count from 1; "Not answerable" is an answer of the set."""
    return [_mmlongbench(place, row) for place, row in enumerate(read_json(file))]


def _mmlongbench(place: int, row: dict[str, Any]) -> PageQuestion:
    answer = str(row["answer"]).strip()
    is_list = row.get("answer_format") == "List" and answer.startswith("[")
    answers = [str(part) for part in ast.literal_eval(answer)] if is_list else [answer]
    answerable = answer.lower() != NOT_ANSWERABLE
    return PageQuestion(
        id=f"{row['doc_id']}#{place}",
        text=row["question"],
        doc=row["doc_id"],
        pages=tuple(int(page) for page in _as_list(row["evidence_pages"])),
        answers=tuple((text,) for text in answers) if answerable else (),
        answerable=answerable,
    )


def _as_list(value: Any) -> list[Any]:
    return list(ast.literal_eval(value) if isinstance(value, str) else value)


def read_financebench(file: Path) -> list[PageQuestion]:
    """`evidence_page_num` counts from 0."""
    return [
        PageQuestion(
            id=row["financebench_id"],
            text=row["question"],
            doc=f"{row['doc_name']}.pdf",
            pages=tuple(dict.fromkeys(int(e["evidence_page_num"]) + 1 for e in row["evidence"])),
            answers=((str(row["answer"]),),),
        )
        for row in read_json_lines(file)
    ]
