"""Readers of passage sets: SQuAD-shaped files, RGB, CRUD-RAG and OHR-Bench."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ..core.errors import UsageError
from ..core.text import digest
from .sets import Passage, Question, RetrievalSet, spread

RETRIEVAL_FORMATS = ("squad", "rgb", "crud", "ohr")
CANNOT_BE_INFERRED = "无法推断"
"""CRUD-RAG's mark for a question that its passages do not answer."""


def load_retrieval(
    kind: str,
    file: Path,
    *,
    questions: Path | None = None,
    docs: Path | None = None,
    limit: int | None = None,
) -> RetrievalSet:
    """Read a set of passages.

    `questions` (squad): a parallel file whose questions, matched by id, are asked over the
    passages of `file`. `docs` (ohr): folder of page texts, by default `retrieval_base/gt` beside
    the file. `limit` thins the questions, never the passages. Raises UsageError.
    """
    readers: dict[str, Callable[[], RetrievalSet]] = {
        "squad": lambda: read_squad(file, questions),
        "rgb": lambda: read_rgb(file),
        "crud": lambda: read_crud(file),
        "ohr": lambda: read_ohr(file, docs),
    }
    if kind not in readers:
        raise UsageError(f"--format is one of {', '.join(readers)}, not {kind!r}.")
    if questions is not None and kind != "squad":
        raise UsageError("--questions goes with --format squad only.")
    loaded = _checked(readers[kind], kind, file)
    return loaded.model_copy(update={"questions": spread(loaded.questions, limit)})


def read_json(path: Path) -> Any:
    """A JSON file; a UsageError when it is missing or broken."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"{path} is no valid JSON: {error}.") from error


def read_json_lines(path: Path) -> list[Any]:
    """JSON lines; a UsageError when the file is missing or broken."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        return [json.loads(line) for line in lines if line.strip()]
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"{path} holds a line that is no JSON: {error}.") from error


def _checked(reader: Callable[[], RetrievalSet], kind: str, file: Path) -> RetrievalSet:
    try:
        loaded = reader()
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{file} is not in the form of --format {kind}: {error!r}.") from error
    if not loaded.questions:
        raise UsageError(f"{file} holds no question that can be scored with --format {kind}.")
    return loaded


def passage_id(text: str) -> str:
    """The same text is the same passage."""
    return digest(text, length=16)


def _unique(texts: Iterable[str]) -> tuple[Passage, ...]:
    return tuple(Passage(id=passage_id(text), text=text) for text in dict.fromkeys(texts))


def read_squad(file: Path, questions: Path | None = None) -> RetrievalSet:
    """SQuAD 1 and 2, CMRC 2018, DuReader-robust, XQuAD: one passage a distinct context.

    Of a parallel file only the questions' words are taken: the answers are in the text's language.
    """
    known = {item["id"]: (context, item) for context, item in _squad_items(file)}
    asked = list(_squad_items(questions or file))
    found = [(item["question"], *known[item["id"]]) for _, item in asked if item["id"] in known]
    return RetrievalSet(
        name=file.stem if questions is None else f"{questions.stem}->{file.stem}",
        passages=_unique(context for context, _ in known.values()),
        questions=tuple(_squad_question(context, item, text) for text, context, item in found),
        left_out=len(asked) - len(found),
    )


