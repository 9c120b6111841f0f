import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuwen.backends.vector_rows import VectorRows


def vectors(*numbers, dim=4):
    return np.array([[n] * dim for n in numbers], dtype=np.float32)


def content(rows, ids="abcdefgh"):
    found, matrix = rows.get(ids)
    return {i: float(v[0]) for i, v in zip(found, matrix, strict=True)}


def test_vectors_are_kept_replaced_and_forgotten(tmp_path):
    rows = VectorRows(tmp_path, 4)
    assert content(rows) == {}
    rows.put(["a", "b"], vectors(1, 2))
    rows.put(["b", "c"], vectors(3, 4))
    rows.remove(["a", "unknown"])
    assert content(rows) == content(VectorRows(tmp_path, 4)) == {"b": 3, "c": 4}
    assert len(rows) == 2
    rows.drop()
    assert content(rows) == {}
    assert not tmp_path.exists()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_crash_at_any_byte_loses_the_end_and_nothing_else(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("rows")
    rows = VectorRows(folder, 4)
    written: list[tuple[str, int | None]] = []
    for number in range(data.draw(st.integers(1, 5))):
        ids = data.draw(st.lists(st.sampled_from("abcd"), min_size=1, unique=True))
        if data.draw(st.booleans()):
            rows.put(ids, vectors(*[number] * len(ids)))
            written += [(i, number) for i in ids]
        else:
            written += [(i, None) for i in ids if i in content(rows)]
            rows.remove(ids)
    log = folder / "log.jsonl"
    whole = log.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    log.write_bytes(whole[:cut])
    kept = dict(written[: whole[:cut].count(b"\n")])
    survived = {i: number for i, number in kept.items() if number is not None}
    assert content(VectorRows(folder, 4)) == survived
    again = VectorRows(folder, 4)
    again.put(["e"], vectors(9))
    assert content(VectorRows(folder, 4)) == survived | {"e": 9}


@pytest.mark.parametrize(
    "damage",
    [
        lambda f: (f / "rows.f32").write_bytes(b""),
        lambda f: (f / "log.jsonl").write_bytes(b"not json\n"),
        lambda f: (f / "rows.f32").unlink(),
        lambda f: (f / "log.jsonl").unlink(),
    ],
)
def test_a_damaged_file_empties_the_cache(tmp_path, damage):
    VectorRows(tmp_path, 4).put(["a"], vectors(1))
    damage(tmp_path)
    rows = VectorRows(tmp_path, 4)
    assert content(rows) == {}
    rows.put(["a"], vectors(2))
    assert content(VectorRows(tmp_path, 4)) == {"a": 2}


def test_a_failed_write_does_not_shift_the_next_one(tmp_path):
    rows = VectorRows(tmp_path, 4)
    rows.put(["a"], vectors(1))
    with (tmp_path / "rows.f32").open("ab") as file:
        file.write(b"half a vector")
    rows.put(["b"], vectors(2))
    assert content(rows) == content(VectorRows(tmp_path, 4)) == {"a": 1, "b": 2}


def test_a_cache_of_gaps_is_written_anew_without_them(tmp_path):
    rows = VectorRows(tmp_path, 4)
    ids = [f"c{i}" for i in range(1500)]
    rows.put(ids, vectors(*range(1500)))
    rows.remove(ids[:1400])
    for whole in (False, True):
        rows.mark(whole=whole)
        again = VectorRows(tmp_path, 4)
        assert content(again, ids) == {f"c{i}": i for i in range(1400, 1500)}
        assert again.whole == whole
        assert (tmp_path / "rows.f32").stat().st_size == 100 * 16
        rows = again


def test_the_nearest_are_those_of_a_full_comparison_also_after_removals(tmp_path):
    dice = np.random.default_rng(3)
    vectors = dice.normal(size=(60, 8)).astype(np.float32)
    rows = VectorRows(tmp_path, 8)
    rows.put([f"c{i}" for i in range(60)], vectors)
    question = dice.normal(size=8).astype(np.float32)
    assert {i for i, _ in rows.nearest(question, 60)} == {f"c{i}" for i in range(60)}
    rows.remove([f"c{i}" for i in range(0, 60, 3)])
    rows.put(["c1"], vectors[:1])
    kept = {f"c{i}": vectors[i] for i in range(60) if i % 3} | {"c1": vectors[0]}
    expected = sorted(kept, key=lambda i: (-float(kept[i] @ question), i))[:10]
    found = sorted(rows.nearest(question, 10), key=lambda pair: (-pair[1], pair[0]))
    assert [i for i, _ in found] == expected
    assert rows.nearest(question, 0) == []
    assert VectorRows(tmp_path / "other", 8).nearest(question, 5) == []
    assert {i for i, _ in VectorRows(tmp_path, 8).nearest(question, 10)} == set(expected)


def test_all_that_tie_with_the_last_are_among_the_nearest(tmp_path):
    rows = VectorRows(tmp_path, 2)
    rows.put(["b", "a", "c"], np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32))
    assert {i for i, _ in rows.nearest(np.array([1, 0]), 1)} == {"a", "b"}


