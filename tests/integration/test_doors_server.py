"""LangGraph's own doors on a real server: threads, uploads in messages, MCP, A2A, kill -9."""

import asyncio
import signal
import time

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.errors import APIStatusError as StatusError

from tests.integration.doors_server import Server, file_block, ingest_text, pdf, serving

pytestmark = pytest.mark.integration
MODES = ["values", "messages", "custom"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("doors")) as running:
        ingest_text(running.url)
        yield running


@pytest.fixture
async def client(server):
    async with get_client(url=server.url) as opened:
        yield opened


async def status_of(url: str) -> int:
    async with httpx.AsyncClient(timeout=20) as plain:
        return (await plain.get(url)).status_code


async def ask(client, thread, content, **options):
    """The last state and the custom events of a turn."""
    state, events = {}, []
    async for part in client.runs.stream(
        thread,
        "chat",
        input={"messages": [{"role": "user", "content": content}]},
        stream_mode=MODES,
        **options,
    ):
        assert part.event != "error", part.data
        if part.event == "values":
            state = part.data
        elif part.event == "custom":
            events.append(part.data)
    return state, events


async def test_an_uploaded_pdf_is_answered_from_in_its_thread_and_nowhere_else(server, client):
    data = pdf("Pump KX-77 is started from the panel.\nIts motor has 45 kW of rated power.")
    content = [
        {"type": "text", "text": "What rated power has the motor of pump KX-77?"},
        file_block(data, "../../pump [x](y).pdf"),
    ]
    thread = (await client.threads.create())["thread_id"]
    state, events = await ask(client, thread, content, stream_subgraphs=True)
    finish = events[-1]
    assert finish["type"] == "finish"
    assert "45 kW" in finish["answer"]
    assert finish["sources"][0]["page"] == 1
    assert any(notice["code"] == "upload.ready" for notice in finish["notices"])
    stored = str(await client.threads.get_history(thread)) + str(state)
    assert content[1]["data"][:60] not in stored
    assert str(server.folder) not in stored

    follow_up, _ = await ask(client, thread, "A 泵支持远程启动吗？")
    assert "支持远程启动" in follow_up["answer"]["answer"]  # the shared collection is still there

    other = (await client.threads.create())["thread_id"]
    elsewhere, _ = await ask(client, other, content[0]["text"])
    assert "45 kW" not in elsewhere["answer"]["answer"]


async def test_no_bytes_of_an_upload_are_left_in_the_checkpoints(server, client):
    marker = b"%PDF-1.4 " + b"Zq" * 30000
    thread = (await client.threads.create())["thread_id"]
    await ask(client, thread, [file_block(marker, "broken.pdf")])
    needle = file_block(marker, "x")["data"][200:300].encode()
    home = server.folder / "home"
    for file in home.glob("threads.sqlite*"):
        assert needle not in file.read_bytes()


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ({"type": "image_url", "image_url": {"url": "http://127.0.0.1:9/x.png"}}, "not fetched"),
        ({"type": "file", "mimeType": "application/pdf", "data": "%%%"}, "could not be decoded"),
        ({"type": "file", "mimeType": "application/zip", "data": "UEsFBg=="}, "refused"),
        ({"type": "video"}, "could not be decoded"),
    ],
)
async def test_what_cannot_be_read_is_refused_in_words(client, block, said):
    thread = (await client.threads.create())["thread_id"]
    state, events = await ask(client, thread, [block])
    assert said in events[-1]["answer"]
    assert state["messages"][-1]["type"] == "ai"
    after, _ = await ask(client, thread, "A 泵支持远程启动吗？")
    assert "支持远程启动" in after["answer"]["answer"]


