import json
import stat
import zipfile

import pytest

from tests.unit.ingestion.builders import built_of, content_list, parsed_of, png
from tuwen.core.errors import DocumentError, LockedFileError, UnsupportedFileError
from tuwen.ingestion.parsers.archive import UnsafeArchiveError, unpack

ENTRIES = [
    {"type": "text", "text": "总装见图1。", "page_idx": 0},
    {"type": "image", "img_path": "images/a.png", "image_caption": ["图1 总装图"], "page_idx": 0},
]


def archive_of(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_a_result_archive_keeps_its_pictures_under_a_prefix_folder(tmp_path):
    files = {
        "result_01/full.md": "总装见图1。",
        "result_01/x_content_list.json": json.dumps(ENTRIES),
        "result_01/images/a.png": png(),
    }
    built = built_of(archive_of(tmp_path / "r.zip", files))
    folder = built_of(content_list(tmp_path / "f", ENTRIES, ()))
    assert built.edition.figures[0].available
    assert list(built.edition.assets.values()) == [png()]
    assert [c.text for c in built.edition.chunks] == [c.text for c in folder.edition.chunks]


@pytest.mark.parametrize(
    "name", ["../evil.txt", "a/../../evil.txt", "/abs.txt", "..\\evil.txt", "C:\\x.txt"]
)
def test_names_that_lead_out_are_refused_before_anything_is_written(tmp_path, name):
    path = archive_of(tmp_path / "slip.zip", {"full.md": "x", name: "y"})
    target = tmp_path / "work"
    target.mkdir()
    with pytest.raises(UnsafeArchiveError):
        unpack(path, target)
    assert list(target.iterdir()) == []
    assert not (tmp_path / "evil.txt").exists()


def test_links_are_refused(tmp_path):
    path = tmp_path / "link.zip"
    with zipfile.ZipFile(path, "w") as archive:
        entry = zipfile.ZipInfo("images/l.png")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/hostname")
    with pytest.raises(UnsafeArchiveError, match="link"):
        parsed_of(path)


def test_bombs_and_heaps_of_entries_are_refused(tmp_path):
    bomb = archive_of(tmp_path / "bomb.zip", {"full.md": b"\0" * (20 << 20)})
    heap = archive_of(tmp_path / "heap.zip", {f"images/{n}.png": "x" for n in range(10_001)})
    for path in (bomb, heap):
        with pytest.raises(UnsafeArchiveError):
            parsed_of(path)


def test_an_encrypted_archive_is_locked(tmp_path):
    path = archive_of(tmp_path / "e.zip", {"full.md": "正文"})
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the local header's flag
    data[data.rindex(b"PK\x01\x02") + 8] |= 1  # the directory's flag
    path.write_bytes(data)
    with pytest.raises(LockedFileError):
        parsed_of(path)


def test_an_archive_of_several_documents_says_what_to_do(tmp_path):
    path = archive_of(tmp_path / "two.zip", {"a.md": "甲", "b.md": "乙"})
    with pytest.raises(UnsupportedFileError, match="Unpack"):
        parsed_of(path)


def test_a_broken_archive_is_damaged(tmp_path):
    path = tmp_path / "x.zip"
    path.write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(DocumentError, match="zip"):
        parsed_of(path)
