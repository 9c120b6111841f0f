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
    ["泵甲和泵乙的总流量是多少？", "和平站的流量分别是多少？", "它和泵乙的流量分别是多少？"],
)
def test_one_sum_one_name_and_a_pronoun_are_not_cut(question):
    assert split_compound(question) == []
