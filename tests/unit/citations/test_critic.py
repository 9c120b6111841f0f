"""Numbers, units, dates, names and quotes of cited sentences against their evidence."""

import pytest

from tuwen.agents.critic import MARK, check_answer, repair_request

EVIDENCE = {
    1: "2021年公司营业收入为15.77亿元，同比增长12.5%。润滑油每2000 h更换一次。",
    2: "The company employed 1,577 people in 2021. Revenue was $1.577 billion, up five percent. "
    "It was founded on March 5, 1998. The valve is normally open and rated at 0.5 MPa.",
    3: "阀的状态为常开，额定压力为０．５MPa，见图2.3。执行标准 GB/T 5972-2016。共有十五个测点。",
}


@pytest.mark.parametrize(
    "answer",
    [
        "营业收入为1,577,000,000元[1]。",
        "营业收入为15.77亿元，增长百分之十二点五[1]。",
        "营业收入约为16亿元[1]。",
        "营收是十五点七七亿元[1]。",
        "润滑油每2000小时更换一次[1]。",
        "The company had 1577 employees in 2021 [2].",
        "该公司有1577.00人[2]。",
        "收入增长5%[2]。",
        "公司成立于1998年3月5日[2]。",
        "The rated pressure is 500 kPa [2][3].",
        "额定压力为0.5兆帕[3]。",
        "共有15个测点[3]。",
        "依据 GB/T 5972-2016，阀常开[3]。",
        "见图2.3，阀常开[3]。",
        "资料说“阀的状态为常开”[3]。",
        "1. 阀常开[3]。\n2. 阀的额定压力为0.5 MPa[3]。",
        "员工1,577人，收入15.77亿元，合计人均100万元[1][2]。",
    ],
)
def test_what_the_evidence_says_in_another_style_is_supported(answer: str) -> None:
    checked = check_answer(answer, EVIDENCE)
    assert checked.verdict == "supported", checked.sentences
    assert checked.text == answer
    assert not checked.notices


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("营业收入为16.77亿元[1]。", "16.77亿元"),
        ("营业收入为157.7亿元[1]。", "157.7亿元"),
        ("The rated pressure is 5 MPa [3].", "5 MPa"),
        ("润滑油每2000天更换一次[1]。", "2000天"),
        ("Revenue rose by 12% [2].", "12%"),
        ("公司成立于1998年5月3日[2]。", "1998年5月3日"),
        ("资料说“阀的状态为常闭”[3]。", "阀的状态为常闭"),
        ("依据 GB/T 5973-2016[3]。", "GB/T 5973-2016"),
    ],
)
def test_what_the_evidence_does_not_say_is_marked_once(answer: str, missing: str) -> None:
    checked = check_answer(answer, EVIDENCE)
    assert checked.verdict == "unsupported"
    assert checked.text == f"{answer} {MARK}"
    assert missing in [fact.text for s in checked.sentences for fact in s.missing]
    assert missing in checked.notices[0].text
    assert missing in repair_request(checked)


def test_a_line_that_says_what_was_not_found_is_not_marked() -> None:
    checked = check_answer("营业收入为15.77亿元[1]。\n没有找到：2035年净利润", EVIDENCE)
    assert MARK not in checked.text
    assert checked.verdict == "supported"
    assert MARK in check_answer("2035年净利润为99.5亿元。", EVIDENCE).text


def test_a_statement_about_something_else_is_unsupported() -> None:
    assert check_answer("月球由奶酪制成[1]。", EVIDENCE).verdicts == {1: "unsupported"}


def test_a_partly_wrong_sentence_is_partly_supported_and_not_marked() -> None:
    checked = check_answer("营业收入为15.77亿元，增长13.5%[1]。", EVIDENCE)
    assert checked.verdicts == {1: "partly"}
    assert MARK not in checked.text


def test_verdicts_are_kept_by_evidence_number() -> None:
    checked = check_answer("营业收入为15.77亿元[1]。阀的额定压力为9 MPa[3]。", EVIDENCE)
    assert checked.verdicts == {1: "supported", 3: "unsupported"}
    assert checked.verdict == "partly"


def test_an_uncited_sentence_with_an_invented_number_is_marked() -> None:
    assert check_answer("利润为99.9亿元。", EVIDENCE).text == f"利润为99.9亿元。 {MARK}"


def test_an_answer_without_citations_is_unchecked() -> None:
    checked = check_answer("没有找到相关资料。", EVIDENCE)
    assert (checked.verdict, checked.verdicts) == ("unchecked", {})


def test_a_tables_scale_in_its_heading_counts() -> None:
    evidence = {1: "（单位：万元）\n| 收入 | 157,700 |"}
    assert check_answer("收入为15.77亿元[1]。", evidence).verdict == "supported"
    english = {1: "(in millions)\n| Revenue | 1,577 |"}
    assert check_answer("Revenue was $1.577 billion [1].", english).verdict == "supported"


def test_a_table_row_is_marked_inside_its_last_cell() -> None:
    checked = check_answer("| 收入 | 99.9亿元[1] |\n", EVIDENCE)
    assert checked.text == f"| 收入 | 99.9亿元[1] {MARK} |\n"
