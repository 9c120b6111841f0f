import json
from pathlib import Path

import pytest

from tuwen.app.serve import PACKAGE, environment, is_loopback, notice, working_folder
from tuwen.core.errors import UsageError
from tuwen.core.settings import ServerSettings, Settings

OPEN, KEYED = Settings(), Settings(server=ServerSettings(api_keys=("a:1",)))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
def test_on_loopback_it_is_said_that_authentication_is_off(host):
    assert is_loopback(host)
    assert "Authentication is off" in notice(host, OPEN)
    assert notice(host, KEYED) == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org"])
def test_other_machines_are_not_served_without_keys(host):
    with pytest.raises(UsageError, match="TUWEN_API_KEYS"):
        notice(host, OPEN)
    assert notice(host, KEYED) == ""
    assert notice(host, OPEN, insecure=True)


def test_what_the_user_set_stays_and_places_are_absolute(monkeypatch, tmp_path):
    (tmp_path / ".env").write_text("TUWEN_CHAT__MODEL=a\nLANGSMITH_PROJECT=p\n", encoding="utf-8")
    (tmp_path / "tuwen.toml").write_text("", encoding="utf-8")
    monkeypatch.setenv("LANGGRAPH_CLI_NO_ANALYTICS", "0")
    monkeypatch.setenv("TUWEN_CHAT__MODEL", "b")
    settings = Settings(home="data", server=ServerSettings(import_dir="in"))
    env = environment(settings, tmp_path)
    assert env["LANGGRAPH_CLI_NO_ANALYTICS"] == "0"
    assert (env["TUWEN_CHAT__MODEL"], env["LANGSMITH_PROJECT"]) == ("b", "p")
    assert env["TUWEN_CONFIG"] == str(tmp_path / "tuwen.toml")
    for key in ("TUWEN_HOME", "TUWEN_SERVER__IMPORT_DIR"):
        assert Path(env[key]).is_absolute()


def test_the_server_stands_in_a_folder_without_anybodys_pickles(tmp_path):
    settings = Settings(home=tmp_path)
    folder = working_folder(settings, 2024)
    planted = folder / ".langgraph_api" / ".langgraph_ops.pckl"
    planted.parent.mkdir()
    planted.write_bytes(b"cos\nsystem\n")
    assert working_folder(settings, 2024) == folder
    assert not planted.exists()
    assert working_folder(settings, 2025) != folder


def test_the_server_configuration_names_things_that_exist():
    import importlib

    config = json.loads((PACKAGE / "langgraph.json").read_text(encoding="utf-8"))
    paths = [graph["path"] for graph in config["graphs"].values()]
    paths += [config["auth"]["path"], config["http"]["app"]]
    for path in paths:
        module, name = path.split(":")
        assert getattr(importlib.import_module(module), name) is not None
    module, _, name = config["checkpointer"]["path"].rpartition(".")
    assert callable(getattr(importlib.import_module(module), name))
    assert config["auth"]["disable_studio_auth"] is True
    assert set(config["graphs"]) == {"chat", "answer", "ingest"}
