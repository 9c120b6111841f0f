"""`langgraph dev` started for real, without a key and without --allow-blocking."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from langgraph_sdk import get_client

from tests.integration.doors_server import free_port
from tuwen.app.serve import command

pytestmark = pytest.mark.integration
ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 90


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    docs = folder / "import"
    docs.mkdir()
    (docs / "泵.md").write_text(
        "# 泵\n\n## 启动\n\nA 泵支持远程启动。\n\nB 泵不支持远程启动，只能就地启动。\n",
        encoding="utf-8",
    )
    env = {
        **os.environ,
        "TUWEN_HOME": str(folder / "home"),
        "TUWEN_SERVER__IMPORT_DIR": str(docs),
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGSMITH_TRACING": "false",
    }
    port = free_port()
    log = (folder / "log").open("w+", encoding="utf-8")
    argv = command(host="127.0.0.1", port=port, jobs=10)
    process = subprocess.Popen(
        argv, env=env, cwd=folder, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_up(url, process, log)
        yield url, folder / "log"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=20)
        log.close()


def wait_until_up(url, process, log) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            log.seek(0)
            pytest.fail(f"langgraph dev ended: {log.read()[-3000:]}")
        try:
            if httpx.get(f"{url}/ok", timeout=2).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.3)
    pytest.fail("langgraph dev did not start")


async def run(client, thread, assistant, payload, **options):
    parts = []
    async for part in client.runs.stream(
        thread, assistant, input=payload, stream_mode=["values", "messages", "custom"], **options
    ):
        parts.append((part.event, part.data))
    return parts


@pytest.fixture
async def client(server):
    async with get_client(url=server[0]) as opened:
        yield opened


async def test_a_thread_streams_answers_and_follows_up(server, client):
    _, log = server
    ingested = await run(client, None, "ingest", {"paths": ["泵.md"]})
    states = [data for event, data in ingested if event == "values"]
    assert states[-1]["reports"][0]["state"] in ("ready", "unchanged"), states[-1]

    thread = (await client.threads.create())["thread_id"]
    question = {"messages": [{"role": "user", "content": "A 泵支持远程启动吗？"}]}
    parts = await run(client, thread, "chat", question)
    assert not [data for event, data in parts if event == "error"]
    events = [data for event, data in parts if event == "custom"]
    assert events[-1]["type"] == "finish"
    assert "支持远程启动" in events[-1]["answer"]
    assert events[-1]["sources"]
    assert any(event.startswith("messages") for event, _ in parts)

    follow_up = {"messages": [{"role": "user", "content": "B 泵呢？"}]}
    second = await run(client, thread, "chat", follow_up)
    finish = [data for event, data in second if event == "custom"][-1]
    assert "不支持远程启动" in finish["answer"]
    assert "BlockingError" not in log.read_text(encoding="utf-8")


async def test_paths_outside_the_import_folder_are_refused(client):
    parts = await run(client, None, "ingest", {"paths": ["../home"]})
    assert any(event == "error" for event, _ in parts)


def test_studio_can_read_schemas_and_drawings(server):
    url, _ = server
    found = httpx.post(f"{url}/assistants/search", json={}, timeout=20).json()
    assert {item["graph_id"] for item in found} >= {"chat", "ingest"}
    for item in found:
        base = f"{url}/assistants/{item['assistant_id']}"
        schemas = httpx.get(f"{base}/schemas", timeout=20).json()
        assert schemas["input_schema"]["properties"]
        assert schemas["context_schema"]["properties"]["collection"]
        drawing = httpx.get(f"{base}/graph?xray=true", timeout=20).json()
        assert len(drawing["nodes"]) > 3
        if item["graph_id"] == "chat":
            assert "retrieve:search_keyword" in {node["id"] for node in drawing["nodes"]}


def test_unknown_pictures_are_not_found(server):
    url, _ = server
    for name in ("nope", "..%2F..%2Fetc%2Fpasswd", "%2e%2e"):
        answer = httpx.get(f"{url}/images/{name}", timeout=20)
        assert answer.status_code in (404, 400)
        assert str(ROOT) not in answer.text


def test_the_command_uses_this_environment():
    assert command(host="127.0.0.1", port=1, jobs=3)[0].startswith(str(Path(sys.executable).parent))
