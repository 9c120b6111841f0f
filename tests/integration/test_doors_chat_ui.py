"""LangChain's agent-chat-ui: what it sends, what it shows, its buttons, on a server with keys."""

import re

import httpx
import pytest
from langgraph_sdk import get_client

from tests.integration.doors_server import file_block, ingest_handbook, pdf, serving
from tests.scripted_server import Reply, ScriptedServer

pytestmark = pytest.mark.integration
KEY = {"x-api-key": "s1"}
QUESTION = "What does Figure 2.1 show?"
ANSWER = "Figure 2.1 shows the flow duration curve of Alder Brook. [1]"
LINK = re.compile(r"(!?)\[((?:\\.|[^\]\\])*)\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def model():
    with ScriptedServer() as scripted:
        scripted.respond = lambda asked: Reply(ANSWER if asked.body.get("stream") else "{}")
        yield scripted


@pytest.fixture(scope="module")
def server(tmp_path_factory, model):
    settings = {
        "TUWEN_API_KEYS": "alice:s1",
        "TUWEN_CHAT__MODEL": "tiny",
        "TUWEN_CHAT__BASE_URL": model.url,
        "TUWEN_CHAT__VISION": "true",
    }
    with serving(tmp_path_factory.mktemp("ui"), **settings) as running:
        ingest_handbook(running.url, headers=KEY)
        yield running


@pytest.fixture
async def client(server):
    async with get_client(url=server.url, api_key="s1") as opened:
        yield opened


def human(text, number, *blocks):
    """A message as the page submits it."""
    content = [{"type": "text", "text": text}, *blocks]
    return {"id": f"h{number}", "type": "human", "content": content}


async def submit(client, thread, given, **options):
    """The last values of a submission, and every error."""
    values = {}
    async for part in client.runs.stream(
        thread,
        "chat",
        input=given,
        stream_mode=["values"],
        stream_subgraphs=True,
        stream_resumable=True,
        on_disconnect="continue",
        **options,
    ):
        assert not part.event.startswith("error"), part.data
        if part.event == "values":
            values = part.data
    return values


async def new_thread(client) -> str:
    return (await client.threads.create())["thread_id"]


async def test_the_answer_is_markdown_whose_pictures_and_pages_open_without_the_key(client):
    thread = await new_thread(client)
    given = {"messages": [human(QUESTION, 1)], "context": {"artifact": None}}
    values = await submit(client, thread, given)
    shown = values["messages"][-1]
    assert shown["type"] == "ai"
    assert shown["content"].startswith(ANSWER)
    links = LINK.findall(shown["content"])
    assert {mark for mark, _, _ in links} == {"!", ""}
    async with httpx.AsyncClient(timeout=60) as plain:
        for _, name, address in links:
            assert name
            found = await plain.get(address)
            assert found.status_code == 200
            assert found.headers["content-type"].startswith("image/")
            bare = address.partition("?")[0]
            assert (await plain.get(bare)).status_code == 404
    data = shown["additional_kwargs"]["tuwen"]
    assert [i["url"] for i in data["images"]] == [a for mark, _, a in links if mark]
    assert [s["page_url"] for s in data["sources"]] == [a for mark, _, a in links if not mark]
    assert "tuwen" not in shown["content"].lower()


async def test_earlier_pictures_are_no_pictures_for_the_model(client, model):
    thread = await new_thread(client)
    first = await submit(client, thread, {"messages": [human(QUESTION, 1)]})
    assert "![" in first["messages"][-1]["content"]
    before = len(model.requests)
    await submit(client, thread, {"messages": [human("What is the design flow?", 2)]})
    asked = [item for item in model.requests[before:] if item.body.get("stream")][-1]
    history = [m["content"] for m in asked.messages if m["role"] == "assistant"]
    assert ANSWER.partition(" [")[0] in str(history)
    assert "/images/" not in str(history)
    assert "/pages/" not in str(asked.body)
    assert not any(url.startswith("http") for url in asked.images)


async def test_regenerate_and_edit_go_on_from_the_checkpoint_before(client):
    thread = await new_thread(client)
    await submit(client, thread, {"messages": [human(QUESTION, 1)]})
    history = await client.threads.get_history(thread, limit=50)
    holders = [state for state in history if len(state["values"].get("messages", [])) == 2]
    before_answer = holders[-1]["parent_checkpoint"]
    again = await submit(client, thread, None, checkpoint=before_answer)
    assert [message["type"] for message in again["messages"]] == ["human", "ai"]
    assert again["messages"][-1]["content"].startswith(ANSWER)
    asked_first = [s for s in history if len(s["values"].get("messages", [])) == 1]
    before_question = asked_first[-1]["parent_checkpoint"]
    edited = {"messages": [human("What is the residual flow?", 9)]}
    values = await submit(client, thread, edited, checkpoint=before_question)
    assert values["messages"][0]["id"] == "h9"
    assert len(values["messages"]) == 2


async def test_an_upload_from_the_page_is_asked_about_and_never_sent_on(client, model):
    thread = await new_thread(client)
    block = file_block(pdf("Pump KX-77 is started from the panel."), "pump.pdf")
    before = len(model.requests)
    question = human("How is pump KX-77 started?", 1, block)
    values = await submit(client, thread, {"messages": [question]})
    kept = values["messages"][0]
    assert kept["id"] == "h1"
    assert [part["type"] for part in kept["content"]] == ["text"]
    notices = values["answer"]["notices"]
    assert any(notice["code"] == "upload.ready" for notice in notices)
    for item in model.requests[before:]:
        assert block["data"][:80] not in str(item.body)


async def test_a_wrong_key_is_told_so(server):
    async with httpx.AsyncClient(timeout=20) as plain:
        for path in ("/threads/search", "/assistants/search"):
            answer = await plain.post(server.url + path, json={}, headers={"x-api-key": "no"})
            assert answer.status_code in (401, 403)
