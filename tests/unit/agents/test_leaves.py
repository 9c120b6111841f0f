"""A kind of leave is told from the others, in either language."""

import pytest

from tests.unit.agents.test_extractive import write  # noqa: F401
from tuwen.agents.leaves import leaves
from tuwen.agents.subjects import absent_subjects, of_another


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("病假和带薪年休假", ["病", "年"]),
        ("Sick leave and annual leave", ["病", "年"]),
        ("陪产假", ["陪产"]),
        ("2024年假期安排", []),
        ("今年假如下雨", []),
        ("丧假由主任批准", ["丧"]),
        ("leave the room", []),
    ],
)
def test_kinds_of_leave_are_read(text, names):
    assert [leave.name for leave in leaves(text)] == names


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("丧假多少天？", "病假为 6 天。", True),
        ("丧假多少天？", "丧假为 3 天，病假为 6 天。", False),
        ("年假几天？", "年休假为 6 天。", False),
        ("How long is maternity leave?", "Annual leave is 6 days.", True),
        ("丧假多少天？", "Annual leave is 6 days.", True),
        ("年假几天？", "Annual leave is 6 days.", False),
    ],
)
def test_one_kind_of_leave_is_not_another(question, text, other):
    assert of_another(question, text) is other
    assert bool(absent_subjects(question, [text])) is other


def test_a_leave_that_the_documents_do_not_have_is_not_answered_by_another(write, passage):  # noqa: F811
    text = "病假为 6 天，须有证明。事假每年 4 天。"
    assert write("丧假多少天", [passage(1, text)], kind="numeric").abstained
    assert "4 天" in write("事假多少天", [passage(1, text)], kind="numeric").text


def test_nothing_without_the_asked_words_stands_beside_all_of_them(write, passage):  # noqa: F811
    text = "The filter is washed every 3 months.\nGuarantee: 18 months from sale.\n"
    told = write(
        "How long is the guarantee", [passage(1, text)], kind="numeric", language="en"
    ).text
    assert "18 months" in told
    assert "3 months" not in told
