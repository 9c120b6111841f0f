"""Follow-ups, small talk, languages and pictures, as a whole run without a model where possible."""

import base64
from dataclasses import replace

import pytest

from tests.graph.talking import Talk, roles
from tests.scripted_server import Rules
from tuwen.core.text import has_cjk

pytestmark = pytest.mark.integration
PICTURE = base64.b64encode(b"\x89PNG secret pixels").decode()
CLEAR = "ABC-320 泵的额定流量是多少？"


@pytest.mark.parametrize(
    ("turns", "means", "says"),
    [
        (["ABC-320 泵的额定流量？", "它的额定压力是多少？"], ["ABC-320", "额定压力"], "1.6 MPa"),
        (["A 泵支持远程启动吗？", "B 泵呢？"], ["B 泵", "远程启动"], "只能就地启动"),
        (["泵 P-101 和 P-102 哪个功率大？", "那第二个的转速呢？"], ["P-102", "转速"], "2 960"),
        (
            ["How much heat did the boiler produce in 2020?", "and in 2021?"],
            ["boiler", "2021"],
            "388 GWh",
        ),
    ],
    ids=["pronoun", "other one", "second", "year"],
)
async def test_a_follow_up_is_resolved_searched_and_answered(store, turns, means, says):
    talk = Talk(store)
    for words in turns:
        turn = await talk.say(words)
    assert all(part in turn.trace["intent"]["rewritten"] for part in means)
    assert turn.trace["intent"]["question"] == turns[-1]
    assert turns[-1] in turn.trace["queries"]
    assert says in turn.answer
    assert turn.values["messages"][-2].content == turns[-1]


async def test_figures_of_a_thread_are_followed(store):
    talk = Talk(store, collection="report")
    first = await talk.say("图2.3说明了什么？")
    second = await talk.say("那图2.4呢")
    third = await talk.say("上一张图里画的是什么？")
    labels = [
        [image["label"] for image in turn.finish["images"]] for turn in (first, second, third)
    ]
    assert labels == [["图2.3"], ["图2.4"], ["图2.4"]]


async def test_an_abstention_does_not_move_the_focus(store):
    talk = Talk(store, collection="report")
    await talk.say("图2.3说明了什么？")
    lost = await talk.say("青川河2023年的总磷浓度是多少？")
    assert lost.finish["abstained"]
    assert lost.finish["images"] == []
    turn = await talk.say("上一张图说明了什么？")
    assert [image["label"] for image in turn.finish["images"]] == ["图2.3"]


@pytest.mark.parametrize("words", ["它多重？", "上一张图里有什么？", "What is its pressure?"])
async def test_without_an_antecedent_it_asks_back(store, words):
    turn = await Talk(store).say(words)
    assert turn.values["plain"] == "ask_back"
    assert turn.finish["sources"] == turn.finish["images"] == []
    assert not turn.finish["abstained"]
    assert has_cjk(turn.answer) == has_cjk(words)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("你好", "请直接提问"),
        ("hi", "Ask away"),
        ("谢谢！", "不客气"),
        ("ok", "Anything else"),
        ("好的", "还有别的问题"),
        ("😀", "请输入一个问题"),
        ("", "请输入一个问题"),
        ("   ", "请输入一个问题"),
        ("。", "请输入一个问题"),
        ("好" * 300, "还有别的问题"),
        ("设备运行正常，参数稳定。" * 420, "没有找到问题"),
        ("The plant ran without faults. " * 170, "found no question"),
    ],
    ids=lambda value: value[:8],
)
async def test_small_talk_is_answered_shortly_without_retrieval(store, words, part):
    turn = await Talk(store).say(words)
    assert part in turn.answer
    assert len(turn.answer) < 120
    assert turn.finish["sources"] == turn.finish["images"] == []
    assert not turn.finish["abstained"]
    assert turn.trace["hits"] == []
    assert turn.streamed == turn.answer


async def test_a_wordless_message_is_answered_in_the_language_of_the_thread(store):
    talk = Talk(store)
    await talk.say("What trips the interlock of the feed pump?")
    assert (await talk.say("👍")).answer == "Please type a question."


