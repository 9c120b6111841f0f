import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuwen.agents.extractive_cells import asked_cells, cells, unfound
from tuwen.agents.extractive_heads import without_numbering
from tuwen.agents.extractive_tables import html_grids, markdown_grids, read_cells
from tuwen.core.analysis import Analysis


def test_spans_are_filled_with_the_spanning_text():
    html = (
        "<table><tr><th rowspan=2>a</th><th colspan=2>b</th></tr>"
        "<tr><td>c</td><td>d</td></tr></table>"
    )
    assert html_grids(html) == [[["a", "b", "b"], ["a", "c", "d"]]]


def test_a_nested_table_is_a_table_of_its_own():
    html = "<table><tr><td>x<table><tr><td>in</td></tr></table></td></tr></table>"
    grids = html_grids(html)
    assert len(grids) == 2
    assert grids[1] == [["in"]]


def test_monstrous_spans_are_bounded():
    html = "<table><tr><td rowspan=99999 colspan=99999>a</td></tr><tr><td>b</td></tr></table>"
    (grid,) = html_grids(html)
    assert len(grid) == 2
    assert len(grid[0]) <= 201


def test_pipe_tables_are_found_between_text():
    text = "before\n| a | b |\n|:-|-:|\n| 1 | 2 |\nafter\n| lonely |\n"
    assert markdown_grids(text) == [[["a", "b"], ["1", "2"]]]


def test_a_two_column_table_is_read_by_its_names(tokenizer):
    grid = [["项目", "值"], ["额定流量", "50 m3/h"], ["额定压力", "1.6 MPa"]]
    best = read_cells("额定压力是多少", grid, tokenizer)[0]
    assert best.value == "1.6 MPa"
    assert best.statement.startswith("额定压力")


def test_a_row_without_figures_in_its_first_columns_has_two_headers(tokenizer):
    grid = [["机组", "项目", "2020", "2021"], ["A", "发电量", "5", "6"], ["B", "发电量", "7", "8"]]
    best = read_cells("B 机组2021年的发电量", grid, tokenizer)[0]
    assert best.value == "8"


def test_a_question_about_something_else_reads_nothing(tokenizer):
    grid = [["型号", "重量"], ["X", "5"]]
    assert read_cells("密封的更换周期", grid, tokenizer) == []


@given(st.lists(st.lists(st.text(max_size=5), max_size=4), max_size=5))
def test_any_grid_is_read_without_an_error(grid):
    class Plain:
        def fold(self, text):
            return text.lower()

        def tokens(self, text):
            return text.lower().split()

    for reading in read_cells("a b 1", grid, Plain()):
        assert reading.score >= 0.0


def test_a_column_that_only_counts_the_rows_names_none_of_them(tokenizer):
    grid = [
        ["序号", "项目", "标准"],
        ["1.1.13", "电池尺寸", "174×72×207 mm"],
        ["1.1.14", "电池重量", "3380±50 g"],
        ["1.1.15", "循环寿命", "≥2000次"],
    ]
    for question, value in (("电池重量是多少？", "3380±50 g"), ("循环寿命是多少？", "≥2000次")):
        assert read_cells(question, grid, tokenizer)[0].value == value


def test_numbers_that_name_the_rows_are_kept():
    rows = [["流量", "扬程", "效率"], ["1.2", "30", "61"], ["1.4", "28", "65"]]
    assert without_numbering(rows) == rows
    years = [["年份", "名称", "值"], ["2019", "甲", "1"], ["2020", "乙", "2"]]
    assert without_numbering(years) == years
    assert without_numbering([["a"], ["1"]]) == [["a"], ["1"]]


