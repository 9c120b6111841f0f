"""The same question through every door: the same answer, sources and images."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import openai
import pytest
from langgraph.pregel.remote import RemoteGraph
from langgraph_sdk import get_client

from tests.integration.doors_server import LIGHT, Server, ingest_handbook, sse
from tuwen.app import build_chat_graph, load_settings, open_services
from tuwen.core.options import RunOptions

pytestmark = pytest.mark.integration
ROOT = Path(__file__).resolve().parents[2]
QUESTION = "What does Figure 2.1 show?"
SOURCE_KEYS = ("n", "doc", "page", "quote", "bbox", "chunk_id", "verdict")
MCP_HEADERS = {"Accept": "application/json, text/event-stream"}
IMAGE_KEYS = ("id", "type", "label", "caption", "source", "page")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("contract"))
    running.start()
    ingest_handbook(running.url)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def expected(server):
    answer = httpx.post(f"{server.url}/chat", json={"question": QUESTION}, timeout=60)
    finish = core(answer.json())
    assert finish["sources"]
    assert finish["images"]
    return finish


def core(finish: dict) -> dict:
    """What every door must agree on; addresses differ by where the client stands."""
    assert all(image["url"].endswith(f"/images/{image['id']}") for image in finish["images"])
    return {
        "answer": finish["answer"],
        "sources": [{key: item[key] for key in SOURCE_KEYS} for item in finish["sources"]],
        "images": [{key: item[key] for key in IMAGE_KEYS} for item in finish["images"]],
    }


def tool_call() -> dict:
    params = {"name": "answer", "arguments": {"question": QUESTION}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def example(name: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name), QUESTION],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_server_sent_events(server, expected):
    with httpx.stream(
        "POST", f"{server.url}/chat/stream", json={"question": QUESTION}, timeout=60
    ) as answer:
        events = sse("\n".join(answer.iter_lines()))
    assert core(events[-1]) == expected


def test_openai_client_whole_and_streamed(server, expected):
    client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="none")
    assert "tuwen" in [model.id for model in client.models.list()]
    messages = [{"role": "user", "content": QUESTION}]
    whole = client.chat.completions.create(model="tuwen", messages=messages)
    text = whole.choices[0].message.content
    assert core(whole.model_extra["tuwen"]) == expected
    streamed, data = "", None
    stream = client.chat.completions.create(
        model="tuwen", messages=messages, stream=True, stream_options={"include_usage": True}
    )
    for chunk in stream:
        if chunk.choices:
            streamed += chunk.choices[0].delta.content or ""
            data = (chunk.model_extra or {}).get("tuwen") or data
        else:
            assert chunk.usage.total_tokens == 0
    assert core(data) == expected
    assert streamed == text
    assert text.startswith(expected["answer"])
    for address in re.findall(r"\]\((http[^)]+)\)", text):
        found = httpx.get(address, timeout=60)
        assert found.status_code == 200
        assert found.headers["content-type"].startswith("image/")
    client.close()


def test_llm_command_line(server, expected, tmp_path):
    llm = shutil.which("llm", path=str(Path(sys.executable).parent))
    if llm is None:
        pytest.skip("the llm command line is not installed: pip install llm")
    (tmp_path / "extra-openai-models.yaml").write_text(
        f"- model_id: tuwen\n  model_name: tuwen\n  api_base: {server.url}/v1\n", encoding="utf-8"
    )
    done = subprocess.run(
        [llm, "-m", "tuwen", "--key", "none", QUESTION],
        env={**os.environ, "LLM_USER_PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(expected["answer"])


async def test_langgraph_sdk_remote_graph_and_answer_graph(server, expected):
    async with get_client(url=server.url) as client:
        question = {"messages": [{"role": "user", "content": QUESTION}]}
        state = await client.runs.wait(None, "chat", input=question)
        assert core(state["answer"]) == expected
        assert core(state["messages"][-1]["additional_kwargs"]["tuwen"]) == expected
        assert (
            core(await client.runs.wait(None, "answer", input={"question": QUESTION})) == expected
        )
        remote = RemoteGraph("chat", client=client)
        assert core((await remote.ainvoke(question))["answer"]) == expected


def test_mcp(server, expected):
    answer = httpx.post(
        f"{server.url}/mcp",
        json=tool_call(),
        headers=MCP_HEADERS,
        timeout=60,
    )
    result = answer.json()["result"]
    assert core(json.loads(result["content"][0]["text"])) == expected
    assert core(result["structuredContent"]) == expected


def test_a2a(server, expected):
    found = httpx.post(
        f"{server.url}/assistants/search", json={"graph_id": "chat"}, timeout=20
    ).json()
    message = {
        "role": "user",
        "messageId": "m1",
        "parts": [{"kind": "text", "text": QUESTION}],
    }
    answer = httpx.post(
        f"{server.url}/a2a/{found[0]['assistant_id']}",
        json={
            "jsonrpc": "2.0",
            "id": "1",
            "method": "message/send",
            "params": {"message": message},
        },
        headers={"Accept": "application/json"},
        timeout=60,
    )
    told = json.dumps(answer.json())
    assert json.dumps(expected["answer"])[1:-1] in told
    assert f"{server.url}/images/{expected['images'][0]['id']}" in told


async def test_every_door_names_addresses_that_open_and_writes_the_same_markdown(server):
    question = {"messages": [{"role": "user", "content": QUESTION}]}
    async with get_client(url=server.url) as client:
        state = await client.runs.wait(None, "chat", input=question)
        tool = await client.runs.wait(None, "answer", input={"question": QUESTION})
    async with httpx.AsyncClient(timeout=60) as http:
        mcp = await http.post(f"{server.url}/mcp", json=tool_call(), headers=MCP_HEADERS)
        body = {"model": "tuwen", "messages": question["messages"]}
        whole = (await http.post(f"{server.url}/v1/chat/completions", json=body)).json()
        finishes = [state["answer"], tool, mcp.json()["result"]["structuredContent"]]
        finishes += [whole["tuwen"]]
        addresses = {
            tuple([i["url"] for i in f["images"]] + [s["page_url"] for s in f["sources"]])
            for f in finishes
        }
        assert len(addresses) == 1
        for address in addresses.pop():
            assert address.startswith(server.url)
            found = await http.get(address)
            assert found.status_code == 200
            assert found.headers["content-type"].startswith("image/")
    assert state["messages"][-1]["content"] == whole["choices"][0]["message"]["content"]


@pytest.mark.parametrize("name", ["remote_graph.py", "openai_door.py", "sse.py", "mcp_tool.py"])
def test_the_examples_run(server, expected, name):
    printed = example(name, TUWEN_URL=server.url)
    assert expected["answer"] in printed
    assert expected["images"][0]["id"] in printed


def test_twenty_questions_of_one_client_leave_the_server_well(server, expected):
    async def all_at_once():
        async with httpx.AsyncClient(timeout=120) as client:
            calls = [
                client.post(f"{server.url}/chat", json={"question": QUESTION}) for _ in range(20)
            ]
            return await asyncio.gather(*calls)

    assert {json.dumps(core(a.json())) for a in asyncio.run(all_at_once())} == {
        json.dumps(expected)
    }


def test_zz_in_process_and_terminal_after_the_server(server, expected):
    server.stop()
    assert "BlockingError" not in server.text()
    home = str(server.folder / "home")
    settings = load_settings(LIGHT, home=home)
    with open_services(settings) as services:
        graph = build_chat_graph(services).compile()
        question = {"messages": [("user", QUESTION)]}
        state = asyncio.run(graph.ainvoke(question, context=RunOptions()))
    assert core(state["answer"]) == expected
    done = subprocess.run(
        [str(Path(sys.executable).with_name("tuwen")), "ask", QUESTION, "--json"],
        env={**os.environ, **LIGHT, "TUWEN_HOME": home},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert core(json.loads(done.stdout)) == expected
    assert expected["answer"] in example("import_graph.py", TUWEN_HOME=home, **LIGHT)