def test_a_mark_that_cannot_be_written_counts_until_the_next_start(tmp_path):
    rows = VectorRows(tmp_path, 2)
    (tmp_path / "whole").mkdir()  # in the way
    rows.mark(whole=True)
    assert rows.whole


def unit(*numbers, dim=8):
    dice = np.stack([np.random.default_rng(n).normal(size=dim) for n in numbers])
    return (dice / np.linalg.norm(dice, axis=1, keepdims=True)).astype(np.float32)


def overwrite(path, place, data):
    with path.open("r+b") as file:
        file.seek(place)
        file.write(data)


def without_sums(folder):
    log = folder / "log.jsonl"
    entries = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    log.write_text("".join(f"{json.dumps(e[:2])}\n" for e in entries), encoding="utf-8")


@pytest.mark.parametrize("old", [False, True], ids=["sums", "no sums"])
def test_a_proof_forgets_the_rows_that_were_never_on_the_disk_and_no_other(tmp_path, old):
    rows = VectorRows(tmp_path, 8)
    rows.put(["a", "b", "c"], unit(1, 2, 3))
    rows.remove(["a"])
    rows.put(["d", "a"], unit(4, 5))
    rows.mark(whole=True)
    if old:
        without_sums(tmp_path)
    whole = VectorRows(tmp_path, 8, prove=True)
    assert set(whole.ids()) == {"a", "b", "c", "d"}
    assert not whole.whole  # what the engine holds is to be asked again
    overwrite(tmp_path / "rows.f32", 2 * 32, b"\0" * 32)  # c
    overwrite(tmp_path / "rows.f32", 3 * 32 + 16, b"\0" * 16)  # half of d
    kept = VectorRows(tmp_path, 8, prove=True)
    assert set(kept.ids()) == {"a", "b"}
    assert np.array_equal(kept.get(["a"])[1], unit(5))
    assert set(VectorRows(tmp_path, 8).ids()) == {"a", "b"}


def test_a_log_of_another_version_is_read_and_written_on(tmp_path):
    rows = VectorRows(tmp_path, 8)
    rows.put(["a", "b"], unit(1, 2))
    rows.mark(whole=True)
    without_sums(tmp_path)
    again = VectorRows(tmp_path, 8)
    assert again.whole
    again.put(["c"], unit(3))
    assert set(VectorRows(tmp_path, 8, prove=True).ids()) == {"a", "b", "c"}


@pytest.mark.parametrize("room", [1, 9, 60])
def test_a_log_that_ends_in_room_never_written_keeps_its_lines(tmp_path, room):
    rows = VectorRows(tmp_path, 8)
    rows.put(["a", "b"], unit(1, 2))
    log = tmp_path / "log.jsonl"
    whole = log.stat().st_size
    overwrite(log, whole - 1 if room == 1 else whole, b"\0" * room)
    assert set(VectorRows(tmp_path, 8).ids()) == ({"a"} if room == 1 else {"a", "b"})
    VectorRows(tmp_path, 8).put(["c"], unit(3))
    assert "c" in VectorRows(tmp_path, 8).ids()
