"""Whatever an endpoint does, the question is answered, it is said, and the thread goes on."""

import asyncio
import socket
import time
from dataclasses import replace

import pytest

from tests.graph.talking import GREY, Talk, is_helper, roles, verdict
from tests.scripted_server import Reply
from tuwen.core.errors import StoreError, TransientError

pytestmark = pytest.mark.integration
CLEAR = "ABC-320 泵的额定流量是多少？"
NEXT = "它的额定压力是多少？"
FACT = "25 m³/h"
GOOD = "额定压力为 1.6 MPa [1]。"
LONG = "额定流量为 25 m³/h [1]。额定转速"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


SILENT = {
    "401": Reply(status=401, error={"message": "Incorrect API key provided: sk-abcdef123456"}),
    "404": Reply(status=404, error={"message": "The model `tiny` does not exist"}),
    "429": Reply(status=429, headers={"Retry-After": "60"}),
    "500": Reply(status=500),
    "503 html": Reply(status=503, error="<html>down</html>"),
    "stall before the status": Reply("late", stall_before=20),
    "stall before the first token": Reply("late", stall_first=20),
    "empty": Reply(""),
    "blank": Reply(" \n "),
    "all reasoning": Reply("", reasoning="thinking " * 40, finish="length"),
    "think tag only": Reply("<think>hm hm"),
    "content filter": Reply("", finish="content_filter"),
    "not an endpoint": Reply(raw="<html>welcome</html>", raw_type="text/html"),
    "broken json": Reply(raw='data: {"choices": [{"del\n\n'),
    "lost before the first token": Reply("x", drop_after=1),
}


@pytest.mark.parametrize("reply", SILENT.values(), ids=SILENT.keys())
async def test_a_model_that_says_nothing_leaves_the_extractive_answer(modelled, server, reply):
    talk = Talk(modelled())
    roles(server, writer=[reply, Reply(GOOD)])
    start = time.monotonic()
    turn = await talk.say(CLEAR)
    assert time.monotonic() - start < 8
    assert FACT in turn.answer
    assert turn.finish["sources"]
    assert "model_failed" in turn.codes
    assert "sk-abcdef123456" not in str(turn.finish)
    assert one_answer(turn, turns=1)
    assert turn.streamed == turn.answer
    after = await talk.say(NEXT)
    assert after.answer == GOOD
    assert after.codes == []
    assert one_answer(after, turns=2)


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        (CLEAR, "拒绝了密钥", "refused the key"),
        ("What is the rated flow of the ABC-320 pump?", "refused the key", "拒绝了密钥"),
    ],
)
async def test_what_went_wrong_is_told_in_the_language_of_the_question(
    modelled, server, question, said, unsaid
):
    roles(server, writer=[Reply(status=401, error={"message": "Incorrect API key"})])
    turn = await Talk(modelled()).say(question)
    [notice] = [n["text"] for n in turn.finish["notices"] if n["code"] == "model_failed"]
    assert said in notice
    assert unsaid not in notice


async def test_nobody_listening_leaves_the_extractive_answer(modelled):
    talk = Talk(modelled(url=f"http://127.0.0.1:{free_port()}/v1"))
    turn = await talk.say(CLEAR)
    assert FACT in turn.answer
    assert turn.codes == ["model_failed"]
    assert one_answer(turn, turns=1)


BROKEN_OFF = {
    "stall between tokens": Reply(LONG, stall_between=20),
    "connection lost": Reply(LONG, drop_after=12),
    "cut at max_tokens": Reply(LONG, finish="length"),
    "content filter after words": Reply(LONG, finish="content_filter"),
    "no finish reason": Reply(LONG, finish=None),
}


@pytest.mark.parametrize("reply", BROKEN_OFF.values(), ids=BROKEN_OFF.keys())
async def test_what_was_streamed_stays_the_answer_and_the_break_is_said(modelled, server, reply):
    talk = Talk(modelled())
    roles(server, writer=[reply, Reply(GOOD)])
    turn = await talk.say(CLEAR)
    assert turn.streamed
    assert LONG.startswith(turn.streamed)
    assert turn.answer.replace(" ⚠", "") == turn.streamed
    assert "answer_cut" in turn.codes
    assert one_answer(turn, turns=1)
    after = await talk.say(NEXT)
    assert after.answer == GOOD
    assert one_answer(after, turns=2)


async def test_reasoning_is_a_separate_event_and_never_in_a_message(modelled, server):
    talk = Talk(modelled())
    roles(server, writer=Reply("<think>secret plan</think>" + GOOD, reasoning="secret thought"))
    turn = await talk.say(CLEAR)
    said = "".join(event["text"] for event in turn.events if event["type"] == "reasoning")
    assert "secret thought" in said
    assert "secret" not in turn.streamed + str(turn.values["messages"])
    assert turn.streamed == turn.answer == GOOD
    await talk.say(NEXT)
    assert "secret" not in server.requests[-1].text


async def test_internal_replies_never_reach_the_message_stream(modelled, server):
    talk = Talk(modelled(), ask_back=True)
    gap = verdict("gap", "boiler interlock 吸入压力")
    rewritten = '{"self_contained": false, "question": "B 泵支持远程启动吗？"}'
    roles(server, writer=GOOD, judge=[gap, verdict("answer")], rewrite=rewritten)
    for words in (GREY, "A 泵支持远程启动吗？", "那第二个呢？"):
        turn = await talk.say(words, subgraphs=True)
        assert turn.streamed == GOOD
        assert {about["langgraph_node"] for _, about in turn.chunks} == {"write_with_model"}
        assert len({message.id for message, _ in turn.chunks}) == 1
    assert sum(is_helper(asked) for asked in server.requests) >= 2


