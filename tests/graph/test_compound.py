"""Compound questions: split, searched at the same time, answered together."""

import pytest

from tests.graph.talking import Talk, roles
from tuwen.agents.compound import split_compound
from tuwen.graph.nodes.parts import in_turn
from tuwen.graph.state import by_part

pytestmark = pytest.mark.integration
TWO = "ABC-320 泵的额定流量是多少？B 泵支持远程启动吗？"


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (TWO, ["ABC-320 泵的额定流量是多少？", "B 泵支持远程启动吗？"]),
        ("水泵怎么启动？它的功率是多少？", ["水泵怎么启动？", "水泵的功率是多少？"]),
        ("坝高是多少以及坝顶宽是多少", ["坝高是多少？", "坝顶宽是多少？"]),
        (
            "What is the residual flow and how often is the rack cleaned?",
            ["What is the residual flow?", "how often is the rack cleaned?"],
        ),
        (
            "AB-12 的流量是多少，额定压力是多少？",
            ["AB-12 的流量是多少？", "AB-12 额定压力是多少？"],
        ),
    ],
)
def test_questions_that_ask_for_themselves_are_split(question, parts):
    assert split_compound(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "水位超过汛限水位时，多久巡检一次？",
        "泵 P-101 和 P-102 哪个功率大？",
        "为什么闸门要先中间后两边，对称开启？",
        "What is the power of A and B?",
        "When the level is high, how often and by whom is it inspected?",
        "请问，泵的流量是多少？",
        "Why is it loud and is it safe?",
        "图2.3说明了什么？",
        "",
    ],
)
def test_one_question_stays_one(question):
    assert split_compound(question) == []


async def test_parts_are_searched_apart_and_answered_together(store):
    turn = await Talk(store).say(TWO)
    assert "25 m³/h" in turn.answer
    assert "只能就地启动" in turn.answer
    assert TWO in turn.trace["queries"]
    assert split_compound(TWO) == [part["rewritten"] for part in turn.values["parts"]]
    assert turn.values["found"] == []
    assert [group["n"] for group in turn.values["evidence"]] == list(
        range(1, len(turn.values["evidence"]) + 1)
    )


async def test_a_part_without_an_answer_does_not_hide_the_other(store):
    turn = await Talk(store).say("ABC-320 泵的额定流量是多少？泵站的通风系统如何布置？")
    assert not turn.finish["abstained"]
    assert "25 m³/h" in turn.answer


async def test_the_model_answers_a_compound_question_in_one_call(modelled, server):
    roles(server, writer="25 m³/h [1][2]。", judge='{"verdict": "answer"}')
    turn = await Talk(modelled()).say(TWO)
    writers = [asked for asked in server.requests if asked.body.get("stream")]
    assert len(writers) == 1
    assert TWO in writers[0].messages[-1]["content"]
    assert "只能就地启动" in writers[0].text
    assert len({message.id for message, _ in turn.chunks}) == 1


async def test_the_next_turn_is_not_compound_because_the_last_was(store):
    talk = Talk(store)
    await talk.say(TWO)
    turn = await talk.say("ABC-320 泵的额定压力是多少？")
    assert turn.values["parts"] == []
    assert "1.6 MPa" in turn.answer


def test_evidence_is_taken_from_each_part_in_turn():
    def group(chunk):
        return {"n": 9, "chunk_id": chunk, "chunk_ids": [chunk], "score": 1.0}

    lists = [[group("a"), group("b")], [group("c")], [group("a"), group("d")]]
    kept = in_turn(lists, 3)
    assert [(item["n"], item["chunk_id"]) for item in kept] == [(1, "a"), (2, "c"), (3, "b")]


def test_parts_are_in_their_order_whatever_ended_first():
    one, two = {"part": 0, "hits": []}, {"part": 1, "hits": []}
    assert by_part([two], [one]) == by_part([one], [two]) == [one, two]
