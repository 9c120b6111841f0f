from hypothesis import given
from hypothesis import strategies as st

from tuwen.ingestion.tables import cut_runaway, html_of, markdown, read_table, split_rows

CELL = st.text(alphabet="甲乙ab1 |<&", max_size=8).map(str.strip)


def test_spans_are_filled_in():
    first = '<tr><td rowspan="2">a</td><td colspan=2>b</td></tr>'
    html = f"<table>{first}<tr><td>c</td><td>d</td></tr></table>"
    assert read_table(html).rows == (("a", "b", "b"), ("a", "c", "d"))


def test_head_rows_are_those_of_head_cells():
    html = "<table><tr><th>a</th></tr><tr><th>b</th></tr><tr><td>1</td></tr></table>"
    assert read_table(html).head == 2


def test_runaway_cells_are_cut_and_ordinary_repeats_are_not():
    cut, was = cut_runaway("<table><tr>" + "<td>分管</td>" * 1500 + "</tr></table>")
    assert was
    assert cut.count("分管") < 10
    ordinary = "<table><tr>" + "<td>√</td>" * 12 + "</tr></table>"
    assert cut_runaway(ordinary) == (ordinary, False)


def test_senseless_spans_do_not_fill_the_memory():
    table = read_table('<table><tr><td colspan="99999999" rowspan="99999999">a</td></tr></table>')
    assert len(table.rows) == 1
    assert len(table.rows[0]) <= 200


ROWS = st.lists(st.tuples(CELL, CELL), min_size=1, max_size=60)


@given(ROWS, st.integers(60, 400))
def test_parts_keep_every_row_whole_and_in_order_under_the_head(rows, size):
    table = read_table(html_of(tuple((str(n), *row) for n, row in enumerate(rows)), 1))
    parts = split_rows(table, size)
    head = table.rows[0]
    body = [row for part in parts for row in part.rows if row != head]
    assert body == list(table.rows[1:])
    assert all(len(markdown(part)) <= size or len(part.rows) <= 2 for part in parts)
    assert parts[0].rows[0] == head


def test_an_empty_or_broken_table_is_empty():
    for html in ("", "<table></table>", "<table><tr></tr></table>", "<tr><td>", "no table"):
        assert read_table(html).empty


def test_a_head_in_levels_is_a_head_of_several_rows():
    first = '<tr><td rowspan="2">月份</td><td colspan="2">流量</td><td rowspan="2">雨量</td></tr>'
    rows = "<tr><td>平均</td><td>最大</td></tr><tr><td>1月</td><td>2</td><td>3</td><td>4</td></tr>"
    assert read_table(f"<table>{first}{rows}</table>").head == 2
    data = '<tr><td rowspan="2">泵</td><td>流量</td></tr><tr><td>扬程</td></tr>'
    assert read_table(f"<table>{data}<tr><td>阀</td><td>口径</td></tr></table>").head == 1
