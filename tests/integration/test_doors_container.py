"""What the deployment guide says of containers."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
pytestmark = pytest.mark.integration
ROOT = Path(__file__).resolve().parents[2]


def test_the_generated_dockerfile_names_graphs_routes_authentication_and_threads(tmp_path):
    for name in ("langgraph.json", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    done = subprocess.run(
        [str(Path(sys.executable).with_name("langgraph")), "dockerfile", "Dockerfile"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "Dockerfile").read_text(encoding="utf-8")
    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    settings = dict(re.findall(r"^ENV (\w+)='(.*)'$", text, re.MULTILINE))
    assert json.loads(settings["LANGSERVE_GRAPHS"]) == config["graphs"]
    assert json.loads(settings["LANGGRAPH_HTTP"]) == config["http"]
    assert json.loads(settings["LANGGRAPH_AUTH"]) == config["auth"]
    assert json.loads(settings["LANGGRAPH_CHECKPOINTER"]) == config["checkpointer"]
    assert text.startswith("FROM langchain/langgraph-api:3.11")


def test_the_compose_file_shares_a_chroma_server_and_insists_on_keys():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    app = services["tuwen"]
    assert app["environment"]["TUWEN_STORE__CHROMA_URL"] == "http://chroma:8000"
    assert ":?" in app["environment"]["TUWEN_API_KEYS"]
    assert all(port.startswith("127.0.0.1:") for port in app["ports"])
    assert "chroma" in services


def test_pictures_in_the_guide_exist():
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text):
        assert (ROOT / "docs" / name).is_file()
