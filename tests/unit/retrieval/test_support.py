import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuwen.tools.support import VOTERS, support


def lookup_in(vectors):
    return lambda ids: {i: np.array(vectors[i], dtype=np.float32) for i in ids if i in vectors}


STORY = {"a": [1.0, 0.0], "b": [0.9, 0.1], "c": [0.95, 0.05], "alone": [0.0, 1.0]}


def test_versions_of_one_story_support_each_other():
    votes = support(dict.fromkeys(STORY, 1.0), lookup_in(STORY))
    assert min(votes, key=votes.get) == "alone"
    assert sum(votes.values()) == pytest.approx(0.0, abs=1e-9)


def test_a_better_hit_has_the_greater_vote():
    vectors = {"top": [1.0, 0.0], "low": [0.0, 1.0], "x": [0.8, 0.6], "y": [0.6, 0.8]}
    votes = support({"top": 3.0, "low": 0.0, "x": 1.0, "y": 1.0}, lookup_in(vectors))
    assert votes["x"] > votes["y"]


def test_hits_without_a_vector_or_far_behind_get_the_least():
    ids = {f"h{i:02}": -float(i) for i in range(VOTERS + 5)}
    vectors = {i: [1.0, 0.1 * n] for n, i in enumerate(ids)} | {}
    del vectors["h01"]
    votes = support(ids, lookup_in(vectors))
    least = min(votes.values())
    assert votes["h01"] == least
    assert {votes[f"h{i}"] for i in range(VOTERS, VOTERS + 5)} == {least}


@pytest.mark.parametrize(
    "vectors",
    [{}, {"a": [1.0, 0.0], "b": [0.0, 1.0]}, {i: [1.0, 1.0] for i in "abcd"}],
    ids=["none", "two", "alike"],
)
def test_too_few_or_like_vectors_say_nothing(vectors):
    scores = dict.fromkeys("abcd", 1.0)
    assert support(scores, lookup_in(vectors)) == dict.fromkeys("abcd", 0.0)


@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.floats(-50, 50), max_size=30))
def test_every_hit_gets_a_finite_plain_number(scores):
    vectors = {i: [len(i), i.count("a"), 0.0] for i in scores}
    votes = support(scores, lookup_in(vectors))
    assert votes.keys() == scores.keys()
    assert all(type(vote) is float and np.isfinite(vote) for vote in votes.values())
