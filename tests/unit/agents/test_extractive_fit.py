"""Cells and lines that have the question's words and cannot be its answer."""

import pytest

from tuwen.agents.extractive_fit import misfit, opposite
from tuwen.agents.extractive_sentences import is_heading, says_nothing


@pytest.mark.parametrize(
    ("question", "heads", "value"),
    [
        ("注册资本是多少？", "计入注册资本：", "计入资本公积"),
        ("2021年末存货是多少？", "2021-12-31: ", "2020-12-31"),
        ("多晶硅占原材料成本的比例是多少？", "原材料成本 · 2007年度：", "7,297.23"),
        ("长期借款余额是多少？", "短期借款 · 2006年6月30日：", "32,400,000"),
        ("水费增长率是多少？", "水费 · 2021年：", "7,300"),
        ("水费增长率是多少？", "水费占总费用比例 · 2021年：", "7.3%"),
        ("2022年的水费是多少？", "水费 · 2021年 金额：", "7,300"),
        ("水费是多少？", "水费 · 占总费用比重：", "7.3%"),
        ("值班负责人是谁？", "值班负责人 · 是否在岗：", "不适用"),
        ("How much are the trade receivables?", "Trade payables: ", "120"),
        ("What are the non-current assets?", "Current assets: ", "75"),
    ],
)
def test_a_cell_that_cannot_answer_is_no_answer(question, heads, value):
    assert misfit(question, heads, value)


@pytest.mark.parametrize(
    ("question", "heads", "value"),
    [
        ("注册资本是多少？", "注册资本：", "一亿五千万元"),
        ("多晶硅占原材料成本的比例是多少？", "多晶硅 · 占比：", "29.1"),
        ("多晶硅占原材料成本的比例是多少？", "多晶硅：", "29.1%"),
        ("长期借款余额是多少？", "长期借款 · 期末：", "9,000"),
        ("长期借款和短期借款各是多少？", "短期借款：", "5"),
        ("水费增长率是多少？", "水费 · 同比增减：", "-0.64%"),
        ("2021年的水费是多少？", "水费 · 2021年 金额：", "7,300"),
        ("水费占比是多少？", "水费 · 占总费用比重：", "7.3%"),
        ("What are the current assets?", "Total current assets: ", "75"),
        ("什么时候签订？", "签订日期：", "2021年3月2日"),
    ],
)
def test_a_cell_that_can_answer_is_kept(question, heads, value):
    assert not misfit(question, heads, value)


def test_the_same_side_is_no_opposite():
    assert not opposite("流动资产是多少？", "流动资产合计")
    assert opposite("流动资产是多少？", "非流动资产合计")


@pytest.mark.parametrize("line", ["（三）实际控制人", "2、主要产品的产销情况", "第三节 发行概况"])
def test_a_numbered_line_without_a_statement_is_a_heading(line):
    assert is_heading(line)
    assert says_nothing(line)


@pytest.mark.parametrize(
    "line",
    [
        "1、本公司实际控制人为李某",
        "2、水泵应每周检查",
        "（一）注册资本：5000 万元",
        "3、年产能 500 吨",
        "二、本办法自发布之日起施行。",
    ],
)
def test_a_numbered_line_that_says_something_is_none(line):
    assert not is_heading(line)


def test_a_line_that_says_only_where_it_is_told_tells_nothing():
    assert says_nothing("详细情况请参见本报告第五节“子公司情况”。")
    assert not says_nothing("公司有六家子公司，详见第五节。")
