import pytest

from tuwen.agents.subjects import (
    absent_identifiers,
    absent_numbered,
    absent_subjects,
    holds_code,
    naming,
    of_another,
    others_only,
    subjects,
)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("甲厂密封多久更换？", ["甲厂"]),
        ("B 泵支持远程启动吗？", ["B 泵"]),
        ("3号机组的出力是多少？", ["3号机"]),
        ("《泵站手册》里怎么说？", ["泵站手册"]),
        ("白山厂的密封多久更换？", ["白山厂"]),
        ("青松电站有几台机组？", ["青松电站"]),
        ("Where is plant A?", ["plant A"]),
        ("该公司的地址是什么？", []),
        ("手册里示例电站的额定功率是多少？", []),
        ("哪家医院最近？", []),
        ("青松哪家口腔医院最好？", []),
        ("青松最好的口腔医院在哪里？", []),
        ("What does fan B weigh?", ["fan B"]),
        ("What did Anna B Carter build?", []),
        ("B 给水泵的流量是多少？", ["B 给水泵"]),
        ("7月18号的会议在哪里开？", []),
        ("密封多久更换？", []),
    ],
)
def test_subjects_are_told_by_their_form(question, named):
    assert subjects(question) == named


def test_a_plant_that_no_text_names_is_absent():
    assert absent_subjects("甲厂密封多久更换？", ["乙厂泵的机械密封每12个月更换一次。"]) == ["甲厂"]
    assert absent_subjects("甲厂密封多久更换？", ["甲 厂的密封每年更换。"]) == []


def test_a_longer_official_name_is_the_same_subject():
    assert absent_subjects("青松机场的旅客吞吐量", ["青松国际机场旅客吞吐量突破百万。"]) == []


def test_a_quantity_may_have_its_unit_in_the_head_of_a_table():
    table = "| 型号 | 重量 (kg) |\n|---|---|\n| K1 | 75 |"
    assert absent_identifiers("重量75 kg的是哪个型号？", [table]) == []
    assert absent_identifiers("重量76 kg的是哪个型号？", [table]) == ["76 kg"]
    assert absent_identifiers("重量75 kg的是哪个型号？", ["第75页说到 kg。"]) == ["75 kg"]


def test_a_year_is_absent_only_from_texts_that_name_another():
    assert absent_identifiers("2019年的产量？", ["2018年产量为 5 吨。"]) == ["2019"]
    assert absent_identifiers("2019年的产量？", ["本年产量为 5 吨。"]) == []
    assert absent_identifiers("2019年 KLP-80 的产量？", ["本年产量为 5 吨。"]) == ["KLP-80"]


def test_only_texts_that_name_the_subject_are_its_evidence():
    texts = ["甲厂的密封每年更换。", "乙厂的密封每月更换。"]
    assert naming("甲厂密封多久更换？", texts) == [True, False]
    assert naming("密封多久更换？", texts) == [True, True]


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("B 泵支持远程启动吗？", "A 泵支持远程启动。", True),
        ("B 泵支持远程启动吗？", "B 泵不支持远程启动。", False),
        ("A 泵和 B 泵哪个重？", "B 泵重 80 kg。", False),
        ("KLP-80 的流量？", "KLP-50 的流量为 50。", True),
        ("KLP-80 的流量？", "KLP-80 与 KLP-50 尺寸相同。", False),
        ("KLP-80 的流量？", "流量由阀门调节。", False),
        ("流量是多少？", "KLP-50 的流量为 50。", False),
        ("KLP-80 泵的流量？", "MNO-5 泵的流量为 50。", True),
        ("KLP-80 泵的流量？", "KLP-80 的流量大于 MNO-5 泵。", False),
        ("KLP-80 泵的流量？", "MNO-5 阀的流量为 50。", False),
        ("What is the flow of KLP-80 pumps?", "The MNO-5 pump gives 50.", False),
        ("What is the flow of the KLP-80 pump?", "The MNO-5 pump gives 50.", True),
        ("Does fan B start?", "Fan A starts.", True),
        ("B 给水泵的流量？", "A 给水泵的流量为 50。", True),
        ("B 给水泵的流量？", "B 循环泵的流量为 50。", True),
        ("B 泵的流量？", "B 给水泵的流量为 50。", False),
        ("How often are the seals of plant A replaced?", "乙厂的密封每年更换。", True),
        ("How often are the seals of plant A replaced?", "甲厂的密封每年更换。", False),
        ("3号机组的出力？", "Unit 2 gives 50 kW.", True),
        ("3号机组的出力？", "Unit 3 gives 50 kW.", False),
        ("甲厂2号锅炉的型号？", "甲厂1号锅炉的型号为 SG-1025。", True),
        ("甲厂2号锅炉的型号？", "2号炉的型号为 SG-1025。", False),
        ("甲厂2号锅炉的型号？", "乙厂2号锅炉的型号为 SG-1025。", True),
        ("1号给水泵的流量？", "2号给水泵的流量为 50。", True),
        ("国家奖学金是多少？", "校长奖学金为 5000 元。", True),
        ("国家奖学金是多少？", "获得奖学金的学生须在籍。", False),
    ],
)
def test_a_sentence_about_a_sibling_is_of_another(question, text, other):
    assert of_another(question, text) is other


