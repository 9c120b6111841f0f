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
