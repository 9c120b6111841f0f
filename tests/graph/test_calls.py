"""How many model calls a question costs, and that the loop of re-queries ends."""

import json

import pytest

from tests.graph.talking import GREY, Talk, roles, verdict
from tests.scripted_server import Reply

pytestmark = pytest.mark.integration
CLEAR = "ABC-320 泵的额定流量是多少？"
UNCLEAR_FOLLOW_UP = "刚才说的那个东西，另一个呢？"


def rewrite_to(question):
    return Reply(json.dumps({"self_contained": False, "question": question}))


async def test_a_clear_question_costs_the_writer_alone(talk, server):
    roles(server, writer="额定流量为 25 m³/h [1]。")
    turn = await talk.say(CLEAR)
    assert turn.answer == "额定流量为 25 m³/h [1]。"
    assert len(server.requests) == turn.trace["model_calls"] == 1
    assert turn.trace["tokens"] == {"prompt": 11, "completion": 7}


async def test_a_follow_up_that_rules_resolve_costs_one_call(talk, server):
    roles(server)
    await talk.say(CLEAR)
    turn = await talk.say("它的额定压力是多少？")
    assert turn.trace["intent"]["rewritten"] == "ABC-320 泵的额定压力是多少？"
    assert len(server.requests) == 2
    assert turn.trace["model_calls"] == 1
    assert "ABC-320 泵的额定压力是多少？" in server.requests[-1].messages[-1]["content"]


async def test_the_judge_is_asked_in_the_grey_zone_only(talk, server):
    roles(server, judge=verdict("answer"))
    turn = await talk.say(GREY)
    assert turn.trace["verdict"]["verdict"] == "answer"
    assert len(server.requests) == turn.trace["model_calls"] == 2


async def test_one_re_query_costs_four_calls_at_most(talk, server):
    roles(server, judge=[verdict("gap", "联锁 吸入压力 boiler interlock"), verdict("answer")])
    turn = await talk.say(GREY)
    assert turn.trace["rounds"] == 2
    assert len(server.requests) == turn.trace["model_calls"] <= 4
    assert turn.trace["queries"][-1] == "联锁 吸入压力 boiler interlock"
    assert GREY in turn.trace["queries"]


@pytest.mark.parametrize("effort", ["quick", "normal", "deep"])
async def test_a_judge_that_is_never_satisfied_ends_within_the_documented_rounds(
    modelled, server, effort
):
    subjects = ["密封", "interlock", "远程启动", "P-101 功率", "burner", "flame detector", "重量"]
    asked = []

    def judge():
        asked.append(1)
        return verdict("gap", f"{subjects[len(asked) % 7]} {len(asked)}")

    class Endless(list):
        def __len__(self):
            return 2

        def pop(self, index=-1):
            return judge()

    roles(server, writer="资料中没有找到答案。", judge=Endless())
    server_queue = Talk(modelled(), effort=effort)
    turn = await server_queue.say(GREY, limit=10_000)
    re_queries = {"quick": 0, "normal": 2, "deep": 2}[effort]
    assert 1 <= turn.trace["rounds"] <= re_queries + 1
    assert turn.trace["model_calls"] == len(server.requests) <= re_queries + 2
    assert turn.finish["abstained"]


@pytest.mark.parametrize(
    "queries", [[GREY], [f" {GREY[:-1]}? "], ["循环泵的供货厂家，是谁"], []], ids=repr
)
async def test_a_re_query_that_repeats_the_text_is_not_run(talk, server, queries):
    roles(server, judge=verdict("gap", *queries))
    turn = await talk.say(GREY)
    assert turn.trace["rounds"] == 1
    assert turn.trace["model_calls"] == 2


async def test_a_round_that_brings_nothing_new_ends_the_loop(talk, server):
    reworded = "循环泵供货的厂家到底是谁呢"
    roles(server, judge=[verdict("gap", reworded), verdict("gap", "never asked for")])
    turn = await talk.say(GREY)
    assert turn.trace["rounds"] == 2
    assert turn.trace["queries"][-1] == reworded
    assert turn.trace["model_calls"] == 2, "nothing new was found, so nothing new is judged"
    assert turn.trace["verdict"]["verdict"] == "gap"


