import pytest

from tuwen.agents.row_answer import row_lines
from tuwen.agents.row_question import RowAsked, row_asked

FLEET = """| Year ended 31 March | 2021 | 2020 |
|---|---|---|
| Ferry division: | | |
| Ticket income | 410 | 395 |
| Total | 520 | 515 |
| Freight division: | | |
| Ticket income | 12 | 15 |
| Total | 230 | 261 |
| Total income | 750 | 776 |"""
WATER = """| 项目 | 2021年度 | 2020年度 | 2021年同比增长率 |
|---|---|---|---|
| 一、供水收入 | 880 | 910 | -3.3% |
| 其中：居民供水收入 | 300 | 280 | 7.1% |
| 流动资产合计 | 95 | 91 | 4.4% |"""


def said(question, passages):
    asked = row_asked(question)
    return [text for _, text in row_lines(asked, passages)] if asked else []


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("2021年供水收入是多少？", RowAsked("供水收入", ("2021",))),
        ("2021年末的流动资产合计是多少", RowAsked("流动资产合计", ("2021",))),
        ("2021年供水收入比2020年增加了吗？", RowAsked("供水收入", ("2021", "2020"), True)),
        ("2021年供水收入比上年多还是少？", RowAsked("供水收入", ("2021",), True)),
        ("What was ticket income in fiscal 2021?", RowAsked("ticket income", ("2021",))),
        ("Did total income fall in 2021?", RowAsked("total income", ("2021",), True)),
        (
            "Did ticket income increase in 2021 compared to 2020?",
            RowAsked("ticket income", ("2021", "2020"), True),
        ),
        ("Lark B 的 2021 年航次是多少？", RowAsked("Lark B的航次", ("2021",))),
        ("谁负责供水？", None),
        ("站长供水多少？", None),
        ("How does the ferry dock?", None),
    ],
)
def test_the_item_and_the_years_are_read_from_the_question(question, asked):
    assert row_asked(question) == asked


def test_the_row_of_the_very_item_answers_and_not_a_part_of_it(passage):
    assert said("2021年供水收入是多少？", [passage(1, WATER)]) == ["一、供水收入 · 2021年度：880"]
    assert said("What was total income in 2020?", [passage(1, FLEET)]) == [
        "Total income · 2020: 776"
    ]


def test_an_item_that_no_row_has_gets_no_other_row(passage):
    assert said("2021年工业供水收入是多少？", [passage(1, WATER)]) == []
    assert said("What was parking income in 2021?", [passage(1, FLEET)]) == []


def test_a_total_is_that_of_the_group_named(passage):
    lines = said("What was the freight division total in 2021?", [passage(1, FLEET)])
    assert lines == ["Freight division · Total · 2021: 230"]


def test_rows_of_one_name_are_told_apart_by_their_group(passage):
    lines = said("What was ticket income in 2021?", [passage(1, FLEET)])
    assert lines == [
        "Ferry division · Ticket income · 2021: 410",
        "Freight division · Ticket income · 2021: 12",
    ]


@pytest.mark.parametrize(
    ("question", "text", "verdict"),
    [
        ("2021年供水收入比2020年增加了吗？", WATER, "2021年与2020年相比减少：880 < 910"),
        ("2021年居民供水收入比上年多还是少？", WATER, "2021年与2020年相比增加：300 > 280"),
        (
            "Did total income increase in 2021?",
            FLEET,
            "Less in 2021, compared with 2020: 750 < 776",
        ),
    ],
)
def test_a_rise_or_fall_is_told_from_both_figures(passage, question, text, verdict):
    *figures, last = said(question, [passage(1, text)])
    assert last == verdict
    assert len(figures) == 2


def test_a_year_that_the_table_lacks_is_not_told(passage):
    assert said("2018年供水收入是多少？", [passage(1, WATER)]) == []
    assert said("Did total income fall in 2020?", [passage(1, FLEET)]) == []


def test_a_table_that_goes_on_has_the_heads_of_its_beginning(passage):
    html = (
        "<table><tr><td>Item</td><td>2021</td><td>2020</td></tr>"
        "<tr><td>Moorings</td><td>4</td><td>5</td></tr></table>"
        "<table><tr><td>Pilotage</td><td>7</td><td>9</td></tr>"
        "<tr><td>Total dues</td><td>11</td><td>14</td></tr></table>"
    )
    found = passage(1, "", html=html, chunk_type="table")
    assert said("What were total dues in 2020?", [found]) == ["Total dues · 2020: 14"]
    assert said("What was pilotage in 2021?", [found]) == ["Pilotage · 2021: 7"]


