import pytest

from tuwen.agents.extractive_bridge import across
from tuwen.agents.extractive_concepts import (
    asked_terms,
    concepts,
    extreme_of,
    meets,
    synonyms,
    unmet,
    unmet_by_form,
)


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("密封多久换一次", "更换周期"),
        ("How often do I change the filter?", "Replacement interval"),
        ("谁负责", "责任人"),
        ("Who looks after it?", "Responsible"),
        ("保修多久", "质保期"),
        ("What is the acronym of it?", "Kurzzeichen"),
        ("售后电话", "服务热线"),
    ],
)
def test_a_question_and_a_head_are_one_concept(question, head):
    assert set(concepts(question)) & set(concepts(head))


@pytest.mark.parametrize(
    "text", ["交换机", "换算系数", "换热器", "exchange rates differ", "检查院校", "texts"]
)
def test_words_that_only_contain_another_are_no_replacement(text):
    assert "replace" not in concepts(text)


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("KLP-80的保修电话", "KLP-80 的额定流量为 80 m³/h。", ["phone", "warranty"]),
        ("KLP-80的电话", "请拨 0571-889-9001。", []),
        ("KLP-80多少钱", "售价 300 元。", []),
        ("What does it cost?", "It is made of steel.", ["price"]),
        ("What is it made of?", "It is made of steel.", []),
        ("叶轮是什么材质", "叶轮采用黄铜。", []),
        ("重量是多少", "重新找正联轴器。", ["weight"]),
    ],
)
def test_a_property_that_no_text_speaks_of_is_unmet(question, text, missing):
    assert unmet(question, [text]) == missing


def test_question_words_and_parts_of_codes_are_no_terms(tokenizer):
    terms = asked_terms("QS-200的密封多久更换？", tokenizer)
    assert "#replace" in terms
    assert not {"多久", "久", "更换"} & set(terms)


def test_superlative_adjectives_name_a_property_and_an_end():
    assert extreme_of("Which is the lightest?") == ("weight", "low")
    assert extreme_of("最吵的是哪台") == ("noise", "high")
    assert extreme_of("哪台在运行") == ("", "")


def test_other_words_are_of_the_questions_language():
    english = synonyms("How often is it inspected?", "en")
    assert english
    assert all(word.isascii() for word in english)
    assert "巡检" in synonyms("多久检查一次", "zh") or "检验" in synonyms("多久检查一次", "zh")
    assert synonyms("今天星期几", "zh") == []


def test_listed_words_make_a_query_in_the_other_language():
    assert across("额定功率是多少") == "rated power"
    assert "额定" in across("What is the rated power?")
    assert across("今天星期几") == ""


def test_a_number_in_the_form_of_a_telephone_meets_it():
    assert meets("phone", "13800001234")
    assert not meets("phone", "1380 m³")


def test_a_telephone_number_is_asked_for_and_must_be_in_what_is_said():
    assert unmet_by_form("What is the phone of the office?", ["The office is open."]) == ["phone"]
    assert unmet_by_form("What is the phone of the office?", ["The office: 12333."]) == []
    assert unmet_by_form("Where is the office?", ["In the harbour."]) == []
