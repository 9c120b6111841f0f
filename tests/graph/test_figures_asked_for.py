"""Figures asked for as people ask for them, as whole runs without a model."""

import pytest

from tests.graph.talking import Talk, take_in
from tests.unit.ingestion.builders import png

pytestmark = pytest.mark.integration

PUMPS = """# Dosing plant

The plant doses lime in three basins.

![Figure 1: Framework of the dosing control with its sensors]({picture}1.png)

![Figure 2: Turbidity of the raw water in the months of 2022]({picture}2.png)

Table 1: Settings of the pumps

| pump | dose (mg/l) |
|---|---|
| north | 12 |
| south | 9 |
"""
HARBOUR = """# Harbour survey

The harbour was sounded twice.

![Figure 1: Depth along the quay]({picture}1.png)

![Figure 3: Ships that called at the quay by month]({picture}2.png)
"""

DRILLS = """# 力学习题

## 1.1 力的合成

9. 两根绳吊起一块木板，求绳的拉力。

![第9题图]({picture}1.png)

## 1.2 力矩的平衡

9. 一根杠杆支在墙上，求支点的位置。

![第9题图]({picture}2.png)
"""


@pytest.fixture(scope="module")
def plants(tmp_path_factory, store):
    folder = tmp_path_factory.mktemp("plants")
    for name, text in (("plant", PUMPS), ("harbour", HARBOUR), ("drills", DRILLS)):
        for number in (1, 2):
            (folder / f"{name}{number}.png").write_bytes(png(300, 200, 10 * len(name) + number))
        (folder / f"{name}.md").write_text(text.format(picture=name), encoding="utf-8")
    take_in(store, folder / "plant.md", folder / "harbour.md", collection="plants")
    take_in(store, folder / "drills.md", collection="drills")
    return store


def shown(turn):
    return [image["label"] or image["caption"] for image in turn.finish["images"]]


@pytest.fixture
def report(store):
    return Talk(store, collection="report")


async def test_a_figure_on_a_page_is_shown_and_none_is_said_to_be_none(report):
    assert shown(await report.say("第9页有哪些图？")) == ["图3.1", "图3.2"]
    gone = await report.say("第3页的图")
    assert shown(gone) == []
    assert "没有图" in gone.answer


async def test_the_nth_figure_then_the_next_then_its_page(report):
    assert shown(await report.say("年报的第二张图是什么？")) == ["图2.1"]
    assert shown(await report.say("下一张图呢？")) == ["图2.2"]
    page = await report.say("这张图在第几页？")
    assert "第 5 页" in page.answer


async def test_a_figure_is_found_by_what_it_shows_in_the_other_language(report):
    assert shown(await report.say("Show me the cross-section of the dam")) == ["图2.4"]
    assert shown(await report.say("Show me the rainfall chart")) == ["图1.1"]
    inspected = "Is there a flow chart of what to do when an inspection finds something abnormal?"
    assert shown(await report.say(inspected)) == ["图3.2"]


async def test_a_picture_of_another_kind_is_found_by_its_kind(plants):
    talk = Talk(plants, collection="plants")
    assert shown(await talk.say("Show me the overall architecture of the dosing plant")) == [
        "Figure 1"
    ]
    assert shown(await talk.say("What does the flow of raw water look like by turbidity?")) == [
        "Figure 2"
    ]


async def test_a_figure_that_is_not_there_is_said_to_be_missing(report):
    turn = await report.say("有没有厂长的照片？")
    assert shown(turn) == []
    assert "figure_missing" in turn.codes
    assert turn.answer.startswith("没有找到与问题相符的图或表。")


async def test_quotes_of_a_picture_that_is_not_there_are_no_full_answer(report):
    turn = await report.say("Show me a photo of the spillway at night")
    assert shown(turn) == []
    assert turn.answer.startswith("No figure or table fits the question.")
    assert turn.answer.count("No figure or table") == 1
    assert turn.finish["verdict"] in ("partly", "abstained")


async def test_a_label_of_two_documents_is_that_of_the_one_that_is_spoken_of(plants):
    talk = Talk(plants, collection="plants")
    turn = await talk.say("加药控制那篇的图1")
    assert [image["source"] for image in turn.finish["images"]] == ["Dosing plant"]
    other = await Talk(plants, collection="plants").say("Figure 1 of the paper on ships and depth")
    assert [image["source"] for image in other.finish["images"]] == ["Harbour survey"]


async def test_a_described_figure_is_not_the_one_shown_before(report):
    assert shown(await report.say("图3.1是什么？")) == ["图3.1"]
    assert shown(await report.say("坝前水位过程线那张图")) == ["图2.1"]


async def test_the_picture_of_an_exam_item_is_that_of_the_named_section(plants):
    turn = await Talk(plants, collection="drills").say("力矩的平衡 第9题的图给我看看")
    (image,) = turn.finish["images"]
    second = [f for f in plants.catalog.figures([image["id"]]) if "1.2" in f.section_path]
    assert (image["label"], len(second)) == ("第9题图", 1)


async def test_a_short_question_takes_over_what_was_asked_to_be_seen(plants):
    talk = Talk(plants, collection="plants")
    await talk.say("Harbour survey: show the picture of depth along the quay")
    turn = await talk.say("and what page is it on?")
    assert shown(turn) == ["Figure 1"]
