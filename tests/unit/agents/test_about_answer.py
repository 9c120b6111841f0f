"""Messages about the conversation itself, told from questions."""

import pytest

from tuwen.agents.about_answer import about_answer, nothing_said, wanted_language
from tuwen.agents.about_compare import Told, given_values, say_compared


@pytest.mark.parametrize(
    ("kind", "messages"),
    [
        ("repeat", "再说一遍|请重复一下|没听清|Say it again.|repeat that please|Pardon?"),
        ("shorten", "简单点说|能简短一点吗|一句话总结|shorter please|in one sentence|TL;DR"),
        ("summarise", "总结一下|请概括一下上面的内容|summarise that|Can you sum it up?|recap"),
        ("translate", "用英文说|翻译成中文|in English please|Translate that into Chinese"),
        ("sources", "出处在哪|你刚才说的是哪一页|第几页？|依据是什么|which page was that|Sources?"),
        ("compare", "哪个更高|两者哪个更贵|相差多少|which one is higher|which is the largest?"),
        ("onward", "继续|接着说|然后呢|go on|continue please"),
        ("more", "还有吗|还有别的吗|what else|anything else?"),
        ("deeper", "详细一点|能具体说说吗|展开讲讲|more detail|Tell me more about it."),
        ("why", "为什么|为什么会这样？|why?|But why is that?|how come"),
    ],
)
def test_a_message_about_the_last_answer_is_told_by_kind(kind, messages):
    assert {message: about_answer(message) for message in messages.split("|")} == dict.fromkeys(
        messages.split("|"), kind
    )


@pytest.mark.parametrize(
    "question",
    [
        *(
            "总结一下第三章",
            "为什么要停泵？",
            "哪个泵的流量更高？",
            "还有哪些手续要办？",
            "继续教育在哪报名",
        ),
        *(
            "第几页有图3？",
            "详细说明第五条",
            "下一条呢",
            "英文论文有什么要求？",
            "出处不明怎么办？",
            "你好",
        ),
        *(
            "summarise chapter 3",
            "why is the pump stopped?",
            "which pump is higher?",
            "who else knew?",
        ),
        *("which page has Figure 3?", "what happened next?", "where is the office?", "what is it?"),
        *("tell me more about the boiler", "the difference between A and B", "", "？"),
    ],
)
def test_a_question_of_its_own_is_none(question):
    assert about_answer(question) is None


def test_the_language_asked_for_is_read():
    assert wanted_language("用英语说一遍") == "en"
    assert wanted_language("in Chinese please") == "zh"
    assert wanted_language("翻译一下") is None


def test_where_nothing_was_said_the_message_is_asked_back_in_its_words():
    assert "总结一下" in nothing_said("summarise", "总结一下", "zh")
    assert "why?" in nothing_said("why", "why?", "en")


def values(question, answer, *older):
    return given_values([Told(question, answer), *older])


def test_the_values_of_two_subjects_in_one_answer_are_compared():
    given = values(
        "甲泵和乙泵的流量分别是多少？",
        "第三条 甲泵的流量为 25 m³/h。 [1]\n乙泵的流量为 40 m³/h。 [2]\n乙泵于 2020 年安装。 [2]",
    )
    assert [(v.name, v.n) for v in given] == [("甲泵", 1), ("乙泵", 2)]
    said = say_compared("哪个更高", given, "zh")
    assert said.startswith("乙泵更高：乙泵 40 m³/h [2]")
    assert say_compared("哪个更低", given, "zh").startswith("甲泵更低：甲泵 25 m³/h [1]")
    assert "相差 15 m³/h" in say_compared("相差多少", given, "zh")


def test_the_difference_of_large_values_is_exact():
    given = values(
        "甲和乙的成本分别是多少？", "甲的成本为 7,654,321 元。 [1]\n乙的成本为 1,234,567 元。 [2]"
    )
    assert "相差 6,419,754 元" in say_compared("相差多少", given, "zh")


def test_the_rows_of_a_table_are_compared():
    given = values(
        "各区的人口是多少？",
        "东区 · 人口：90 万 [1]\n西区 · 人口：110 万 [1]\n北区 · 人口：85 万 [1]",
    )
    assert say_compared("哪个最多", given, "zh").startswith("西区最多：西区 110 万 [1]")


def test_the_values_of_the_last_two_answers_are_compared():
    given = values(
        "How long is the warranty of pump B?",
        "The warranty of pump B is 36 months. [1]",
        Told("How long is the warranty of pump A?", "The warranty of pump A is 24 months. [2]"),
    )
    assert len(given) == 2
    said = say_compared("which one is longer?", given, "en")
    assert said.index("36 months [1]") < said.index("24 months [2]")


def test_equal_values_are_said_to_be_equal():
    given = values("甲和乙的奖金分别是多少？", "甲的奖金为 8000 元。 [1]\n乙的奖金为 8000元。 [2]")
    assert say_compared("哪个更高", given, "zh").startswith("一样：")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("甲泵的流量是多少？", "甲泵的流量为 25 m³/h。 [1]"),
        ("甲和乙有什么区别？", "甲是离心泵。 [1]\n乙是柱塞泵。 [2]"),
        ("甲和乙的参数分别是多少？", "甲的流量为 25 m³/h。 [1]\n乙的功率为 40 kW。 [2]"),
    ],
    ids=["one value", "no values", "different units"],
)
def test_without_two_values_of_one_unit_there_is_nothing_to_compare(question, answer):
    assert values(question, answer) == []


def test_two_columns_of_one_row_are_compared_by_their_heads():
    given = values(
        "7月18日的出库流量是多少？",
        "7月18日 14:00 · 出库流量（m³/s）：1 180 [1]",
        Told("7月18日的入库流量是多少？", "7月18日 14:00 · 入库流量（m³/s）：1 690 [2]"),
    )
    assert [(v.name, v.amount) for v in given] == [("入库流量", 1690.0), ("出库流量", 1180.0)]
    assert "相差 510" in say_compared("相差多少", given, "zh")


@pytest.mark.parametrize("message", ["它在第几页？", "这个图在第几页", "其出处是什么"])
def test_the_page_of_what_was_shown_is_asked_for_by_a_pronoun(message):
    assert about_answer(message) == "sources"
