import pytest

from tests.unit.ingestion.builders import built_of
from tuwen.ingestion.chunkers.answer_key import answer_key


def entries(text):
    key = answer_key(text)
    return [(e.number, text[slice(*e.span)]) for e in key.entries] if key else []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2. 泵？\n参考答案：1. A 2. C\n", [(1, "1. A"), (2, "2. C")]),
        ("Answers: 1) B 2) D\nEnd of paper.", [(1, "1) B"), (2, "2) D")]),
        ("Answer Key\n1 A\n2 BD\n", [(1, "1 A"), (2, "2 BD")]),
        ("答案\n一、选择题\n1-2 AB 3：C\n", [(1, "1-2 AB"), (2, "1-2 AB"), (3, "3：C")]),
        ("答案\n二、判断题 1.√ 2.×\n", [(1, "1.√"), (2, "2.×")]),
        ("Key: 1. T 2. F", [(1, "1. T"), (2, "2. F")]),
    ],
)  # fmt: skip
def test_entries_of_a_key_are_read(text, expected):
    assert entries(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "答案：因为流速加快，压力就下降，所以选第二项。",
        "1. 泵？\n答案：B\n2. 阀？",
        "Answers\n1. The pump runs at 5 A. 2. It stops at night.",
        "参考答案：1-5 ABC",  # five numbers and three letters
        "Answer: 3 apples and 2 pears",
    ],
)
def test_solutions_in_words_are_no_key(text):
    assert entries(text) == []


PAPER = """泵工考试试题

1. 泵的流量单位是（ ）
A. m³/h
B. kg
2. 阀门常开的是（ ）
A. 排气阀
B. 出口阀
3. 巡检每班几次（ ）
A. 一次
B. 两次
"""


@pytest.mark.parametrize("key", ["参考答案：1. A 2. B 3. A", "参考答案\n1-3 ABA"])
def test_each_question_has_its_answer_and_the_last_one_no_other(tmp_path, key):
    path = tmp_path / "试题.txt"
    path.write_text(f"{PAPER}{key}\n", encoding="utf-8")
    chunks = built_of(path, "exam").edition.chunks
    third = [c for c in chunks if c.metadata.get("question") == "3"]
    assert third[0].text.endswith("B. 两次")
    assert third[1].metadata["answer_key"]
    assert third[1].text == ("3. A" if "3. A" in key else "1-3 ABA")
    assert len({c.semantic_id for c in third}) == 1


def test_questions_that_number_anew_in_each_part_have_their_own_answers(tmp_path):
    path = tmp_path / "exam.txt"
    asked = "一、选择题\n1. 甲？\n2. 乙？\n二、判断题\n1. 丙。\n2. 丁。\n"
    path.write_text(f"{asked}答案\n一、1. A 2. B\n二、1. √ 2. ×\n", encoding="utf-8")
    chunks = built_of(path, "exam").edition.chunks
    found = [
        (c.metadata["part"], c.metadata["question"], c.text)
        for c in chunks
        if c.metadata.get("answer_key")
    ]
    assert found == [
        ("一", "1", "1. A"),
        ("一", "2", "2. B"),
        ("二", "1", "1. √"),
        ("二", "2", "2. ×"),
    ]


def test_a_short_quiz_with_a_key_is_an_exam(tmp_path):
    path = tmp_path / "safety.md"
    path.write_text(
        "# Safety quiz\n\n1. Who may open the valve?\n   A) the fitter  B) anyone\n"
        "2. What colour is the alarm?\n   A) green  B) red\n\nAnswers: 1) A 2) B\n",
        encoding="utf-8",
    )
    built = built_of(path)
    assert built.record.source_type == "exam"
    second = [c.text for c in built.edition.chunks if c.metadata.get("question") == "2"]
    assert second[-1] == "2) B"
