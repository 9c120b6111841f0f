import os
import pickle
import sqlite3

import pytest

from tuwen.backends import chroma_graphs as graphs

FILES = ("header.bin", "data_level0.bin", "length.bin", "link_lists.bin")
LAST = "index_metadata.pickle"


def saved(folder, at, *, only=(*FILES, LAST), data=b"graph"):
    """A graph as Chroma writes it: the last file after the others."""
    folder.mkdir(exist_ok=True)
    for step, name in enumerate((*FILES, LAST)):
        if name in only:
            content = pickle.dumps({"ids": list(range(40))}) if name == LAST else data
            (folder / name).write_bytes(content)
            os.utime(folder / name, (at + step, at + step))


def test_a_graph_that_was_noted_is_whole(tmp_path):
    saved(tmp_path / "a", 100)
    noted = graphs.settle(tmp_path, {})
    assert graphs.cut_off(tmp_path, noted, power=False) == set()
    assert graphs.cut_off(tmp_path, noted, power=True) == set()


def test_a_graph_written_to_its_end_outlives_the_process_and_not_the_machine(tmp_path):
    saved(tmp_path / "a", 100)
    saved(tmp_path / "b", 100)
    noted = graphs.settle(tmp_path, {})
    saved(tmp_path / "b", 200, data=b"another")
    assert graphs.cut_off(tmp_path, noted, power=False) == set()
    assert graphs.cut_off(tmp_path, noted, power=True) == {"b"}


@pytest.mark.parametrize("written", range(1, 5))
def test_a_graph_whose_first_files_are_new_is_cut_off(tmp_path, written):
    saved(tmp_path / "a", 100)
    noted = graphs.settle(tmp_path, {})
    saved(tmp_path / "a", 200, only=FILES[:written])
    assert graphs.cut_off(tmp_path, noted, power=False) == {"a"}


@pytest.mark.parametrize("kept", [0, 1, 30])
def test_a_last_file_that_ends_early_is_cut_off(tmp_path, kept):
    saved(tmp_path / "a", 100)
    noted = graphs.settle(tmp_path, {})
    saved(tmp_path / "a", 200)
    last = tmp_path / "a" / LAST
    last.write_bytes(last.read_bytes()[:kept])
    os.utime(last, (300, 300))
    assert graphs.cut_off(tmp_path, noted, power=False) == {"a"}


def test_a_graph_that_has_no_last_file_yet_is_read_from_the_log(tmp_path):
    saved(tmp_path / "a", 100, only=FILES[:2])
    assert graphs.cut_off(tmp_path, {}, power=False) == set()
    assert graphs.cut_off(tmp_path, {}, power=True) == {"a"}


def test_a_graph_that_was_dropped_is_no_concern(tmp_path):
    saved(tmp_path / "a", 100)
    noted = graphs.settle(tmp_path, {})
    for path in (tmp_path / "a").iterdir():
        path.unlink()
    (tmp_path / "a").rmdir()
    assert graphs.cut_off(tmp_path, noted, power=True) == set()
    assert graphs.settle(tmp_path, noted) == {}


def test_only_what_changed_is_waited_for(tmp_path, monkeypatch):
    saved(tmp_path / "a", 100)
    saved(tmp_path / "b", 100)
    noted = graphs.settle(tmp_path, {})
    saved(tmp_path / "b", 200)
    waited = []
    monkeypatch.setattr(graphs, "sync", lambda path: waited.append(path.parent.name))
    graphs.settle(tmp_path, noted)
    assert waited == ["b"] * 5


def database(folder, segments):
    with sqlite3.connect(folder / graphs.DATABASE) as db:
        db.execute("CREATE TABLE segments (id, collection)")
        db.executemany("INSERT INTO segments VALUES (?, ?)", segments.items())
    db.close()


def test_the_database_is_read_once_and_then_left_to_the_engine(tmp_path, monkeypatch):
    database(tmp_path, {"s1": "c1", "s2": "c1"})
    assert graphs.look(tmp_path) == ({"s1": "c1", "s2": "c1"}, False)
    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", None)  # would take the engine's locks away
        assert graphs.look(tmp_path).owners == {"s1": "c1", "s2": "c1"}
    assert (tmp_path / graphs.DATABASE).read_bytes()[18:20] == b"\2\2"  # it writes ahead


def test_a_new_folder_has_no_segments_and_is_not_ruined(tmp_path):
    assert graphs.look(tmp_path) == ({}, False)


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"\0" * 9000])
def test_a_database_that_is_none_is_told_from_one_out_of_reach(tmp_path, content):
    (tmp_path / graphs.DATABASE).write_bytes(content)
    assert graphs.look(tmp_path) == ({}, True)
    graphs.forget(tmp_path)
    (tmp_path / graphs.DATABASE).unlink()
    (tmp_path / graphs.DATABASE).mkdir()  # cannot be opened
    assert graphs.look(tmp_path) == ({}, False)


def test_the_files_of_dropped_collections_are_swept_away_at_the_start(tmp_path):
    database(tmp_path, {"a": "c1"})
    saved(tmp_path / "a", 100)
    saved(tmp_path / "dropped", 100)
    graphs.look(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["a"]
