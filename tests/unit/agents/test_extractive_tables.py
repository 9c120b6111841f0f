from hypothesis import given
from hypothesis import strategies as st

from tuwen.agents.extractive_tables import html_grids, markdown_grids, read_cells


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
