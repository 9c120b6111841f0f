"""The one repair: a sentence without support costs one more call, and no more."""

from tests.graph.talking import Talk, roles
from tests.scripted_server import Reply

WRONG = "ABC-320 泵的额定流量为 99 m³/h [1]。"
RIGHT = "ABC-320 泵的额定流量为 25 m³/h [1]。"
QUESTION = "ABC-320 泵的额定流量是多少？"


async def test_an_unsupported_sentence_is_corrected_with_one_more_call(talk, server):
    roles(server, writer=[WRONG, RIGHT])
    turn = await talk.say(QUESTION)
    assert turn.answer == RIGHT
    assert turn.finish["verdict"] == "supported"
    assert "unsupported" not in turn.codes
    assert len(server.requests) == turn.trace["model_calls"] == 2
    assert "99" in server.requests[-1].text, "the model is told what is wrong"
    assert turn.streamed == WRONG, "the repair replaces the message, its tokens are not streamed"
    assert {message.id for message, _ in turn.chunks} == {turn.reply.id}


async def test_a_repair_that_is_no_better_leaves_the_answer_marked(talk, server):
    roles(server, writer=[WRONG, "ABC-320 泵的额定流量为 98 m³/h [1]。"])
    turn = await talk.say(QUESTION)
    assert turn.answer.startswith("ABC-320 泵的额定流量为 99 m³/h [1]。")
    assert "⚠" in turn.answer
    assert "unsupported" in turn.codes
    assert len(server.requests) == 2


async def test_a_repair_that_fails_leaves_the_answer_marked(talk, server):
    roles(server, writer=[WRONG, Reply("", status=500)])
    turn = await talk.say(QUESTION)
    assert "⚠" in turn.answer
    assert turn.trace["model_calls"] == 2


async def test_a_supported_answer_is_not_repaired(talk, server):
    roles(server, writer=RIGHT)
    turn = await talk.say(QUESTION)
    assert turn.answer == RIGHT
    assert len(server.requests) == 1


async def test_quick_answers_are_not_repaired(modelled, server):
    roles(server, writer=WRONG)
    turn = await Talk(modelled(), effort="quick").say(QUESTION)
    assert "⚠" in turn.answer
    assert len(server.requests) == 1
