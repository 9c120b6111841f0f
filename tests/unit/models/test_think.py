from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuwen.backends.openai_think import ThinkSplitter, split_thinking


def streamed(pieces, *, opened=False):
    splitter = ThinkSplitter(opened=opened)
    parts = [splitter.feed(piece) for piece in pieces] + [splitter.flush()]
    return "".join(p[0] for p in parts), "".join(p[1] for p in parts)


def cut(text, at):
    edges = [0, *sorted({min(i, len(text)) for i in at}), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


WHOLE = "<think>a < b {x} </thi not</think>\n答案 x<y <b>粗</b>"


@settings(deadline=None)
@given(st.lists(st.integers(0, len(WHOLE)), max_size=12))
def test_cutting_the_stream_elsewhere_changes_nothing(at):
    assert streamed(cut(WHOLE, at)) == ("答案 x<y <b>粗</b>", "a < b {x} </thi not")


@settings(deadline=None)
@given(st.text(alphabet="ab<>/thinkTH 好\n", max_size=60), st.lists(st.integers(0, 60), max_size=6))
def test_no_tag_ever_reaches_the_content(text, at):
    content, _ = streamed(cut(text, at))
    assert "<think>" not in content.lower()
    assert "</think>" not in content.lower()


@settings(deadline=None)
@given(st.text(alphabet="abc 好\n.", max_size=60), st.lists(st.integers(0, 60), max_size=6))
def test_text_without_tags_passes_unchanged_but_for_leading_space(text, at):
    assert streamed(cut(text, at)) == (text.lstrip(), "")


@pytest.mark.parametrize("end", ["<th", "<thin", "</think", "<THINK"])
def test_half_a_tag_at_the_end_is_dropped(end):
    assert streamed(["好", end]) == ("好", "")


@pytest.mark.parametrize("end", ["x<t", "a<", "1</"])
def test_short_ends_that_may_be_text_are_kept(end):
    assert streamed([end]) == (end, "")


def test_other_names_and_cases_of_the_tag_are_known():
    assert streamed(["<Thinking>a</Thinking>b<reasoning>c</reasoning>d"]) == ("bd", "ac")


def test_opened_stream_holds_back_until_the_closing_tag():
    assert streamed(["想", "一想</th", "ink>答", "案"], opened=True) == ("答案", "想一想")
    assert streamed(["<think>想</think>答"], opened=True) == ("答", "想")
    assert streamed(["直接", "答"], opened=True) == ("直接答", "")


def test_orphan_closing_tag_is_reported_for_the_next_time():
    splitter = ThinkSplitter()
    splitter.feed("想一想</think>答案")
    assert splitter.orphan


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("想</think>答", ("答", "想")),
        ("<think>想</think>答", ("答", "想")),
        ("答", ("答", "")),
        ("<think>没完", ("", "没完")),
    ],
)
def test_whole_reply_is_split(text, want):
    assert split_thinking(text) == want
