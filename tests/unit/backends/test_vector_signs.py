"""Searching a large collection by signs first."""

import numpy as np
import pytest

from tuwen.backends.vector_rows import VectorRows
from tuwen.backends.vector_signs import BITS, Signs, least, turning


def near_each_other(count, dim, seed=0):
    """Unit vectors in some thirty heaps, as texts are."""
    dice = np.random.default_rng(seed)
    heaps = dice.normal(size=(30, dim))
    vectors = heaps[dice.integers(0, 30, count)] + 0.8 * dice.normal(size=(count, dim))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def best(vectors, query, n, among=None):
    scores = vectors @ query
    order = sorted(range(len(vectors)) if among is None else among, key=lambda i: (-scores[i], i))
    return {f"c{i}" for i in order[:n]}


@pytest.mark.parametrize("dim", [1, 7, 384, 896])
def test_the_turn_keeps_lengths_and_angles(dim):
    matrix = turning(dim)
    assert matrix.shape == (BITS, dim)
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(dim), atol=1e-5)


def test_a_vector_is_nearest_to_itself_and_farthest_from_its_opposite(tmp_path):
    vectors = near_each_other(50, 64)
    signs = Signs(tmp_path / "signs", 64)
    signs.extend(np.concatenate([vectors, -vectors]))
    assert signs.nearest(vectors[2], slice(0, 100), 1).tolist() == [2]
    assert 52 not in signs.nearest(vectors[2], slice(0, 100), 99)
    some = np.array([3, 7, 52, 60])
    assert 52 not in signs.nearest(vectors[2], some, 3)
    assert set(signs.nearest(vectors[2], some, 4).tolist()) == set(some.tolist())


def test_the_least_are_all_that_tie_with_the_last():
    values = np.array([5, 1, 3, 3, 9, 0], dtype=np.uint16)
    assert least(values, 3).tolist() == [1, 2, 3, 5]
    assert least(values, 99).tolist() == list(range(6))


def test_a_large_collection_is_found_nearly_whole_and_scored_exactly(tmp_path):
    vectors = near_each_other(9000, 96)
    rows = VectorRows(tmp_path, 96, exact=3000)
    for start in range(0, 9000, 1500):
        rows.put([f"c{i}" for i in range(start, start + 1500)], vectors[start : start + 1500])
    shares = []
    for query in near_each_other(20, 96, seed=1):
        found = rows.nearest(query, 50)
        assert all(abs(s - float(vectors[int(i[1:])] @ query)) < 1e-5 for i, s in found)
        shares.append(len({i for i, _ in found} & best(vectors, query, 50)) / 50)
    assert sum(shares) / len(shares) > 0.98


def test_removed_and_replaced_vectors_and_filters_hold_in_a_large_collection(tmp_path):
    vectors = near_each_other(6000, 96)
    rows = VectorRows(tmp_path, 96, exact=500)
    rows.put([f"c{i}" for i in range(6000)], vectors)
    query = vectors[17]
    rows.remove(["c17"])
    assert "c17" not in {i for i, _ in rows.nearest(query, 20)}
    rows.put(["c18"], query[None])
    assert max(rows.nearest(query, 20), key=lambda pair: pair[1])[0] == "c18"
    allowed = frozenset(f"c{i}" for i in range(0, 6000, 2)) - {"c18"} | {"unknown"}
    found = {i for i, _ in rows.nearest(query, 20, allowed=allowed)}
    keep = [i for i in range(0, 6000, 2) if i != 18]
    assert len(found & best(vectors, query, 20, keep)) >= 19
    assert found <= allowed
    assert rows.nearest(query, 20, allowed=frozenset()) == []


@pytest.mark.parametrize("left", [None, 0, 1000, 128 * 700 + 5])
def test_lost_or_cut_signs_are_made_again(tmp_path, left):
    vectors = near_each_other(1000, 32)
    VectorRows(tmp_path, 32, exact=200).put([f"c{i}" for i in range(1000)], vectors)
    path = tmp_path / "signs.u64"
    whole = path.read_bytes()
    assert len(whole) == 1000 * BITS // 8
    path.unlink() if left is None else path.write_bytes(whole[:left])
    rows = VectorRows(tmp_path, 32, exact=200)
    rows.put(["last"], vectors[:1])
    assert path.read_bytes()[: len(whole)] == whole
    assert {i for i, _ in rows.nearest(vectors[0], 1)} == {"c0", "last"}


def test_signs_of_rows_that_a_crash_lost_are_not_given_to_their_successors(tmp_path):
    vectors = near_each_other(1000, 32)
    VectorRows(tmp_path, 32, exact=200).put([f"c{i}" for i in range(1000)], vectors)
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:900]))
    rows = VectorRows(tmp_path, 32, exact=200)
    rows.put([f"n{i}" for i in range(100)], -vectors[:100])
    found = sorted(rows.nearest(-vectors[5], 5), key=lambda pair: -pair[1])
    assert found[0][0] == "n5"
    fresh = Signs(tmp_path / "other", 32)
    fresh.extend(np.concatenate([vectors[:900], -vectors[:100]]))
    assert (tmp_path / "signs.u64").read_bytes() == (tmp_path / "other").read_bytes()


def test_a_collection_is_whole_only_as_long_as_its_owner_says_so(tmp_path):
    vectors = near_each_other(4, 8)
    rows = VectorRows(tmp_path, 8)
    assert not rows.whole
    rows.put(["a", "b"], vectors[:2])
    rows.mark(whole=True)
    assert VectorRows(tmp_path, 8).whole
    rows.mark(whole=False)
    rows.put(["c"], vectors[2:3])
    assert not VectorRows(tmp_path, 8).whole  # as after a crash in the middle of a change
    rows.mark(whole=True)
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    assert not VectorRows(tmp_path, 8).whole  # the log lost its end
