import base64

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from tuwen.app.doors import blocks

DATA = base64.b64encode(b"%PDF-1.7 x").decode()
SHAPES = [
    {
        "type": "file",
        "mimeType": "application/pdf",
        "data": DATA,
        "metadata": {"filename": "a.pdf"},
    },
    {"type": "file", "mime_type": "application/pdf", "base64": DATA, "metadata": {"name": "a.pdf"}},
    {"type": "file", "source_type": "base64", "mime_type": "application/pdf", "data": DATA},
    {
        "type": "file",
        "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{DATA}"},
    },
    {"type": "image_url", "image_url": {"url": f"data:application/pdf;base64,{DATA}"}},
    {"type": "image_url", "image_url": f"data:application/pdf;base64,{DATA}"},
]


@pytest.mark.parametrize("block", SHAPES)
def test_every_shape_of_a_file_is_read(block):
    item = blocks.attached(block, 1)
    assert item.content() == b"%PDF-1.7 x"
    assert item.mime == "application/pdf"
    assert item.name.endswith(".pdf")


@pytest.mark.parametrize("url", ["http://10.0.0.1/x", "https://a/b.png", "file:///etc/passwd"])
def test_addresses_are_named_as_such_and_never_content(url):
    item = blocks.attached({"type": "image_url", "image_url": {"url": url}}, 1)
    assert item.problem == "address"
    assert item.data == ""


@pytest.mark.parametrize("block", SHAPES)
def test_a_stripped_message_keeps_its_id_and_words_and_no_bytes(block):
    message = HumanMessage([{"type": "text", "text": "What is it?"}, block], id="m1")
    kept = blocks.strip({"messages": [AIMessage("hi"), message]})["messages"][1]
    assert kept.id == "m1"
    assert kept.content == [{"type": "text", "text": "What is it?"}]
    assert DATA not in str(kept)
    assert kept.additional_kwargs["attachments"][0]["name"]


def test_messages_as_dicts_are_stripped_too():
    raw = {"messages": [{"role": "user", "content": [*SHAPES]}], "paths": ["a"]}
    assert DATA not in str(blocks.strip(raw))
    assert blocks.strip(raw)["paths"] == ["a"]


@pytest.mark.parametrize("content", ["plain", [{"type": "text", "text": "x"}], ["x"], []])
def test_words_alone_are_left_as_they_are(content):
    message = HumanMessage(content)
    assert blocks.strip(message) is message


def test_broken_base64_is_no_content():
    assert blocks.attached({"type": "file", "data": "%%%"}, 1).content() == b""
