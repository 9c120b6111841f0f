"""Turns that meet, end early, fail or are stopped, on a real server with a scripted model."""

import asyncio
import signal
import time

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.errors import APIStatusError

from tests.integration.doors_server import Server, ingest_text, serving, sse
from tests.scripted_server import Reply, ScriptedServer
from tuwen.core.options import RunOptions

pytestmark = pytest.mark.integration
QUESTION = "A 泵支持远程启动吗？"
ANSWER = "A 泵支持远程启动。[1]"
SLOW = Reply(ANSWER, stall_between=20)
"""Says all but its last two characters, then keeps the reader waiting."""
PROMPT_SECONDS = 6
"""What "at once" may take on a busy machine; far below the stall of a slow reply."""


class Scripted:
    """Answers at once; `slow` answers stall; whoever asks for JSON gets some."""

    def __init__(self) -> None:
        self.model = ScriptedServer()
        self.slow: set[str] = set()
        self.model.respond = self.reply

    def reply(self, asked) -> Reply:
        if not asked.body.get("stream"):
            return Reply('{"secret": "inner words", "enough": true, "question": ""}')
        last = str(asked.messages[-1].get("content"))
        return SLOW if any(mark in last for mark in self.slow) else Reply(ANSWER)


@pytest.fixture(scope="module")
def scripted():
    found = Scripted()
    yield found
    found.model.close()


@pytest.fixture(autouse=True)
def nobody_is_slow(scripted):
    scripted.slow.clear()
    scripted.model.hung_up.clear()


@pytest.fixture(scope="module")
def server(tmp_path_factory, scripted):
    with serving(tmp_path_factory.mktemp("turns"), **model_settings(scripted)) as running:
        ingest_text(running.url)
        yield running


@pytest.fixture
async def client(server):
    async with get_client(url=server.url) as opened:
        yield opened


def model_settings(scripted) -> dict[str, str]:
    return {"TUWEN_CHAT__MODEL": "tiny", "TUWEN_CHAT__BASE_URL": scripted.model.url}


def asked(text=QUESTION):
    return {"messages": [{"role": "user", "content": text}]}


async def new_thread(client) -> str:
    return (await client.threads.create())["thread_id"]


async def until(found, seconds=PROMPT_SECONDS):
    """Wait for a truth; the time limit is the test."""
    deadline = time.monotonic() + seconds
    while not (value := await found()):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    return value


async def first_token(client, thread, **options):
    """Read a turn's stream up to the first word of the model, then leave."""
    options = {"stream_mode": ["messages-tuple"], **options}
    async for part in client.runs.stream(thread, "chat", input=asked(), **options):
        if part.event == "messages" and part.data[0]["content"]:
            return


async def is_free(client, thread) -> bool:
    return (await client.threads.get(thread))["status"] != "busy"


async def test_leaving_cancels_the_run_and_the_models_call_and_frees_the_thread(client, scripted):
    scripted.slow.add(QUESTION)
    thread = await new_thread(client)
    await first_token(client, thread, on_disconnect="cancel")
    await until(lambda: is_free(client, thread))
    kept = (await client.threads.get_state(thread))["values"].get("messages", [])
    assert [message["type"] for message in kept] == ["human"]
    assert await asyncio.to_thread(scripted.model.hung_up.wait, PROMPT_SECONDS)
    scripted.slow.clear()
    state = await client.runs.wait(thread, "chat", input=asked())
    assert state["answer"]["answer"] == ANSWER


async def test_leaving_the_event_stream_cancels_the_models_call(server, scripted):
    scripted.slow.add(QUESTION)
    body = {"question": QUESTION, "thread": "left"}
    async with httpx.AsyncClient(timeout=60) as http:
        async with http.stream("POST", f"{server.url}/chat/stream", json=body) as answer:
            async for line in answer.aiter_lines():
                if line == "event: token":
                    break
        assert await asyncio.to_thread(scripted.model.hung_up.wait, PROMPT_SECONDS)
        scripted.slow.clear()

        async def answered() -> bool:
            return (await http.post(f"{server.url}/chat", json=body)).status_code == 200

        await until(answered)


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("/chat", {"question": QUESTION}),
        (
            "/v1/chat/completions",
            {"model": "tuwen", "messages": [{"role": "user", "content": QUESTION}]},
        ),
        (
            "/v1/chat/completions",
            {
                "model": "tuwen",
                "stream": True,
                "messages": [{"role": "user", "content": QUESTION}],
            },
        ),
    ],
)
async def test_nobody_waits_so_no_model_works(server, scripted, route, body):
    scripted.slow.add(QUESTION)
    asked_before = len(scripted.model.requests)
    async with httpx.AsyncClient(timeout=60) as http:
        asking = asyncio.create_task(http.post(server.url + route, json=body))

        async def reached() -> bool:
            return len(scripted.model.requests) > asked_before

        await until(reached, 30)
        asking.cancel()  # closes the connection
    assert await asyncio.to_thread(scripted.model.hung_up.wait, PROMPT_SECONDS)


