import pytest
from langchain_core.messages import AIMessage, HumanMessage

from tests.fakes import HashEmbedder, OverlapReranker, ScriptedChat
from tuwen.agents.guarded import GuardedChat
from tuwen.agents.judge import JudgeReply, to_sufficiency
from tuwen.agents.rewriter import ModelRewriter, faithful
from tuwen.agents.structured import Capabilities
from tuwen.agents.writer import NO_ANSWER, abstains
from tuwen.backends.rerank_http import to_unit
from tuwen.core.settings import ChatSettings

PAST = "user: GB/T 7714-2015 的第3条讲什么？\nassistant: 讲著录格式，共 12 项。"


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("那第4条呢？", "GB/T 7714-2015 的第4条讲什么？"),
        ("它共有几项？", "GB/T 7714-2015 第3条共有几项？"),
        ("为什么不包括“网址”？", "GB/T 7714-2015 第3条为什么不包括“网址”？"),
        ("那表２呢", "GB/T 7714-2015 的表2讲什么"),
    ],
)
def test_faithful_rewrites_are_accepted(question, rewritten):
    assert faithful(question, rewritten, PAST)


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("那第4条呢？", "GB/T 7714-2015 的第5条讲什么？"),
        ("那第4条呢？", "GB/T 7714-2016 的第4条讲什么？"),
        ("为什么不包括“网址”？", "GB/T 7714-2015 为什么包括“网址”？"),
        ("为什么不包括“网址”？", "GB/T 7714-2015 为什么不包括链接？"),
        ("那第4条呢？", "What does clause 4 of GB/T 7714-2015 say?"),
        ("那第4条呢？", ""),
        ("那第4条呢？", "第4条" + "好" * 500),
        ("Is RX-78 not covered?", "Is RX-78 covered by clause 3?"),
    ],
)
def test_rewrites_that_lose_or_invent_are_refused(question, rewritten):
    assert not faithful(question, rewritten, PAST)


async def test_self_contained_question_comes_back_unchanged():
    chat = ScriptedChat(replies=['{"self_contained": true, "question": "别的"}'])
    rewriter = ModelRewriter(chat, ChatSettings(), capabilities=Capabilities())
    assert await rewriter.rewrite("泵的流量是多少？", []) == "泵的流量是多少？"


def test_gap_without_a_new_query_is_a_caveat():
    reply = JudgeReply(verdict="gap", queries=["泵"], missing=["效率"])
    assert to_sufficiency(reply, ["泵"]).verdict == "caveat"
    assert to_sufficiency(reply, []).queries == ("泵",)


def test_only_a_gap_asks_for_more():
    reply = JudgeReply(verdict="answer", queries=["泵"])
    assert to_sufficiency(reply, []).queries == ()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_answer_is_recognised_whatever_marks_stand_before_it(language):
    assert abstains(f"**{NO_ANSWER[language]}**: x")
    assert not abstains(f"50 m [1]. {NO_ANSWER[language]}")


class Upper:
    def feed(self, delta: str) -> str:
        return delta.upper()

    def flush(self) -> str:
        return "!"


async def test_guarded_tokens_add_up_to_the_message_and_reasoning_stays_out():
    thoughts: list[str] = []
    inner = ScriptedChat(replies=[AIMessage("abcd", additional_kwargs={"reasoning_content": "hm"})])
    chat = GuardedChat(inner=inner, guard=Upper(), on_reasoning=thoughts.append, message_id="m")
    chunks = [chunk async for chunk in chat.astream([HumanMessage("q")])]
    assert "".join(chunk.text for chunk in chunks) == "ABCD!"
    assert {chunk.id for chunk in chunks} == {"m"}
    assert thoughts == ["hm"]
    assert all("reasoning_content" not in chunk.additional_kwargs for chunk in chunks)


async def test_guarded_answer_is_the_same_when_invoked():
    chat = GuardedChat(inner=ScriptedChat(replies=["abcd"]), guard=Upper(), message_id="m")
    reply = await chat.ainvoke([HumanMessage("q")])
    assert (reply.text, reply.id) == ("ABCD!", "m")


def test_scores_outside_the_unit_interval_pass_the_sigmoid():
    assert to_unit([0.2, 1.0]) == [0.2, 1.0]
    assert to_unit([]) == []
    low, high, gone = to_unit([-3.0, 4.0, float("-inf")])
    assert 0 < low < 0.1 < 0.9 < high < 1
    assert gone == pytest.approx(0)


def test_fakes_put_similar_texts_close():
    fake = HashEmbedder(256)
    near, far, again = fake.embed_passages(["泵的额定流量", "weather in Paris", "泵的额定流量"])
    asked = fake.embed_queries(["泵的流量"])[0]
    assert asked @ near > 0.5 > asked @ far
    assert (near == again).all()
    first, second = OverlapReranker().rerank("泵的流量", ["泵的额定流量", "天气"])
    assert first > second
