"""Rows that a question means without saying their names: ranges, comparisons, ranks, days."""

import pytest

from tuwen.agents.analyst_rules import label_spans
from tuwen.agents.extractive_comparing import compared, rank_of
from tuwen.agents.extractive_concepts import unmet_by_form
from tuwen.agents.extractive_lookup import looked_up
from tuwen.agents.extractive_ranges import in_range, span_of
from tuwen.agents.extractive_tables import read_cells
from tuwen.agents.extractive_timetable import names_day, on_weekday

FARES = [["里程", "票价（元）"], ["不足10公里", "3"], ["10至25公里", "5"], ["30公里以上", "9"]]
POSTAGE = [
    ["Weight", "Domestic ($)", "Abroad ($)"],
    ["under 2 kg", "4.10", "11.00"],
    ["2 to 5 kg", "6.30", "17.50"],
    ["over 5 kg", "9.80", "31.00"],
]
FEES = [["Loan (USD)", "Fee"], ["up to 1,000", "1%"], ["1,500 to 9,000", "0.7%"]]
BOATS = [
    ["No.", "Boat", "Hire (EUR)", "Weight (kg)"],
    ["B-11", "Canoe, two seats", "25", "32"],
    ["B-12", "Canoe, three seats", "31", "39"],
    ["B-20", "Rowing boat", "28", "80"],
]
STOVES = [["项目", "甲型", "乙型"], ["噪声", "48 dB", "52 dB"], ["功率", "900 W", "750 W"]]
LAKES = [["湖泊名称", "面积（km²）"], ["东塘湖", "310"], ["西塘湖", "870"], ["北塘湖", "550"]]
WARDS = [["科室", "医生", "诊室"], ["内科", "黄文静", "108"], ["外科", "孙立", "210"]]
SHIFTS = [
    ["班次", "周一", "周二", "周三"],
    ["第一班", "甲组", "乙组", "丙组"],
    ["第二班", "丁组", "甲组", "乙组"],
]
GYM = [
    ["Day", "Period 1", "Period 2"],
    ["Monday", "Yoga", "Boxing"],
    ["Tuesday", "Rowing", "Pilates"],
    ["Wednesday", "Judo", "Dance"],
]


@pytest.mark.parametrize(
    ("question", "grid", "value"),
    [
        ("坐18公里票价多少？", FARES, "5"),
        ("7公里的票价是多少", FARES, "3"),
        ("票价：42公里呢", FARES, "9"),
        ("What is the domestic rate for 3 kg?", POSTAGE, "6.30"),
        ("how much is 7.5 kg abroad", POSTAGE, "31.00"),
        ("What fee is charged for a loan of $2,000?", FEES, "0.7%"),
    ],
)
def test_a_number_falls_into_the_row_whose_range_holds_it(question, grid, value, tokenizer):
    assert in_range(question, grid, tokenizer).value == value


@pytest.mark.parametrize(
    ("question", "grid"),
    [
        ("27公里票价多少？", FARES),  # between two ranges
        ("票价是多少？", FARES),
        ("2019年票价多少？", FARES),
        ("坐18分钟票价多少？", FARES),
        ("什么东西价格是5元？", FARES),
        ("What is the rate for 3 kg?", POSTAGE),  # of two columns
    ],
)
def test_no_range_is_guessed(question, grid, tokenizer):
    assert in_range(question, grid, tokenizer) is None


def test_ends_of_a_range_belong_to_it_where_it_says_so():
    assert span_of("up to 1,000").holds(1000)
    assert not span_of("under 2 kg").holds(2)
    assert span_of("30公里以上").holds(30)
    assert not span_of("超过30公里").holds(30)
    assert span_of("B-12") is None


@pytest.mark.parametrize(
    ("question", "grid", "said"),
    [
        ("Which canoe is cheaper?", BOATS, "B-11 Canoe, two seats · Hire (EUR): 25"),
        ("which canoe is heavier", BOATS, "B-12 Canoe, three seats · Weight (kg): 39"),
        ("Which is cheaper, B-12 or the rowing boat?", BOATS, "B-20 Rowing boat"),
        ("cheapest boat?", BOATS, "Canoe, two seats · Hire (EUR): 25"),
        ("哪种更安静", STOVES, ""),
        ("东塘湖和北塘湖哪个大", LAKES, "北塘湖 · 面积（km²）：550"),
        ("西塘湖和东塘湖哪个面积大", LAKES, "西塘湖 · 面积（km²）：870"),
        ("第二大湖泊是哪个？", LAKES, "北塘湖 · 面积（km²）：550"),
    ],
)
def test_only_the_rows_that_are_compared_are_looked_at(question, grid, said, tokenizer):
    found = looked_up(question, grid, tokenizer)
    assert bool(found) == bool(said)
    assert not said or found[0].statement.startswith(said)