def test_a_row_below_no_year_is_told_only_for_the_year_of_its_document(passage):
    html = (
        "<table><tr><td>Wages</td><td>31</td></tr><tr><td>Total costs</td><td>64</td></tr></table>"
    )
    found = passage(1, "", html=html, chunk_type="table", title="harbour_2021_report")
    assert said("What were total costs in 2021?", [found]) == ["Total costs: 64"]
    assert said("What were total costs in 2019?", [found]) == []


def test_cells_beside_their_columns_are_read_in_the_order_of_the_heads(passage):
    html = (
        "<table><tr><td>项目</td><td></td><td>2021年</td><td></td><td>2020年</td><td></td></tr>"
        "<tr><td></td><td>码头收入</td><td></td><td>81</td><td></td><td>64</td></tr>"
        "<tr><td></td><td>收入合计</td><td>97</td><td></td><td></td><td>72</td></tr></table>"
    )
    found = passage(1, "", html=html, chunk_type="table")
    assert said("2020年收入合计是多少？", [found]) == ["收入合计 · 2020年：72"]
    assert said("2021年码头收入是多少？", [found]) == ["码头收入 · 2021年：81"]


def test_days_at_the_head_of_columns_are_heads(passage):
    text = "| 项目 | 2021-6-30 | 2020-12-31 |\n|---|---|---|\n| 码头资产 | 81 | 64 |"
    assert said("2020年末码头资产是多少？", [passage(1, text)]) == ["码头资产 · 2020-12-31：64"]


def test_years_on_lines_above_a_table_are_the_heads_of_its_columns(passage):
    html = (
        "<table><tr><td>Dues</td><td>81</td><td>64</td><td>27%</td></tr>"
        "<tr><td>Pilotage</td><td>9</td><td>8</td><td>13%</td></tr></table>"
    )
    text = "Port results\n(In thousands)\n2021\n2020\nThe dues are net.\n| Dues | 81 | 64 | 27% |"
    found = passage(1, text, html=html, chunk_type="table")
    assert said("What was pilotage in 2020?", [found]) == ["Pilotage · 2020: 8"]
    assert said("Did dues increase in 2021?", [found])[-1].startswith("More in 2021")
    assert said("What was pilotage in 2019?", [found]) == []


def test_initials_are_met_by_the_words_of_a_row(passage):
    text = "| Item | 2021 | 2020 |\n|---|---|---|\n| Gross berth tonnage | 81 | 64 |"
    assert said("What was GBT in 2021?", [passage(1, text)]) == ["Gross berth tonnage · 2021: 81"]
    assert said("What was GRT in 2021?", [passage(1, text)]) == []


def test_the_whole_is_what_most_tables_have_under_either_name(passage):
    part = "| Ferry results | 2021 | 2020 |\n|---|---|---|\n| Income | 9 | 8 |\n| Costs | 5 | 4 |"
    whole = "| Port | 2021 | 2020 |\n|---|---|---|\n| Total income | 90 | 80 |\n| Costs | 50 | 40 |"
    again = whole.replace("Port", "Summary").replace("| Costs | 50 | 40 |", "| Wages | 7 | 6 |")
    held = [passage(1, part), passage(2, whole), passage(3, again)]
    assert said("What was income in 2021?", held) == ["Total income · 2021: 90"]


def test_a_day_beside_a_year_heads_columns(passage):
    text = (
        "|  | As of May 1, 2021 | 2020 |\n|---|---|---|\n| Short-term dues: | | |\n"
        "| Tugs | 5 | 4 |\n| Total short-term dues | 81 | 64 |"
    )
    assert said("What were total short-term dues in 2020?", [passage(1, text)]) == [
        "Total short-term dues · 2020: 64"
    ]


def test_a_whole_year_goes_before_a_part_of_it(passage):
    quarter = "| Item | Three Months Ended June 30, 2021 |\n|---|---|\n| Dues | 9 |\n| Fees | 2 |"
    year = "| Item | Year ended June 30, 2021 |\n|---|---|\n| Dues | 40 |\n| Fees | 8 |"
    lines = said("What were dues in 2021?", [passage(1, quarter), passage(2, year)])
    assert lines == ["Dues · Year ended June 30, 2021: 40"]


def test_a_cost_is_met_by_a_row_that_does_not_call_it_one(passage):
    text = "| Item | 2021 | 2020 |\n|---|---|---|\n| Dredging | 81 | 64 |"
    assert said("What was dredging expense in 2020?", [passage(1, text)]) == ["Dredging · 2020: 64"]