@pytest.mark.parametrize("keys", ["", "alice:s1"])
async def test_threads_survive_kill_9(tmp_path, keys):
    running = Server(tmp_path, **({"TUWEN_API_KEYS": keys} if keys else {}))
    headers = {"Authorization": "Bearer s1"}
    running.start()
    try:
        ingest_text(running.url, headers=headers)
        async with get_client(url=running.url, headers=headers) as client:
            thread = (await client.threads.create())["thread_id"]
            await ask(client, thread, "A 泵支持远程启动吗？")
        running.stop(signal.SIGKILL)
        running.start()
        async with get_client(url=running.url, headers=headers) as client:
            await wait_for_thread(client, thread)
            found = await client.threads.search()
            assert thread in [item["thread_id"] for item in found]
            kept = await client.threads.get_state(thread)
            assert "支持远程启动" in kept["values"]["messages"][-1]["content"]
            state, _ = await ask(client, thread, "B 泵呢？")
            assert "不支持远程启动" in state["answer"]["answer"]
            assert len(state["messages"]) == 4
        pickles = {path.parent.name for path in tmp_path.rglob("*.p*kl")}
        assert pickles <= {".langgraph_api"}  # the tool's own, in a folder that is emptied unread
        assert not (tmp_path / ".langgraph_api").exists()
    finally:
        running.stop()


async def wait_for_thread(client, thread) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            await client.threads.get(thread)
        except (httpx.HTTPError, StatusError):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.2)
        else:
            return


def rpc(url: str, method: str, **params) -> dict:
    answer = httpx.post(
        f"{url}/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
        headers={"Accept": "application/json, text/event-stream"},
        timeout=60,
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


def test_mcp_lists_a_tool_that_takes_a_question(server):
    tools = {tool["name"]: tool for tool in rpc(server.url, "tools/list")["tools"]}
    schema = tools["answer"]["inputSchema"]
    assert schema["required"] == ["question"]
    assert "sources" in tools["answer"]["description"]
    called = rpc(
        server.url,
        "tools/call",
        name="answer",
        arguments={"question": "A 泵支持远程启动吗？"},
    )
    assert not called.get("isError")
    assert "支持远程启动" in called["content"][0]["text"]
    assert "手册" in called["content"][0]["text"]


def test_the_agent_card_names_the_chat(server):
    found = httpx.post(
        f"{server.url}/assistants/search", json={"graph_id": "chat"}, timeout=20
    ).json()
    card = httpx.get(
        f"{server.url}/.well-known/agent-card.json",
        params={"assistant_id": found[0]["assistant_id"]},
        timeout=20,
    )
    assert card.status_code == 200
    assert "citations" in card.json()["description"]


async def test_uploads_are_ingested_by_id_and_other_peoples_paths_are_not(server, client):
    state: dict = {}
    errors = []
    for path in ("upload:0000000000000000/x.md", "/etc/hostname", "a\0b"):
        async for part in client.runs.stream(None, "ingest", input={"paths": [path]}):
            if part.event == "error":
                errors.append(str(part.data))
            elif part.event == "values":
                state = part.data
    assert len(errors) == 3, state
    assert not any(str(server.folder) in text for text in errors)


async def test_twenty_chats_at_once(server, client):
    async def one(number: int):
        question = "A 泵支持远程启动吗？" if number % 2 else "轴承多久更换润滑油？"
        state, _ = await ask(client, None, question)
        return question, state["answer"]["answer"]

    answers = await asyncio.gather(*(one(number) for number in range(20)))
    for question, answer in answers:
        assert ("远程启动" if question.startswith("A") else "2000") in answer


async def test_a_deleted_thread_takes_its_uploads_along(server, client):
    thread = (await client.threads.create())["thread_id"]
    data = pdf("The crane CR-9 lifts 12 tonnes at most.")
    content = [
        {"type": "text", "text": "How much does crane CR-9 lift?"},
        file_block(data, "c.pdf"),
    ]
    state, _ = await ask(client, thread, content)
    assert "12 tonnes" in state["answer"]["answer"]
    doc_id = state["answer"]["sources"][0]["doc_id"]
    assert await status_of(f"{server.url}/documents/{doc_id}") == 200
    await client.threads.delete(thread)
    deadline = time.monotonic() + 10
    while await status_of(f"{server.url}/documents/{doc_id}") != 404:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)
