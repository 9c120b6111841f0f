import json
import os

import pytest

from tuwen.backends import write_mark
from tuwen.backends.write_mark import WriteMark

GRAPHS = {"seg/header.bin": [17, 100]}


def test_a_store_without_a_mark_was_written_to_the_end(tmp_path):
    mark = WriteMark(tmp_path)
    assert mark.left() is None
    mark.set(GRAPHS)
    assert mark.standing
    mark.clear()
    assert not mark.standing
    assert WriteMark(tmp_path).left() is None
    assert list(tmp_path.iterdir()) == []


def test_a_mark_says_whether_the_machine_stopped_too(tmp_path, monkeypatch):
    monkeypatch.setattr(write_mark, "_boot", lambda: "monday")
    WriteMark(tmp_path).set(GRAPHS)
    assert WriteMark(tmp_path).left() == (False, GRAPHS)
    for later in ("tuesday", ""):  # "": a system that does not say
        monkeypatch.setattr(write_mark, "_boot", lambda now=later: now)
        assert WriteMark(tmp_path).left() == (True, GRAPHS)


@pytest.mark.parametrize("content", [b"", b"\0\0\0\0", b"[1]", b'{"boot": "mon'])
def test_a_mark_that_cannot_be_read_stands_for_the_worst(tmp_path, content):
    (tmp_path / "store.writing").write_bytes(content)
    assert WriteMark(tmp_path).left() == (True, {})


def test_a_mark_goes_when_what_was_written_since_is_on_the_disk(tmp_path, monkeypatch):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "page.png").write_bytes(b"x")
    for path in (tmp_path / "old" / "page.png", tmp_path / "old"):
        os.utime(path, (1e9, 1e9))
    mark = WriteMark(tmp_path, waited=tmp_path / "pictures")
    mark.set({})
    for folder, name in (("new", "rows.f32"), ("pictures", "p.png")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes(b"y")
    waited = set()
    monkeypatch.setattr(os, "fsync", lambda handle: waited.add(os.fstat(handle).st_ino))
    mark.clear()
    inodes = {path.name: path.stat().st_ino for path in tmp_path.rglob("*")}
    seen = {name for name, inode in inodes.items() if inode in waited}
    assert seen == {"new", "rows.f32", "pictures"}  # the picture's bytes were waited for before


def test_a_disk_that_fails_keeps_the_mark(tmp_path, monkeypatch):
    mark = WriteMark(tmp_path)
    mark.set({})

    def broken(_handle):
        raise OSError("input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="input/output"):
        mark.clear()
    assert WriteMark(tmp_path).left() is not None


def test_an_unchanged_mark_is_not_written_again(tmp_path):
    mark = WriteMark(tmp_path)
    mark.set(GRAPHS)
    before = (tmp_path / "store.writing").stat().st_ino
    mark.set(dict(GRAPHS))
    assert (tmp_path / "store.writing").stat().st_ino == before
    since = json.loads((tmp_path / "store.writing").read_bytes())["since"]
    mark.set({})
    kept = json.loads((tmp_path / "store.writing").read_bytes())
    assert (kept["since"], kept["graphs"]) == (since, {})
