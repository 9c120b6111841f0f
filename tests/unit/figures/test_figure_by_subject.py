"""A figure asked for by what it shows: meaning, kind and words decide, and none is none."""

import pytest

from tests.unit.figures.test_select_figures import chunk, figure, tokens
from tuwen.agents.analyst_rules import label_spans, picture_wish, question_type
from tuwen.core.analysis import Analysis, Focus
from tuwen.core.settings import FigureSettings
from tuwen.tools.figure_kinds import is_kind, same_kind, subject, wanted_kind, wishes_of
from tuwen.tools.figure_nearness import OTHER_TONGUE, SAME_TONGUE, nearness, nearness_across
from tuwen.tools.figures_by_meaning import Meaning
from tuwen.tools.select_figures import select_figures

PLANT = figure(1, "Figure 1", "Framework of the dosing control", kind="image")
CURVE = figure(2, "Figure 2", "Turbidity over time", kind="chart")
TABLE = figure(3, "Table 1", "Settings of the pumps", kind="table")


def chosen(question, near, *, titles=(), figures=(PLANT, CURVE, TABLE)):
    analysis = Analysis(question=question, rewritten=question, queries=(question,), wish="weak")
    selection = select_figures(
        question,
        analysis,
        [],
        figures,
        None,
        Focus(),
        tokens,
        FigureSettings(),
        meaning=Meaning(near, titles),
    )
    return [c.figure.figure_id for c in selection.figures], [n.code for n in selection.notices]


def test_a_near_figure_in_the_other_language_is_shown():
    assert chosen("给我看加药控制的整体架构图", {"f1": 0.95, "f2": 0.7}) == (["f1"], [])
    assert chosen("浊度变化的曲线", {"f1": 0.8, "f2": 0.9}) == (["f2"], [])


def test_a_table_is_no_picture_and_a_picture_no_table():
    assert chosen("给我看加药泵的图", {"f3": 1.2, "f1": 0.9}) == (["f1"], [])
    assert chosen("加药泵的参数设置表", {"f1": 1.2, "f3": 0.9}) == (["f3"], [])


def test_what_is_far_from_all_figures_is_said_to_be_missing():
    assert chosen("有没有厂区的卫星照片？", {"f1": 0.6, "f2": 0.5}) == ([], ["figure_missing"])
    assert chosen("Show me a photo of the director", {"f1": 0.4}) == ([], ["figure_missing"])


def test_the_name_of_a_document_makes_none_of_its_figures_the_one():
    named = figure(4, "Figure 4", "MIRA compared with its rivals", doc_title="MIRA", kind="chart")
    near = {"f4": 0.55}
    assert chosen("Show me a photo of MIRA's founder", near, titles=["MIRA"], figures=[named]) == (
        [],
        ["figure_missing"],
    )


@pytest.mark.parametrize(
    ("question", "caption"),
    [
        ("有没有总体架构图", "Overview of the controller"),
        ("Show the workflow", "加药流程"),
        ("两者的相关性散点图", "Correlation of dose and turbidity"),
        ("a comparison of the two pumps", "两种泵的对比"),
    ],
)
def test_kinds_of_pictures_have_names_in_both_languages(question, caption):
    assert same_kind(question, caption)


def test_other_kinds_are_not_alike():
    assert not same_kind("有没有总体架构图", "Turbidity over time")
    assert not same_kind("Show the pie chart", "Photograph of the intake")


def test_what_kind_of_thing_is_asked_for():
    assert wanted_kind("给我看水位的图") == "picture"
    assert wanted_kind("哪张表列出了水质？") == "table"
    assert wanted_kind("What does it show?") == "any"
    assert wanted_kind("代表大会的照片") == "picture"
    assert is_kind(figure(7, "Figure 7", "x", kind="table"), "picture")


def test_two_things_asked_for_at_once_are_two_wishes():
    assert wishes_of("给我看厂区平面图和水质表") == ["给我看厂区平面图", "水质表"]
    assert wishes_of("the intake diagram and the table of doses") == [
        "the intake diagram",
        "table of doses",
    ]
    assert wishes_of("给我看流量和水位的图") == ["给我看流量和水位的图"]


def test_nearness_is_of_the_best_part_and_on_one_scale():
    parts = [chunk(1, "Doses | mg/l", figure_id="f1"), chunk(2, "用药量", figure_id="f2")]
    near = nearness("dose table", [("c1", SAME_TONGUE), ("c2", OTHER_TONGUE)], parts)
    assert near == {"f1": pytest.approx(1.0), "f2": pytest.approx(1.0)}


@pytest.mark.parametrize(
    "question",
    [
        "泵房有没有平面图？",
        "What does the intake look like?",
        "清水池长什么样",
        "各厂水质对比表",
        "Is there a workflow of the dosing?",
        "阀门的外形图纸",
        "Where is the comparison of the two pumps?",
    ],
)
def test_to_see_something_is_a_wish(question):
    assert picture_wish(question, label_spans(question), question_type(question, ())) == "weak"


@pytest.mark.parametrize(
    "question",
    ["谁是法定代表？", "图书馆几点开门？", "Where is the pump house?", "这表示什么意思？"],
)
def test_other_questions_wish_for_no_picture(question):
    assert picture_wish(question, label_spans(question), question_type(question, ())) == "none"


@pytest.mark.parametrize(
    ("question", "bare"),
    [
        ("Show me the drawing of the weaving loom", "drawing of the weaving loom"),
        (
            "Is there a picture of how the tide rose over the night?",
            "how the tide rose over the night",
        ),
        ("Which table lists the looms?", "lists the looms"),
        ("有没有织机的照片？", "织机"),
        ("给我看染缸的示意图", "染缸"),
        ("看看各厂产量的柱状图", "各厂产量"),
        ("图", "图"),
    ],
)
def test_what_is_to_be_seen_stands_without_the_words_that_ask_for_it(question, bare):
    assert subject(question) == bare


def test_a_caption_of_the_other_language_counts_for_more_when_it_is_far_ahead():
    captions = {"f1": "织机", "f2": "染缸", "f3": "仓库"}
    ahead = nearness_across({"f1": 0.26, "f2": 0.1, "f3": 0.08}, captions)
    close = nearness_across({"f1": 0.26, "f2": 0.25, "f3": 0.08}, captions)
    assert ahead["f1"] > 1 > close["f1"]
    assert ahead["f2"] == pytest.approx(0.1 / 0.26 * close["f1"], rel=0.1)


def test_the_same_caption_in_two_documents_is_not_behind_itself():
    near = nearness_across(
        {"f1": 0.3, "f2": 0.3, "f3": 0.1}, {"f1": "织机", "f2": "织机", "f3": "仓库"}
    )
    assert near["f1"] == near["f2"] > 1
    assert nearness_across({}, {}) == {}
