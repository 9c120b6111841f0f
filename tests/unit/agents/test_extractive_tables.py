from hypothesis import given
from hypothesis import strategies as st

from tuwen.agents.extractive_tables import (
    html_grids,
    markdown_grids,
    read_cells,
    without_numbering,
)


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
