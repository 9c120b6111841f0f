import json

import pytest

from tuwen.app.serve import PACKAGE, environment, is_loopback, notice
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


def test_what_the_user_set_stays(monkeypatch):
    monkeypatch.setenv("LANGGRAPH_CLI_NO_ANALYTICS", "0")
    assert environment()["LANGGRAPH_CLI_NO_ANALYTICS"] == "0"


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