def test_a_column_of_values_serves_every_row_and_its_conditions_do_not(tokenizer):
    grid = [
        ["No.", "参数 Item", "产品规格 Specification", "条件 Condition"],
        ["1.1", "电池重量 Cell weight", "3380±50 g", "N.A."],
        ["1.2", "电池内阻 ACR", "≤0.45 mΩ", "25℃, 50 % SOC"],
    ]
    for question in ("电池重量是多少？", "What is the cell weight?"):
        assert read_cells(question, grid, tokenizer)[0].value == "3380±50 g"
    assert all("SOC" not in r.value for r in read_cells("电池内阻是多少？", grid, tokenizer))


YEARS = """| 指标 | 2020年 | 2021年 | 2022年 | 2023年 |
|---|---|---|---|---|
| 营业收入 | 31.2 | 35.8 | 40.6 | 44.1 |
| 净利润 | 2.10 | 2.87 | 3.36 | 3.05 |
| 员工人数 | 2,310 | 2,480 | 2,590 | 2,655 |"""
SEGMENTS = """| 业务 | 收入（亿元） | 占比 | 毛利率 |
|---|---|---|---|
| 液压系统 | 18.2 | 41% | 25% |
| 电气系统 | 12.0 | 27% | 31% |"""
VALVES = """| Model | DN | Length (mm) | Weight (kg) |
|---|---|---|---|
| GV-10 | 10 | 120 | 3.5 |
| GV-20 | 20 | 150 | 4.5 |
| GV-30 | 30 | 190 | 6.1 |"""
PUMPS = """| Pump | Rated flow (m³/h) | Head (m) | Mass (kg) |
|---|---|---|---|
| ABC-200 | 20 | 32 | 80 |
| ABC-320 | 32 | 45 | 95 |
| ABC-450 | 45 | 60 | 130 |"""
PLANTS = """| 参数 | 甲厂 | 乙厂 |
|---|---|---|
| 主蒸汽温度 (℃) | 540 | 560 |
| 给水温度 (℃) | 230 | 250 |"""


@pytest.fixture
def told(tokenizer, passage):
    """The values told, and the combinations that no table has."""

    def run(question, text, *, several=True, **fields):
        analysis = Analysis(question=question, rewritten=question, queries=(question,))
        found, missing = asked_cells(
            analysis, question, [passage(1, text, **fields)], (), tokenizer, several=several
        )
        return [reading.value for _, reading in found], missing

    return run


@pytest.mark.parametrize(
    ("question", "text", "values"),
    [
        ("2022年和2023年员工人数分别是多少？", YEARS, ["2,590", "2,655"]),
        ("2022年和2023年的员工人数分别是多少？", YEARS, ["2,590", "2,655"]),
        ("2020年营业收入和净利润", YEARS, ["31.2", "2.10"]),
        ("液压系统的收入和占比", SEGMENTS, ["18.2", "41%"]),
        ("液压系统和电气系统的占比分别是多少？", SEGMENTS, ["41%", "27%"]),
        ("液压系统收入和占比", SEGMENTS, ["18.2", "41%"]),
        ("液压系统和电气系统收入", SEGMENTS, ["18.2", "12.0"]),
        ("请问液压系统业务的收入以及占比是多少？", SEGMENTS, ["18.2", "41%"]),
        ("液压系统的收入是多少，占比多少？", SEGMENTS, ["18.2", "41%"]),
        ("Compare the head of ABC-200 and ABC-450", PUMPS, ["32", "60"]),
        ("ABC-200 flow and head", PUMPS, ["20", "32"]),
        ("收入和毛利率", SEGMENTS, ["18.2", "12.0", "25%", "31%"]),
        ("甲厂的主蒸汽温度和给水温度", PLANTS, ["540", "230"]),
        ("DN of GV-10 and GV-30", VALVES, ["10", "30"]),
        ("Length and mass of GV-10 and GV-30", VALVES, ["120", "190", "3.5", "6.1"]),
        (
            "flow and mass of ABC-200 and ABC-450 respectively",
            PUMPS,
            ["20", "45", "80", "130"],
        ),
        ("head of ABC-200, ABC-320 and ABC-450", PUMPS, ["32", "45", "60"]),
        ("ABC-200's flow and head", PUMPS, ["20", "32"]),
    ],
)
def test_every_asked_row_and_column_is_told_and_no_other(question, text, values, told):
    assert told(question, text) == (values, [])


