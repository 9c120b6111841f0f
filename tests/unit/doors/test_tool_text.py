import json

import pytest

from tuwen.app.doors.tool_text import ToolText, readable


def answer(text, **more):
    result = {"content": [{"type": "text", "text": text}], **more}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()


def test_a_tools_result_is_json_and_structured():
    value = {"answer": "他说 'yes' \n", "images": [], "sources": [{"page": None, "ok": True}]}
    result = json.loads(readable(answer(repr(value))))["result"]
    assert json.loads(result["content"][0]["text"]) == value
    assert result["structuredContent"] == value


def test_addresses_of_a_tools_result_become_absolute():
    value = {
        "answer": "x",
        "images": [{"url": "/images/a?s=1"}, {"url": "https://kb.example/images/b"}, {"url": ""}],
        "sources": [{"page_url": "/documents/d/pages/1.png"}, {"doc": "no page"}],
    }
    result = json.loads(readable(answer(repr(value)), "http://h:1"))["result"]["structuredContent"]
    assert [image["url"] for image in result["images"]] == [
        "http://h:1/images/a?s=1",
        "https://kb.example/images/b",
        "",
    ]
    assert result["sources"] == [
        {"page_url": "http://h:1/documents/d/pages/1.png"},
        {"doc": "no page"},
    ]


@pytest.mark.parametrize(
    "body",
    [
        answer("an error in words", isError=True),
        answer("[1, 2]"),
        answer("__import__('os').system('true')"),
        answer("(" * 5000),
        b"",
        b"event: message",
        json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}).encode(),
        json.dumps([1]).encode(),
    ],
)
def test_everything_else_is_left_as_it_is(body):
    assert readable(body) == body


async def test_the_length_is_that_of_the_new_body():
    async def app(scope, receive, send):
        headers = [(b"content-length", b"9"), (b"x-a", b"b")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        whole = answer(repr({"answer": "值"}))
        await send({"type": "http.response.body", "body": whole[:20], "more_body": True})
        await send({"type": "http.response.body", "body": whole[20:]})

    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/mcp/"}
    await ToolText(app)(scope, None, send)
    headers = dict(sent[0]["headers"])
    assert int(headers[b"content-length"]) == len(sent[1]["body"])
    assert headers[b"x-a"] == b"b"
