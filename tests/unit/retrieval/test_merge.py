from hypothesis import given
from hypothesis import strategies as st

from tuwen.core.evidence import Explain, Hit
from tuwen.tools.merge import kept, merge_hits

hit_lists = st.lists(
    st.builds(
        lambda i, score, rank, dropped: {
            "chunk_id": i,
            "score": score,
            "explain": {"legs": {"dense": {"rank": rank, "score": 0.5}}, "dropped": dropped},
        },
        st.sampled_from("abcde"),
        st.sampled_from([0.0, 0.5, 1.0, -2.0]),
        st.integers(1, 3),
        st.sampled_from(["", "", "mmr"]),
    ),
    max_size=6,
)


def hit(chunk_id, score, dropped=""):
    return {"chunk_id": chunk_id, "score": score, "explain": {"dropped": dropped}}


def test_a_chunk_keeps_its_best_score():
    merged = merge_hits([hit("a", 1.0), hit("b", 3.0)], [hit("a", 2.0)])
    assert [(h["chunk_id"], h["score"]) for h in merged] == [("b", 3.0), ("a", 2.0)]


def test_ties_are_ordered_by_id():
    assert [h["chunk_id"] for h in merge_hits([hit("b", 1.0)], [hit("a", 1.0)])] == ["a", "b"]


def test_a_kept_hit_wins_over_a_dropped_one_and_stands_before_it():
    merged = merge_hits([hit("a", 9.0, "mmr"), hit("b", 8.0, "mmr")], [hit("a", 1.0)])
    assert [(h["chunk_id"], h["score"]) for h in merged] == [("a", 1.0), ("b", 8.0)]


def test_not_a_number_loses_to_any_score():
    merged = merge_hits([hit("a", float("nan"))], [hit("a", -5.0)])
    assert merged[0]["score"] == -5.0


@given(hit_lists, hit_lists)
def test_the_order_of_the_branches_does_not_matter(left, right):
    assert merge_hits(left, right) == merge_hits(right, left)


@given(hit_lists, hit_lists, hit_lists)
def test_the_grouping_of_the_branches_does_not_matter(a, b, c):
    assert merge_hits(merge_hits(a, b), c) == merge_hits(a, merge_hits(b, c))


@given(hit_lists)
def test_merging_again_changes_nothing(hits):
    once = merge_hits([], hits)
    assert merge_hits(once, once) == once == merge_hits(once, hits)


def test_kept_leaves_out_what_a_step_dropped():
    hits = [Hit("a", 1.0), Hit("b", 1.0, Explain(dropped="rerank"))]
    assert [h.chunk_id for h in kept(hits)] == ["a"]
