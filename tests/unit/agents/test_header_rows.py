import pytest

from tuwen.agents.extractive_heads import header_rows
from tuwen.agents.extractive_tables import read_cells


@pytest.mark.parametrize(
    ("grid", "heads"),
    [
        ([["参数", "数值", "单位"], ["额定蒸发量", "2028", "t/h"], ["压力", "17.4", "MPa"]], 1),
        ([["Item", "Value", "Unit"], ["Rated speed", "1985", "rpm"], ["Torque", "64", "Nm"]], 1),
        ([["机组", "投运", "改造"], ["1号机组", "1985", "2001"], ["2号机组", "1990", "2004"]], 1),
        ([["指标", "2020", "2021"], ["收入", "31", "35"]], 1),
        ([["指标", "2020", "2021", "单位"], ["收入", "31", "35", "亿元"]], 1),
        ([["指标", "实际", "实际"], ["指标", "2020", "2021"], ["收入", "31", "35"]], 2),
        ([["", "Actual", "Actual"], ["", "2020", "2021"], ["Sales", "31", "35"]], 2),
        (
            [
                ["", "", "取得何种", ""],
                ["姓名", "关系", "国籍", "许可"],
                ["林河", "本人", "无", "无"],
            ],
            2,
        ),
        ([["", "早班", "晚班"], ["周一", "林河", "周岭"], ["周二", "周岭", "林河"]], 1),
        ([["额定蒸发量", "2028", "t/h"], ["压力", "17.4", "MPa"]], 0),
        ([["Ferry", "2021 trips", "2022 trips"], ["Lark", "410", "395"], ["Gull", "52", "61"]], 1),
        ([["渡口", "2021年航次", "1号船"], ["东渡", "410", "39"]], 1),
        ([["Pressure", "2.5 MPa"], ["Flow", "40 m3/h"]], 0),
        ([["Pressure", "2.5 MPa", "test"], ["Flow", "4.0 MPa", "run"]], 0),
    ],
)
def test_years_head_columns_and_numbers_like_years_do_not(grid, heads):
    assert header_rows(grid) == heads


def test_a_series_over_years_does_not_answer_for_a_year_that_it_lacks(tokenizer):
    grid = [["指标", "2020年", "2021年"], ["净利润", "2.10", "2.87"], ["收入", "31.2", "35.8"]]
    assert [r.value for r in read_cells("2021年净利润是多少？", grid, tokenizer)][:1] == ["2.87"]
    assert read_cells("2018年净利润是多少？", grid, tokenizer, about="2018年首次合并") == []
    assert read_cells("2018年净利润是多少？", grid, tokenizer, head="2018年至2021年") != []


FERRIES = [
    ["Ferry", "2021 trips", "2022 trips", "Crew"],
    ["Lark", "410", "395", "12"],
    ["Gull", "52", "61", "4"],
]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many trips did Lark make in 2022?", "395"),
        ("How many trips did Gull make in 2021?", "52"),
        ("How many crew work on Lark?", "12"),
    ],
)
def test_a_measure_of_a_year_is_read_below_the_head_that_says_both(question, value, tokenizer):
    assert [r.value for r in read_cells(question, FERRIES, tokenizer)][:1] == [value]


def test_the_years_of_one_measure_do_not_answer_for_another(tokenizer):
    read = read_cells("Did crew of Lark grow in 2022?", FERRIES, tokenizer)
    assert [r.value for r in read if r.value != "12"] == []
