"""What a thread keeps: little, plain, its own, and after a hard kill."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from langchain_core.messages import BaseMessage, HumanMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from tests.graph.talking import Talk, roles
from tests.scripted_server import Reply
from tuwen.app.ask import ask
from tuwen.app.config import load_settings
from tuwen.app.services import open_services
from tuwen.app.threads import THREADS_FILE, Packed, chat_graph
from tuwen.core.options import RunOptions

pytestmark = pytest.mark.integration
ROOT = Path(__file__).resolve().parents[2]
FIGURES = [
    "图2.3说明了什么？",
    "那图2.4呢",
    "图2.1说明了什么？",
    "表3.1的标准是什么？",
    "图3.1是什么？",
]
GROWTH = 50_000
REPORT = RunOptions(collection="report")


def stored(home):
    """Bytes of the checkpoints and of the pending writes."""
    with sqlite3.connect(home / THREADS_FILE) as db:
        one = "SELECT coalesce(sum(length(checkpoint) + length(metadata)), 0) FROM checkpoints"
        two = "SELECT coalesce(sum(length(value)), 0) FROM writes"
        return sum(db.execute(query).fetchone()[0] for query in (one, two))


@pytest.fixture
def threads_file(store):
    path = store.settings.home / THREADS_FILE
    remove(path)
    yield store.settings.home
    remove(path)


def remove(path):
    for item in path.parent.glob(f"{path.name}*"):
        item.unlink()


@pytest.mark.parametrize("durability", ["exit", "async"])
async def test_twenty_turns_with_figures_grow_the_file_by_little(store, threads_file, durability):
    sizes = [0]
    async with chat_graph(store, "disk") as graph:
        for number in range(20):
            if durability == "exit":
                asked = await ask(graph, FIGURES[number % 5], thread="t", options=REPORT)
                assert asked.finish["images"] or asked.finish["abstained"]
            else:
                await graph.ainvoke(
                    {"messages": [HumanMessage(FIGURES[number % 5])]},
                    {"configurable": {"thread_id": "t"}},
                    context=REPORT,
                )
            sizes.append(stored(threads_file))
        kept = await graph.aget_state({"configurable": {"thread_id": "t"}})
    growth = [after - before for before, after in pairwise(sizes)]
    if durability == "exit":
        assert max(growth) < GROWTH / 5
    assert sum(growth) / len(growth) < GROWTH
    assert max(growth) < GROWTH * 1.1
    assert len(kept.values["messages"]) == 40


async def test_threads_packed_by_an_earlier_version_go_on(store, threads_file, monkeypatch):
    def as_before(self, plaintext):
        return "zlib", zlib.compress(plaintext)

    with monkeypatch.context() as earlier:
        earlier.setattr(Packed, "encrypt", as_before)
        async with chat_graph(store, "disk") as graph:
            await ask(graph, FIGURES[0], thread="t", options=REPORT)
    async with chat_graph(store, "disk") as graph:
        asked = await ask(graph, FIGURES[1], thread="t", options=REPORT)
    assert [image["label"] for image in asked.finish["images"]] == ["图2.4"]


async def test_the_file_grows_in_step_with_what_is_stored(store, threads_file):
    sizes = []
    for number in range(6):
        async with chat_graph(store, "disk") as graph:
            await ask(graph, FIGURES[number % 5], thread="t", options=REPORT)
        files = threads_file.glob(f"{THREADS_FILE}*")
        sizes.append(sum(file.stat().st_size for file in files))
    assert (sizes[-1] - sizes[0]) / 5 < GROWTH


async def test_the_state_holds_plain_values_only(modelled, server):
    roles(server, writer="2022年发电量最低 [1]。", judge='{"verdict": "answer"}')
    talk = Talk(modelled(), collection="report")
    for question in FIGURES[:3]:
        turn = await talk.say(question)
    strict = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=[])
    for key, value in turn.values.items():
        if key != "messages":
            assert strict.loads_typed(strict.dumps_typed(value)) == value
        assert plain(value), key


def plain(value):
    """No numpy, no bytes, no objects but messages; nothing long."""
    if isinstance(value, BaseMessage):
        return plain(value.content) and plain(value.additional_kwargs)
    if isinstance(value, dict):
        return all(isinstance(key, str) and plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(plain(item) for item in value)
    if isinstance(value, str):
        return len(value) < 5000
    return type(value) in (int, float, bool, type(None)) and not isinstance(value, np.generic)


async def test_parallel_threads_do_not_leak_into_one_another(modelled, server):
    facts = {"A 泵支持远程启动吗？": "B 泵呢？", "泵 P-101 的功率是多少？": "泵 P-102 呢？"}

    def respond(asked):
        question = asked.messages[-1]["content"]
        return Reply(f"seen {len(asked.messages)} " + " ".join(k for k in MARKS if k in question))

    server.respond = respond
    # Ten at once on a busy machine: nothing here is about time limits.
    patient = {"first_token_seconds": 30.0, "idle_seconds": 30.0, "timeout_seconds": 60.0}
    talk = Talk(modelled(**patient))
    pairs = [list(facts.items())[number % 2] for number in range(10)]

    async def converse(number, first, second):
        await talk.say(first, thread=f"t{number}")
        return await talk.say(second, thread=f"t{number}")

    turns = await asyncio.gather(*(converse(i, *pair) for i, pair in enumerate(pairs)))
    for turn, (first, second) in zip(turns, pairs, strict=True):
        messages = turn.values["messages"]
        assert [m.text for m in messages if m.type == "human"] == [first, second]
        own, other = MARKS if "远程" in first else MARKS[::-1]
        rewritten = turn.trace["intent"]["rewritten"]
        assert own in rewritten
        assert other not in rewritten
        assert turn.answer.replace(" ⚠", "").startswith("seen 4 ")
        assert {message.id for message, _ in turn.chunks} == {turn.reply.id}


MARKS = ("远程启动", "P-102")


async def test_filters_and_collections_of_one_thread_do_not_reach_another(store):
    notes, report = Talk(store), Talk(store, collection="report")
    report.saver = notes.saver
    first = await notes.say("ABC-320 泵的额定流量是多少？", thread="user-a")
    second = await report.say("ABC-320 泵的额定流量是多少？", thread="user-b")
    assert "25 m³/h" in first.answer
    assert "25 m³/h" not in second.answer
    assert len(second.values["messages"]) == 2


KILLED = """
import asyncio, sys
from pathlib import Path
from langchain_core.messages import HumanMessage
from tuwen.app.ask import ask
from tuwen.app.config import load_settings
from tuwen.app.services import open_services
from tuwen.app.threads import chat_graph
from tuwen.core.options import RunOptions

