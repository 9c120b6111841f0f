"""What is asked for by its name and stands behind it, as "甲方（承租方）：…"."""

import pytest

from tuwen.agents.extractive_named import named_lines

LEASE = """甲方（承租方）：恒远公司。乙方：北岭站。
甲方应当在3日内支付押金60,000元。
Order number: A-118"""


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("甲方是谁？", "甲方（承租方）：恒远公司。"),
        ("租赁合同的乙方是哪家公司？", "乙方：北岭站。"),
        ("What is the order number?", "Order number: A-118"),
        ("What is the order number of the 租赁合同?", "Order number: A-118"),
    ],
)
def test_what_stands_behind_its_name_answers_alone(question, line, passage, tokenizer):
    found = named_lines(question, [passage(3, LEASE, title="租赁合同")], tokenizer)
    assert found == [(3, line)]


@pytest.mark.parametrize(
    "question",
    [
        "购房协议的甲方是谁？",
        "丙方是谁？",
        "甲方什么时候支付押金？",
        "What is the order number of Birch?",
    ],
)
def test_whose_it_is_must_be_held_and_the_name_be_all_that_is_asked(question, passage, tokenizer):
    assert named_lines(question, [passage(3, LEASE, title="租赁合同")], tokenizer) == []


def test_the_same_name_in_two_documents_gives_both(passage, tokenizer):
    passages = [passage(1, "甲方：恒远公司。"), passage(2, "甲方：白桦学校。")]
    assert [n for n, _ in named_lines("甲方是谁？", passages, tokenizer)] == [1, 2]


TASKS = """待办事项
- 林河：5月2日前检修二号闸门。
- 周岭：整理水位记录。
The crew: repaint the hull by May."""


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("林河要做什么？", "- 林河：5月2日前检修二号闸门。"),
        ("周岭的任务是什么？", "- 周岭：整理水位记录。"),
        ("周岭需要完成哪些工作？", "- 周岭：整理水位记录。"),
        ("What does the crew have to do?", "The crew: repaint the hull by May."),
    ],
)
def test_what_someone_has_to_do_stands_behind_the_name(question, line, passage, tokenizer):
    assert named_lines(question, [passage(2, TASKS)], tokenizer) == [(2, line)]


@pytest.mark.parametrize(
    "question", ["闸门要做什么？", "王海的任务是什么？", "What does the hull do?"]
)
def test_what_is_listed_behind_no_such_name_is_nobodys_task(question, passage, tokenizer):
    assert named_lines(question, [passage(2, TASKS)], tokenizer) == []
