import pytest

from tuwen.agents.extractive_listed import beside, listed
from tuwen.agents.extractive_lookup import looked_up
from tuwen.agents.extractive_tables import read_cells
from tuwen.agents.extractive_values import days, number

MONTHS = [
    ["月份", "产量 (t)", "能耗 (kWh)"],
    ["1月", "120", "3,400"],
    ["2月", "98", "3,100"],
    ["3月", "143", "3,900"],
    ["合计", "361", "10,400"],
]
FANS = [
    ["Model", "Air flow (m³/h)", "Noise (dB)", "Color code"],
    ["F10", "1000", "52", "Red"],
    ["F20", "2000", "58", "Blue"],
    ["F30", "3000", "61", "Green"],
]
PARTS = [
    ["部件", "检查周期", "更换周期", "负责人"],
    ["密封", "1个月", "6个月", "机修班"],
    ["轴承", "3个月", "24个月", "电气班"],
]


@pytest.mark.parametrize(
    ("question", "grid", "said"),
    [
        ("哪个月产量最高？", MONTHS, "3月 · 产量 (t)：143"),
        ("能耗最低的是几月？", MONTHS, "2月 · 能耗 (kWh)：3,100"),
        ("Which model has the largest air flow?", FANS, "F30 · Air flow (m³/h): 3000"),
        ("Which fan is the quietest?", FANS, "F10 · Noise (dB): 52"),
        ("What is the loudest model?", FANS, "F30 · Noise (dB): 61"),
    ],
)
def test_a_superlative_gives_the_row_at_that_end(question, grid, said, tokenizer):
    assert looked_up(question, grid, tokenizer)[0].statement == said


@pytest.mark.parametrize(
    ("question", "grid", "value"),
    [
        ("哪个月的产量是98 t？", MONTHS, "2月"),
        ("Which model has a noise of 58 dB?", FANS, "F20"),
        ("Which model has the color code Green?", FANS, "F30"),
        ("Welches Model hat Blue?", FANS, "F20"),
    ],
)
def test_a_value_gives_the_row_that_holds_it(question, grid, value, tokenizer):
    assert looked_up(question, grid, tokenizer)[0].value == value


@pytest.mark.parametrize(
    "question",
    ["3月的产量是多少？", "How much air does the F20 move?", "产量最高纪录保持了多久？", ""],
)
def test_other_questions_are_no_look_ups(question, tokenizer):
    assert looked_up(question, MONTHS, tokenizer) == []


def test_a_total_is_no_month(tokenizer):
    assert "合计" not in looked_up("哪个月产量最高？", MONTHS, tokenizer)[0].statement


def test_rows_that_tie_are_all_given(tokenizer):
    grid = [["Model", "Noise (dB)"], ["A1", "50"], ["B1", "50"], ["C1", "60"]]
    found = looked_up("Which model is the quietest?", grid, tokenizer)
    assert [reading.row for reading in found] == ["A1", "B1"]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("密封多久换一次？", "6个月"),
        ("密封多长时间检查一次？", "1个月"),
        ("轴承几个月更换？", "24个月"),
        ("轴承由谁负责？", "电气班"),
    ],
)
def test_the_asked_property_chooses_the_column(question, value, tokenizer):
    assert read_cells(question, PARTS, tokenizer)[0].value == value


def test_a_property_without_a_column_is_not_read_from_another(tokenizer):
    assert read_cells("密封的价格是多少？", PARTS, tokenizer) == []


CYCLES = [
    ["设备", "检修周期", "负责人"],
    ["水泵", "每6个月", "机修班"],
    ["变压器", "每24个月", "电气班"],
    ["闸门", "每年", "水工班"],
]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("检修周期最长的设备", "变压器 · 检修周期：每24个月"),
        ("检修周期最长的设备是哪个？", "变压器 · 检修周期：每24个月"),
        ("哪台设备的检修周期最短？", "水泵 · 检修周期：每6个月"),
    ],
)
def test_times_are_compared_whatever_their_unit(question, said, tokenizer):
    assert [r.statement for r in looked_up(question, CYCLES, tokenizer)] == [said]


@pytest.mark.parametrize(
    ("cell", "worth"),
    [("≈58", 58.0), ("≈58-60", None), ("58 dB", 58.0), ("1,200", 1200.0), ("2020-05", None)],
)
def test_a_range_is_no_number_whatever_stands_before_it(cell, worth):
    assert number(cell) == worth


@pytest.mark.parametrize(
    ("cell", "same"),
    [("每24个月", "2年"), ("半年", "6个月"), ("annually", "1 year"), ("每周一次", "7天")],
)
def test_times_in_other_units_are_worth_the_same(cell, same):
    assert days(cell) == pytest.approx(days(same), rel=0.01)


