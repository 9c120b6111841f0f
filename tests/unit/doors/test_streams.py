import asyncio

import anyio
import pytest
from fastapi import HTTPException

from tuwen.app.doors.gate import Gate, LimitBody
from tuwen.app.doors.openai_api import rest
from tuwen.app.doors.presence import while_waiting
from tuwen.app.doors.scope import Caller, best, members
from tuwen.app.doors.sse import encode, stream, with_heartbeat
from tuwen.core.settings import ServerSettings, Settings


async def slow(parts, seconds, seen):
    try:
        for part in parts:
            await asyncio.sleep(seconds)
            yield part
    finally:
        seen.append("closed")


async def test_a_heartbeat_comes_while_nothing_else_does():
    seen = []
    parts = [part async for part in with_heartbeat(slow("ab", 0.05, seen), seconds=0.02)]
    assert [p for p in parts if not p.startswith(":")] == ["a", "b"]
    assert any(part.startswith(": heartbeat") for part in parts)
    assert seen == ["closed"]


async def test_closing_the_stream_cancels_what_makes_it():
    seen = []
    stream = with_heartbeat(slow("abc", 0.01, seen), seconds=5)
    assert await anext(stream) == "a"
    await stream.aclose()
    assert seen == ["closed"]


async def test_a_clean_up_is_not_broken_off_by_a_cancellation_that_comes_again():
    cleaned, begun = asyncio.Event(), asyncio.Event()

    async def parts():
        try:
            yield "a"
            await asyncio.sleep(60)
        finally:
            for _ in range(3):
                await asyncio.sleep(0.01)
            cleaned.set()

    async def read():
        async for _ in with_heartbeat(parts()):
            begun.set()

    async with anyio.create_task_group() as group:
        group.start_soon(read)
        await begun.wait()
        group.cancel_scope.cancel()
    assert cleaned.is_set()


async def test_a_client_that_leaves_while_a_piece_is_sent_ends_what_makes_the_pieces():
    cleaned, sending = asyncio.Event(), asyncio.Event()

    async def parts():
        try:
            while True:
                yield "a"
        finally:
            await asyncio.sleep(0.01)
            cleaned.set()

    async def receive():
        await sending.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        if message["type"] == "http.response.body":
            sending.set()
            await asyncio.sleep(60)

    await stream(parts())({"type": "http"}, receive, send)
    assert cleaned.is_set()


class Leaving:
    """A request whose client leaves after some seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def receive(self):
        await asyncio.sleep(self.seconds)
        return {"type": "http.disconnect"}


async def test_work_for_a_client_that_has_left_is_cancelled():
    cancelled = asyncio.Event()

    async def work():
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()

    with pytest.raises(HTTPException) as caught:
        await while_waiting(Leaving(0.01), work())
    assert caught.value.status_code == 499
    assert cancelled.is_set()


async def test_work_that_somebody_waits_for_gives_its_result_or_its_error():
    async def work(error):
        await asyncio.sleep(0.02)
        if error:
            raise ValueError(error)
        return "done"

    assert await while_waiting(Leaving(60), work("")) == "done"
    with pytest.raises(ValueError, match="broken"):
        await while_waiting(Leaving(60), work("broken"))


async def test_many_parts_pass_in_order():
    seen = []
    wanted = [str(number) for number in range(500)]
    assert [p async for p in with_heartbeat(slow(wanted, 0, seen), seconds=5)] == wanted


def test_an_event_is_one_line_of_data():
    text = encode({"type": "token", "text": "a\n\nb"})
    assert text.startswith("event: token\ndata: ")
    assert text.count("\n\n") == 1


@pytest.mark.parametrize(
    ("sent", "answer", "expected"),
    [
        ("", "Yes [1].", ["Yes [1]."]),
        ("Yes", "Yes [1].", [" [1]."]),
        ("Yes [1].", "Yes [1].", []),
        ("Yes [1]. ", "Yes [1].", []),
        ("No", "Yes [1].", ["\n\n---\n\n", "Yes [1]."]),
    ],
)
def test_the_rest_of_an_answer_follows_its_tokens(sent, answer, expected):
    assert rest(sent, {"answer": answer, "sources": [], "images": []}) == expected


class Catalog:
    def __init__(self, *names):
        self.names = names

    def fingerprint(self, name):
        return ("e", 1) if name in self.names else None


@pytest.mark.parametrize(
    ("known", "name", "who", "expected"),
    [
        ((), "p", Caller("a", ""), ["p"]),
        (("@a/p", "p"), "p", Caller("a", ""), ["@a/p"]),
        (("@a/p",), "p", Caller("b", ""), ["p"]),
        (("@a/p",), "@a/p", Caller("b", ""), []),
        (("@a/p",), "@a/p", Caller("a", ""), ["@a/p"]),
        (("@a/thread-t", "p"), "p", Caller("a", "t"), ["@a/thread-t", "p"]),
        (("@a/thread-t", "p"), "p", Caller("b", "t"), ["p"]),
    ],
)
def test_a_collection_is_what_it_means_for_the_caller(known, name, who, expected):
    assert members(Catalog(*known), name, who) == expected


def test_the_best_of_several_collections_by_score_then_id():
    assert best([("b", 0.5), ("a", 0.5), ("c", 0.9)], 2) == [("c", 0.9), ("a", 0.5)]


class Opened:
    def __init__(self, **server):
        self._settings = Settings(server=ServerSettings(**server))

    def settings(self):
        return self._settings


class Request:
    def __init__(self, **headers):
        self.headers = headers


def test_the_rate_limit_counts_by_owner_and_forgets_after_a_minute():
    now = [0.0]
    gate = Gate(Opened(api_keys=("a:1", "b:2"), requests_per_minute=2), clock=lambda: now[0])
    one, two = Request(authorization="Bearer 1"), Request(authorization="Bearer 2")
    assert [gate.paced_owner(one), gate.paced_owner(one), gate.paced_owner(two)] == ["a", "a", "b"]
    with pytest.raises(HTTPException) as caught:
        gate.paced_owner(one)
    assert caught.value.status_code == 429
    now[0] = 60.0
    assert gate.paced_owner(one) == "a"
    with pytest.raises(HTTPException) as caught:
        gate.paced_owner(Request())
    assert caught.value.status_code == 401


async def test_a_body_without_a_length_is_counted():
    async def app(scope, receive, send):
        while (await receive()).get("more_body"):
            pass

    async def receive():
        return {"type": "http.request", "body": b"x" * 10, "more_body": True}

    async def send(message):
        pass

    limited = LimitBody(app, limit=lambda: 25)
    with pytest.raises(HTTPException) as caught:
        await limited({"type": "http", "headers": []}, receive, send)
    assert caught.value.status_code == 413
