"""A home for timing that is built in several goes."""

import pytest

from tuwen.evals import benchmark, scale

pytestmark = pytest.mark.integration


def test_a_second_call_builds_only_what_is_missing(tmp_path):
    chunks = benchmark.made_chunks(400)
    first = scale.run(tmp_path / "home", chunks[:200], questions=5)
    assert first["build"]["chunks"] == 200
    second = scale.run(tmp_path / "home", chunks, questions=5)
    assert second["build"]["chunks"] == 200
    third = scale.run(tmp_path / "home", chunks, questions=5)
    assert third["build"]["chunks"] == 0
    for report in (first, second, third):
        assert {"search_dense", "search_keyword", "fuse"} <= set(
            report["again"]["by_the_clock"]["stages_ms"]
        )
        assert report["first"]["in_work"]["round_ms"]["p50"] > 0


def test_rows_without_an_engine_are_a_vector_index(tmp_path):
    index = scale.RowsIndex(tmp_path, 2)
    records = [scale.VectorRecord(id=i, text=i, visual=False, metadata={}) for i in "abc"]
    index.upsert("c", records, [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    assert index.search("c", [1.0, 0.0], 2) == [("a", 1.0), ("c", 1.0)]
    assert index.search("c", [1.0, 0.0], 2, allowed={"b"}) == [("b", 0.0)]
    assert index.search("c", [1.0, 0.0], 2, visual=True) == []
    index.delete("c", ["a"])
    assert index.ids("c") == {"b", "c"}
    assert set(index.vectors("c", ["a", "b"])) == {"b"}