def test_columns_are_compared_where_they_are_the_things(tokenizer):
    grid = [["Property", "ST-1", "ST-2"], ["Noise", "48 dB", "52 dB"], ["Power", "900 W", "750 W"]]
    assert looked_up("Which one is quieter?", grid, tokenizer)[0].row == "ST-1"
    assert looked_up("which type has less power", grid, tokenizer) == []


def test_two_rows_are_compared_by_the_property_that_is_named(tokenizer):
    grid = [
        ["湖泊", "蓄水量", "水位"],
        ["东塘湖", "4.1", "88"],
        ["西塘湖", "3.0", "91"],
        ["海子", "9", "1"],
    ]
    assert looked_up("东塘湖和西塘湖哪个水位高", grid, tokenizer)[0].value == "91"
    assert looked_up("东塘湖和西塘湖哪个盐度高", grid, tokenizer) == []


def test_a_rank_is_not_told_by_another_table(tokenizer):
    assert looked_up("第二大湖泊是哪个？", STOVES, tokenizer) == []
    assert rank_of("第二季度的销量") is None
    assert rank_of("the third most popular boat") == (3, "")
    assert looked_up("second cheapest boat?", BOATS, tokenizer) == []
    assert looked_up("most seaworthy boat", BOATS, tokenizer) == []
    assert compared("Which canoe has three seats?") is None


def test_how_much_it_weighs_asks_for_no_price(tokenizer):
    assert read_cells("how much does the rowing boat weigh", BOATS, tokenizer)[0].value == "80"
    assert read_cells("rowing boat price", BOATS, tokenizer)[0].value == "28"


def test_how_many_are_there_is_told_below_a_head_of_numbers(tokenizer):
    grid = [
        ["房间", "物品", "数量", "状况"],
        ["门厅", "镜子", "2", "新"],
        ["阁楼", "皮箱", "3", "旧"],
    ]
    assert read_cells("皮箱有几个？", grid, tokenizer)[0].value == "3"


def test_the_second_name_of_a_row_is_read_where_it_is_asked_for(tokenizer):
    assert read_cells("外科医生是谁？", WARDS, tokenizer)[0].value == "孙立"


def test_who_answers_for_one_thing_is_not_said_of_another(tokenizer):
    grid = [["事项", "负责人"], ["合同评审会议材料", "高远"], ["设备验收", "邓洁"]]
    assert all(r.score < 0.55 for r in read_cells("谁主持了会议？", grid, tokenizer))


def test_an_extension_below_its_head_is_a_telephone_number():
    assert unmet_by_form("值班室电话多少", ["值班室 · 电话：8802"]) == []
    assert unmet_by_form("值班室电话多少", ["值班室在8802房间"]) == ["phone"]


@pytest.mark.parametrize(
    ("question", "grid", "value"),
    [
        ("星期二第二班是哪组？", SHIFTS, "甲组"),
        ("礼拜三第1班谁上", SHIFTS, "丙组"),
        ("What is on in the 2nd period on Tuesdays?", GYM, "Pilates"),
    ],
)
def test_a_day_and_a_row_name_the_cell_of_a_timetable(question, grid, value):
    assert on_weekday(question, grid).value == value


def test_a_day_alone_lists_what_is_on_it():
    hours = [
        ["时间", "周一", "周二", "周四"],
        ["9:00-10:00", "门诊", "查房", "手术"],
        ["15:00", "会诊", "教学", "门诊"],
    ]
    assert on_weekday("周二有什么班？", SHIFTS).value == "第一班 乙组、第二班 甲组"
    assert on_weekday("周四下午有哪些安排？", hours).value == "15:00 门诊"
    assert on_weekday("周四谁值班？", hours) is None
    assert names_day("周四谁值班？", hours)
    assert not names_day("周日谁值班？", hours)
    assert on_weekday("周一有会诊吗？", hours).row == "15:00"
    assert on_weekday("周四晚上有哪些安排？", hours) is None
    assert on_weekday("周二第一班", LAKES) is None


def test_a_lesson_of_a_day_is_no_section():
    assert label_spans("周四第三节是什么课？") == []
    assert [span.label.kind for span in label_spans("第三节讲了什么？")] == ["section"]