async def test_the_question_of_a_long_paste_is_answered(store):
    turn = await Talk(store).say("设备运行正常，参数稳定。" * 420 + CLEAR)
    assert "25 m³/h" in turn.answer
    assert len(turn.values["analysis"]["question"]) < 5000


@pytest.mark.parametrize(
    ("question", "language"),
    [
        (CLEAR, "zh"),
        ("At what suction pressure does the feed pump interlock trip?", "en"),
        ("What is the rated flow of the pump ABC-320?", "en"),
        ("锅炉的 low water cut-off 多少秒动作？", "zh"),
    ],
)
async def test_our_own_words_are_in_the_language_of_the_question(
    modelled, server, question, language
):
    roles(server, judge='{"verdict": "answer"}')
    await Talk(modelled()).say(question)
    asked = server.requests[-1]
    system = asked.messages[0]["content"]
    assert has_cjk(system) == (language == "zh")
    assert question in asked.messages[-1]["content"]


async def test_a_chosen_language_wins(store):
    turn = await Talk(store, language="en").say("你好")
    assert turn.answer.startswith("Hello")


async def test_the_same_question_again_is_searched_again(store):
    talk = Talk(store)
    first = await talk.say(CLEAR)
    second = await talk.say(CLEAR)
    assert second.values["analysis"]["repeated"]
    assert second.trace["rounds"] == 1
    assert second.answer == first.answer
    assert second.finish["sources"] == first.finish["sources"]


async def test_an_abstention_cites_the_nearest_passage_it_names(store):
    turn = await Talk(store).say("泵站的通风系统如何布置？")
    assert turn.finish["abstained"]
    assert turn.finish["verdict"] == "abstained"
    cited = [f"[{source['n']}]" for source in turn.finish["sources"]]
    assert cited
    assert all(mark in turn.answer for mark in cited)
    assert turn.answer.count("[") == len(cited)


async def test_a_model_number_that_no_document_has_is_said(store):
    turn = await Talk(store).say("P-103 的功率是多少？")
    (notice,) = [n for n in turn.finish["notices"] if n["code"] == "not_in_evidence"]
    assert "P-103" in notice["text"]


async def test_an_empty_collection_says_how_to_fill_it(store):
    turn = await Talk(store, collection="nothing here").say(CLEAR)
    assert "tuwen ingest" in turn.answer
    assert turn.finish["abstained"]
    assert turn.finish["sources"] == []


BLOCKS = {
    "openai": {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
    "chat page": {
        "type": "image",
        "mimeType": "image/png",
        "data": PICTURE,
        "metadata": {"name": "pump plate.png"},
    },
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS.keys())
async def test_a_text_only_model_gets_captions_and_the_user_is_told_once(modelled, server, block):
    server.rules = Rules(text_only=True)
    roles(server, writer="额定流量为 25 m³/h [1]。")
    talk = Talk(modelled())
    message = [{"type": "text", "text": CLEAR}, block]
    turns = [await talk.say(message), await talk.say(message), await talk.say(CLEAR)]
    assert [turn.codes for turn in turns] == [["pictures_unseen"], [], []]
    assert all(turn.answer == "额定流量为 25 m³/h [1]。" for turn in turns)
    assert not any(asked.images for asked in server.requests)
    assert not any(PICTURE in asked.text for asked in server.requests)
    assert "[picture" in server.requests[0].text
    if "metadata" in block:
        assert "pump plate.png" in server.requests[0].text


async def test_a_seeing_model_is_shown_the_pictures_of_this_question_only(modelled, server):
    roles(server, writer="额定流量为 25 m³/h [1]。")
    talk = Talk(modelled(vision=True))
    first = await talk.say([{"type": "text", "text": CLEAR}, BLOCKS["openai"]])
    second = await talk.say("它的额定压力是多少？")
    assert first.codes == second.codes == []
    assert [len(asked.images) for asked in server.requests] == [1, 0]


async def test_without_a_model_pictures_are_said_to_be_unseen(store):
    turn = await Talk(replace(store, chat=None)).say(
        [{"type": "text", "text": CLEAR}, BLOCKS["openai"]]
    )
    assert turn.codes == ["pictures_unseen"]
    assert "25 m³/h" in turn.answer
    assert PICTURE not in turn.answer
