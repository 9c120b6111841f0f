"""LangGraph's own routes with keys, disconnects and concurrent turns, on a real server."""

import asyncio
import time

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.errors import APIStatusError

from tests.integration.doors_server import file_block, ingest_text, pdf, serving

pytestmark = pytest.mark.integration
ALICE = {"Authorization": "Bearer s1"}
BOB = {"Authorization": "Bearer s2"}
SECRET = "The pump KX-77 has 45 kW."
QUESTION = "What power has pump KX-77?"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("keys"), TUWEN_API_KEYS="alice:s1,bob:s2") as running:
        ingest_text(running.url, f"# Pump\n\n{SECRET}\n", "pump.md", headers=ALICE)
        yield running


def clients(server):
    return get_client(url=server.url, headers=ALICE), get_client(url=server.url, headers=BOB)


def asked(text=QUESTION):
    return {"messages": [{"role": "user", "content": text}]}


async def refused(call) -> int:
    with pytest.raises((APIStatusError, httpx.HTTPStatusError)) as caught:
        await call
    return caught.value.response.status_code


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/threads"),
        ("POST", "/threads/search"),
        ("POST", "/assistants/search"),
        ("POST", "/runs/wait"),
        ("POST", "/mcp"),
        ("GET", "/documents"),
        ("POST", "/store/items/search"),
    ],
)
def test_nothing_is_open_without_a_key(server, method, path):
    for headers in ({}, {"x-auth-scheme": "langsmith"}, {"Authorization": "Bearer wrong"}):
        answer = httpx.request(method, server.url + path, json={}, headers=headers, timeout=20)
        assert answer.status_code in (401, 403), (path, headers)


async def test_another_owners_thread_is_as_if_it_were_not_there(server):
    alice, bob = clients(server)
    async with alice, bob:
        thread = (await alice.threads.create())["thread_id"]
        state = await alice.runs.wait(thread, "chat", input=asked())
        assert "45 kW" in state["answer"]["answer"]
        assert await refused(bob.threads.get(thread)) == 404
        assert await refused(bob.threads.get_state(thread)) == 404
        assert await refused(bob.threads.get_history(thread)) == 404
        assert await refused(bob.runs.wait(thread, "chat", input=asked())) == 404
        assert await refused(bob.runs.list(thread)) == 404
        assert await refused(bob.threads.update(thread, metadata={"owner": "bob"})) == 404
        assert await refused(bob.threads.delete(thread)) == 404
        assert thread not in str(await bob.threads.search())
        assert thread in str(await alice.threads.search())


async def test_another_owners_collection_is_empty_whatever_way_it_is_named(server):
    alice, bob = clients(server)
    async with alice, bob:
        theirs = await bob.runs.wait(None, "chat", input=asked())
        assert "45 kW" not in theirs["answer"]["answer"]
        theirs = {"collection": "@alice/default"}
        for named in ({"context": theirs}, {"config": {"configurable": theirs}}):
            assert await refused(bob.runs.wait(None, "chat", input=asked(), **named)) == 403
        for chosen in (
            {"langgraph_auth_user_id": "alice"},
            {"langgraph_auth_user": {"identity": "alice"}},
        ):
            config = {"configurable": chosen}
            state = await bob.runs.wait(None, "chat", input=asked(), config=config)
            assert "45 kW" not in str(state)
        tool = {"question": QUESTION, "collection": "@alice/default"}
        assert "45 kW" not in str(await bob.runs.wait(None, "answer", input=tool))


async def test_assistants_are_not_changed_and_store_items_are_ones_own(server):
    alice, bob = clients(server)
    async with alice, bob:
        found = await bob.assistants.search(graph_id="chat")
        assert await refused(bob.assistants.delete(found[0]["assistant_id"])) == 403
        assert await refused(bob.assistants.create("chat")) == 403
        assert await refused(bob.store.put_item(["alice"], key="k", value={"a": 1})) == 403
        await alice.store.put_item(["alice"], key="k", value={"a": 1})
        assert await refused(bob.store.get_item(["alice"], key="k")) == 403


async def test_uploads_in_a_thread_belong_to_its_owner(server):
    alice, bob = clients(server)
    async with alice, bob:
        thread = (await alice.threads.create())["thread_id"]
        content = [
            {"type": "text", "text": "How much does crane CR-9 lift?"},
            file_block(pdf("The crane CR-9 lifts 12 tonnes at most."), "crane.pdf"),
        ]
        state = await alice.runs.wait(thread, "chat", input=asked(content))
        assert "12 tonnes" in state["answer"]["answer"]
        async with httpx.AsyncClient(headers=BOB, timeout=20) as client:
            assert "crane" not in (await client.get(f"{server.url}/documents")).text
        again = await bob.runs.wait(None, "chat", input=asked(content[0]["text"]))
        assert "12 tonnes" not in again["answer"]["answer"]


async def test_a_client_that_leaves_frees_its_thread(server):
    body = {"question": QUESTION, "thread": "left"}
    async with httpx.AsyncClient(timeout=60, headers=ALICE) as client:
        async with client.stream("POST", f"{server.url}/chat/stream", json=body) as answer:
            assert answer.status_code == 200
            async for _ in answer.aiter_lines():
                break
        deadline = time.monotonic() + 10
        while (await client.post(f"{server.url}/chat", json=body)).status_code != 200:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)


async def test_two_turns_of_one_thread_do_not_mix(server):
    body = {"question": QUESTION, "thread": "twice"}
    async with httpx.AsyncClient(timeout=60, headers=ALICE) as client:
        both = await asyncio.gather(
            *(client.post(f"{server.url}/chat", json=body) for _ in range(2))
        )
    codes = sorted(answer.status_code for answer in both)
    assert codes in ([200, 200], [200, 409])
    for answer in both:
        if answer.status_code == 409:
            assert "Another turn" in answer.json()["detail"]
    alice, bob = clients(server)
    async with alice, bob:
        thread = (await alice.threads.create())["thread_id"]
        first = await alice.runs.create(thread, "chat", input=asked())
        code = await refused(
            alice.runs.create(thread, "chat", input=asked(), multitask_strategy="reject")
        )
        assert code == 409
        await alice.runs.join(thread, first["run_id"])
        assert (await alice.runs.wait(thread, "chat", input=asked()))["answer"]["answer"]


def test_page_and_health_are_open_and_tell_nothing(server):
    assert httpx.get(f"{server.url}/app/", timeout=20).status_code == 200
    health = httpx.get(f"{server.url}/health", timeout=20).json()
    assert health["authentication"] is True
    assert str(server.folder) not in str(health)
