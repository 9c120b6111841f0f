"""The comparison of our indexes with plain engines."""

import pytest

from tuwen.evals import benchmark, engine_ratios

pytestmark = pytest.mark.integration


def test_the_report_holds_times_recall_and_sizes_of_both_indexes():
    report = engine_ratios.run(benchmark.made_chunks(120), questions=10)
    assert report["chunks"] == 120
    assert report["vectors"]["recall@100"] == 1.0
    for part in ("keyword", "vectors"):
        ours = report[part]["ours_ms"]
        assert 0 < ours["p50"] <= ours["p95"]
    assert report["disk_mb"]["words"] > 0
    assert report["vectors"]["ratio"]["p50"] > 0


def test_the_keyword_index_can_be_measured_without_the_vectors():
    report = engine_ratios.run(benchmark.made_chunks(60), questions=6, only="keyword")
    assert "vectors" not in report
    assert set(report["disk_mb"]) == {"words"}
    if "note" not in report["keyword"]:  # bm25s is no dependency
        assert report["keyword"]["ratio_same_cuts"]["cpu"] > 0


def test_a_benchmark_without_a_model_times_every_stage():
    report = benchmark.run_benchmark(benchmark.made_chunks(60), questions=6, hashed=True)
    assert report["encoder"] == "hashed pairs"
    for kind in ("by_the_clock", "in_work"):
        times = report["retrieval"][kind]
        assert times["questions"] == 3
        stages = {"search_dense", "search_keyword", "fuse", "gather"}
        assert stages <= set(times["stages_ms"])
        assert times["round_ms"]["p50"] > 0
    work = report["retrieval"]["in_work"]
    assert sum(each["p50"] for each in work["stages_ms"].values()) <= work["round_ms"]["p95"]
    assert report["opening_and_first_question"]["work_seconds"] > 0
