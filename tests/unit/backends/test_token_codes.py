import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuwen.backends.token_codes import coded, met, scores, turned


def unit(rows):
    rows = np.asarray(rows, dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("dim", [8, 64, 384])
def test_turning_leaves_products_as_they_are(dim):
    rows = np.random.default_rng(1).standard_normal((5, dim)).astype(np.float32)
    np.testing.assert_allclose(turned(rows) @ turned(rows).T, rows @ rows.T, rtol=1e-4, atol=1e-4)


def test_turning_spreads_what_one_dimension_holds():
    alone = np.eye(384, dtype=np.float32)[:3]
    assert np.abs(turned(alone)).max() < 0.5


def test_a_token_is_nearest_to_the_passage_that_holds_it():
    rng = np.random.default_rng(2)
    first, second = unit(rng.standard_normal((2, 40, 384)).reshape(80, 384)).reshape(2, 40, 384)
    asked = unit(first[7:10] + 0.3 * unit(rng.standard_normal((3, 384))))
    here, there = (met(turned(asked), coded(rows)) for rows in (first, second))
    assert (here > there + 0.2).all()
    assert here == pytest.approx([asked[i] @ first[7 + i] for i in range(3)], abs=0.05)


def test_a_passage_without_tokens_meets_nothing():
    question = turned(unit(np.ones((2, 8))))
    assert met(question, np.zeros((0, 2), dtype=np.uint8)).tolist() == [-1.0, -1.0]


def test_a_word_that_all_passages_hold_does_not_tell_them_apart():
    # The second token decides, though the first one is met a little better by the first passage.
    first, second = scores([np.array([0.92, 0.1]), np.array([0.9, 0.7])])
    assert second > first
    assert second > 0.8


def test_passages_that_are_alike_score_alike():
    assert scores([np.array([0.5, 0.1]), np.array([0.5, 0.1])]) == pytest.approx([0.65, 0.65])
    assert scores([]) == []


@given(
    st.lists(
        st.lists(st.floats(-1, 1), min_size=3, max_size=3).map(np.array), min_size=1, max_size=6
    )
)
def test_scores_are_shares_and_do_not_depend_on_the_order(rows):
    found = scores(rows)
    assert all(0.0 <= score <= 1.0 for score in found)
    assert scores(rows[::-1])[::-1] == pytest.approx(found)
