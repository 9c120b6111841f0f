"""A section asked for by its number alone is quoted; a question about more is left to others."""

import pytest

from tuwen.agents.passages import Passage
from tuwen.agents.section_quotes import quote_sections
from tuwen.core.analysis import Analysis
from tuwen.core.chunk import Chunk
from tuwen.core.evidence import LegResult
from tuwen.core.label import find_labels
from tuwen.tools.labels import LabelFinding, LabelMatch


def chunk(doc: str, text: str) -> Chunk:
    return Chunk.model_validate(
        {
            "chunk_id": f"{doc}-c",
            "doc_id": doc,
            "edition": "e",
            "collection": "k",
            "doc_title": f"{doc}手册",
            "chunk_type": "section_text",
            "text": text,
            "embedding_text": text,
            "semantic_id": "s",
            "ordinal": 0,
            "section_number": "3.2",
        }
    )


TWO = [chunk("给水", "轴承每月检查一次。\n密封每年更换。"), chunk("排水", "集水井每周清淤。")]


def quoted(question: str, chunks: list[Chunk]) -> str | None:
    labels = tuple(span.label for span in find_labels(question))
    analysis = Analysis(
        question=question, rewritten=question, queries=(question,), language="zh", labels=labels
    )
    ids = tuple(c.chunk_id for c in chunks)
    finding = LabelFinding(
        result=LegResult(leg="label", query=""),
        matches=tuple(LabelMatch(label=label, chunk_ids=ids) for label in labels),
    )
    passages = [
        Passage(n=n, title=c.doc_title, text=c.text, chunk_ids=(c.chunk_id,), doc_id=c.doc_id)
        for n, c in enumerate(chunks, 1)
    ]
    draft = quote_sections(analysis, finding, passages, {c.chunk_id: c for c in chunks}, "zh")
    return draft.text if draft else None


@pytest.mark.parametrize(
    "question",
    ["3.2节说了什么？", "请问第3.2节的内容", "What does Section 3.2 say?", "给水手册3.2节"],
)
def test_a_section_asked_for_alone_is_quoted_with_its_source(question: str) -> None:
    assert quoted(question, TWO[:1]) == "轴承每月检查一次。 [1]\n密封每年更换。 [1]"


def test_sections_of_two_documents_are_quoted_under_their_names() -> None:
    text = quoted("3.2节说了什么？", TWO)
    assert text == (
        "给水手册：\n轴承每月检查一次。 [1]\n密封每年更换。 [1]\n排水手册：\n集水井每周清淤。 [2]"
    )


@pytest.mark.parametrize("question", ["3.2节里密封多久更换？", "图3.2说了什么？", "密封多久更换？"])
def test_a_question_about_more_than_a_section_is_left_to_the_other_writers(question: str) -> None:
    assert quoted(question, TWO) is None


def test_a_long_section_ends_with_an_ellipsis() -> None:
    text = quoted("3.2节说了什么？", [chunk("给水", "检查轴承。" * 400)])
    assert text is not None
    assert len(text) < 900
    assert text.endswith("… [1]")
