"""Tables whose heads stand in levels, columns that a question says as written, values of two."""

import pytest

from tuwen.agents.extractive import write_extractive
from tuwen.agents.extractive_grids import joined
from tuwen.agents.extractive_heads import header_rows
from tuwen.agents.extractive_lookup import looked_up, of_total
from tuwen.agents.extractive_tables import read_cells
from tuwen.agents.extractive_values import of_two
from tuwen.core.analysis import Analysis
from tuwen.core.text import language

ROUNDS = [
    ["部位", "项目", "频次", "频次", "标准"],
    ["部位", "项目", "雨季", "非雨季", "标准"],
    ["堤身", "裂缝", "每日1次", "每周1次", "无"],
    ["闸门", "止水", "每日2次", "每月1次", "无"],
]
FLOWS = [
    ["季度", "月份", "入库流量", "入库流量", "径流量"],
    ["季度", "月份", "平均", "最大", "径流量"],
    ["一季度", "1月", "20", "22", "0.54"],
    ["三季度", "8月", "212", "659", "5.69"],
    ["全年", "全年", "104", "1444", "32.9"],
]
TYPES = [
    ["Type", "Peak efficiency (%)", "Lowest flow (%)"],
    ["Kaplan", "91", "20"],
    ["Francis", "93", "40"],
    ["Pelton", "90", "10"],
]
GAUGES = [["测站", "距坝里程（km）"], ["上屏", "58.0"], ["下溪", "31.5"], ["坝下", "1.4"]]


def test_a_head_in_levels_is_told_by_what_spans_it():
    assert header_rows(ROUNDS) == 2
    assert header_rows([["组", "甲", "甲"], ["组", "乙", "乙"], ["丙", "丁", "戊"]]) == 1
    assert header_rows([["名称", "说明"], ["泵", "提水"], ["阀", "截流"]]) == 1


@pytest.mark.parametrize(
    ("question", "grid", "value"),
    [
        ("8月径流量是多少？", FLOWS, "5.69"),
        ("8月最大入库流量是多少？", FLOWS, "659"),
        ("非雨季闸门止水多久查一次？", ROUNDS, "每月1次"),
        ("雨季闸门止水多久查一次？", ROUNDS, "每日2次"),
    ],
)
def test_the_column_that_the_question_says_as_written_is_read(question, grid, value, tokenizer):
    best, *rest = read_cells(question, grid, tokenizer)
    assert best.value == value
    assert all(best.score > other.score for other in rest if other.row == best.row)


def test_a_row_of_heads_is_not_read_as_a_row_of_values(tokenizer):
    assert looked_up("标准有哪些？", ROUNDS, tokenizer) == []


@pytest.mark.parametrize(
    ("question", "grid", "said"),
    [
        ("Which type has the highest peak efficiency?", TYPES, "Francis · Peak efficiency (%): 93"),
        ("Which type has the smallest lowest flow?", TYPES, "Pelton · Lowest flow (%): 10"),
        ("哪个测站离坝最远？", GAUGES, "上屏 · 距坝里程（km）：58.0"),
    ],
)
def test_a_superlative_of_a_head_and_of_a_distance_is_compared(question, grid, said, tokenizer):
    assert looked_up(question, grid, tokenizer)[0].statement == said


def test_a_head_with_a_superlative_alone_asks_for_no_comparison(tokenizer):
    assert looked_up("What is the peak efficiency of Kaplan?", TYPES, tokenizer) == []


def test_a_row_of_sums_is_none_of_the_rows_that_are_asked_for():
    assert of_total("哪个月雨最多？", "全年")
    assert not of_total("全年雨量是多少？", "全年")
    assert not of_total("哪个月雨最多？", "7月")


def test_the_parts_of_a_split_table_are_compared_as_one(tokenizer):
    parts = [[*FLOWS[:2], FLOWS[2], FLOWS[3]], [*FLOWS[:2], ["四季度", "12月", "24", "28", "0.3"]]]
    assert len(joined(parts)) == 1
    assert len(joined([GAUGES, TYPES])) == 2
    found = looked_up("哪个月径流量最小？", joined(parts)[0], tokenizer)
    assert [reading.value for reading in found] == ["0.3"]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("7月和8月的雨量相差多少？", "7月和8月的雨量"),
        ("7月的雨量比8月多多少毫米？", "7月和8月的雨量"),
        ("甲厂和乙厂产量之和是多少？", "甲厂和乙厂产量"),
        (
            "What is the difference in head between pump A and pump B?",
            "head of pump A and pump B",
        ),
        ("How much higher is the head of pump A than pump B?", "head of pump A and pump B"),
        ("7月的雨量是多少？", ""),
        ("What is the head of pump A?", ""),
    ],
)
def test_a_difference_or_a_sum_asks_for_two_values(question, asked):
    assert of_two(question) == asked


@pytest.fixture
def write(passage, tokenizer, embedder):
    def run(question, *texts, **fields):
        analysis = Analysis(
            question=question,
            rewritten=question,
            queries=(question,),
            question_type="numeric",
            language=language(question),
        )
        passages = [passage(n, t, doc_id=f"d{n}", **fields) for n, t in enumerate(texts, 1)]
        return write_extractive(analysis, passages, tokenizer=tokenizer, embedder=embedder)

    return run


PUMPS = "| Pump | Head (m) |\n|---|---|\n| Alder | 32.5 |\n| Birch | 18.2 |"


def test_the_difference_of_two_cells_is_told_with_both(write):
    said = write("What is the difference in head between Alder and Birch?", PUMPS).text
    assert all(value in said for value in ("32.5 [1]", "18.2 [1]", "32.5 − 18.2 = 14.3"))


def test_one_cell_of_a_difference_is_no_whole_answer(write):
    draft = write("What is the difference in head between Alder and Cedar?", PUMPS)
    assert draft.abstained or draft.caveat


def test_a_year_that_only_another_document_says_is_not_answered(write):
    text = "2023年水库发电量为3.65亿千瓦时。"
    assert write("2018年水库发电量是多少？", text, "2018年的文献。").abstained


def test_what_a_follow_up_names_and_no_text_says_is_missing(write):
    text = "六级达到425分者可免考学位考试。"
    assert "425" in write("六级多少分可以免考学位考试？", text).text
    assert write("六级多少分可以免考学位考试？托福呢？", text).abstained


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("A 泵支持远程启动吗？", "A 泵支持远程启动。"),
        ("Does the fan run at night?", "The fan does run at night."),
    ],
)
def test_a_statement_in_the_questions_own_words_says_yes(write, question, text):
    assert text in write(question, text).text


def test_a_label_in_the_questions_own_words_says_nothing(write):
    assert write("先验概率是多少？", "先验概率：").abstained
