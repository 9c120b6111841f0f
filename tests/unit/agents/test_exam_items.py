"""Quoting exam items: the solution when it is asked for, every line cited, absence said."""

import pytest

from tests.unit.figures.test_items import ANSWERS, PHYSICS, RUNNING, Papers, found, paper
from tuwen.agents.exam_items import missing_item, quote_items
from tuwen.agents.extractive_draft import Draft
from tuwen.agents.passages import Passage
from tuwen.core.analysis import Analysis
from tuwen.core.label import find_labels

SOLVED = paper(
    "模拟卷.pdf",
    ("", "17", "17. （10分）解方程 x-2=0。\n【答案】x=2\n【解析】移项得x=2。"),
    ("", "18", "18. 证明两角相等。"),
)


def analysis(question: str) -> Analysis:
    labels = tuple(span.label for span in find_labels(question))
    return Analysis(question=question, rewritten=question, queries=(question,), labels=labels)


def quoted(question: str, *papers: object) -> Draft | None:
    finding = found(question, *papers)
    chunks = {c.chunk_id: c for c in Papers(dict(papers)).all}  # type: ignore[call-overload]
    passages = [
        Passage(n=place, title="t", chunk_ids=(chunk_id,), text=chunks[chunk_id].text)
        for place, chunk_id in enumerate(finding.result.ids, 1)
    ]
    return quote_items(analysis(question), finding, passages, chunks, "zh")


def text_of(draft: Draft | None) -> str:
    assert draft is not None
    return draft.text


def test_an_answer_is_quoted_from_the_solution_on() -> None:
    assert (
        text_of(quoted("第17题的答案和理由", SOLVED)) == "【答案】x=2 [1]\n【解析】移项得x=2。 [1]"
    )


def test_an_item_is_quoted_whole_when_no_answer_is_asked_for() -> None:
    text = text_of(quoted("第17题是什么", SOLVED))
    assert text.startswith("17. （10分）解方程")
    assert all(line.endswith("[1]") for line in text.splitlines())


def test_an_item_without_a_solution_says_so() -> None:
    lines = text_of(quoted("第18题的答案", SOLVED)).splitlines()
    assert "没有找到它的答案" in lines[0]
    assert lines[1] == "18. 证明两角相等。 [1]"


def test_the_paper_of_answers_is_quoted_with_the_letter() -> None:
    assert "2. 0℃ [" in text_of(quoted("第二大题第2题的答案", PHYSICS, ANSWERS))
    assert "凝固点" not in text_of(quoted("第二大题第2题的答案", PHYSICS, ANSWERS))


def test_items_of_several_parts_stand_under_their_parts() -> None:
    text = text_of(quoted("第2题", PHYSICS))
    assert "物理期末试卷.pdf 一：" in text.splitlines()
    assert "物理期末试卷.pdf 二：" in text.splitlines()


@pytest.mark.parametrize(("question", "gone"), [("第99题的答案", True), ("第17题的答案", False)])
def test_a_missing_item_is_known(question: str, gone: bool) -> None:
    assert missing_item(analysis(question), found(question, RUNNING)) is gone


@pytest.mark.parametrize(
    ("question", "says", "not_says"),
    [("第19题第（2）问", "求周长", "求面积"), ("第20题（2）", "(b) Give a word", "(a) Draw")],
)
def test_a_part_inside_an_item_is_quoted_alone(question: str, says: str, not_says: str) -> None:
    parted = paper(
        "模拟卷.pdf",
        ("", "19", "19. 已知矩形。\n（1）求面积。\n（2）求周长。\n（3）求对角线。"),
        ("", "20", "20. A grammar.\n(a) Draw a tree.\n(b) Give a word."),
    )
    text = text_of(quoted(question, parted))
    assert says in text
    assert not_says not in text
