"""Hours of a day in running text, and the sentence of whom the question names among its like."""

import pytest

from tests.unit.agents.test_extractive import write  # noqa: F401
from tuwen.agents.extractive_days import days_said, hours_on

POOL = "游泳池周一至周四 9:00-20:00，周五、周六 9:00-22:00，周日 10:00-18:00。桑拿房周二闭馆。"
GYM = (
    "The gym is open Monday to Thursday 7:00–22:00, Friday, Saturday 8:00–20:00. Closed on Sundays."
)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("周一至周五", {1, 2, 3, 4, 5}),
        ("星期二到四", {2, 3, 4}),
        ("周末和周三", {3, 6, 7}),
        ("工作日", {1, 2, 3, 4, 5}),
        ("Mon–Wed and Sat", {1, 2, 3, 6}),
        ("weekdays", {1, 2, 3, 4, 5}),
        ("from Tuesday through Thursday", {2, 3, 4}),
        ("daily", {1, 2, 3, 4, 5, 6, 7}),
        ("一周后，第三天", set()),
        ("the sun and the monsoon", set()),
    ],
)
def test_days_are_read_alone_in_ranges_and_by_the_names_of_several(text, days):
    assert days_said(text) == days


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("游泳池周三几点关门？", ["游泳池周一至周四 9:00-20:00"]),
        ("周六游泳池开到几点？", ["周五、周六 9:00-22:00"]),
        ("周日几点开门？", ["周日 10:00-18:00"]),
        ("周二桑拿房开放吗？", ["桑拿房周二闭馆"]),
        ("游泳池周末几点关门？", []),
        ("球场周日几点开门？", []),
        ("游泳池有多长？", []),
    ],
)
def test_the_clause_of_the_day_is_told(question, clause, passage, tokenizer):
    assert [text for _, text in hours_on(question, [passage(1, POOL)], tokenizer)] == clause


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        (
            "When does the gym close on Wednesday?",
            ["The gym is open Monday to Thursday 7:00–22:00"],
        ),
        ("What time does the gym open on Saturday?", ["Friday, Saturday 8:00–20:00."]),
        ("When is it open on Sundays?", ["Closed on Sundays."]),
        ("When does the cafe open on Saturday?", []),
        ("Who trains on Saturday?", []),
    ],
)
def test_english_hours_are_told_alike(question, clause, passage, tokenizer):
    assert [text for _, text in hours_on(question, [passage(1, GYM)], tokenizer)] == clause


RENTALS = "Members may rent 4 boats for 6 hours.\nGuests may rent 1 boat for 2 hours.\n"
LOANS = "会员可以租用 4 条船，租期 6 小时。\n访客可以租用 1 条船，租期 2 小时。\n"


@pytest.mark.parametrize(
    ("question", "language", "text", "own", "other"),
    [
        ("How many boats may guests rent?", "en", RENTALS, "rent 1 boat", "4 boats"),
        ("How many boats may members rent?", "en", RENTALS, "rent 4 boats", "1 boat"),
        ("访客可以租用几条船", "zh", LOANS, "1 条船", "4 条船"),
        ("会员可以租用几条船", "zh", LOANS, "4 条船", "1 条船"),
    ],
)
def test_what_the_same_words_say_of_another_is_left_out(
    write, passage, question, language, text, own, other  # noqa: F811
):  # fmt: skip
    draft = write(question, [passage(1, text)], kind="numeric", language=language)
    assert own in draft.text
    assert other not in draft.text


def test_both_are_told_where_both_are_named(write, passage):  # noqa: F811
    asked = "How many boats may members and guests rent?"
    draft = write(asked, [passage(1, RENTALS)], kind="numeric", language="en")
    assert "rent 1 boat" in draft.text
    assert "rent 4 boats" in draft.text
