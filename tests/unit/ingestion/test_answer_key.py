import pytest

from tests.unit.ingestion.builders import built_of
from tuwen.ingestion.chunkers.answer_key import answer_key
from tuwen.ingestion.chunkers.key_table import key_entries


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


ACROSS = "| 题号 | 1 | 2 | 3 |\n|---|---|---|---|\n| 答案 | A | B | A |\n"
DOWN = (
    "| No. | Answer | Why |\n|---|---|---|\n"
    "| 1 | A | flow |\n| 2 | B | it stays open |\n| 3 | A | - |\n"
)
TWICE = "| 题号 | 答案 | 题号 | 答案 |\n|---|---|---|---|\n| 1 | A | 3 | A |\n| 2 | B | | |\n"
BARE = "| 1 | 2 | 3 |\n|---|---|---|\n| A | B | A |\n"


@pytest.mark.parametrize(
    "key", [ACROSS, f"参考答案\n\n{ACROSS}", DOWN, TWICE, f"## 答案\n\n{BARE}"]
)
def test_a_key_as_a_table_gives_each_question_its_answer(tmp_path, key):
    path = tmp_path / "试题.md"
    path.write_text(f"{PAPER}\n{key}\n", encoding="utf-8")
    chunks = built_of(path, "exam").edition.chunks
    keyed = {c.metadata["question"]: c.text for c in chunks if c.metadata.get("answer_key")}
    assert keyed == {"1": "1. A", "2": "2. B", "3": "3. A"}
    third = [c.text for c in chunks if c.metadata.get("question") == "3"]
    assert third[0].endswith("B. 两次")
    assert len(third) == 2  # the table itself is no part of the last question
    assert any(c.chunk_type == "table" and "question" not in c.metadata for c in chunks)


def test_tables_of_the_parts_of_a_paper_are_one_key(tmp_path):
    path = tmp_path / "exam.html"
    table = "<table><tr><td>题号</td>{}</tr><tr><td>答案</td>{}</tr></table>"

    def row(*cells):
        return "".join(f"<td>{cell}</td>" for cell in cells)

    asked = "<h2>一、选择题</h2><p>1. 甲？</p><p>2. 乙？</p>"
    asked += "<h2>二、判断题</h2><p>1. 丙。</p><p>2. 丁。</p>"
    first, second = table.format(row(1, 2), row("C", "D")), table.format(row(1, 2), row("×", "√"))
    page = f"<h1>考试</h1>{asked}<h2>答案</h2><p>一</p>{first}<p>二</p>{second}"
    path.write_text(f"<html><body>{page}</body></html>", encoding="utf-8")
    chunks = built_of(path, "exam").edition.chunks
    found = [
        (c.metadata["part"][0], c.metadata["question"], c.text)
        for c in chunks
        if c.metadata.get("answer_key")
    ]
    assert found == [
        ("一", "1", "1. C"),
        ("一", "2", "2. D"),
        ("二", "1", "1. ×"),
        ("二", "2", "2. √"),
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [("班级", "1", "2"), ("等级", "A", "B")],  # nobody says that it is a key
        [("题号", "1", "2", "3"), ("答案", "", "", "")],  # to be filled in
        [("题号", "1", "2"), ("答案", "重力", "摩擦力")],
        [("1", "1"), ("答案", "A"), ("1", "B")],
    ],
)
def test_other_tables_of_numbers_are_no_key(rows):
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    assert key_entries(f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>") == []