def _squad_items(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for article in read_json(file)["data"]:
        for paragraph in article["paragraphs"]:
            for item in paragraph["qas"]:
                yield paragraph["context"], item


def _squad_question(context: str, item: dict[str, Any], text: str) -> Question:
    answers = tuple(dict.fromkeys(answer["text"] for answer in item.get("answers", [])))
    return Question(
        id=str(item["id"]),
        text=text,
        relevant=(passage_id(context),),
        answers=(answers,) if answers else (),
        answerable=not item.get("is_impossible", False),
    )


def read_rgb(file: Path) -> RetrievalSet:
    """RGB: positive and negative passages of all questions in one heap."""
    rows = read_json_lines(file)
    texts = [text for row in rows for text in (*flat(row["positive"]), *flat(row["negative"]))]
    return RetrievalSet(
        name=file.stem,
        passages=_unique(texts),
        questions=tuple(
            Question(
                id=str(row["id"]),
                text=row["query"],
                relevant=tuple(dict.fromkeys(passage_id(t) for t in flat(row["positive"]))),
                answers=groups(row["answer"]),
            )
            for row in rows
            if flat(row["positive"])
        ),
    )


def groups(value: Any) -> tuple[tuple[str, ...], ...]:
    """Answer groups: of a list every member is needed, of a list inside it any."""
    members = value if isinstance(value, list) else [str(value)]
    return tuple(group for member in members if (group := tuple(flat(member))))


def flat(value: Any) -> list[str]:
    """The texts of a value that is a text or nested lists of texts."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    return [text for item in value for text in flat(item)]


def read_crud(file: Path) -> RetrievalSet:
    """CRUD-RAG question answering, in either published shape.

    `{"questanswer_1doc": [{"ID", "questions", "answers", "news1", …}]}` has the news;
    `{id: {"key_info", "question", "answers"}}` has only each news item's key facts, which
    together are then one passage.
    """
    data = read_json(file)
    rows = list(_crud_rows(data))
    questions = tuple(
        Question(
            id=key, text=text, relevant=tuple(passage_id(p) for p in texts), answers=((answer,),)
        )
        for key, texts, text, answer in rows
        if texts and CANNOT_BE_INFERRED not in answer
    )
    return RetrievalSet(
        name=file.stem,
        passages=_unique(text for _, texts, _, _ in rows for text in texts),
        questions=questions,
        left_out=len(rows) - len(questions),
    )


def _crud_rows(data: Any) -> Iterator[tuple[str, list[str], str, str]]:
    """(question id, passages, question, answer)."""
    first = next(iter(data.values()), None)
    if isinstance(first, list):
        for name, items in data.items():
            for item in items if name.startswith("questanswer") else ():
                texts = [item[key] for key in sorted(item) if key.startswith("news") and item[key]]
                yield str(item["ID"]), texts, item["questions"], str(item["answers"])
        return
    for key, item in data.items():
        facts = "；".join(item["key_info"])
        for place, (question, answer) in enumerate(
            zip(item["question"], item["answers"], strict=False)
        ):
            yield f"{key}#{place}", [facts] if facts else [], question, str(answer)


def read_ohr(file: Path, docs: Path | None = None) -> RetrievalSet:
    """OHR-Bench: one passage a page that has text; the evidence page is the relevant one."""
    folder = docs or file.parent / "retrieval_base" / "gt"
    if not folder.is_dir():
        raise UsageError(f"There are no page texts in {folder}. Name their folder with --docs.")
    rows = read_json(file)
    passages: list[Passage] = []
    for doc in sorted({row["doc_name"] for row in rows}):
        path = folder / f"{doc}.json"
        pages = read_json(path) if path.is_file() else []
        passages += [
            Passage(
                id=f"{doc}#{page['page_idx'] + 1}",
                text=page["text"],
                doc=doc,
                page=page["page_idx"] + 1,
            )
            for page in pages
            if page["text"].strip()
        ]
    known = {passage.id for passage in passages}
    questions = tuple(
        question for row in rows if (question := _ohr_question(row)).relevant[0] in known
    )
    return RetrievalSet(
        name=f"ohr_{folder.name}",
        passages=tuple(passages),
        questions=questions,
        left_out=len(rows) - len(questions),
    )


def _ohr_question(row: dict[str, Any]) -> Question:
    return Question(
        id=str(row["ID"]),
        text=row["questions"],
        relevant=(f"{row['doc_name']}#{int(row['evidence_page_no']) + 1}",),
        answers=groups(row["answers"]),
    )
