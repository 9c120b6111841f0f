"""Turns about the conversation itself, as whole runs: they act on the last answer."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from tests.graph.talking import Talk, roles
from tuwen.graph.chat import build_chat_graph

pytestmark = pytest.mark.integration
SEAL = "ABC-320 泵的机械密封多久更换一次？"
BURNER = "How often is the burner cleaned?"


async def after(store, first, *turns):
    talk = Talk(store)
    said = [await talk.say(first)]
    for words in turns:
        said.append(await talk.say(words))
    return said


@pytest.mark.parametrize(
    ("first", "again"), [(SEAL, "再说一遍"), (BURNER, "Say it again, please.")]
)
async def test_an_answer_is_repeated_with_its_sources(store, first, again):
    told, repeated = await after(store, first, again)
    assert repeated.answer == told.answer
    assert repeated.finish["sources"] == told.finish["sources"]


@pytest.mark.parametrize("words", ["简单点说", "总结一下"])
async def test_an_answer_is_shortened_to_what_answers(store, words):
    told, short = await after(store, SEAL, words)
    assert "8 000 h" in short.answer
    assert len(short.answer) <= len(told.answer)
    assert short.finish["sources"]


@pytest.mark.parametrize(
    ("first", "words", "says"),
    [
        (SEAL, "出处在哪", ["《泵站手册》", "循环泵 ABC-320", "8 000 h"]),
        (SEAL, "你刚才说的是哪一页", ["《泵站手册》"]),
        (BURNER, "where does it say that?", ["Boiler notes", "Maintenance", "500 hours"]),
    ],
)
async def test_the_sources_of_an_answer_are_listed(store, first, words, says):
    told, listed = await after(store, first, words)
    assert all(part in listed.answer for part in says)
    assert listed.finish["verdict"] == "supported"
    ids = [[s["chunk_id"] for s in turn.finish["sources"]] for turn in (told, listed)]
    assert ids[0] == ids[1]


async def test_two_values_that_were_given_are_compared(store):
    *_, compared = await after(store, "泵 P-101 和泵 P-102 的功率分别是多少？", "哪个更低")
    assert compared.answer.startswith("泵 P-101更低：泵 P-101 55 kW")


async def test_values_of_the_last_two_turns_are_compared(store):
    *_, compared = await after(
        store, "泵 P-101 的功率是多少？", "泵 P-102 的功率是多少？", "哪个更高？"
    )
    assert compared.answer.startswith("泵 P-102更高")
    assert "75 kW [1]" in compared.answer
    assert "55 kW" in compared.answer


@pytest.mark.parametrize("words", ["继续", "详细一点", "还有吗"])
async def test_going_on_says_nothing_twice(store, words):
    told, further = await after(store, SEAL, words)
    before = {line for line in told.answer.splitlines() if line.strip()}
    assert not before & set(further.answer.splitlines())


async def test_reasons_are_not_invented(store):
    *_, why = await after(store, BURNER, "why?")
    assert why.finish["abstained"]
    assert "do not say why" in why.answer


@pytest.mark.parametrize("words", ["总结一下", "出处在哪", "why?", "what else", "哪个更高"])
async def test_with_nothing_said_before_it_is_asked_back_and_not_searched(store, words):
    turn = await Talk(store).say(words)
    assert words in turn.answer
    assert turn.finish["sources"] == []
    assert turn.trace["hits"] == []


async def test_small_talk_between_does_not_lose_the_answer(store):
    told, _, repeated = await after(store, SEAL, "谢谢", "再说一遍")
    assert repeated.answer == told.answer


async def test_the_thread_is_still_about_its_question_after_such_a_turn(store):
    *_, turn = await after(
        store, "ABC-320 泵的额定流量是多少？", "出处在哪", "它的额定压力是多少？"
    )
    assert "ABC-320" in turn.trace["intent"]["rewritten"]
    assert "1.6 MPa" in turn.answer


async def test_a_model_gets_the_last_question_its_sources_and_the_wish(modelled, server):
    roles(server, writer=["Every 500 hours. [1]", "500 h. [1]"])
    talk = Talk(modelled())
    await talk.say(BURNER)
    turn = await talk.say("in one sentence please")
    prompt = server.requests[-1].messages[-1]["content"]
    assert turn.answer == "500 h. [1]"
    assert "in one sentence please" in prompt
    assert BURNER in prompt
    assert "cleaned every 500 hours" in prompt
    assert turn.finish["sources"]


async def test_no_model_is_asked_where_the_words_or_pages_stand(modelled, server):
    roles(server, writer=["Every 500 hours. [1]", None])
    talk = Talk(modelled())
    first = await talk.say(BURNER)
    assert (await talk.say("say it again")).answer == first.answer
    assert "Boiler notes" in (await talk.say("which page was that?")).answer


@pytest.mark.parametrize(
    ("words", "says"),
    [("出处在哪", "《泵站手册》"), ("再说一遍", "8 000 h"), ("简单点说", "8 000 h")],
)
async def test_a_client_without_threads_is_understood_from_its_messages(store, words, says):
    graph = build_chat_graph(store).compile()
    messages = [HumanMessage(SEAL), AIMessage("每 8 000 h 更换一次。"), HumanMessage(words)]
    state = await graph.ainvoke({"messages": messages}, context={"collection": "notes"})
    assert says in state["answer"]["answer"]
    assert state["answer"]["sources"]


async def test_a_comparison_is_repeated_as_it_was_said(store):
    *_, compared, again = await after(
        store, "泵 P-101 和泵 P-102 的功率分别是多少？", "相差多少", "再说一遍"
    )
    assert again.answer == compared.answer
    assert again.finish["verdict"] == compared.finish["verdict"]


async def test_what_was_not_found_is_not_compared(store):
    *_, compared = await after(store, "泵 P-101 的售价是多少？", "泵 P-102 的售价呢？", "哪个更高")
    assert "更高：" not in compared.answer
    assert "一样：" not in compared.answer