def test_a_sibling_in_another_language_is_not_the_subject():
    assert others_only("Where is plant A?", ["乙厂在河边。"]) == ["plant A"]
    assert others_only("Where is plant A?", ["甲厂和乙厂在河边。"]) == []
    assert others_only("Where is plant A?", ["水泵在河边。"]) == []


def test_a_scholarship_is_absent_where_only_others_of_its_kind_are_named():
    assert absent_subjects("国家奖学金每年多少元？", ["校长奖学金每年 5000 元。"]) == ["国家奖学金"]
    assert absent_subjects("申请国家奖学金要什么？", ["国家奖学金每年评一次。"]) == []
    assert absent_subjects("国家奖学金每年多少元？", ["奖学金分国家级和校级。"]) == []


def test_a_name_with_a_capital_inside_must_be_in_the_text():
    question = "What score did LLaVa reach?"
    assert absent_subjects(question, ["PaLM reached 73 %."]) == ["LLaVa"]
    assert absent_subjects(question, ["LLAVA reached 73 %."]) == []
    assert absent_subjects("How many kWh?", ["It takes 5 units."]) == []


def test_a_longer_number_is_another_one():
    assert absent_identifiers("ABC-32 的流量？", ["ABC-320 的流量为 50。"]) == ["ABC-32"]
    assert absent_identifiers("ABC-320 的流量？", ["ABC 320 12 MW"]) == []


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What is the share of Orca 7?", ["Orca 7"]),
        ("What is the share of Orca 8?", []),
        ("What is the share of Orca 10?", []),
        ("What is the share of Whale 7?", []),
        ("What happened on March 31?", []),
    ],
)
def test_a_member_of_a_series_that_no_text_holds_is_absent(question, missing):
    assert (
        absent_numbered(question, ["Orca 8 leads.", "ORCA-9 and Orcas 10, 11 follow."]) == missing
    )


def test_a_letter_behind_a_code_makes_another_one_of_it():
    assert not holds_code("ABC-4o", "The ABC-4 on the quay")
    assert holds_code("ABC-4o", "The abc 4o on the quay")
    assert holds_code("ABC-4", "The ABC-4B on the quay")


def test_an_abbreviated_act_is_found_where_it_is_spelled_out():
    text = "The Harbour and Quays Act 2008 applies."
    assert absent_identifiers("What does the HQA 2008 demand?", [text]) == []
    assert absent_identifiers("What does the HRA 2008 demand?", [text]) == ["HRA 2008"]


def test_a_limit_that_the_question_sets_itself_need_not_be_in_the_text():
    text = "Margins were 21% and 23%."
    assert absent_identifiers("Did margins change by more than roughly 2% a year?", [text]) == []
    assert absent_identifiers("毛利率变化超过5%吗？", [text]) == []
    assert absent_identifiers("Which margin was 7%?", [text]) == ["7%"]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("远山传感2019年的研发费用是多少？", ["远山传感"]),
        ("请告诉我远山传感2019年的电子信箱的具体情况", ["远山传感"]),
        ("发电总量2019年是多少？", []),
        ("等效可用系数2023年的目标值是多少？", []),
        ("全省2019年的发电量是多少？", []),
        ("销售收入2021年比2020年增长多少？", []),
    ],
)
def test_whose_figures_of_a_year_are_asked_for_is_a_subject(question, named):
    assert subjects(question) == named