@pytest.mark.parametrize(
    "reply",
    [
        Reply("sufficient, I would say"),
        Reply(""),
        Reply('{"verdict": "ga', finish="length"),
        Reply(status=500),
        Reply("", reasoning="hm" * 50, finish="length"),
        Reply('{"verdict": "answer"}', stall_before=3.0),
    ],
    ids=["prose", "empty", "cut", "500", "all-reasoning", "slow"],
)
async def test_a_judge_without_a_usable_word_leaves_the_rules_verdict(modelled, server, reply):
    roles(server, writer="见 [1]。", judge=reply)
    turn = await Talk(modelled(helper_seconds=1.0)).say(GREY)
    assert turn.trace["verdict"]["verdict"] == "caveat"
    assert turn.trace["rounds"] == 1
    assert turn.streamed == "见 [1]。"


async def test_calls_that_fail_are_counted(talk, server):
    roles(server, writer=Reply(status=401))
    turn = await talk.say(CLEAR)
    assert turn.trace["model_calls"] == len(server.requests) == 1


async def test_no_model_is_asked_for_small_talk_or_without_permission(modelled, server):
    roles(server, writer=None)
    talk = Talk(modelled())
    for words in ("你好", "thanks!", "", "😀"):
        assert (await talk.say(words)).trace["model_calls"] == 0
    silent = Talk(modelled(), use_model=False)
    assert (await silent.say(GREY)).trace["model_calls"] == 0
    assert not server.requests


async def test_the_rewriter_is_asked_when_rules_cannot_resolve_and_its_question_is_used(
    modelled, server
):
    question = "B 泵支持远程启动吗？"
    roles(server, rewrite=rewrite_to(question))
    talk = Talk(modelled(), ask_back=True)
    await talk.say("A 泵支持远程启动吗？")
    turn = await talk.say("那第二个呢？")
    assert turn.trace["intent"]["question"] == "那第二个呢？"
    assert turn.trace["model_calls"] == 2
    assert turn.trace["intent"]["rewritten"] == question
    assert question in server.requests[-1].messages[-1]["content"]
    assert "那第二个呢？" in turn.trace["queries"]
    assert turn.values["messages"][-2].content == "那第二个呢？"


@pytest.mark.parametrize(
    "reply",
    [Reply("{}", stall_before=20), Reply(status=500), Reply("I cannot tell"), Reply("")],
    ids=["slow", "fails", "prose", "empty"],
)
async def test_without_a_usable_rewrite_the_question_is_searched_as_the_rules_leave_it(
    modelled, server, reply
):
    roles(server, rewrite=reply, judge=verdict("answer"))
    talk = Talk(modelled(helper_seconds=0.3))
    await talk.say("A 泵支持远程启动吗？")
    turn = await talk.say("那第二个呢？")
    assert "那第二个呢？" in turn.trace["queries"]
    assert turn.trace["intent"]["rewritten"] == "A 泵支持远程启动吗？那第二个呢？"
    assert turn.answer == "好的 [1]。"
    assert turn.trace["milliseconds"]["analyse"] < 2000


async def test_what_rules_cannot_tell_is_rewritten_without_leave_to_ask_back(modelled, server):
    roles(server, rewrite=rewrite_to("B 泵支持远程启动吗？"))
    talk = Talk(modelled())
    await talk.say("A 泵支持远程启动吗？")
    turn = await talk.say("那第二个呢？")
    assert turn.trace["intent"]["rewritten"] == "B 泵支持远程启动吗？"
    assert turn.trace["model_calls"] == 2


async def test_a_rewriter_that_is_slow_costs_its_own_time_only(modelled, server):
    roles(server, rewrite=Reply("{}", stall_before=20))
    talk = Talk(modelled(helper_seconds=0.3), ask_back=True)
    await talk.say("A 泵支持远程启动吗？")
    turn = await talk.say("那第二个呢？")
    assert "第二个" in turn.answer, "asked back"
    assert turn.trace["milliseconds"]["analyse"] < 2000
