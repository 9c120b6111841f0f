import zipfile

import pytest

from tests.unit.ingestion.builders import content_list, png
from tuwen.core.errors import DamagedFileError, DocumentError, EmptyFileError, UnsupportedFileError
from tuwen.core.options import IngestOptions
from tuwen.core.settings import IngestSettings
from tuwen.ingestion.parse import parse_input
from tuwen.ingestion.sniff import content_hash, find_inputs, sniff

TEXT = [{"type": "text", "text": "泵的扭矩为 85 N·m。", "page_idx": 0}]


def read(path):
    return parse_input(find_inputs([path])[0], IngestOptions(), IngestSettings())


def test_a_mineru_folder_is_one_input_at_any_depth(tmp_path):
    folder = content_list(tmp_path / "out" / "pump" / "auto", TEXT, ("a.png",))
    for name in ("pump.md", "pump_origin.pdf", "pump_middle.json", "full.md", "layout.pdf"):
        (folder / name).write_bytes(b"%PDF-1.4 or text")
    found = find_inputs([tmp_path])
    assert [(item.kind, item.name) for item in found] == [("mineru", "pump")]


def test_the_first_list_version_wins_and_both_are_one_document(tmp_path):
    content_list(tmp_path, TEXT)
    (tmp_path / "pump_content_list_v2.json").write_text("[[]]", encoding="utf-8")
    first = find_inputs([tmp_path])
    second = find_inputs([tmp_path / "pump_content_list_v2.json"])
    assert [item.path.name for item in first] == ["pump_content_list.json"]
    assert first[0].source_key == second[0].source_key


def test_two_lists_of_different_stems_in_one_folder_are_two_documents(tmp_path):
    content_list(tmp_path, TEXT)
    (tmp_path / "fan_content_list.json").write_text("[]", encoding="utf-8")
    assert {item.name for item in find_inputs([tmp_path])} == {"pump", "fan"}


def test_a_pdf_beside_the_folder_of_its_own_output_is_not_read_again(tmp_path):
    content_list(tmp_path / "pump" / "auto", TEXT)
    (tmp_path / "pump.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "fan.pdf").write_bytes(b"%PDF-1.4")
    kinds = {item.name: item.skip_reason for item in find_inputs([tmp_path])}
    assert kinds["pump"] == ""
    assert "MinerU" in kinds["pump.pdf"]
    assert kinds["fan.pdf"] == ""


def test_a_note_of_another_name_beside_a_content_list_is_a_document(tmp_path):
    content_list(tmp_path, TEXT)
    (tmp_path / "notes.md").write_text("# 笔记\n\n正文", encoding="utf-8")
    assert {item.name for item in find_inputs([tmp_path])} == {"pump", "notes.md"}


def test_hidden_and_unknown_files_of_a_folder_are_skipped_with_a_reason(tmp_path):
    (tmp_path / ".secret.md").write_text("x", encoding="utf-8")
    (tmp_path / "data.bin").write_bytes(b"\x01\x02")
    (tmp_path / "p.png").write_bytes(png())
    (tmp_path / "a.md").write_text("正文", encoding="utf-8")
    reasons = {item.name: item.skip_reason for item in find_inputs([tmp_path])}
    assert reasons.pop("a.md") == ""
    assert all(reasons.values())
    assert len(reasons) == 3


def test_a_path_given_twice_is_read_once(tmp_path):
    file = tmp_path / "a.md"
    file.write_text("正文", encoding="utf-8")
    assert len(find_inputs([file, tmp_path, file])) == 1


def test_same_names_in_two_folders_stay_apart(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "说明.md").write_text(folder, encoding="utf-8")
    found = find_inputs([tmp_path])
    assert len({item.source_key for item in found}) == 2


def test_names_are_shown_composed_whatever_form_the_disk_keeps(tmp_path):
    (tmp_path / "cafe\u0301 #1 100% 泵.md").write_text("x", encoding="utf-8")
    assert find_inputs([tmp_path])[0].name == "café #1 100% 泵.md"


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("missing.pdf", None, DocumentError),
        ("zero.pdf", b"", EmptyFileError),
        ("page.pdf", b"<!DOCTYPE html><html><body>Log in</body></html>", DamagedFileError),
        ("words.pdf", b"just words", DamagedFileError),
        ("prog.exe", b"MZ\x90\x00", UnsupportedFileError),
        ("list_content_list.json", b'{"type": "text"', DamagedFileError),
        ("list_content_list.json", b'{"a": 1}', DamagedFileError),
        ("block_list.json", b'{"pdfData": []}', UnsupportedFileError),
    ],
)
def test_a_directly_named_bad_file_gives_a_clear_error(tmp_path, name, data, error):
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(error) as raised:
        read(path)
    assert name in str(raised.value)
    assert str(tmp_path) not in str(raised.value)


def test_the_content_decides_and_not_the_suffix(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"%PDF-1.7\n...")
    (tmp_path / "b.dat").write_bytes(b"<html><body>x</body></html>")
    with zipfile.ZipFile(tmp_path / "c.dat", "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    assert [sniff(tmp_path / n) for n in ("a.txt", "b.dat", "c.dat")] == ["pdf", "html", "office"]


def test_a_too_big_file_is_refused_by_the_setting(tmp_path):
    path = tmp_path / "big.txt"
    path.write_bytes(b"a" * (1 << 20) + b"b")
    with pytest.raises(DocumentError, match="max_file_mb"):
        parse_input(find_inputs([path])[0], IngestOptions(), IngestSettings(max_file_mb=1))


def test_the_hash_changes_with_the_list_and_with_its_pictures(tmp_path):
    folder = content_list(tmp_path, TEXT, ("a.png",))
    item = find_inputs([folder])[0]
    first = content_hash(item)
    (folder / "images" / "a.png").write_bytes(png(shade=99))
    second = content_hash(item)
    (folder / "images" / "a.png").rename(folder / "images" / "b.png")
    assert len({first, second, content_hash(item)}) == 3
    assert content_hash(item) == content_hash(item)


def test_an_empty_folder_is_told_and_not_passed_over(tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "a.md").write_text("# Maps\n\nOne map.", encoding="utf-8")
    found = find_inputs([tmp_path / "letters", tmp_path / "maps"])
    assert [(item.name, item.skip_reason) for item in found] == [
        ("letters", "empty folder"),
        ("a.md", ""),
    ]


def test_an_archive_without_entries_is_told_to_hold_no_document(tmp_path):
    path = tmp_path / "nothing.zip"
    with zipfile.ZipFile(path, "w"):
        pass
    with pytest.raises(UnsupportedFileError, match="holds no document"):
        parse_input(find_inputs([path])[0], IngestOptions(), IngestSettings())