@pytest.mark.parametrize(
    ("question", "text", "values", "missing"),
    [
        ("2022年和2024年的净利润是多少？", YEARS, ["3.36"], [("净利润", "2024")]),
        ("DN of GV-10 and GV-99", VALVES, ["10"], [("DN", "GV-99")]),
        ("GV-10 和 GV-1 的 DN", VALVES, ["10"], [("GV-1", "DN")]),
        ("电气系统的占比和利润总额", SEGMENTS, ["27%"], [("电气系统", "利润总额")]),
    ],
)
def test_what_no_table_has_is_named(question, text, values, missing, told):
    assert told(question, text) == (values, missing)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("2022年和2023年净利润相差多少？", YEARS),
        ("2020年至2023年的净利润和营业收入", YEARS),
        ("液压系统和电气系统的收入之和", SEGMENTS),
        ("液压系统和电气系统哪个收入高", SEGMENTS),
        ("丙厂的主蒸汽温度和给水温度", PLANTS),
        ("2024年的净利润和营业收入", YEARS),
        ("GV-40 的 DN 和重量", VALVES),
        ("difference in head between ABC-200 and ABC-320", PUMPS),
        ("液压系统的收入", SEGMENTS),
        ("维修和保养的要求", SEGMENTS),
    ],
)
def test_what_is_worked_out_or_of_others_is_not_read_as_several_cells(question, text, told):
    assert told(question, text) == ([], [])


def test_a_table_of_one_thing_that_its_title_names_needs_no_row_for_it(told):
    text = "| 参数 | 数值 |\n|---|---|\n| 额定流量 | 50 |\n| 额定压力 | 1.6 |"
    question = "给水泵的额定流量和额定压力"
    assert told(question, text, title="给水泵手册") == (["50", "1.6"], [])
    assert told(question, text, title="循环泵手册") == ([], [])


def test_a_row_without_a_year_is_given_with_the_latest_six(told):
    assert told("净利润是多少？", YEARS, several=False)[0] == ["2.10", "2.87", "3.36", "3.05"]
    heads = " | ".join(str(year) for year in range(2015, 2024))
    values = " | ".join(str(n) for n in range(1, 10))
    text = f"| Item | {heads} |\n|{'---|' * 10}\n| Staff | {values} |"
    assert told("What was the staff?", text, several=False)[0] == ["4", "5", "6", "7", "8", "9"]
    assert told("毛利率是多少？", YEARS, several=False) == ([], [])
    assert told("收入是多少？", SEGMENTS, several=False) == ([], [])


def test_what_is_not_found_is_said_by_a_sentence_or_by_name(passage):
    passages = [passage(1, "乙泵的扬程为 30 m。")]
    assert unfound("甲泵和乙泵的扬程", [("乙泵", "扬程")], passages) == [(1, "乙泵的扬程为 30 m。")]
    missing = [("净利润", "2024")]
    assert unfound("2023年和2024年净利润", missing, passages) == [(0, "没有找到：2024年净利润")]
    assert unfound("DN of A-1 and A-9", [("DN", "A-9")], passages) == [(0, "Not found: DN of A-9")]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("气动系统的占比是多少？", []),
        ("电气系统的占比是多少？", ["27%"]),
        ("液压系统业务的占比是多少？", ["41%"]),
    ],
)
def test_a_row_is_not_read_for_its_namesake(question, values, tokenizer, passage):
    analysis = Analysis(question=question, rewritten=question, queries=(question,))
    found = cells(analysis, question, [passage(1, SEGMENTS)], (), tokenizer)
    assert [reading.value for _, reading in found] == values
