import pytest
from langchain_core.messages import AIMessage, HumanMessage

from tuwen.app.doors.dress import base_of, present, shown
from tuwen.app.doors.markdown import appendix
from tuwen.graph.messages import history_messages, without_appendix

IMAGE = {
    "id": "f1",
    "url": "/images/f1?expires=9&signature=ab",
    "type": "chart",
    "label": "图2.1",
    "caption": "图2.1 流量 [历时] (曲线)",
    "source": "年报_2023.pdf",
    "page": 4,
}
SOURCE = {
    "n": 1,
    "doc": "手册 (2)",
    "doc_id": "d1",
    "page": 4,
    "page_start": 4,
    "page_end": 5,
    "section_path": "2 选址 > 2.1 历时曲线",
    "chunk_id": "d1.c1",
}
ANSWER = "流量为 6.9 m³/s。 [1]\n\n- 枯季更小 [1]"
FINISH = {"answer": ANSWER, "sources": [SOURCE], "images": [IMAGE], "notices": []}


@pytest.mark.parametrize(
    ("public", "brought", "base"),
    [
        ("https://kb.example/", {"host": "10.0.0.1"}, "https://kb.example"),
        ("", {"host": "127.0.0.1:2024"}, "http://127.0.0.1:2024"),
        ("", {"host": "[::1]:2024"}, "http://[::1]:2024"),
        ("", {"tuwen_base": "http://a/b", "host": "c"}, "http://a/b"),
        (
            "",
            {
                "host": "inner:80",
                "x-forwarded-host": "kb.example, inner",
                "x-forwarded-proto": "https",
                "x-forwarded-prefix": "/tuwen/",
            },
            "https://kb.example/tuwen",
        ),
        ("", {"host": "evil.example/)![x](http://e"}, ""),
        ("", {"host": "a", "x-forwarded-prefix": "/)![x](http://e"}, "http://a"),
        ("", {"host": "a", "x-forwarded-proto": "javascript"}, "http://a"),
        ("", {}, ""),
    ],
)
def test_the_base_is_where_the_reader_reaches_the_server(public, brought, base):
    assert base_of(public, brought) == base


def test_addresses_are_absolute_and_only_pages_that_can_be_drawn_open():
    done = present(FINISH, base="http://h:1", sign=lambda name: f"?s={name}", drawable={"d1"})
    assert done["images"][0]["url"] == "http://h:1" + IMAGE["url"]
    address = done["sources"][0]["page_url"]
    assert address == "http://h:1/documents/d1/pages/4.png?s=page:d1:4&chunk=d1.c1"
    bare = present(FINISH, base="http://h:1", sign=lambda _: "", drawable=set())
    assert "page_url" not in bare["sources"][0]


def test_the_message_is_markdown_under_its_own_id_with_its_data():
    payload = present(FINISH, base="http://h:1", sign=lambda _: "", drawable={"d1"})
    message = shown(AIMessage(id="m", content=ANSWER, additional_kwargs={"a": 1}), payload)
    assert message.id == "m"
    assert message.content == ANSWER + appendix(payload)
    assert "](http://h:1/images/f1?expires=9&signature=ab)" in message.content
    assert "](http://h:1/documents/d1/pages/4.png?chunk=d1.c1)" in message.content
    assert message.additional_kwargs == {"a": 1, "tuwen": payload}


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize(
    "parts",
    [
        {"images": [], "sources": []},
        {"images": []},
        {"sources": []},
        {},
        {"images": [IMAGE, {**IMAGE, "id": "f2", "label": "", "caption": ""}]},
        {"sources": [SOURCE, {**SOURCE, "n": 2, "section_path": "", "page_start": None}]},
    ],
)
def test_what_a_model_reads_of_an_earlier_answer_has_no_figures_and_no_sources(parts, kept):
    payload = present({**FINISH, **parts}, base="http://h:1", sign=lambda _: "", drawable={"d1"})
    message = shown(AIMessage(ANSWER), payload)
    if not kept:  # a client that sends the conversation back has the text alone
        message = AIMessage(message.content)
    history = history_messages([HumanMessage("问"), message, HumanMessage("再问")])
    assert history == [("user", "问"), ("assistant", ANSWER)]


@pytest.mark.parametrize(
    "text",
    [
        "See ![a](https://x.example/y.png) here",
        "**来源 / Sources** are named above.",
        "- one\n- two",
        "The picture is at /images/f1.",
    ],
)
def test_an_answer_that_only_looks_alike_is_left_whole(text):
    assert without_appendix(text) == text
