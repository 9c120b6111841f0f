"""Numbers of exam items: every written form of one item is one label, and nothing else is."""

import pytest

from tuwen.core.label import Label, display, find_labels


def keys(text: str) -> list[str]:
    return [span.label.key for span in find_labels(text)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("第17题的答案和理由", "question:17"),
        ("第十七题怎么做", "question:17"),
        ("第 17 題的答案", "question:17"),
        ("第１７题", "question:17"),
        ("17题的答案是什么", "question:17"),
        ("第17小题", "question:17"),
        ("What is the answer to question 17?", "question:17"),
        ("Problem 17", "question:17"),
        ("exercise no. 17", "question:17"),
        ("Q17", "question:17"),
        ("Question 3(b)", "question:3(b)"),
        ("question 3b", "question:3(b)"),
        ("Q3(b)(ii)", "question:3(b)"),
        ("part (b) of question 3", "question:3(b)"),
        ("Problem 3, part b", "question:3(b)"),
        ("第3题第(2)问", "question:3(2)"),
        ("第三题的第二小问", "question:3(2)"),
        ("第3题②", "question:3(2)"),
        ("第三大题第2小题", "question:P3.2"),
        ("第三部分第2题", "question:P3.2"),
        ("第三大题", "question:P3"),
        ("Question 1.1A", "question:1.1(a)"),
    ],
)
def test_a_written_form_names_its_item(text: str, key: str) -> None:
    assert keys(text) == [key]


@pytest.mark.parametrize(
    "text",
    [
        "Q3 revenue rose by 5%",
        "共20题，满分100分",
        "第一题材是战争",
        "这道题型很常见",
        "exercise 30 minutes a day",
        "research question 1 asks whether",
        "the problem is old",
    ],
)
def test_what_only_looks_like_an_item_is_none(text: str) -> None:
    assert keys(text) == []


def test_quarters_are_items_where_an_exam_is_spoken_of() -> None:
    assert keys("What is the solution of Q3?") == ["question:3"]


def test_lists_and_ranges_are_expanded() -> None:
    assert keys("第3、4题") == ["question:3", "question:4"]
    assert keys("第17-19题") == ["question:17", "question:18", "question:19"]
    assert keys("Questions 3 and 4") == ["question:3", "question:4"]


def test_the_picture_of_an_item_is_a_figure() -> None:
    assert keys("第13题图①") == ["figure:Q13(1)"]


@pytest.mark.parametrize("text", ["第17题", "第3题(b)", "第3大题第2题", "第3大题"])
def test_display_is_read_back_as_the_same_label(text: str) -> None:
    (span,) = find_labels(text)
    assert display(span.label, "zh") == text
    assert Label.from_key(span.label.key) == span.label
    if not span.label.parts[0].startswith("P"):
        (again,) = find_labels(display(span.label, "en"))
        assert again.label == span.label
