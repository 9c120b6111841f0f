"""What the chat model makes of replies: over real HTTP, against a scripted endpoint."""

import json

import pytest

from tests.integration.endpoint import ASK, KEY, WAYS, asked_once, streamed
from tests.scripted_server import Reply

pytestmark = pytest.mark.integration


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


async def test_stream_without_a_finish_reason_is_marked(endpoint):
    endpoint.server.script(Reply("ab", finish=None))
    assert (await streamed(endpoint.model())).response_metadata["finish_reason"] == "unknown"
