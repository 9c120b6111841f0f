import pytest

from tuwen.agents.extractive_beside import beside_item
from tuwen.agents.extractive_demand import (
    of_other_firms,
    of_the_item,
    of_whole_item,
    same_headed,
)
from tuwen.agents.extractive_fit import misfit
from tuwen.agents.extractive_sentences import Candidate
from tuwen.agents.extractive_tables import Reading
from tuwen.agents.extractive_telling import all_bare, defining, tells


def sentences(*texts):
    return [
        Candidate(0, n, text, 0.5, 0.5, 0.5, kind=True, score=1.0 - n / 100)
        for n, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("question", "texts", "kept"),
    [
        (
            "2021年停泊收入是多少？",
            ["2021年燃料费占停泊收入的比例为7.5%。", "2021年停泊收入为880万元。"],
            [1],
        ),
        (
            "码头有多少船员？",
            ["船员应按规定参加3次培训。", "现有船员140人。", "船员守则很长。"],
            [0, 1],
        ),
        (
            "How many pilots does the port have?",
            ["The pilots worked 900 nights.", "The port has 14 licensed pilots."],
            [1],
        ),
        ("停泊收入是多少？", ["停泊由港口管理。", "费用逐年上升。"], [0, 1]),
        ("2021年停泊收入是多少？", ["2018年停泊收入为7元。", "2021年停泊收入为9元。"], [1]),
        ("What was mooring income in 2021?", ["Dues were 10% of mooring income in 2021."], []),
        ("流动资产是多少？", ["非流动资产为70万元。", "流动资产为31万元。"], [1]),
    ],
)
def test_the_number_stands_beside_what_it_is_asked_of(question, texts, kept):
    assert [c.order for c in beside_item(question, sentences(*texts))] == kept


def test_a_far_worse_sentence_does_not_take_the_place_of_the_best_one():
    best, other = sentences("停泊收入见附表。", "停泊收入为9元。")
    assert beside_item("停泊收入是多少？", [best, other._replace(score=0.3)])[0] is best


@pytest.mark.parametrize(
    ("question", "statement", "value", "fits"),
    [
        ("海外停泊收入是多少？", "停泊收入 · 2021年：880", "880", False),
        ("停泊收入是多少？", "停泊收入 · 2021年：880", "880", True),
        ("What was the freight revenue in 2021?", "Revenue · 2021: 90", "90", False),
        ("What was the freight revenue in 2021?", "Freight revenue · 2021: 9", "9", True),
    ],
)
def test_a_figure_of_the_whole_is_none_of_a_part(
    passage, tokenizer, question, statement, value, fits
):
    found = [(1, Reading(statement, value, 0.9, statement.split(" · ")[0]))]
    text = "停泊收入 | 收入" if value == "880" else "| Revenue | 90 |"
    kept = of_whole_item(question, found, [passage(1, text)], tokenizer)
    assert bool(kept) is fits
    assert of_the_item(question, [(1, statement)], [passage(1, text)], tokenizer) is fits


def test_figures_under_one_name_that_differ_are_not_told():
    one, other = Reading("注册吨位：900", "900", 0.9), Reading("注册吨位：250", "250", 0.9)
    assert same_headed([(1, one), (1, other)])
    assert not same_headed([(1, one), (2, one)])
    assert not same_headed([(1, one), (1, Reading("注册吨位：12%", "12%", 0.9))])
    assert not same_headed([(1, one), (1, Reading("总吨位：250", "250", 0.9))])


@pytest.mark.parametrize(
    ("question", "value", "wrong"),
    [
        ("港口有哪些引航员？", "12", True),
        ("Why do the gates leak?", "4.5", True),
        ("How do the gates open?", "$ 30", True),
        ("港口有哪些引航员？", "田一禾", False),
        ("How much do the gates weigh?", "30", False),
        ("What was the growth rate of traffic?", "33,144", True),
        ("What was the growth rate of traffic?", "4.5%", False),
    ],
)
def test_a_figure_answers_no_question_for_words(question, value, wrong):
    assert misfit(question, "", value) is wrong


def test_headings_and_leads_tell_nothing():
    assert all_bare([(1, "主要内容:")])
    assert all_bare([(1, "The berths in 2021 were as follows:")])
    assert not all_bare([(1, "现有船员140人，其构成如下：")])
    assert not all_bare([(1, "步骤：")]) or not tells("步骤：")
    assert not tells("第三章 船闸")
    assert tells("船闸是过船的建筑物")


def test_what_defines_nothing_is_no_definition(passage, tokenizer):
    held = [passage(1, "船闸")]
    heading, saying = (1, "第三章 船闸的运行"), (1, "船闸是让船过坝的建筑物。")
    assert defining("什么是船闸？", [heading], held, tokenizer) == []
    assert defining("什么是船闸？", [heading, saying], held, tokenizer) == [saying]
    assert defining("什么是船闸？", [(1, "费用由港口承担。")], held, tokenizer) == []


@pytest.mark.parametrize(
    ("question", "rows", "other"),
    [
        ("注册资本是多少？", ["临海渔具厂", "合计"], True),
        ("注册资本是多少？", ["东港船舶有限公司"], True),
        ("东港船舶有限公司的注册资本是多少？", ["东港船舶有限公司"], False),
        ("注册资本是多少？", ["2020年末", "合计"], False),
        ("一期电厂的投资是多少？", ["电厂"], False),
        ("What is the share capital?", ["Harbour Tugs Ltd.", "Total"], True),
        ("What is the share capital?", ["Ordinary shares"], False),
    ],
)
def test_the_row_of_another_firm_is_no_answer_of_this_one(question, rows, other):
    found = [(1, Reading(f"{row}：7", "7", 1.0, row)) for row in rows]
    assert of_other_firms(question, found) is other
