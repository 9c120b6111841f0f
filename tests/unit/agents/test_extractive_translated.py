"""Cells of a table in another language, and cells of another quantity than the one asked for."""

import numpy as np
import pytest

from tuwen.agents.extractive_translated import translated_cells
from tuwen.agents.extractive_values import other_measure, worked_out

TABLE = (
    "| 项目 | 2021年 | 2022年 |\n|---|---|---|\n"
    "| 净利润（万元） | 1,230 | 1,410 |\n| 员工人数 | 320 | 345 |"
)


class Dictionary:
    """Words of one sense are near each other."""

    name = "dictionary"
    dim = 3
    _SENSES = (("net profit", "净利润"), ("employees", "员工人数"), ("dividend",))

    def embed_passages(self, texts):
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for n, words in enumerate(self._SENSES):
                row[n] = float(any(word in text for word in words))
        return rows

    embed_queries = embed_passages


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the net profit in 2022?", "1,410"),
        ("How many employees were there in 2021?", "320"),
    ],
)
def test_the_heads_of_a_foreign_table_are_told_by_their_meaning(
    passage, tokenizer, question, value
):
    ((n, reading),) = translated_cells(question, [passage(1, TABLE)], tokenizer, Dictionary())
    assert (n, reading.value) == (1, value)


@pytest.mark.parametrize(
    "question", ["What was the dividend in 2022?", "What was the net profit in 2019?"]
)
def test_a_head_or_a_year_that_a_foreign_table_lacks_gives_no_cell(passage, tokenizer, question):
    assert translated_cells(question, [passage(1, TABLE)], tokenizer, Dictionary()) == []


def test_a_table_in_the_language_of_the_question_is_left_to_its_words(passage, tokenizer):
    question = "2022年净利润是多少？"
    assert translated_cells(question, [passage(1, TABLE)], tokenizer, Dictionary()) == []


@pytest.mark.parametrize(
    ("question", "heads", "other"),
    [
        ("甲厂的主蒸汽流量是多少？", "主蒸汽压力(MPa) · 甲厂：", True),
        ("甲厂的主蒸汽压力是多少？", "主蒸汽压力(MPa) · 甲厂：", False),
        ("What is the flow of pump A?", "Pump A · Head (m): ", True),
        ("What is the flow of pump A?", "Pump A · Flow rate (m3/h): ", False),
        ("What was the revenue?", "Sales: ", False),
        ("设备有几台？", "功率(kW)：", False),
    ],
)
def test_a_cell_of_another_quantity_is_no_answer(question, heads, other):
    assert other_measure(question, heads) == other


@pytest.mark.parametrize(
    ("question", "cells", "result"),
    [
        ("相差多少？", ["32.5", "18.20"], "32.5 − 18.20 = 14.30"),
        ("相差多少？", ["5 m", "3 mm"], ""),
        ("相差多少？", ["5", "约3"], ""),
        ("是多少？", ["5", "3"], ""),
        ("合计是多少？", ["1,200", "300"], "1,200 + 300 = 1,500"),
    ],
)
def test_only_plain_numbers_of_one_unit_are_worked_out(question, cells, result):
    assert worked_out(question, cells) == result
