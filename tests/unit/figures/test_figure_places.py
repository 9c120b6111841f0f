"""Figures asked for by where they stand: a page, a slide, the n-th one, the next one."""

import pytest

from tests.unit.figures.test_select_figures import figure
from tuwen.tools.figure_places import after, asked_next, asked_place, nothing_there, standing_at

OWN = [
    figure(1, "图1", "取水口", page=2),
    figure(2, "图2", "泵房", page=4),
    figure(3, "表1", "水质", page=4, kind="table"),
    figure(4, "图10", "管网", page=9),
    figure(5, "图3", "清水池", page=7),
]


@pytest.mark.parametrize(
    ("question", "kind", "page"),
    [
        ("水厂手册第4页的图", "picture", 4),
        ("报告第十二页有哪些表格？", "table", 12),
        ("Which diagrams are on page 9 of the pump manual?", "picture", 9),
        ("show me the table on slide 3", "table", 3),
    ],
)
def test_a_figure_on_a_page_is_asked_for(question, kind, page):
    place = asked_place(question)
    assert place is not None
    assert (place.kind, place.page) == (kind, page)


@pytest.mark.parametrize(
    ("question", "kind", "nth"),
    [
        ("水厂手册的第二张图", "picture", 2),
        ("第三个表格说了什么", "table", 3),
        ("最后一张图是什么", "picture", -1),
        ("the second chart in the harbour report", "picture", 2),
        ("What is the last table of the lease?", "table", -1),
    ],
)
def test_the_nth_figure_is_asked_for(question, kind, nth):
    place = asked_place(question)
    assert place is not None
    assert (place.kind, place.nth) == (kind, nth)


@pytest.mark.parametrize(
    "question",
    [
        "第4页讲了什么",
        "图书馆第二层开到几点？",
        "这张图在第几页？",
        "On page 3 the firm says that revenue fell. Why?",
        "the last figure",
        "第二章的要求是什么",
    ],
)
def test_other_questions_name_no_place(question):
    assert asked_place(question) is None


def test_all_figures_of_a_page_are_found_and_no_table_among_them():
    assert [f.figure_id for f in standing_at(asked_place("第4页的图"), OWN)] == ["f2"]
    assert [f.figure_id for f in standing_at(asked_place("第4页的表"), OWN)] == ["f3"]


def test_decoration_is_no_figure_of_a_page():
    logo = figure(9, "", "", page=4, decoration=True)
    assert [f.figure_id for f in standing_at(asked_place("page 4's picture"), [logo, *OWN])] == [
        "f2"
    ]


def test_the_last_and_the_second_of_numbered_figures():
    assert [f.figure_id for f in standing_at(asked_place("第二张图"), OWN)] == ["f2"]
    assert standing_at(asked_place("第五张图"), OWN) == []


def test_the_next_one_is_the_next_number_of_its_kind():
    step = asked_next("那下一张图呢？")
    assert step is not None
    assert [f.figure_id for f in after(step, OWN[1], OWN)] == ["f5"]
    assert after(asked_next("and the next one?"), OWN[2], OWN) == []


@pytest.mark.parametrize(
    "message", ["下一条呢", "下一步怎么做？", "What happens in the next phase?"]
)
def test_the_next_of_something_else_is_no_figure(message):
    assert asked_next(message) is None


def test_that_a_page_has_none_is_said_with_the_nearest():
    zh = nothing_there(asked_place("第3页的图"), "水厂手册", OWN, "zh")
    assert zh.text == "《水厂手册》第 3 页没有图。最近的在第 2、4、7 页。"
    en = nothing_there(asked_place("the ninth table"), "Pumps", OWN, "en")
    assert en.text == "Pumps has only 1 table."
