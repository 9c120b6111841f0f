import math

import pytest

from tuwen.evals import metrics


def test_recall_is_the_share_of_relevant_ids_within_k():
    assert metrics.recall_at(["a", "b", "c"], {"b", "x"}, 1) == 0.0
    assert metrics.recall_at(["a", "b", "c"], {"b", "x"}, 2) == 0.5
    assert metrics.recall_at(["x", "b"], {"b", "x"}, 5) == 1.0
    assert metrics.recall_at(["x"], set(), 5) == 0.0


def test_a_repeated_id_counts_once():
    assert metrics.recall_at(["b", "b"], {"b", "x"}, 2) == 0.5
    assert metrics.ndcg_at(["b", "b"], {"b"}, 10) == 1.0


def test_hit_asks_for_any_relevant_id():
    assert metrics.hit_at(["a", "b"], {"b", "x"}, 2) == 1.0
    assert metrics.hit_at(["a", "b"], {"b", "x"}, 1) == 0.0


def test_mrr_is_the_inverse_rank_of_the_first_relevant_id():
    assert metrics.mrr_at(["a", "b", "c"], {"c", "b"}, 10) == 0.5
    assert metrics.mrr_at(["a", "b", "c"], {"c"}, 2) == 0.0


def test_ndcg_matches_the_value_worked_out_by_hand():
    # Relevant at ranks 1 and 3 of two relevant ids: (1 + 1/2) / (1 + 1/log2(3)).
    expected = 1.5 / (1 + 1 / math.log2(3))
    assert metrics.ndcg_at(["a", "b", "c"], {"a", "c"}, 10) == pytest.approx(expected)
    assert metrics.ndcg_at(["a", "c", "b"], {"a", "c"}, 10) == pytest.approx(1.0)


def test_ndcg_ideal_is_cut_at_k():
    assert metrics.ndcg_at(["a"], {"a", "b", "c"}, 1) == pytest.approx(1.0)


def test_wilson_matches_published_values():
    # Newcombe 1998, table I: 81/263 -> .2553 to .3662; 0/20 -> 0 to .1611.
    assert metrics.wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert metrics.wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert metrics.wilson(20, 20)[1] == 1.0
    assert metrics.wilson(0, 0) == (0.0, 1.0)


def test_bootstrap_is_repeatable_and_holds_the_mean():
    values = [0.0, 0.5, 1.0, 0.5, 0.25, 0.75]
    low, high = metrics.bootstrap(values, seed=7)
    assert (low, high) == metrics.bootstrap(values, seed=7)
    assert low < sum(values) / len(values) < high
    assert metrics.bootstrap([0.4, 0.4], seed=1) == pytest.approx((0.4, 0.4))


def test_shares_of_yes_and_no_get_wilson_and_others_the_bootstrap():
    assert metrics.interval([1.0, 0.0, 1.0]) == metrics.wilson(2, 3)
    assert metrics.interval([0.5, 1.0]) == metrics.bootstrap([0.5, 1.0], seed=0)


def test_precision_recall_and_f1_by_hand():
    counts = metrics.count([(True, True), (True, False), (False, True), (False, False)] * 2)
    assert (counts.precision, counts.recall, counts.f1) == (0.5, 0.5, 0.5)
    assert counts.true_negative == 2


def test_precision_of_nothing_said_is_unknown_and_not_perfect():
    counts = metrics.count([(True, False)])
    assert counts.precision is None
    assert counts.recall == 0.0
    assert metrics.count([(False, False)]).f1 is None


def test_ranking_values_hold_one_value_a_question():
    values = metrics.ranking_values([(["a"], {"a"}), (["b"], {"a"})], hits=True)
    assert values["recall@1"] == [1.0, 0.0]
    assert set(values) == {
        *(f"{name}@{k}" for name in ("recall", "hit") for k in (1, 5, 10)),
        "mrr@10",
        "ndcg@10",
    }
    assert metrics.means(values)["recall@1"] == 0.5
    assert metrics.intervals(values)["recall@1"] == [round(end, 4) for end in metrics.wilson(1, 2)]


def test_percentile_interpolates():
    assert metrics.percentile([4.0, 1.0, 3.0, 2.0], 0.5) == 2.5
    assert metrics.percentile([5.0], 0.95) == 5.0
    assert metrics.percentile([], 0.5) == 0.0