async def test_stopping_in_the_middle_leaves_the_thread_usable(modelled, server):
    talk = Talk(modelled(idle_seconds=30))
    roles(server, writer=[Reply(LONG, stall_between=30), Reply(GOOD)])
    run = asyncio.create_task(talk.say(CLEAR))
    for _ in range(200):
        if server.requests:
            break
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    after = await talk.say(NEXT)
    assert after.answer == GOOD
    kinds = [message["role"] for message in server.requests[-1].messages]
    assert kinds == ["system", "user"], "a question without its answer is not sent"
    assert after.trace["intent"]["rewritten"] == "ABC-320 泵的额定压力是多少？"


class Broken:
    """A port whose methods all fail, or sleep first."""

    def __init__(self, inner, *names, seconds=0.0, error=None):
        self._inner, self._names, self._seconds = inner, names, seconds
        self._error = error or StoreError("gone")

    def __getattr__(self, name):
        if name not in self._names:
            return getattr(self._inner, name)

        def fail(*args, **kwargs):
            time.sleep(self._seconds)
            if self._seconds:
                return getattr(self._inner, name)(*args, **kwargs)
            raise self._error

        return fail


def quick(services):
    """The services with short limits for legs and reranker."""
    settings = services.settings
    retrieval = settings.retrieval.model_copy(update={"leg_seconds": 1.0})
    # The built-in reranker is asked only across languages; one behind HTTP always is.
    rerank = settings.rerank.model_copy(update={"timeout_seconds": 1.0, "provider": "http"})
    update = {"retrieval": retrieval, "rerank": rerank}
    return replace(services, settings=settings.model_copy(update=update))


FAILING = {
    "chroma gone": ("vectors", ("search", "vectors"), ["dense", "visual"]),
    "chroma search gone": ("vectors", ("search",), ["dense", "visual"]),
    "keyword index gone": ("keywords", ("search",), ["keyword"]),
    "encoder gone": ("embedder", ("embed_queries",), ["dense", "visual"]),
    "reranker gone": ("reranker", ("rerank",), []),
    "labels gone": ("catalog", ("figures_by_label", "by_section"), ["labels"]),
}


@pytest.mark.parametrize("seconds", [0.0, 2.5], ids=["fails", "is slow"])
@pytest.mark.parametrize(("port", "methods", "legs"), FAILING.values(), ids=FAILING.keys())
async def test_a_part_that_fails_is_named_and_the_answer_goes_on(
    store, port, methods, legs, seconds
):
    services = quick(store) if seconds or port == "reranker" else store
    broken = Broken(getattr(services, port), *methods, seconds=seconds)
    question = "图2.3：ABC-320 泵的额定流量是多少？" if port == "catalog" else CLEAR
    turn = await Talk(replace(services, **{port: broken})).say(question)
    assert [f"leg_failed.{leg}" in turn.codes for leg in legs] == [True] * len(legs)
    assert len([code for code in turn.codes if code.startswith("leg_failed")]) == len(legs)
    if port == "reranker":
        assert "rerank_failed" in turn.codes
    if port == "vectors" and "vectors" in methods:
        assert "diversify_failed" in turn.codes
    assert FACT in turn.answer
    assert turn.finish["sources"]


@pytest.mark.parametrize("error", [TransientError("busy", retry_after=0.1), ValueError("bug")])
async def test_a_defect_in_a_leg_costs_that_leg_only(store, error):
    broken = Broken(store.keywords, "search", error=error)
    turn = await Talk(replace(store, keywords=broken)).say(CLEAR)
    assert FACT in turn.answer
    assert turn.codes == ["leg_failed.keyword"]


async def test_where_the_store_lies_is_not_told(store):
    error = StoreError("The index in /srv/t is damaged. Run: tuwen doctor", place="/srv/t")
    turn = await Talk(replace(store, keywords=Broken(store.keywords, "search", error=error))).say(
        CLEAR
    )
    (notice,) = turn.finish["notices"]
    assert "tuwen doctor" in notice["text"]
    assert "/srv" not in str(turn.finish)


async def test_a_collection_that_lost_its_vectors_is_said_to_need_a_repair(store):
    class Lost(Broken):
        def search(self, *args, **options):
            return []

        def vectors(self, *args):
            return {}

    lost = replace(store, vectors=Lost(store.vectors))
    turn = await Talk(lost).say(CLEAR)
    assert FACT in turn.answer
    assert turn.codes == ["leg_failed.dense"]
    assert "tuwen doctor --repair" in turn.finish["notices"][0]["text"]
    filtered = await Talk(lost, filters={"title": "no such title"}).say(CLEAR)
    assert "leg_failed.dense" not in filtered.codes


async def test_every_leg_gone_is_an_abstention_not_an_error(store):
    gone = {
        "vectors": Broken(store.vectors, "search", "vectors"),
        "keywords": Broken(store.keywords, "search"),
    }
    turn = await Talk(replace(store, **gone)).say(CLEAR)
    assert turn.finish["abstained"]
    assert turn.finish["sources"] == []
    assert turn.answer.startswith("检索失败")
    turn = await Talk(replace(store, **gone)).say("What is the rated flow of the ABC-320 pump?")
    assert turn.answer.startswith("The search failed")
    assert {"leg_failed.dense", "leg_failed.keyword"} <= set(turn.codes)


def one_answer(turn, *, turns):
    """Each turn left one question and one answer, the last under the streamed id."""
    messages = turn.values["messages"]
    assert [message.type for message in messages] == ["human", "ai"] * turns
    assert len({message.id for message in messages}) == 2 * turns
    assert {message.id for message, _ in turn.chunks} == {turn.reply.id}
    assert turn.reply.text == turn.answer
    assert turn.reply.additional_kwargs["tuwen"] == turn.finish
    return True
