"""What a document gives behind a label ("Chair: …") is found by the deed that is asked for."""

import pytest

from tuwen.agents.extractive_fields import asked_fields, field_lines

MINUTES = """主持：程远航　　记录：白露
出席：程远航、白露、曲江
请假：丁可
地点：二号楼会议室
曲江负责在5月前完成验收。"""
CARD = """Chair: Nora Field
Secretary: Abel Stone
Apologies: Iris Vale
Reviewed by: Otto Lind"""


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("安全例会是谁主持的？", "主持：程远航"),
        ("安全例会的纪要谁做的记录？", "记录：白露"),
        ("安全例会谁没来？", "请假：丁可"),
        ("哪些人参加了安全例会？", "出席：程远航"),
        ("安全例会在哪里开的？", "地点：二号楼会议室"),
        ("Who chaired the safety meeting?", "主持：程远航"),
    ],
)
def test_a_deed_is_told_by_the_label_of_the_minutes(question, says, passage, tokenizer):
    lines = field_lines(question, [passage(2, MINUTES, title="安全例会纪要")], tokenizer)
    assert [n for n, _ in lines] == [2]
    assert says in lines[0][1]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Who chaired the harbour meeting?", "Chair: Nora Field"),
        ("Who took the minutes of the harbour club?", "Secretary: Abel Stone"),
        ("Who could not attend the harbour meeting?", "Apologies: Iris Vale"),
        ("Who checked the harbour report?", "Reviewed by: Otto Lind"),
    ],
)
def test_an_english_label_has_other_words_than_the_question(question, line, passage, tokenizer):
    passages = [passage(1, CARD, title="Harbour Club")]
    assert field_lines(question, passages, tokenizer) == [(1, line)]


@pytest.mark.parametrize(
    "question",
    [
        "消防例会是谁主持的？",  # of another meeting
        "安全例会的验收由谁负责？",  # no label
        "Who chaired the budget meeting?",
        "When was the safety meeting chaired?",  # asks for a day
    ],
)
def test_a_label_of_another_document_tells_nothing(question, passage, tokenizer):
    assert field_lines(question, [passage(2, MINUTES, title="安全例会纪要")], tokenizer) == []


def test_a_question_for_no_field_has_none():
    assert asked_fields("How deep is the harbour?") == []
