"""What the chat model sends, and how it behaves in event loops."""

import asyncio
import base64
import json
import time

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import SecretStr

from tests.integration.endpoint import ASK, WAYS, asked_once, streamed
from tests.scripted_server import Asked, Reply, Rules, ScriptedServer
from tuwen.backends.openai_chat import OpenAIChat
from tuwen.core.settings import ChatSettings

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("way", ["stream", "async"])
async def test_extra_body_is_sent_and_call_arguments_win(endpoint, way):
    model = endpoint.model(extra_body={"enable_thinking": False}, temperature=0.5)
    await asked_once(model, way, max_tokens=77, extra_body={"top_k": 3})
    body = endpoint.server.requests[0].body
    assert (body["enable_thinking"], body["top_k"]) == (False, 3)
    assert (body["max_tokens"], body["temperature"]) == (77, 0.5)


async def test_model_that_thinks_only_in_streams_is_streamed_internally(endpoint):
    endpoint.server.rules = Rules(thinking_needs_stream=True)
    endpoint.server.script(Reply("好", reasoning="想"))
    model = endpoint.model()
    assert (await model.ainvoke(ASK)).content == "好"
    assert (await model.ainvoke(ASK)).content == "好"
    assert [bool(r.body.get("stream")) for r in endpoint.server.requests] == [False, True, True]


@pytest.mark.parametrize(
    ("params", "absent"),
    [
        ({"stream_options": "Unknown field stream_options"}, "stream_options"),
        ({"temperature": "Unsupported value: 'temperature' must be 1"}, "temperature"),
        (
            {"max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."},
            "max_tokens",
        ),
    ],
)
async def test_refused_parameters_are_left_out_from_then_on(endpoint, params, absent):
    endpoint.server.rules = Rules(params=params)
    endpoint.server.script("好")
    model = endpoint.model()
    assert (await streamed(model)).content == "好"
    assert (await streamed(model)).content == "好"
    assert [absent in r.body for r in endpoint.server.requests] == [True, False, False]


async def test_system_text_goes_to_the_user_where_the_role_is_unknown(endpoint):
    endpoint.server.rules = Rules(no_system=True)
    endpoint.server.script("好")
    await streamed(endpoint.model(), [SystemMessage("RULES"), HumanMessage("Q")])
    assert endpoint.server.requests[-1].messages == [{"role": "user", "content": "RULES\n\nQ"}]


PICTURE = base64.b64encode(b"\x89PNG not really").decode()
WITH_PICTURES = [
    HumanMessage(
        [
            {"type": "text", "text": "先看这张"},
            {"type": "image", "mimeType": "image/png", "data": PICTURE, "metadata": {"name": "泵"}},
        ]
    ),
    AIMessage("好", additional_kwargs={"reasoning_content": "secret thought"}),
    HumanMessage(
        [
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
            {"type": "text", "text": "这张呢"},
        ]
    ),
]


@WAYS
async def test_text_only_model_never_receives_a_picture(endpoint, way):
    endpoint.server.rules = Rules(text_only=True)
    await asked_once(endpoint.model(), way, WITH_PICTURES)
    asked: Asked = endpoint.server.requests[0]
    assert asked.images == []
    assert PICTURE not in json.dumps(asked.body)
    assert "[picture: 泵]" in asked.text
    assert all(isinstance(message["content"], str) for message in asked.messages)


async def test_seeing_model_receives_the_pictures_of_every_client(endpoint):
    await streamed(endpoint.model(vision=True), WITH_PICTURES)
    assert endpoint.server.requests[0].images == [f"data:image/png;base64,{PICTURE}"] * 2


async def test_reasoning_of_earlier_turns_is_not_sent_back(endpoint):
    await streamed(endpoint.model(), WITH_PICTURES)
    assert "secret thought" not in json.dumps(endpoint.server.requests[0].body)


async def test_stopping_the_stream_closes_the_connection(endpoint):
    endpoint.server.script(Reply("ab" * 50, stall_between=20))
    model = endpoint.model(idle_seconds=30, timeout_seconds=60)

    async def read() -> None:
        async for _ in model.astream(ASK):
            pass

    task = asyncio.create_task(read())
    await asyncio.sleep(0.3)
    began = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - began < 1
    endpoint.server.script("wieder da")
    assert (await streamed(model)).content == "wieder da"


def test_one_model_serves_several_event_loops():
    with ScriptedServer() as server:
        model = OpenAIChat(settings=ChatSettings(model="m", base_url=server.url))

        async def once() -> str:
            reply = await streamed(model)
            await model.aclose()
            return str(reply.content)

        assert [asyncio.run(once()) for _ in range(3)] == ["ok", "ok", "ok"]


async def test_parallel_calls_do_not_mix(endpoint):
    endpoint.server.respond = lambda asked: Reply(asked.text * 3, piece=1)
    model = endpoint.model()
    replies = await asyncio.gather(*(streamed(model, [HumanMessage(f"<{i}>")]) for i in range(10)))
    assert [reply.content for reply in replies] == [f"<{i}>" * 3 for i in range(10)]


async def test_first_use_in_an_event_loop_does_not_block_it(endpoint):
    blockbuster = pytest.importorskip("blockbuster")
    model = endpoint.model()
    with blockbuster.blockbuster_ctx():
        assert (await streamed(model)).content == "ok"
        assert (await model.ainvoke(ASK)).content == "ok"


async def test_account_names_of_the_environment_are_not_sent_elsewhere(endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-private")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-private-123456")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    model = endpoint.model(api_key=SecretStr(""))
    await streamed(model)
    await asyncio.to_thread(model.invoke, ASK)
    assert "private" not in json.dumps([request.headers for request in endpoint.server.requests])
