"""The chat model against a scripted endpoint over real HTTP."""

import asyncio
import base64
import json
import time

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import SecretStr

from tests.scripted_server import Asked, Reply, Rules, ScriptedServer
from tuwen.backends.openai_chat import OpenAIChat
from tuwen.core.errors import ModelError, PermanentError, TransientError
from tuwen.core.settings import ChatSettings

pytestmark = pytest.mark.integration
KEY = "sk-verysecret123456"
ASK = [HumanMessage("额定流量是多少？")]


class Endpoint:
    """A server, models of it, and the pauses they took."""

    def __init__(self) -> None:
        self.server = ScriptedServer()
        self.slept: list[float] = []
        self.models: list[OpenAIChat] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def model(self, *, vision: bool = False, **settings) -> OpenAIChat:
        values = {
            "model": "tiny",
            "base_url": self.server.url,
            "api_key": SecretStr(KEY),
            "timeout_seconds": 30,
            "first_token_seconds": 10,
            "idle_seconds": 10,
            **settings,
        }
        chat = OpenAIChat(
            settings=ChatSettings(**values),
            vision=vision,
            sleep=self.sleep,
            pause=self.slept.append,
        )
        self.models.append(chat)
        return chat


@pytest.fixture
async def endpoint():
    made = Endpoint()
    yield made
    for model in made.models:
        await model.aclose()
    made.server.close()


async def streamed(model: OpenAIChat, messages=ASK, **kwargs) -> AIMessage:
    whole = None
    async for chunk in model.astream(messages, **kwargs):
        whole = chunk if whole is None else whole + chunk
    return whole


async def asked_once(model: OpenAIChat, way: str, messages=ASK, **kwargs) -> AIMessage:
    if way == "stream":
        return await streamed(model, messages, **kwargs)
    if way == "async":
        return await model.ainvoke(messages, **kwargs)
    return await asyncio.to_thread(model.invoke, messages, **kwargs)


WAYS = pytest.mark.parametrize("way", ["stream", "async", "sync"])


@WAYS
async def test_answer_usage_and_finish_reason_arrive(endpoint, way):
    endpoint.server.script(Reply("流量是 50 m³/h。", usage=(20, 9)))
    reply = await asked_once(endpoint.model(), way)
    assert reply.content == "流量是 50 m³/h。"
    assert reply.usage_metadata["input_tokens"] == 20
    assert reply.usage_metadata["output_tokens"] == 9
    assert reply.response_metadata["finish_reason"] == "stop"
    assert endpoint.server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_tokens_are_streamed_one_by_one(endpoint):
    endpoint.server.script(Reply("abcdef", piece=2))
    texts = [chunk.content async for chunk in endpoint.model().astream(ASK)]
    assert [text for text in texts if text] == ["ab", "cd", "ef"]


@WAYS
async def test_reasoning_content_is_never_content(endpoint, way):
    endpoint.server.script(Reply("答案是 9", reasoning="先查"))
    reply = await asked_once(endpoint.model(), way)
    assert reply.content == "答案是 9"
    assert reply.additional_kwargs["reasoning_content"] == "先查"


@WAYS
async def test_reasoning_under_its_other_name_is_understood(endpoint, way):
    endpoint.server.script(Reply("9", reasoning="hm", reasoning_key="reasoning"))
    reply = await asked_once(endpoint.model(), way)
    assert (reply.content, reply.additional_kwargs["reasoning_content"]) == ("9", "hm")


@WAYS
@pytest.mark.parametrize("piece", [1, 2, 3, 7, 100])
async def test_think_tags_are_split_off_however_they_are_cut(endpoint, way, piece):
    endpoint.server.script(Reply("<think>先查 {泵} a<b</think>\n\n答案是 x<y", piece=piece))
    reply = await asked_once(endpoint.model(), way)
    assert reply.content == "答案是 x<y"
    assert reply.additional_kwargs["reasoning_content"] == "先查 {泵} a<b"


@pytest.mark.parametrize("text", ["好的<thi", "好的</think", "好的<think>还没想完"])
@WAYS
async def test_half_a_tag_or_an_unclosed_one_never_shows(endpoint, way, text):
    endpoint.server.script(Reply(text, piece=3))
    assert (await asked_once(endpoint.model(), way)).content == "好的"


async def test_template_that_opens_the_tag_itself_is_learnt(endpoint):
    endpoint.server.script(Reply("想一想</think>答案", piece=2))
    model = endpoint.model()
    await streamed(model)
    reply = await streamed(model)
    assert reply.content == "答案"
    assert reply.additional_kwargs["reasoning_content"] == "想一想"


async def test_model_known_to_open_the_tag_may_answer_without_thinking(endpoint):
    endpoint.server.script(Reply("直接回答", piece=2))
    reply = await streamed(endpoint.model(opens_thinking=True))
    assert reply.content == "直接回答"


