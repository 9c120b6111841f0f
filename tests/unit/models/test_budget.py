import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuwen.agents.budget import Budget, clip_middle, compact_history
from tuwen.agents.passages import estimate_tokens


@settings(deadline=None)
@given(st.integers(1000, 9000), st.integers(16, 20_000), st.integers(0, 9000))
def test_prompt_within_the_room_leaves_place_for_the_answer(window, max_tokens, size):
    budget = Budget(window=window, max_tokens=max_tokens)
    text = "字" * min(size, budget.room(""))
    limit = budget.completion([text])
    assert estimate_tokens(text) + limit <= window
    assert limit >= min(max_tokens, budget.usable // 4) - 8


def test_completion_is_lowered_before_the_context_is_cut():
    budget = Budget(window=8192, max_tokens=5120)
    assert budget.room() > 3478
    assert 3000 < budget.completion(["字" * 3478]) < 5120


@settings(deadline=None)
@given(st.text(alphabet="汉字ab 。\n", max_size=300), st.integers(5, 200))
def test_clipped_text_fits_and_keeps_both_ends(text, tokens):
    clipped = clip_middle(text, tokens)
    assert estimate_tokens(clipped) <= max(tokens, 3)
    if estimate_tokens(text) <= tokens:
        assert clipped == text


def test_long_paste_keeps_its_question():
    text = "背景" * 2000 + "所以泵的流量是多少？"
    assert clip_middle(text, 100).endswith("所以泵的流量是多少？")


TURNS = [
    ("user", "泵的流量？"),
    ("assistant", "50 m³/h [1][2]。" + "长" * 2000),
    ("user", "扬程？"),
    ("assistant", "32 m [1]"),
]


def test_old_answers_are_shortened_and_lose_their_numbers():
    kept = compact_history(TURNS, 5000)
    assert [role for role, _ in kept] == ["user", "assistant", "user", "assistant"]
    assert kept[1][1].startswith("50 m³/h。")
    assert len(kept[1][1]) < 700
    assert kept[3][1] == "32 m"


@settings(deadline=None)
@given(st.integers(0, 3000))
def test_history_fits_and_begins_with_a_question(tokens):
    kept = compact_history(TURNS * 20, tokens)
    assert sum(estimate_tokens(text) + 8 for _, text in kept) <= tokens
    assert not kept or kept[0][0] == "user"


def test_latest_turns_are_kept():
    assert compact_history(TURNS, 40)[-1] == ("assistant", "32 m")


@pytest.mark.parametrize("tokens", [0, 5])
def test_no_room_is_no_history(tokens):
    assert compact_history(TURNS, tokens) == []


@pytest.mark.parametrize("text", ["汉字", "漢字", "，。", "ＡＢ", "かな", "12"])
def test_a_wide_character_or_a_digit_is_estimated_as_a_token_at_least(text):
    assert estimate_tokens(text * 8000) >= 16_000
