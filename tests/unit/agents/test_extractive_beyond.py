"""What is said where the evidence is there and its answer stands nowhere in words."""

import pytest

from tuwen.agents.critic import check_answer
from tuwen.agents.extractive import write_extractive
from tuwen.agents.extractive_beyond import work_asked
from tuwen.agents.extractive_question import corrected, sides, without_format
from tuwen.core.analysis import Analysis
from tuwen.core.text import has_cjk, language

TABLE = (
    "| Segment | Revenue (million) | Margin |\n|---|---|---|\n"
    "| Harbour cranes | 32.5 | 28% |\n| River locks | 18.2 | 31% |"
)
REPORT = "The survey of the harbour lists cranes, locks and quays with their costs."


@pytest.fixture
def write(passage, tokenizer, embedder):
    def run(question, texts, **fields):
        passages = [passage(n, text, **fields) for n, text in enumerate(texts, 1)]
        analysis = Analysis(
            question=question,
            rewritten=question,
            queries=(question,),
            language=language(question),
        )
        return write_extractive(analysis, passages, tokenizer=tokenizer, embedder=embedder)

    return run


@pytest.mark.parametrize(
    ("question", "work"),
    [
        ("How many charts are there in this report?", "count"),
        ("How many quays are listed in the report?", "count"),
        ("What colour is the logo on the cover?", "look"),
        ("How many red bars appear at the top of the page?", "look"),
        ("How much higher is the cost of cranes than that of locks?", "compute"),
        ("What is the sum of both costs?", "compute"),
        ("Which quay has the lowest cost?", "compare"),
        ("这份报告一共有几个图表？", "count"),
        ("柱状图中蓝色柱子有几根？", "look"),
        ("哪个泵的功率最高？", "compare"),
        ("泵的功率相差多少？", "compute"),
        ("How many cranes did the harbour buy?", None),
        ("What does Figure 2.1 of the handbook show?", None),
        ("Which figure shows the river?", None),
        ("给我看看港口的照片", None),
        ("哪张图片展示了港口？", None),
        ("What is the cost of the crane?", None),
        ("泵的功率是多少？", None),
    ],
)
def test_counting_looking_and_computing_are_told_from_reading(question, work):
    found = work_asked(question)
    # A chart may be counted by looking.
    assert found == work or {found, work} == {"count", "look"}


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How many photos of the harbour are there in this report?", "model"),
        ("报告里有几张港口的照片？", "模型"),
    ],
)
def test_what_must_be_counted_is_not_said_to_be_missing(write, question, word):
    draft = write(question, [REPORT, "港口报告列出了起重机。"])
    assert not draft.abstained
    assert draft.caveat
    assert word in draft.text.splitlines()[0]
    assert has_cjk(draft.text.splitlines()[0]) == has_cjk(question)
    assert draft.used


def test_the_word_that_a_model_is_needed_is_no_unsupported_claim(write):
    draft = write("How many photos of the harbour are there in this report?", [REPORT])
    checked = check_answer(draft.text, {1: REPORT})
    assert checked.text == draft.text
    assert checked.verdict == "supported"


@pytest.mark.parametrize(
    "question",
    [
        "How many photos of the QX-900 are there in this report?",
        "What is the difference between the costs of 2031 and 2032?",
    ],
)
def test_what_the_documents_do_not_name_is_missing_also_where_it_would_be_counted(write, question):
    assert write(question, [f"{REPORT} Of 2020."]).abstained


def test_a_comparison_without_anything_to_compare_is_an_abstention(write):
    assert write(
        "Which ship carried the most grain?", ["The harbour was built of stone."]
    ).abstained


@pytest.mark.parametrize(
    ("question", "result"),
    [
        (
            "How much more is the revenue of Harbour cranes than River locks?",
            "32.5 − 18.2 = 14.3",
        ),
        ("What is the sum of revenue of Harbour cranes and River locks?", "32.5 + 18.2 = 50.7"),
    ],
)
def test_the_difference_and_the_sum_of_two_cells_are_exact(write, question, result):
    draft = write(question, [TABLE])
    assert result in draft.text
    assert check_answer(draft.text, {1: TABLE}).text == draft.text


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("What is the cost? Answer in millions.", "What is the cost?"),
        ("What is the cost?Round your answer to two decimal places.", "What is the cost?"),
        ("What was the cost in FY 2015?", "What was the cost in 2015?"),
        ("成本是多少？保留两位小数", "成本是多少"),
        ("Who answered the call?", "Who answered the call?"),
    ],
)
def test_how_to_write_the_answer_is_not_searched(question, plain):
    assert without_format(question).rstrip("？") == plain.rstrip("？")


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("advertsing costs", "advertising costs"),
        ("adveritsing costs", "advertising costs"),
        ("advertissing costs", "advertising costs"),
        ("adventures of costs", "adventures of costs"),
    ],
)
def test_one_slip_in_a_long_word_is_read_as_the_word_of_the_text(passage, asked, read):
    assert corrected(asked, [passage(1, "The advertising costs rose.")]) == read


def test_two_properties_of_two_things_are_two_questions():
    assert sides("What is the head of A1 and the power of B2?") == [
        "what is the head of A1?".replace("what", "What"),
        "What is the power of B2?",
    ]
    assert sides("甲泵的流量和乙泵的功率是多少？") == ["甲泵的流量是多少？", "乙泵的功率是多少？"]
    assert sides("甲泵的流量和乙泵的功率相差多少？") == []
    assert sides("What is the cost of research and development?") == []


def test_the_line_that_names_a_unit_answers_what_its_topic_is(write):
    text = "Unit 14 tasks:\nUNIT 14: Locks and weirs\nUNIT 15: Cranes"
    assert write("What is the topic of Unit 14?", [text]).text == "UNIT 14: Locks and weirs [1]"
