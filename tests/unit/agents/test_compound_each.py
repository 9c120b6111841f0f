import pytest

from tuwen.agents.compound import split_compound


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("泵甲和泵乙的额定流量分别是多少？", ["泵甲的额定流量是多少？", "泵乙的额定流量是多少？"]),
        ("一号机、二号机与三号机分别多重？", ["一号机多重？", "二号机多重？", "三号机多重？"]),
        ("2021年和2022年的发电量各是多少？", ["2021年的发电量是多少？", "2022年的发电量是多少？"]),
    ],
)
def test_what_is_asked_of_each_subject_is_asked_one_by_one(question, parts):
    assert split_compound(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "泵甲和泵乙的总流量是多少？",
        "和平站的流量分别是多少？",
        "它和泵乙的流量分别是多少？",
        "2022年和2023年员工人数分别是多少？",
    ],
)
def test_one_sum_one_name_and_a_pronoun_are_not_cut(question):
    assert split_compound(question) == []


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("清污机多久检修一次？谁负责？", ["清污机多久检修一次？", "清污机谁负责？"]),
        (
            "变压器试验的预算是多少？由谁负责？",
            ["变压器试验的预算是多少？", "变压器试验由谁负责？"],
        ),
        ("清污机多久检修一次，谁负责？", ["清污机多久检修一次？", "清污机谁负责？"]),
        ("1号泵何时大修？在哪里？谁负责？", ["1号泵何时大修？", "1号泵在哪里？", "1号泵谁负责？"]),
    ],
)
def test_a_question_without_a_subject_is_about_that_of_the_one_before(question, parts):
    assert split_compound(question) == parts


@pytest.mark.parametrize(
    "question", ["谁负责？", "水泵为什么要检修？为什么？", "谁负责检修清污机？"]
)
def test_one_question_stays_one(question):
    assert split_compound(question) == []