@pytest.mark.parametrize("cell", ["年度", "58", "密封", "2024年3月", ""])
def test_other_cells_are_no_times(cell):
    assert days(cell) is None


OVER_YEARS = [
    ["指标", "2020年", "2021年", "2022年"],
    ["营业收入", "31.2", "40.8", "40.6"],
    ["净利润", "2.10", "2.87", "3.36"],
    ["员工人数", "2,310", "2,480", "2,290"],
]
SALES = [
    ["Item", "2021", "2022", "2023"],
    ["Revenue", "31.2", "35.8", "34.6"],
    ["Net profit", "2.10", "2.87", "3.36"],
]
VALVES = [
    ["Model", "Length (mm)", "Mass (kg)", "Year built"],
    ["GV-10", "120", "3.5", "1998"],
    ["GV-20", "190", "6.1", "2004"],
    ["GV-30", "150", "4.5", "1987"],
]
PIPES = [["型号", "长 (mm)", "役龄 (年)"], ["甲", "10", "7"], ["乙", "20", "3"]]


@pytest.mark.parametrize(
    ("question", "grid", "said"),
    [
        ("哪一年净利润最高？", OVER_YEARS, "2022年 · 净利润：3.36"),
        ("员工人数最多的是哪一年", OVER_YEARS, "2021年 · 员工人数：2,480"),
        ("哪年员工人数最少？", OVER_YEARS, "2022年 · 员工人数：2,290"),
        ("Which year had the highest revenue?", SALES, "2022 · Revenue: 35.8"),
        ("In which year was net profit highest?", SALES, "2023 · Net profit: 3.36"),
    ],
)
def test_a_year_that_heads_a_column_is_found_along_the_row(question, grid, said, tokenizer):
    assert [r.statement for r in looked_up(question, grid, tokenizer)] == [said]


@pytest.mark.parametrize(
    ("question", "grid", "said"),
    [
        ("Which valve is the heaviest?", VALVES, "GV-20 · Mass (kg): 6.1"),
        ("Which valve is the lightest?", VALVES, "GV-10 · Mass (kg): 3.5"),
        ("Which valve is the longest?", VALVES, "GV-20 · Length (mm): 190"),
        ("Which is the oldest valve?", VALVES, "GV-30 · Year built: 1987"),
        ("Which valve is the newest?", VALVES, "GV-20 · Year built: 2004"),
        ("哪种最长？", PIPES, "乙 · 长 (mm)：20"),
        ("哪台最旧？", PIPES, "甲 · 役龄 (年)：7"),
    ],
)
def test_an_adjective_compares_the_column_of_its_property(question, grid, said, tokenizer):
    assert [r.statement for r in looked_up(question, grid, tokenizer)] == [said]


CARD = [
    ["简称", "", "白石泵业", "编号", "30061"],
    ["全称", "湖州白石泵业有限公司", "", "", ""],
]


def test_a_pair_beside_another_is_read_by_its_own_name(tokenizer):
    assert [r.statement for r in beside("编号", CARD, tokenizer)] == ["编号：30061"]
    assert [r.statement for r in beside("简称", CARD, tokenizer)] == ["简称：白石泵业"]


def test_the_head_of_a_column_is_no_name_beside_a_value(tokenizer):
    grid = [["名称", "数量", "单价", "金额"], ["阀门", "2", "30", "60"]]
    assert beside("单价", grid, tokenizer) == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("值班员有谁？", "值班员姓名：林河、周岭"),
        ("2021年值班员是谁？", "值班员姓名：林河、周岭"),
        ("Who are the inspectors?", "Inspectors: Nora Field, Otto Lind"),
    ],
)
def test_those_who_are_asked_for_are_listed_from_their_column(question, said, tokenizer):
    shifts = [["值班员姓名", "班次"], ["林河", "早"], ["周岭", "晚"], ["林河", "夜"], ["合计", "3"]]
    visits = [["Inspectors", "Day"], ["Nora Field", "Monday"], ["Otto Lind", "Friday"]]
    found = [r.statement for grid in (shifts, visits) for r in listed(question, grid, tokenizer)]
    assert found == [said]


def test_a_column_of_something_else_or_of_numbers_names_nobody(tokenizer):
    assert listed("站长是谁？", [["值班员", "班次"], ["林河", "早"]], tokenizer) == []
    assert listed("班次是哪些？", [["班次", "人数"], ["1", "3"], ["2", "5"]], tokenizer) == []


VESSELS = [
    ["Property", "MX-10", "MX-20", "Unit"],
    ["Test pressure", "24", "36", "bar"],
    ["Weight (empty)", "260", "1,240", "kg"],
]


def test_two_that_stand_side_by_side_are_compared_by_name(tokenizer):
    read = looked_up("Which is heavier, the MX-10 or the MX-20?", VESSELS, tokenizer)
    assert [r.value for r in read] == ["1,240"]
