"""The label leg on exam papers: the item itself, with its solution; repeated numbers."""

from collections.abc import Sequence
from typing import Any

from tuwen.core.chunk import Chunk
from tuwen.core.document import DocumentRecord
from tuwen.core.label import find_labels
from tuwen.tools.labels import LabelFinding, find_labelled, label_notices


class Papers:
    """A catalog of papers in memory, as far as the label leg reads it."""

    def __init__(self, papers: dict[str, list[Chunk]]) -> None:
        self.papers = papers
        self.all = [chunk for chunks in papers.values() for chunk in chunks]

    def select(self, collection: str, filters: dict[str, Any]) -> list[str]:
        return [c.chunk_id for c in self.all if all(self._fits(c, *f) for f in filters.items())]

    @staticmethod
    def _fits(chunk: Chunk, key: str, wanted: Sequence[str]) -> bool:
        value = chunk.metadata.get(key, [])
        return bool(set(value if isinstance(value, list) else [value]) & set(wanted))

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        return [c for c in self.all if c.chunk_id in ids]

    def chunks_of(self, doc_id: str, *, first: int = 0, last: int | None = None) -> list[Chunk]:
        return self.papers[doc_id][first : None if last is None else last + 1]

    def document(self, doc_id: str) -> DocumentRecord:
        return DocumentRecord(
            doc_id=doc_id,
            edition="e",
            collection="k",
            name=doc_id,
            source_key=doc_id,
            content_hash=doc_id,
            title=doc_id,
            source_type="exam",
        )

    def documents(self, collection: str) -> list[DocumentRecord]:
        return [self.document(doc) for doc in self.papers]


def paper(name: str, *items: tuple[str, str, str], source: str = "exam", sub: str = "") -> Any:
    """Chunks of (part, question, text)."""
    return name, [
        Chunk.model_validate(
            {
                "chunk_id": f"{name}/{place}",
                "doc_id": name,
                "edition": "e",
                "collection": "k",
                "doc_title": name,
                "chunk_type": "section_text",
                "text": text,
                "embedding_text": text,
                "semantic_id": f"{name}/{part}/{number.partition('.')[0]}",
                "ordinal": place,
                "metadata": {
                    "source_type": source,
                    "question": number.partition(".")[0],
                    **({"part": part} if part else {}),
                    **({"sub_question": number.partition(".")[2]} if "." in number else {}),
                },
            }
        )
        for place, (part, number, text) in enumerate(items)
    ]


def found(question: str, *papers: Any, focus: Sequence[str] = ()) -> LabelFinding:
    labels = [span.label for span in find_labels(question)]
    catalog: Any = Papers(dict(papers))
    return find_labelled(catalog, "k", labels, focus, question=question)


PHYSICS = paper(
    "物理期末试卷.pdf",
    ("一", "1", "一、选择题\n1. 光源"),
    ("一", "2", "2. 声音"),
    ("二", "1", "二、填空题（共4分）\n1. 光速"),
    ("二", "2", "2. 凝固点"),
)
ANSWERS = paper(
    "物理期末试卷答案.pdf", ("一", "2", "2. C"), ("二", "2", "2. 0℃"), source="solution"
)
RUNNING = paper(
    "数学模拟卷.pdf",
    ("一", "1", "一、选择题\n1. 平方根"),
    ("一", "2", "2. 轴对称"),
    ("二", "17", "二、解答题\n17. 解方程"),
    ("二", "18", "18. 证明"),
)
SHEET = paper(
    "sheet2.pdf", ("", "4", "4. Consider"), ("", "4.a", "(a) first"), ("", "4.b", "(b) second")
)


def test_an_item_is_found_first_and_alone() -> None:
    finding = found("第17题的答案", PHYSICS, RUNNING)
    assert finding.result.ids == ("数学模拟卷.pdf/2",)
    assert not finding.ambiguous


def test_a_paper_and_its_answers_are_one() -> None:
    finding = found("第二大题第2题", PHYSICS, ANSWERS)
    assert set(finding.result.ids) == {"物理期末试卷.pdf/3", "物理期末试卷答案.pdf/1"}
    assert not finding.ambiguous


def test_the_parts_name_in_the_question_chooses_among_repeated_numbers() -> None:
    assert found("填空题第2题", PHYSICS).result.ids == ("物理期末试卷.pdf/3",)


def test_repeated_numbers_are_all_given_and_their_parts_named() -> None:
    finding = found("第2题选什么", PHYSICS)
    assert set(finding.result.ids) == {"物理期末试卷.pdf/1", "物理期末试卷.pdf/3"}
    (notice,) = label_notices(finding, "zh")
    assert "一、选择题、二、填空题" in notice.text


def test_numbers_that_run_on_through_the_parts_are_counted() -> None:
    assert found("第二大题第2小题", RUNNING).result.ids == ("数学模拟卷.pdf/3",)


def test_two_papers_with_the_number_are_named_unless_one_is_in_focus() -> None:
    both = found("第1题", PHYSICS, RUNNING)
    assert {item.inside for item in both.ambiguous} == {""}
    assert both.ambiguous[0].titles == ("物理期末试卷.pdf", "数学模拟卷.pdf")
    focused = found("第1题", PHYSICS, RUNNING, focus=["数学模拟卷.pdf"])
    assert focused.result.ids == ("数学模拟卷.pdf/0",)


def test_a_sub_question_comes_with_its_stem_and_without_its_sisters() -> None:
    finding = found("Question 4(b)", SHEET)
    assert set(finding.result.ids) == {"sheet2.pdf/2", "sheet2.pdf/0"}
    assert finding.result.ids[0] == "sheet2.pdf/2"


def test_an_item_that_no_paper_has_is_missing_with_the_nearest() -> None:
    finding = found("第99题", PHYSICS, RUNNING)
    assert not finding.result.ids
    (notice,) = label_notices(finding, "zh")
    assert notice.code == "label_missing"
    assert "第18题" in notice.text
