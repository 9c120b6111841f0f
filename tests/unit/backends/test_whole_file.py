import os

import pytest

from tuwen.backends.whole_file import write_all, write_whole


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_several_files_are_put_in_their_places(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    write_all({tmp_path / "a": b"new", tmp_path / "b": b"more"})
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"new", b"more")
    assert names(tmp_path) == ["a", "b"]


@pytest.mark.parametrize("call", ["fsync", "fdopen"])
def test_a_full_disk_leaves_the_old_file_and_no_part(tmp_path, monkeypatch, call):
    (tmp_path / "a").write_bytes(b"old")

    def full(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "a", b"new")
    monkeypatch.undo()
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_no_file_has_its_name_before_its_bytes_are_on_the_disk(tmp_path, monkeypatch):
    order = []
    wait, replace = os.fsync, os.replace

    def seen(handle):
        order.append("fsync")
        wait(handle)

    monkeypatch.setattr(os, "fsync", seen)
    monkeypatch.setattr(os, "replace", lambda *a, **o: (order.append("name"), replace(*a, **o)))
    monkeypatch.setattr(
        type(tmp_path), "replace", lambda self, to: (order.append("name"), replace(self, to))[1]
    )
    write_all({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert order[:2] == ["fsync", "fsync"]
    assert "fsync" not in order[2 : order.index("name", 2) + 1]
    assert order[-1] == "fsync"  # of the folder
