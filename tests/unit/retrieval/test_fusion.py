import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tuwen.core.evidence import LegResult
from tuwen.core.settings import RetrievalSettings
from tuwen.tools.fusion import coverage_fusion, crowd_of, fuse, keyword_trust, rrf


def leg(name, ids, scores=None, *, query="q", coverage=None, crowd=0.0):
    if scores is None:
        scores = [1.0 - 0.1 * i for i in range(len(ids))]
    return LegResult(
        leg=name,
        query=query,
        ids=tuple(ids),
        scores=tuple(scores),
        coverage=coverage,
        crowd=crowd,
    )


def ids(hits):
    return [hit.chunk_id for hit in hits]


def test_rrf_adds_the_reciprocal_of_k_plus_rank_of_every_leg():
    hits = rrf([leg("dense", "ab"), leg("keyword", "bc")], k=60)
    scores = {hit.chunk_id: hit.score for hit in hits}
    assert scores == {"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 62}
    assert ids(hits) == ["b", "a", "c"]


def test_rrf_rewards_a_chunk_that_both_legs_found_and_lists_it_once():
    hits = rrf([leg("dense", ["c1", "c2", "c3"]), leg("keyword", ["k1", "k2", "c3"])])
    assert hits[0].chunk_id == "c3"
    assert len(hits) == len(set(ids(hits))) == 5


def test_a_chunk_repeated_inside_a_leg_contributes_once_with_its_best_rank():
    hits = rrf([leg("dense", ["X", "X", "X", "Y"]), leg("keyword", ["Y", "Z"])])
    assert ids(hits)[:2] == ["Y", "X"]
    assert hits[1].score == 1 / 61


def test_two_queries_of_one_leg_are_one_contribution():
    hits = rrf([leg("dense", "ab", query="one"), leg("dense", "ba", query="two")])
    assert [hit.score for hit in hits] == [1 / 61, 1 / 61]


def test_a_leg_of_weight_zero_adds_nothing_and_loses_nothing():
    legs = [leg("dense", ["X", "a", "Y"]), leg("keyword", ["b", "c", "Y"])]
    hits = rrf(legs, weights={"keyword": 0.0})
    assert ids(hits) == ["X", "a", "Y", "b", "c"]
    assert [hit.score for hit in hits[3:]] == [0.0, 0.0]


def test_ties_are_broken_by_id_whatever_the_order_of_the_legs():
    one, two = leg("dense", ["z"]), leg("keyword", ["a"])
    assert ids(rrf([one, two])) == ids(rrf([two, one])) == ["a", "z"]


def test_explain_keeps_rank_and_score_of_each_leg():
    hit = rrf([leg("dense", "ab", [0.9, 0.7]), leg("keyword", "b", [3.0])])[0]
    assert hit.chunk_id == "b"
    assert (hit.explain.legs["dense"].rank, hit.explain.legs["dense"].score) == (2, 0.7)
    assert hit.explain.legs["keyword"].rank == 1
    assert hit.explain.fused == hit.score


def test_no_legs_and_empty_legs_give_no_hits():
    assert rrf([]) == []
    assert coverage_fusion([]) == []
    assert coverage_fusion([leg("dense", ""), leg("keyword", "", coverage=0.0)]) == []


def test_keyword_trust_grows_with_coverage_and_is_bounded():
    assert keyword_trust(0.1) == 0.0
    assert keyword_trust(0.5) == 1.0
    assert keyword_trust(1.0) == 1.0
    assert 0.0 < keyword_trust(0.3) < keyword_trust(0.4) < 1.0
    assert keyword_trust(None) == 0.5


def test_an_uncovered_keyword_leg_leaves_the_dense_order():
    dense = leg("dense", "abcd", [0.8, 0.6, 0.5, 0.4])
    noise = leg("keyword", "dcxy", [9.0, 8.0, 7.0, 6.0], coverage=0.1)
    assert [i for i in ids(coverage_fusion([dense, noise])) if i in "abcd"] == list("abcd")
    assert coverage_fusion([dense, noise])[0].chunk_id == "a"


def test_a_covered_keyword_leg_decides_over_a_flat_dense_leg():
    dense = leg("dense", "abcd", [0.41, 0.40, 0.39, 0.38])
    words = leg("keyword", "dxyz", [20.0, 3.0, 2.0, 1.0], coverage=0.95)
    assert coverage_fusion([dense, words])[0].chunk_id == "d"


def test_in_a_crowd_the_words_do_not_decide():
    dense = leg("dense", "abcd", [0.9, 0.8, 0.7, 0.6])
    for crowd, first in ((0.0, "d"), (1.0, "a")):
        words = leg("keyword", "dcba", [9.0, 2.0, 1.0, 0.5], coverage=1.0, crowd=crowd)
        assert coverage_fusion([dense, words])[0].chunk_id == first


def test_in_a_crowd_near_hits_support_each_other_and_else_no_vector_is_read():
    dense = leg("dense", "abcd", [0.90, 0.89, 0.88, 0.30])
    rows = {"a": [0.0, 1.0], "b": [1.0, 0.1], "c": [1.0, 0.0], "d": [0.3, 0.9]}
    read = []

    def lookup(asked):
        read.extend(asked)
        return {i: np.array(rows[i]) for i in asked}

    words = leg("keyword", "abcd", [1.0, 1.0, 1.0, 1.0], coverage=1.0)
    assert coverage_fusion([dense, words], lookup=lookup)[0].chunk_id == "a"
    assert not read
    crowded = leg("keyword", "abcd", [1.0, 1.0, 1.0, 1.0], coverage=1.0, crowd=1.0)
    assert coverage_fusion([dense, crowded], lookup=lookup)[0].chunk_id == "b"


def test_a_second_query_that_meets_no_crowd_is_believed():
    legs = [leg("keyword", "ab", coverage=0.9, crowd=crowd) for crowd in (1.0, 0.2)]
    assert crowd_of(legs) == 0.2
    assert crowd_of([leg("dense", "ab")]) == 0.0


def test_a_crowd_without_dense_hits_keeps_the_order_of_the_words():
    words = leg("keyword", "cab", [3.0, 2.0, 1.0], coverage=1.0, crowd=1.0)
    assert ids(coverage_fusion([words])) == ["c", "a", "b"]


def test_one_leg_alone_keeps_its_order():
    words = leg("keyword", "cab", [5.0, 4.0, 1.0], coverage=0.0)
    assert ids(coverage_fusion([words])) == ["c", "a", "b"]
    dense = leg("dense", "cab", [0.5, 0.4, 0.1])
    assert ids(coverage_fusion([dense])) == ["c", "a", "b"]


def test_label_hits_come_first():
    dense = leg("dense", "abcd", [0.9, 0.5, 0.4, 0.3])
    named = leg("label", ["n", "d"], [1.0, 1.0])
    assert set(ids(coverage_fusion([dense, named]))[:2]) == {"n", "d"}


def test_a_better_label_match_precedes_a_weaker_one():
    named = leg("label", ["weak", "exact"], [0.2, 1.0])
    assert ids(coverage_fusion([leg("dense", "ab"), named]))[:2] == ["exact", "weak"]


def test_pictures_of_the_visual_leg_stand_where_their_cosine_puts_them():
    dense = leg("dense", ["t1", "t2", "t3"], [0.8, 0.6, 0.5])
    visual = leg("visual", ["pic", "far"], [0.7, 0.1])
    order = ids(coverage_fusion([dense, visual]))
    assert order == ["t1", "pic", "t2", "t3", "far"]


def test_a_variant_query_brings_new_chunks_without_outranking_the_question():
    first = leg("dense", "abc", [0.9, 0.5, 0.4], query="question")
    other = leg("dense", "xbc", [0.9, 0.5, 0.4], query="variant")
    order = ids(coverage_fusion([first, other]))
    assert order[:2] == ["a", "x"]


def test_what_one_leg_is_sure_of_precedes_what_both_only_like():
    others = [f"other {i:02}" for i in range(18)]
    dense = leg(
        "dense", ["sure", "liked", *others], [0.6, 0.45, *(0.4 - 0.005 * i for i in range(18))]
    )
    words = leg(
        "keyword",
        ["liked", *others, "sure"],
        [6.2, *(6 - 0.1 * i for i in range(18)), 5.0],
        coverage=0.6,
    )
    assert ids(coverage_fusion([dense, words]))[:2] == ["sure", "liked"]
    assert ids(rrf([dense, words]))[:2] == ["liked", "other 00"]


def test_scores_that_are_not_numbers_are_ignored():
    dense = leg("dense", "ab", [float("nan"), 0.4])
    hits = coverage_fusion([dense, leg("keyword", "b", [1.0], coverage=0.9)])
    assert all(hit.score == hit.score for hit in hits)


def test_fuse_follows_the_settings():
    legs = [leg("dense", "ab"), leg("keyword", "bc", coverage=0.0)]
    assert fuse(legs, RetrievalSettings(fusion="rrf")) == rrf(legs, k=60)
    assert fuse(legs, RetrievalSettings()) == coverage_fusion(legs)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["dense", "keyword", "visual", "label"]),
            st.lists(st.sampled_from("abcdefg"), max_size=7, unique=True),
            st.floats(0, 1),
        ),
        max_size=5,
    )
)
def test_fusion_keeps_every_chunk_once_with_plain_float_scores(raw):
    legs = [leg(name, found, coverage=c) for name, found, c in raw]
    wanted = {i for _, found, _ in raw for i in found}
    for hits in (rrf(legs), coverage_fusion(legs)):
        assert sorted(ids(hits)) == sorted(wanted)
        assert all(type(hit.score) is float for hit in hits)
        assert [(-h.score, h.chunk_id) for h in hits] == sorted(
            (-h.score, h.chunk_id) for h in hits
        )