async def test_a_run_is_cancelled_by_its_id(client, scripted):
    scripted.slow.add(QUESTION)
    thread = await new_thread(client)
    run = await client.runs.create(thread, "chat", input=asked())
    await asyncio.sleep(0.5)
    await client.runs.cancel(thread, run["run_id"], wait=False)
    await until(lambda: is_free(client, thread))
    scripted.slow.clear()
    assert (await client.runs.wait(thread, "chat", input=asked()))["answer"]["answer"] == ANSWER


async def test_a_second_turn_is_refused_or_waits_and_never_mixes(client, scripted):
    scripted.slow.add(QUESTION)
    thread = await new_thread(client)
    first = await client.runs.create(thread, "chat", input=asked())
    with pytest.raises(APIStatusError) as caught:
        await client.runs.create(thread, "chat", input=asked(), multitask_strategy="reject")
    assert caught.value.response.status_code == 409
    await client.runs.cancel(thread, first["run_id"])
    await until(lambda: is_free(client, thread))
    scripted.slow.clear()

    other = await new_thread(client)
    texts = [QUESTION, "轴承多久更换润滑油？", "B 泵支持远程启动吗？"]
    runs = [
        await client.runs.create(other, "chat", input=asked(text), multitask_strategy="enqueue")
        for text in texts
    ]
    for run in runs:
        await client.runs.join(other, run["run_id"])
    kept = (await client.threads.get_state(other))["values"]["messages"]
    assert [message["type"] for message in kept] == ["human", "ai"] * 3
    assert [message["content"] for message in kept[::2]] == texts
    assert len({message["id"] for message in kept}) == 6


async def test_a_busy_thread_of_our_own_door_says_so(server, scripted):
    scripted.slow.add(QUESTION)
    body = {"question": QUESTION, "thread": "busy"}
    async with (
        httpx.AsyncClient(timeout=60) as http,
        http.stream("POST", f"{server.url}/chat/stream", json=body) as answer,
    ):
        lines = answer.aiter_lines()  # held: a forgotten iterator would hang up
        while await anext(lines) != "event: token":
            pass
        for route in ("/chat", "/chat/stream"):
            second = await http.post(server.url + route, json=body)
            assert second.status_code == 409
            assert "Another turn of this thread is running" in second.json()["detail"]
        elsewhere = {**body, "question": "轴承多久更换润滑油？", "thread": "free"}
        assert (await http.post(f"{server.url}/chat", json=elsewhere)).status_code == 200


async def test_a_stream_that_was_lost_is_taken_up_where_it_broke_off(client, scripted):
    thread = await new_thread(client)
    scripted.slow.add(QUESTION)
    seen, last, run_id = [], "", ""
    stream = client.runs.stream(
        thread,
        "chat",
        input=asked(),
        stream_mode=["messages-tuple", "custom"],
        stream_resumable=True,
        on_disconnect="continue",
    )
    async for part in stream:
        last = part.id or last
        if part.event == "metadata":
            run_id = part.data["run_id"]
        if part.event == "messages" and part.data[0]["content"]:
            seen.append(part.data[0]["content"])
            break
    await stream.aclose()
    scripted.model.closing.set()
    events = []
    async for part in client.runs.join_stream(thread, run_id, last_event_id=last):
        if part.event == "messages":
            seen.append(part.data[0]["content"])
        elif part.event == "custom":
            events.append(part.data)
    scripted.model.closing.clear()
    assert len(seen) > 1  # the development server may lose pieces of one millisecond
    assert events[-1]["type"] == "finish"
    assert events[-1]["answer"] == ANSWER


async def test_a_run_that_fails_frees_its_thread(client):
    thread = await new_thread(client)
    parts = [
        part
        async for part in client.runs.stream(
            thread, "chat", input=asked(), config={"recursion_limit": 2}
        )
    ]
    assert parts[-1].event == "error"
    assert await is_free(client, thread)
    state = await client.runs.wait(thread, "chat", input=asked())
    assert state["answer"]["answer"] == ANSWER
    assert state["messages"][-1]["type"] == "ai"


