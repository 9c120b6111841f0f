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


def test_a_cache_of_gaps_starts_again(tmp_path):
    rows = VectorRows(tmp_path, 4)
    ids = [f"c{i}" for i in range(1500)]
    rows.put(ids, vectors(*range(1500)))
    rows.remove(ids[:1400])
    assert len(VectorRows(tmp_path, 4)) == 0
    assert (tmp_path / "rows.f32").stat().st_size == 0