async def test_empty_choices_are_ignored_and_usage_is_kept(endpoint):
    endpoint.server.script(Reply("好的", piece=1, empty_choices=True, usage=(5, 2)))
    reply = await streamed(endpoint.model())
    assert reply.content == "好的"
    assert reply.usage_metadata["total_tokens"] == 7


@WAYS
async def test_absent_usage_is_no_error(endpoint, way):
    endpoint.server.script(Reply("好的", usage=None))
    reply = await asked_once(endpoint.model(), way)
    assert (reply.content, reply.usage_metadata) == ("好的", None)


async def test_recorded_streams_of_real_shapes_are_read(endpoint):
    events = [
        {"choices": []},
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": None}}]},
        {"choices": None},
        {"choices": [{"index": 0, "delta": None}]},
        {"choices": [{"index": 0, "delta": {"content": "好"}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {"content": "的"}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
    ]
    raw = ": keep-alive\n\n" + "".join(f"data: {json.dumps(e)}\n\n" for e in events)
    endpoint.server.script(Reply(raw=raw + "data: [DONE]\n\n"))
    reply = await streamed(endpoint.model())
    assert (reply.content, reply.usage_metadata["input_tokens"]) == ("好的", 5)


async def test_content_in_typed_parts_is_read(endpoint):
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
    events = [
        {"choices": [{"index": 0, "delta": {"content": parts}}]},
        {"choices": [{"index": 0, "delta": {"content": [{"type": "text", "text": "nine"}]}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    raw = "".join(f"data: {json.dumps(e)}\n\n" for e in events) + "data: [DONE]\n\n"
    endpoint.server.script(Reply(raw=raw))
    reply = await streamed(endpoint.model())
    assert (reply.content, reply.additional_kwargs["reasoning_content"]) == ("nine", "hm")


async def test_endpoint_that_ignores_streaming_is_read_whole(endpoint):
    endpoint.server.script(Reply("整段", reasoning="想", ignore_stream=True))
    reply = await streamed(endpoint.model())
    assert (reply.content, reply.additional_kwargs["reasoning_content"]) == ("整段", "想")


@WAYS
async def test_length_limit_is_told(endpoint, way):
    endpoint.server.script(Reply("流量是 50，其", finish="length"))
    reply = await asked_once(endpoint.model(), way)
    assert reply.response_metadata["finish_reason"] == "length"


@WAYS
async def test_content_filter_without_words_is_a_permanent_error(endpoint, way):
    endpoint.server.script(Reply("", finish="content_filter"))
    with pytest.raises(PermanentError) as caught:
        await asked_once(endpoint.model(), way)
    assert caught.value.reason == "filtered"
    assert len(endpoint.server.requests) == 1


FAILURES = [
    (Reply(status=401, error={"message": f"bad key {KEY}"}), "auth", "api_key"),
    (Reply(status=404, error={"message": "no such model"}), "model", "tiny"),
    (Reply(status=402, error={"message": "Insufficient Balance"}), "quota", "credit"),
    (Reply(status=429, error={"message": "x", "code": "insufficient_quota"}), "quota", "credit"),
    (Reply(status=400, error={"message": "Content Exists Risk"}), "filtered", "filter"),
    (Reply(status=400, error={"message": "maximum context length is 8192"}), "too_long", "window"),
    (Reply(status=422, error={"message": f"odd at https://x.y/?key={KEY}"}), "rejected", "odd"),
    (Reply(status=400, error="<html>Bad Request</html>"), "rejected", "400"),
]


@WAYS
@pytest.mark.parametrize(("reply", "reason", "word"), FAILURES, ids=lambda v: str(v)[:12])
async def test_permanent_failures_are_typed_said_and_not_retried(
    endpoint, way, reply, reason, word
):
    endpoint.server.script(reply)
    with pytest.raises(PermanentError) as caught:
        await asked_once(endpoint.model(), way)
    assert caught.value.reason == reason
    assert word in str(caught.value)
    assert KEY not in str(caught.value)
    assert "://" not in str(caught.value)
    assert len(endpoint.server.requests) == 1


@WAYS
async def test_web_page_instead_of_an_endpoint_is_explained(endpoint, way):
    endpoint.server.script(Reply(raw="<html>hello</html>", raw_type="text/html"))
    with pytest.raises(PermanentError, match="/v1"):
        await asked_once(endpoint.model(), way)


@WAYS
async def test_busy_endpoint_is_retried_after_the_time_it_asks_for(endpoint, way):
    endpoint.server.script(
        Reply(status=429, headers={"Retry-After": "2"}),
        Reply(status=503, headers={"Retry-After-Ms": "1500"}),
        Reply("好"),
    )
    assert (await asked_once(endpoint.model(), way)).content == "好"
    assert endpoint.slept == [2.0, 1.5]


@WAYS
async def test_retries_are_bounded_and_back_off(endpoint, way):
    endpoint.server.script(Reply(status=500))
    with pytest.raises(TransientError) as caught:
        await asked_once(endpoint.model(max_retries=3), way)
    assert caught.value.reason == "server"
    assert endpoint.slept == [0.5, 1.0, 2.0]
    assert len(endpoint.server.requests) == 4


@WAYS
async def test_wait_beyond_the_call_time_is_not_begun(endpoint, way):
    endpoint.server.script(Reply(status=429, headers={"Retry-After": "3600"}))
    with pytest.raises(TransientError, match="3600 s") as caught:
        await asked_once(endpoint.model(), way)
    assert caught.value.retry_after == 3600
    assert endpoint.slept == []


async def test_silence_before_the_first_token_times_out_and_is_retried(endpoint):
    endpoint.server.script(Reply("spät", stall_first=9), Reply("da"))
    assert (await streamed(endpoint.model(first_token_seconds=1))).content == "da"
    assert endpoint.slept == [0.5]


async def test_silence_before_the_status_line_times_out(endpoint):
    endpoint.server.script(Reply("x", stall_before=3))
    with pytest.raises(TransientError, match="no word within") as caught:
        await streamed(endpoint.model(max_retries=0, first_token_seconds=0.3))
    assert caught.value.reason == "timeout"


async def test_keep_alives_are_not_taken_for_a_first_token(endpoint):
    endpoint.server.script(Reply("x", stall_first=3, empty_choices=True))
    with pytest.raises(TransientError, match="no word within"):
        await streamed(endpoint.model(max_retries=0, first_token_seconds=0.3))


async def test_silence_between_tokens_ends_the_call_without_a_second_answer(endpoint):
    endpoint.server.script(Reply("abcd", stall_between=3))
    got = []
    model = endpoint.model(idle_seconds=0.3)

    async def read() -> None:
        async for chunk in model.astream(ASK):
            got.append(chunk.content)

    with pytest.raises(TransientError, match="fell silent"):
        await read()
    assert got == ["ab"]
    assert len(endpoint.server.requests) == 1


async def test_whole_call_has_a_limit(endpoint):
    endpoint.server.script(Reply("x", stall_before=3))
    model = endpoint.model(timeout_seconds=0.3, first_token_seconds=9)
    with pytest.raises(TransientError, match="in time"):
        await streamed(model)
    with pytest.raises(TransientError, match="in time"):
        await model.ainvoke(ASK)


@WAYS
async def test_nobody_listening_is_a_connection_error(way):
    server = ScriptedServer()
    url = server.url
    server.close()
    model = OpenAIChat(settings=ChatSettings(model="m", base_url=url, max_retries=0))
    with pytest.raises(TransientError, match=r"chat\.base_url") as caught:
        await asked_once(model, way)
    assert caught.value.reason == "connection"
    await model.aclose()


async def test_connection_lost_before_the_first_token_is_retried(endpoint):
    endpoint.server.script(Reply("ab", drop_after=0), Reply("ab", drop_after=1), Reply("da"))
    assert (await streamed(endpoint.model())).content == "da"


async def test_connection_lost_in_the_middle_is_an_error(endpoint):
    endpoint.server.script(Reply("abcd", drop_after=2))
    with pytest.raises(TransientError) as caught:
        await streamed(endpoint.model())
    assert caught.value.reason == "connection"


async def test_stream_that_never_closes_after_its_finish_is_complete(endpoint):
    endpoint.server.script(Reply("ab", stall_end=30))
    began = time.monotonic()
    assert (await streamed(endpoint.model())).content == "ab"
    assert time.monotonic() - began < 4


async def test_connection_lost_after_the_finish_is_no_loss(endpoint):
    endpoint.server.script(Reply("ab", drop_after=3))
    assert (await streamed(endpoint.model())).content == "ab"


async def test_stream_without_a_finish_reason_is_marked(endpoint):
    endpoint.server.script(Reply("ab", finish=None))
    assert (await streamed(endpoint.model())).response_metadata["finish_reason"] == "unknown"


async def test_error_object_in_a_stream_is_translated(endpoint):
    raw = 'data: {"error": {"message": "engine overloaded", "code": 500}}\n\n'
    endpoint.server.script(Reply(raw=raw))
    with pytest.raises(TransientError, match="overloaded"):
        await streamed(endpoint.model(max_retries=0))


async def test_broken_json_in_a_stream_is_translated(endpoint):
    endpoint.server.script(Reply(raw='data: {"choices": [\n\n'))
    with pytest.raises(TransientError) as caught:
        await streamed(endpoint.model(max_retries=0))
    assert caught.value.reason == "unreadable"


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


async def test_every_failure_is_a_model_error(endpoint):
    for status in (400, 401, 403, 404, 408, 409, 413, 418, 422, 429, 500, 502, 503, 529):
        endpoint.server.script(Reply(status=status, error="{broken"))
        with pytest.raises(ModelError):
            await streamed(endpoint.model(max_retries=0))


async def test_account_names_of_the_environment_are_not_sent_elsewhere(endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-private")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-private-123456")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    model = endpoint.model(api_key=SecretStr(""))
    await streamed(model)
    await asyncio.to_thread(model.invoke, ASK)
    assert "private" not in json.dumps([request.headers for request in endpoint.server.requests])
