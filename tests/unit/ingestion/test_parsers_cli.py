"""Which engines are ready and why not; environments of their own."""

import json
import stat
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tuwen.app import commands_more  # noqa: F401  registers the commands
from tuwen.app.cli import app
from tuwen.app.parsers_cli import engines, executable, install
from tuwen.core.errors import TuwenError, UsageError
from tuwen.core.settings import IngestSettings, Settings


def state(settings, name, said=""):
    return next(e for e in engines(settings, probe=lambda _: said) if e.name == name)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MINERU_TOOLS_CONFIG_JSON", raising=False)
    return tmp_path


def program(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_the_default_engine_is_ready_and_the_others_say_what_to_do(home):
    settings = Settings(home=home / "data")
    assert state(settings, "auto").ready
    for name in ("magic-pdf", "mineru"):
        engine = state(settings, name)
        assert not engine.ready
        assert engine.todo == f"tuwen parsers install {name}"


def test_magic_pdf_is_ready_only_with_its_weights(home):
    command = program(home / "env" / "bin" / "magic-pdf")
    settings = Settings(home=home, ingest=IngestSettings(magic_pdf_command=str(command)))
    assert "weights" in state(settings, "magic-pdf").detail
    config = home / "magic-pdf.json"
    config.write_text(json.dumps({"models-dir": str(home / "gone")}), encoding="utf-8")
    assert "does not exist" in state(settings, "magic-pdf").detail
    config.write_text("{", encoding="utf-8")
    assert "not valid JSON" in state(settings, "magic-pdf").detail
    config.write_text(json.dumps({"models-dir": {"layout": str(home)}}), encoding="utf-8")
    assert state(settings, "magic-pdf").ready


def test_a_command_that_is_no_program_is_named(home):
    ingest = IngestSettings(magic_pdf_command="/nowhere/magic-pdf -v")
    assert (
        "/nowhere/magic-pdf is no program"
        in state(Settings(home=home, ingest=ingest), "magic-pdf").detail
    )


def test_a_mineru_server_is_ready_when_its_probe_finds_nothing(home):
    settings = Settings(home=home, ingest=IngestSettings(mineru_url="http://127.0.0.1:8000/"))
    assert state(settings, "mineru").ready
    assert state(settings, "mineru", said="no server answers").detail == "no server answers"


@pytest.mark.parametrize("name", ["magic-pdf", "mineru"])
def test_an_installed_engine_says_which_setting_is_missing(home, name):
    settings = Settings(home=home / "data")
    program(executable(settings.home, name))
    engine = state(settings, name)
    assert engine.detail.startswith("installed")
    assert str(executable(settings.home, name)) in engine.todo
    assert "TUWEN_INGEST__" in engine.todo


def test_install_makes_an_environment_of_its_own(tmp_path):
    ran = []

    def run(command):
        ran.append(list(command))
        program(executable(tmp_path, "mineru"))
        return 0

    assert install("mineru", tmp_path, run) == executable(tmp_path, "mineru")
    venv, pip = ran
    assert venv[1:3] == ["-m", "venv"]
    assert Path(venv[3]) == tmp_path.resolve() / "parsers" / "mineru"
    assert pip[0].startswith(venv[3])
    assert pip[1:4] == ["-m", "pip", "install"]


def test_a_step_that_fails_stops_the_installation(tmp_path):
    with pytest.raises(TuwenError, match="exit code 3"):
        install("magic-pdf", tmp_path, lambda _: 3)
    with pytest.raises(TuwenError, match="brought no magic-pdf"):
        install("magic-pdf", tmp_path, lambda _: 0)
    with pytest.raises(UsageError, match="magic-pdf or mineru"):
        install("word", tmp_path, lambda _: 0)


def test_the_command_lists_the_engines(home, monkeypatch):
    monkeypatch.chdir(home)
    done = CliRunner().invoke(app, ["parsers", "--json"])
    assert done.exit_code == 0, done.output
    found = {engine["name"]: engine for engine in json.loads(done.output)["parsers"]}
    assert list(found) == ["auto", "ocr", "magic-pdf", "mineru"]
    assert found["auto"]["ready"] is True