async def main(services, durability):
    options = RunOptions(collection="notes")
    async with chat_graph(services, "disk") as graph:
        await ask(graph, "A 泵支持远程启动吗？", thread="t", options=options)
        print("first", flush=True)
        if durability == "exit":
            await ask(graph, "泵 P-101 的功率是多少？", thread="t", options=options)
        else:
            await graph.ainvoke({"messages": [HumanMessage("泵 P-101 的功率是多少？")]},
                {"configurable": {"thread_id": "t"}}, context=options)

home, url, durability = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
env = {"TUWEN_CHAT__MODEL": "tiny", "TUWEN_CHAT__BASE_URL": url}
with open_services(load_settings(env, folder=home, home=home)) as services:
    asyncio.run(main(services, durability))
"""


def with_endpoint(home, url):
    env = {"TUWEN_CHAT__MODEL": "tiny", "TUWEN_CHAT__BASE_URL": url}
    return load_settings(env, folder=home, home=home)


def kill_in_second_turn(home, server, durability):
    """Run two turns in another process; kill it while the second answer is written."""
    command = [sys.executable, "-c", KILLED, str(home), server.url, durability]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=home)
    try:
        assert child.stdout.readline().strip() == b"first"
        for _ in range(400):
            if len(server.requests) == 2:
                break
            time.sleep(0.05)
        time.sleep(0.5)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    assert len(server.requests) == 2, "the second answer had begun"


@pytest.mark.parametrize("durability", ["exit", "async"])
async def test_after_a_hard_kill_in_the_middle_the_thread_goes_on(small_home, server, durability):
    roles(server, writer=["A 泵支持远程启动 [1]。", Reply("never finished", stall_between=120)])
    kill_in_second_turn(small_home, server, durability)
    roles(server, writer="B 泵不支持远程启动 [1]。")
    with open_services(with_endpoint(small_home, server.url)) as services:
        async with chat_graph(services, "disk") as graph:
            options = RunOptions(collection="notes")
            asked = await ask(graph, "那 A 泵和 B 泵都是什么样的？", thread="t", options=options)
            state = await graph.aget_state({"configurable": {"thread_id": "t"}})
        await services.chat.aclose()
    assert "B 泵不支持远程启动 [1]" in asked.finish["answer"]
    words = [message.text for message in state.values["messages"]]
    assert words[0] == "A 泵支持远程启动吗？"
    assert words[-2:] == ["那 A 泵和 B 泵都是什么样的？", asked.finish["answer"]]
    sent = [message["role"] for message in server.requests[-1].messages]
    assert sent == ["system", "user", "assistant", "user"]