async def test_a_run_stops_at_an_interrupt_and_goes_on(client):
    thread = await new_thread(client)
    await client.runs.wait(thread, "chat", input=asked(), interrupt_before=["check_citations"])
    stopped = await client.threads.get_state(thread)
    assert stopped["next"] == ["check_citations"]
    assert (await client.threads.get(thread))["status"] == "interrupted"
    state = await client.runs.wait(thread, "chat", input=None)
    assert state["answer"]["answer"] == ANSWER
    assert (await client.threads.get_state(thread))["next"] == []


async def test_an_unclear_follow_up_is_asked_back_and_then_answered(client):
    context = {"ask_back": True, "use_model": False}
    thread = await new_thread(client)
    back = await client.runs.wait(thread, "chat", input=asked("那它呢？"), context=context)
    assert not back["answer"]["sources"]
    assert "？" in back["answer"]["answer"]
    clear = await client.runs.wait(thread, "chat", input=asked(), context=context)
    assert "支持远程启动" in clear["answer"]["answer"]


async def test_only_the_answer_streams_as_messages_and_under_one_id(client):
    thread = await new_thread(client)
    await client.runs.wait(thread, "chat", input=asked())
    texts, ids, finish = [], set(), {}
    async for part in client.runs.stream(
        thread,
        "chat",
        input=asked("那 B 呢，它和前面说的有什么不同？"),
        stream_mode=["messages-tuple", "custom"],
        stream_subgraphs=True,
    ):
        if part.event.startswith("messages") and part.data[0]["type"] != "human":
            texts.append(part.data[0]["content"])
            ids.add(part.data[0]["id"])
        elif part.event.startswith("custom"):
            finish = part.data
    assert "inner words" not in "".join(texts)
    assert "".join(texts) == finish["answer"]
    kept = (await client.threads.get_state(thread))["values"]["messages"][-1]
    assert ids == {kept["id"]}
    assert kept["content"].startswith(finish["answer"])


async def test_an_assistant_is_made_from_the_context_form(server, client):
    found = (await client.assistants.search(graph_id="chat"))[0]
    schemas = await client.assistants.get_schemas(found["assistant_id"])
    form = schemas["context_schema"]["properties"]
    assert set(form) == set(RunOptions.__dataclass_fields__)
    assert all("default" in field or "title" in field for field in form.values())
    text = "# 阀\n\n阀门 V-9 在 7 bar 时开启。\n"
    await asyncio.to_thread(ingest_text, server.url, text, "阀.md", collection="阀门")
    mine = await client.assistants.create(
        "chat", context={"collection": "阀门", "use_model": False}, name="阀门"
    )
    state = await client.runs.wait(
        None, mine["assistant_id"], input=asked("阀门 V-9 在多大压力时开启？")
    )
    assert "7 bar" in state["answer"]["answer"]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_a_server_that_ends_in_the_middle_of_a_turn_leaves_a_thread_to_go_on_with(
    tmp_path, scripted, how
):
    scripted.slow.add(QUESTION)
    running = Server(tmp_path, **model_settings(scripted))
    running.start()
    try:
        ingest_text(running.url)
        async with get_client(url=running.url) as client:
            thread = await new_thread(client)
            earlier = await client.runs.wait(thread, "chat", input=asked("轴承多久更换润滑油？"))
            await first_token(client, thread, on_disconnect="continue")
        running.stop(how)
        scripted.slow.clear()
        running.start()
        async with get_client(url=running.url) as client:

            async def back() -> bool:
                return thread in [t["thread_id"] for t in await client.threads.search(limit=50)]

            await until(back, 20)
            kept = (await client.threads.get_state(thread))["values"]["messages"]
            assert [message["id"] for message in kept[:2]] == [
                message["id"] for message in earlier["messages"]
            ]
            state = await client.runs.wait(thread, "chat", input=asked())
            assert state["answer"]["answer"] == ANSWER
            assert state["messages"][-1]["content"].startswith(ANSWER)
        async with httpx.AsyncClient(timeout=60) as http:
            answer = await http.post(f"{running.url}/chat/stream", json={"question": QUESTION})
            assert sse(answer.text)[-1]["type"] == "finish"
        assert not [path for path in tmp_path.iterdir() if path.name == ".langgraph_api"]
    finally:
        running.stop(signal.SIGKILL)
