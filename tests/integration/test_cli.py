"""The command line in process: what it prints, and its exit codes."""

import json
import shutil
import sys

import pytest

from tuwen.app.cli import main

pytestmark = pytest.mark.integration

NOTE = "# 泵\n\n## 启动\n\nA 泵支持远程启动，额定流量 320 m³/h。\n"


@pytest.fixture
def tuwen(tmp_path, monkeypatch, capsys):
    """Runs `tuwen …` in an own home; returns (exit code, standard output, standard error)."""
    monkeypatch.setenv("TUWEN_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["tuwen", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return ended.value.code or 0, captured.out, captured.err

    return run


def bad_files(folder):
    from pypdf import PdfWriter

    (folder / "note.md").write_text(NOTE, encoding="utf-8")
    (folder / "empty.md").write_text("  \n", encoding="utf-8")
    (folder / "zero.pdf").write_bytes(b"")
    (folder / "x_content_list.json").write_text('[{"type": "text", ', encoding="utf-8")
    (folder / "program.exe").write_bytes(b"MZ\x90\x00" + bytes(range(256)))
    blank = PdfWriter()
    blank.add_blank_page(200, 200)
    blank.write(folder / "scan.pdf")
    locked = PdfWriter()
    locked.add_blank_page(200, 200)
    locked.encrypt("secret")
    locked.write(folder / "locked.pdf")


def test_bad_files_fail_with_one_clear_line_and_the_rest_is_ingested(tuwen, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    bad_files(folder)
    names = sorted(path.name for path in folder.iterdir())
    code, out, _ = tuwen("ingest", *[folder / name for name in names], folder / "none", "--json")
    reports = {item["path"]: item for item in json.loads(out)["files"]}
    assert code == 1
    assert reports["note.md"]["state"] == "ready"
    failed = {name: item for name, item in reports.items() if item["state"] == "failed"}
    assert len(failed) == len(names)  # all but the note, and the missing path
    for item in failed.values():
        assert item["error"]
        assert "Traceback" not in item["error"]
        assert str(tmp_path) not in item["error"]
    assert "password" in failed["locked.pdf"]["error"]
    assert "OCR" in failed["scan.pdf"]["error"]
    _, out, _ = tuwen("documents", "list", "--json")
    listed = json.loads(out)
    assert [item["name"] for item in listed["documents"]] == ["note.md"]
    assert "scan.pdf" in {item["path"] for item in listed["failed"]}
    _, out, _ = tuwen("ask", "扫描件里的额定功率是多少千瓦？", "--json")
    finish = json.loads(out)
    assert finish["abstained"]
    assert any("scan.pdf" in notice["text"] for notice in finish["notices"])


def test_the_report_accounts_for_every_block_and_a_second_run_does_nothing(tuwen, tmp_path):
    (tmp_path / "note.md").write_text(NOTE, encoding="utf-8")
    code, out, _ = tuwen("ingest", "note.md", "--json")
    first = json.loads(out)["files"][0]
    blocks = first["blocks"]
    assert code == 0
    assert blocks["in"] == blocks["indexed"] + blocks["merged"] + sum(blocks["dropped"].values())
    assert set(first) >= {"path", "state", "pages", "chunks", "figures", "warnings", "seconds"}
    _, out, _ = tuwen("ingest", "note.md", "--json")
    assert json.loads(out)["files"][0]["state"] == "unchanged"
    (tmp_path / "copy.md").write_text(NOTE, encoding="utf-8")
    _, out, _ = tuwen("ingest", "copy.md", "--json")
    assert json.loads(out)["files"][0]["state"] == "duplicate"


def test_a_changed_file_replaces_and_a_deleted_document_answers_no_more(tuwen, tmp_path):
    path = tmp_path / "note.md"
    path.write_text("# 密封\n\n每 6 个月更换一次机械密封。\n", encoding="utf-8")
    tuwen("ingest", path)
    path.write_text("# 密封\n\n每 3 个月更换一次机械密封。\n", encoding="utf-8")
    _, out, _ = tuwen("ingest", path, "--json")
    doc_id = json.loads(out)["files"][0]["doc_id"]
    _, out, _ = tuwen("ask", "机械密封多久更换一次？", "--json")
    answer = json.loads(out)["answer"]
    assert "3 个月" in answer
    assert "6 个月" not in answer
    assert tuwen("documents", "delete", doc_id)[0] == 0
    _, out, _ = tuwen("ask", "机械密封多久更换一次？", "--json")
    finish = json.loads(out)
    assert finish["abstained"]
    assert "3 个月" not in finish["answer"]
    assert finish["sources"] == []
    assert tuwen("documents", "delete", doc_id)[0] == 2


def test_asking_an_empty_collection_says_that_nothing_is_indexed(tuwen):
    code, out, _ = tuwen("ask", "额定流量是多少？", "--json")
    finish = json.loads(out)
    assert code == 0
    assert finish["type"] == "finish"
    assert finish["abstained"]
    assert "tuwen ingest" in finish["answer"]


def test_an_unreachable_model_gives_the_quoting_answer_and_a_notice(tuwen, tmp_path, monkeypatch):
    (tmp_path / "note.md").write_text(NOTE, encoding="utf-8")
    tuwen("ingest", "note.md")
    monkeypatch.setenv("TUWEN_CHAT__MODEL", "tiny")
    monkeypatch.setenv("TUWEN_CHAT__BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("TUWEN_CHAT__MAX_RETRIES", "0")
    code, out, _ = tuwen("ask", "A 泵的额定流量是多少？", "--json")
    finish = json.loads(out)
    assert code == 0
    assert "320" in finish["answer"]
    assert [notice["code"] for notice in finish["notices"]] == ["model_failed"]
    assert finish["trace"]["milliseconds"]


def test_the_same_thread_continues_the_conversation(tuwen, tmp_path):
    text = "# 泵\n\nA 泵支持远程启动。\n\nB 泵不支持远程启动，只能就地启动。\n"
    (tmp_path / "泵.md").write_text(text, encoding="utf-8")
    tuwen("ingest", "泵.md")
    tuwen("ask", "A 泵支持远程启动吗？", "--thread", "t1", "--json")
    _, out, _ = tuwen("ask", "B 泵呢？", "--thread", "t1", "--json")
    assert "不支持远程启动" in json.loads(out)["answer"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask"],
        ["nonsense"],
        ["ask", "x", "--effort", "much"],
        ["ingest", "x", "--where", "year"],
        ["ingest", "x", "--parser", "foo"],
        ["search", "x", "--top-k", "0"],
        ["ask", "x", "-c", " "],
    ],
)
def test_wrong_usage_ends_with_two(tuwen, arguments):
    assert tuwen(*arguments)[0] == 2


def test_a_home_that_cannot_be_used_is_said(tuwen, tmp_path):
    (tmp_path / "home").write_text("a file, not a folder", encoding="utf-8")
    code, _, err = tuwen("ask", "x")
    assert code == 1
    assert "TUWEN_HOME" in " ".join(err.split())
    assert "Traceback" not in err


def test_a_blank_question_and_a_collection_that_was_never_made_are_refused(tuwen, tmp_path):
    (tmp_path / "note.md").write_text(NOTE, encoding="utf-8")
    assert tuwen("ingest", tmp_path / "note.md", "-c", "泵房")[0] == 0
    for command in ("ask", "search"):
        code, _, err = tuwen(command, "  ", "-c", "泵房")
        assert (code, "no question" in err) == (2, True)
        code, _, err = tuwen(command, "额定流量", "-c", "锅炉房")
        assert code == 2
        assert "锅炉房" in err
        assert "泵房" in err


def test_an_unknown_setting_is_refused_by_name(tuwen, monkeypatch):
    monkeypatch.setenv("TUWEN_CHAT__MODLE", "x")
    code, _, err = tuwen("collections")
    assert code == 2
    assert "TUWEN_CHAT__MODLE" in err


def test_another_encoder_is_said_and_reindex_mends_it(tuwen, tmp_path, monkeypatch):
    (tmp_path / "note.md").write_text(NOTE, encoding="utf-8")
    tuwen("ingest", "note.md")
    monkeypatch.setattr("tuwen.backends.usem3.BuiltinEmbedder.name", "another-model")
    _, out, _ = tuwen("ask", "A 泵的额定流量是多少？", "--json")
    finish = json.loads(out)
    assert "320" in finish["answer"]  # by words alone
    assert any("tuwen reindex" in notice["text"] for notice in finish["notices"])
    code, out, _ = tuwen("doctor", "--json")
    assert code == 1
    assert any("tuwen reindex" in item["detail"] for item in json.loads(out)["checks"])
    code, out, _ = tuwen("reindex", "--json")
    assert code == 0
    assert json.loads(out)["chunks"] > 0
    _, out, _ = tuwen("ask", "A 泵的额定流量是多少？", "--json")
    assert json.loads(out)["notices"] == []
    assert tuwen("reindex", "-c", "none")[0] == 1


def test_repair_rebuilds_a_lost_keyword_index(tuwen, tmp_path):
    (tmp_path / "note.md").write_text(NOTE, encoding="utf-8")
    tuwen("ingest", "note.md")
    shutil.rmtree(tmp_path / "home" / "keywords")
    code, out, _ = tuwen("doctor", "--repair", "--json")
    repaired = [item for item in json.loads(out)["checks"] if item["name"] == "repair"]
    assert code == 0
    assert [item["state"] for item in repaired] == ["ok"]
    _, out, _ = tuwen("search", "远程启动", "--json")
    assert "keyword" in json.loads(out)["hits"][0]["explain"]["legs"]


def test_a_lost_vector_folder_is_said_and_repaired(tuwen, tmp_path, caplog):
    (tmp_path / "note.md").write_text(NOTE, encoding="utf-8")
    tuwen("ingest", "note.md")
    shutil.rmtree(tmp_path / "home" / "chroma")
    _, out, _ = tuwen("ask", "A 泵的额定流量是多少？", "--json")
    asked = json.loads(out)
    assert "320" in asked["answer"]
    (notice,) = asked["notices"]
    assert notice["code"] == "leg_failed.dense"
    assert "tuwen doctor --repair" in notice["text"]
    assert "tuwen doctor --repair" in caplog.text
    code, out, _ = tuwen("doctor", "--json")
    (store,) = [item for item in json.loads(out)["checks"] if item["name"] == "store"]
    assert (code, store["state"]) == (1, "bad")
    assert "note.md" in store["detail"]
    code, out, _ = tuwen("doctor", "--repair", "--json")
    states = {item["name"]: item["state"] for item in json.loads(out)["checks"]}
    assert (code, states["store"], states["repair"]) == (0, "ok", "ok")
    _, out, _ = tuwen("ask", "A 泵的额定流量是多少？", "--json")
    assert json.loads(out)["notices"] == []


def test_doctor_says_that_pythons_own_sqlite_is_too_old(tuwen, monkeypatch):
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 37, 2))
    code, out, _ = tuwen("doctor", "--json")
    (sqlite,) = [item for item in json.loads(out)["checks"] if item["name"] == "sqlite"]
    assert (code, sqlite["state"]) == (1, "bad")
    assert "newer Python" in sqlite["todo"]


