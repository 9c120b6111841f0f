"""Follow-ups that name a place, change the noun, or stand for what was answered."""

import pytest

from tuwen.agents.analyst import analyse
from tuwen.core.analysis import Focus
from tuwen.core.label import Label

ARTICLE_7 = Label(kind="section", parts=("7",), sub="条")


@pytest.fixture
def ask(tokenizer):
    def run(question, *history, focus=None, **options):
        return analyse(
            question,
            focus=focus or Focus(),
            history=list(history),
            tokenizer=tokenizer,
            **options,
        )

    return run


@pytest.mark.parametrize(
    ("earlier", "question", "meant"),
    [
        ("汛限水位是多少？", "死水位呢", "死水位是多少？"),
        ("大坝死水位是多少？", "汛限水位呢", "汛限水位是多少？"),
        ("青川水库汛限水位是多少？", "死水位呢", "青川水库死水位是多少？"),
        ("最高水位是多少？", "最低水位呢", "最低水位是多少？"),
        ("泵的最大持续放电电流是多少？", "脉冲放电呢", "泵的最大脉冲放电电流是多少？"),
        ("比正常蓄水位低多少？", "最低水位呢？", "比最低水位低多少？"),
        ("7月18日的出库流量是多少？", "坝前水位呢", "7月18日的坝前水位是多少？"),
        ("条件概率是什么？", "联合概率呢", "联合概率是什么？"),
        ("泵站手册第3页讲了什么？", "第5页呢", "泵站手册第5页讲了什么？"),
        ("How many marks is Q1 (a) worth?", "And (c)?", "How many marks is Q1 (c) worth?"),
        (
            "What is on page 6 of the handbook?",
            "And on page 7?",
            "What is on page 7 of the handbook?",
        ),
    ],
)
def test_the_whole_modifier_of_a_noun_is_replaced(ask, earlier, question, meant):
    assert ask(question, earlier).rewritten == meant


@pytest.mark.parametrize(
    ("earlier", "question", "meant"),
    [
        ("主汛期是哪几个月？", "那防洪库容呢？", "防洪库容是多少？"),
        ("2021年营业收入是多少？", "净利润呢", "2021年净利润是多少？"),
        ("主汛期是哪几个月？", "枯水期呢？", "枯水期是哪几个月？"),
    ],
)
def test_a_quantity_that_does_not_fit_the_last_question_is_asked_by_itself(
    ask, earlier, question, meant
):
    assert ask(question, earlier).rewritten == meant


def test_a_quantity_of_a_thing_keeps_the_thing(ask):
    assert "清污机" in ask("额定功率呢", "清污机多久检修一次？").rewritten


@pytest.mark.parametrize(
    ("earlier", "question", "meant"),
    [
        ("换个话题，精密铸件收入多少", "它的毛利率呢", "精密铸件的毛利率呢"),
        ("另外，循环泵的流量是多少？", "它的转速呢", "循环泵的转速呢"),
        ("顺便问一下，循环泵的流量是多少？", "它的转速呢", "循环泵的转速呢"),
        ("By the way, who was Frank Zappa?", "Where was he born?", "Where was Frank Zappa born?"),
        ("主营业务收入是多少", "它的毛利率呢", "主营业务收入的毛利率呢"),
    ],
)
def test_words_that_change_the_subject_are_no_subject(ask, earlier, question, meant):
    assert ask(question, earlier).rewritten == meant


def test_a_question_for_the_year_is_of_any_year(ask):
    assert "2018" not in ask("哪一年最高？", "2018年上网发电量是多少？").rewritten
    assert "2018" in ask("哪个月最高？", "2018年上网发电量是多少？").rewritten


def test_a_year_behind_what_a_figure_shows_is_no_term(ask):
    assert "图2.3" in ask("那2022年呢？", "图2.3 说明了什么？").rewritten
