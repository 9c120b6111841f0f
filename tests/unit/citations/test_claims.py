"""A sentence is supported by evidence that says it: same words, same frequency, not its denial."""

import pytest

from tuwen.core.evidence import Evidence
from tuwen.tools.citations import by_use
from tuwen.tools.facts import check_sentence, read_source

ZH = "水泵每2000小时换油，换油前必须停机。"
EN = "The pump oil shall be changed every 2000 hours. Stop the motor before that."


@pytest.mark.parametrize(
    ("sentence", "evidence", "verdict"),
    [
        ("水泵每2000小时换一次油。", ZH, "supported"),
        ("换油前应先停机。", ZH, "supported"),
        ("水泵每年换油一次。", ZH, "unsupported"),
        ("风机的滤网应定期清洗干净。", ZH, "unsupported"),
        ("风机每2000小时清洗一次滤网。", ZH, "unsupported"),
        ("换油前不必停机。", ZH, "partly"),
        ("Change the pump oil every 2000 hours.", EN, "supported"),
        ("Valves must be inspected by trained staff.", EN, "unsupported"),
        ("The pump oil is changed weekly.", EN, "unsupported"),
        ("The pump oil shall not be changed every 2000 hours.", EN, "partly"),
        ("The filters are replaced every 2000 hours by technicians.", EN, "partly"),
    ],
)
def test_words_must_be_the_evidences_own(sentence: str, evidence: str, verdict: str) -> None:
    assert check_sentence(sentence, [read_source(evidence)]).verdict == verdict


def test_another_language_is_judged_by_its_facts() -> None:
    assert check_sentence("油每2000小时更换。", [read_source(EN)]).verdict == "supported"


def test_numbers_follow_the_order_of_use() -> None:
    evidence = [Evidence(n=n, chunk_id=f"c{n}", chunk_ids=(f"c{n}",)) for n in (1, 2, 3)]
    text, groups = by_use("乙 [3]。\n甲 [1][3]。a[2]不是引用。", evidence)
    assert text == "乙 [1]。\n甲 [2][1]。a[2]不是引用。"
    assert [(group.n, group.chunk_id) for group in groups] == [(1, "c3"), (2, "c1"), (3, "c2")]


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("The pump has 5 impellers.", "unsupported"),
        ("泵有 6 个叶轮。", "unsupported"),
        ("The pump has a head of 20 m on page 5.", "supported"),
        ("The head of the pump is on pages 5 and 6.", "supported"),
        ("泵的扬程 20 m 见第 6 页。", "supported"),
        ("The pump has a head of 20 m on page 7.", "partly"),
    ],
)
def test_the_number_of_a_page_supports_no_other_number(sentence: str, verdict: str) -> None:
    evidence = "page 5 page 6\nThe pump has a head of 20 m and many impellers."
    assert check_sentence(sentence, [read_source(evidence)]).verdict == verdict
