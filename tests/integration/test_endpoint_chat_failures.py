"""Refusals, retries, silences and lost connections: typed errors, within limits."""

import time

import pytest

from tests.integration.endpoint import ASK, KEY, WAYS, asked_once, streamed
from tests.scripted_server import Reply, ScriptedServer
from tuwen.backends.openai_chat import OpenAIChat
from tuwen.core.errors import ModelError, PermanentError, TransientError
from tuwen.core.settings import ChatSettings

pytestmark = pytest.mark.integration


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


async def test_every_failure_is_a_model_error(endpoint):
    for status in (400, 401, 403, 404, 408, 409, 413, 418, 422, 429, 500, 502, 503, 529):
        endpoint.server.script(Reply(status=status, error="{broken"))
        with pytest.raises(ModelError):
            await streamed(endpoint.model(max_retries=0))
