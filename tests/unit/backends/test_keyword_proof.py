"""What a loss of power leaves of the keyword index, and what a proof forgets of it."""

import json

import numpy as np
import pytest
from store_fakes import Characters

from tuwen.backends import keyword_segment as segments
from tuwen.backends.keyword import PostingsIndex

FILES = ["keys.npy", "indptr.npy", "rows.npy", "counts.npy", "lengths.npy"]


@pytest.fixture
def folder(tmp_path):
    """Two segments, one joined from others and with a dead chunk."""
    index = PostingsIndex(tmp_path, Characters())
    index.add("k", [(f"a{i}", f"离心泵第{i}台 PLC " + "轴承温度" * i) for i in range(40)])
    index.add("k", [(f"a{i}", "阀门与锅炉 " * 3) for i in range(20, 60)])
    index.add("k", [("。", "。"), ("", " ")])  # one without a word
    (found,) = tmp_path.iterdir()
    assert len([p for p in found.iterdir() if p.is_dir()]) == 2
    return found


def proved(folder):
    index = PostingsIndex(folder.parent, Characters())
    index.prove("k")
    return index


def big(folder):
    return max((p for p in folder.iterdir() if p.is_dir()), key=lambda p: len(ids(p)))


def ids(segment):
    return json.loads((segment / "ids.json").read_text(encoding="utf-8"))


def without_sums(folder):
    for path in folder.rglob("sum"):
        path.unlink()


@pytest.mark.parametrize("old", [False, True], ids=["sums", "no sums"])
def test_a_sound_index_is_left_alone(folder, old):
    before = PostingsIndex(folder.parent, Characters())
    expected = before.version("k"), before.ids("k"), before.search("k", "轴承 7", 50)
    assert len(expected[1]) == 62
    if old:
        without_sums(folder)
    index = proved(folder)
    assert (index.version("k"), index.ids("k"), index.search("k", "轴承 7", 50)) == expected


@pytest.mark.parametrize("old", [False, True], ids=["sums", "no sums"])
@pytest.mark.parametrize("damage", ["zeros", "shorter", "gone"])
@pytest.mark.parametrize("name", FILES)
def test_a_segment_that_was_never_wholly_on_the_disk_is_forgotten(folder, name, damage, old):
    if old:
        without_sums(folder)
    segment = big(folder)
    path, lost = segment / name, set(ids(segment))
    data = path.read_bytes()
    half = 128 + (len(data) - 128) // 8 * 4
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:half] + (b"\0" * (len(data) - half) if damage == "zeros" else b""))
    kept = proved(folder)
    assert not kept.ids("k") & lost
    kept.add("k", [("a1", "离心泵")])
    assert PostingsIndex(folder.parent, Characters()).ids("k") == kept.ids("k")


@pytest.mark.parametrize("name", ["ids.json", "sum"])
def test_a_file_of_names_that_was_never_written_costs_its_segment(folder, name):
    (big(folder) / name).write_bytes(b"")
    assert "a1" not in proved(folder).ids("k")


def test_dead_chunks_of_a_write_that_was_cut_off_do_not_stand_for_others(folder):
    index = PostingsIndex(folder.parent, Characters())
    index.delete("k", ["a1"])
    (mask,) = folder.glob("*.dead*.npy")
    other = np.zeros(len(ids(big(folder))), dtype=bool)
    other[5] = True
    left = mask.with_name(mask.name.replace("1.npy", "2.npy"))
    other[7] = True
    np.save(left, other)  # a process died after this and before its manifest
    index.delete("k", ["a2"])
    assert PostingsIndex(folder.parent, Characters()).ids("k") == index.ids("k")


def test_an_empty_index_is_proved_in_silence(tmp_path):
    index = PostingsIndex(tmp_path, Characters())
    index.prove("k")
    assert index.ids("k") == set()


def test_the_parts_of_a_segment_fit_together(folder):
    without_sums(folder)
    assert [segments.whole(p) for p in folder.iterdir() if p.is_dir()] == [True, True]