def test_the_owner_in_front_of_an_item_is_the_documents(passage):
    text = "| Item | 2021 | 2020 |\n|---|---|---|\n| Tug hours | 81 | 64 |"
    own = passage(1, text, title="Eastport Harbour 2021 results")
    assert said("What were Eastport's tug hours in 2021?", [own]) == ["Tug hours · 2021: 81"]
    assert said("What were Westport's tug hours in 2021?", [own]) == []


def test_a_count_is_met_by_a_row_that_sums_up_a_little_more(passage):
    text = "| 岗位 | 人数 |\n|---|---|\n| 船员 | 9 |\n| 岸上职工的数量合计（人） | 31 |"
    found = passage(1, text, title="青川港2021年报")
    assert said("2021年职工总数是多少？", [found]) == ["岸上职工的数量合计（人） · 人数：31"]
    assert said("2021年引航员总数是多少？", [found]) == []


def test_a_total_of_other_things_stands_under_no_group(passage):
    text = (
        "| Item | 2021 | 2020 |\n|---|---|---|\n| Tug leases | | |\n| Rent | 5 | 4 |\n"
        "| Total harbour cost | 81 | 64 |"
    )
    assert said("What was total harbour cost in 2021?", [passage(1, text)]) == [
        "Total harbour cost · 2021: 81"
    ]


@pytest.mark.parametrize(
    ("new", "old", "said_of_it"),
    [("7", "4", "More"), ("4", "7", "Less"), ("(9)", "(3)", "Less"), ("$(3)", "12", "Less")],
)
def test_rise_and_fall_hold_for_single_digits_and_for_figures_below_zero(
    passage, new, old, said_of_it
):
    table = f"| Year | 2021 | 2020 |\n|---|---|---|\n| Boats in service | {new} | {old} |"
    told = said("Did boats in service increase in 2021?", [passage(1, table)])
    assert told[-1].startswith(f"{said_of_it} in 2021, compared with 2020")


FERRIES = """| Ferry | 2021 trips | 2022 trips | Crew |
|---|---|---|---|
| Lark | 410 | 395 | 12 |
| Gull | 52 | 61 | 4 |"""
HARBOURS = """| 码头 | 2021年客流量 | 2022年客流量 |
|---|---|---|
| 东码头 | 410 | 395 |
| 西码头 | 52 | 61 |"""


@pytest.mark.parametrize(
    ("question", "table", "lines"),
    [
        (
            "Did trips of the Lark ferry increase in 2022?",
            FERRIES,
            [
                "Lark · trips · 2022: 395",
                "Lark · trips · 2021: 410",
                "Less in 2022, compared with 2021: 395 < 410",
            ],
        ),
        (
            "Was the number of trips of Gull higher in 2022 than in 2021?",
            FERRIES,
            [
                "Gull · trips · 2022: 61",
                "Gull · trips · 2021: 52",
                "More in 2022, compared with 2021: 61 > 52",
            ],
        ),
        ("What were the trips of Gull in 2021?", FERRIES, ["Gull · trips · 2021: 52"]),
        ("2021年西码头客流量是多少？", HARBOURS, ["西码头 · 客流量 · 2021年：52"]),
        (
            "2022年东码头客流量比2021年增加了吗？",
            HARBOURS,
            [
                "东码头 · 客流量 · 2022年：395",
                "东码头 · 客流量 · 2021年：410",
                "2022年与2021年相比减少：395 < 410",
            ],
        ),
        ("Did the crew of Lark increase in 2022?", FERRIES, []),
        ("Did trips of the Swan increase in 2022?", FERRIES, []),
    ],
)
def test_a_measure_of_several_years_of_one_row(passage, question, table, lines):
    assert said(question, [passage(1, table)]) == lines


WEEKS = """| | 13 weeks ended July 2022 | 52 weeks ended July 2022 | 52 weeks ended July 2021 |
|---|---|---|---|
| Catch | 95 | 410 | 395 |
| Catch (as a percentage of sales) | 9% | 12% | 11% |"""


def test_a_quarter_of_weeks_and_a_share_are_no_figure_of_the_year(passage):
    assert said("What was the catch in 2022?", [passage(1, WEEKS)]) == [
        "Catch · 52 weeks ended July 2022: 410"
    ]
    assert said("Did the catch increase in 2022?", [passage(1, WEEKS)])[-1] == (
        "More in 2022, compared with 2021: 410 > 395"
    )