def test_doctor_says_what_is_not_reachable(tuwen, monkeypatch):
    monkeypatch.setenv("TUWEN_CHAT__MODEL", "tiny")
    monkeypatch.setenv("TUWEN_CHAT__BASE_URL", "http://127.0.0.1:9/v1")
    code, out, _ = tuwen("doctor", "--json")
    checks = {item["name"]: item for item in json.loads(out)["checks"]}
    assert code == 1
    assert checks["chat model"]["state"] == "bad"
    assert checks["chat model"]["todo"]
    assert checks["python"]["state"] == "ok"


def test_a_file_that_left_its_folder_is_named_with_what_removes_it(tuwen, tmp_path):
    folder, beside = tmp_path / "logs", tmp_path / "other"
    folder.mkdir()
    beside.mkdir()
    (folder / "mill.md").write_text("# Mill\n\nThe mill grinds on Tuesdays.\n", encoding="utf-8")
    (folder / "barn.md").write_text("# Barn\n\nThe barn holds 30 cows.\n", encoding="utf-8")
    (beside / "pond.md").write_text("# Pond\n\nThe pond froze twice.\n", encoding="utf-8")
    assert "tuwen documents delete" not in tuwen("ingest", folder, beside)[1]
    (folder / "barn.md").unlink()
    (beside / "pond.md").unlink()
    code, printed, _ = tuwen("ingest", folder)
    assert code == 0
    assert "barn.md" in printed
    assert "pond.md" not in printed
    gone = json.loads(tuwen("ingest", folder, "--json")[1])["gone"]
    assert [item["path"] for item in gone] == ["barn.md"]
    assert gone[0]["doc_id"] in " ".join(printed.split())
    (folder / "mill.md").rename(folder / "watermill.md")
    gone = json.loads(tuwen("ingest", folder, "--json")[1])["gone"]
    assert [item["path"] for item in gone] == ["barn.md"]


def test_an_empty_folder_says_so_and_is_no_success(tuwen, tmp_path):
    (tmp_path / "letters").mkdir()
    code, printed, _ = tuwen("ingest", tmp_path / "letters", "--json")
    assert code == 1
    assert json.loads(printed)["skipped"] == [{"path": "letters", "reason": "empty folder"}]
