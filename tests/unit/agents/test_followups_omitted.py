"""Questions of a thread that leave out what they are about, and those that only look like it."""

import pytest

from tuwen.agents.analyst import analyse, next_focus
from tuwen.agents.followups import resolve
from tuwen.core.analysis import Focus


@pytest.fixture
def ask(tokenizer):
    def run(question, *history):
        return analyse(question, focus=Focus(), history=list(history), tokenizer=tokenizer)

    return run


@pytest.mark.parametrize(
    ("earlier", "question", "subject"),
    [
        ("《山海图》是什么书？", "作者是谁？", "山海图"),
        ("ABC-320 泵的用途是什么？", "额定压力是多少？", "ABC-320"),
        ("松江的面积是多少？", "明天多少度？", "松江"),
        ("松江大桥有多长？", "是哪一年建成的？", "松江大桥"),
        ("学生违纪处分办法说了什么？", "有哪些处罚？", "处分办法"),
        ("Tell me about the Silver Lake film.", "Who are the main characters?", "Silver Lake"),
        ("What is Lyme disease?", "How reliable is the test?", "Lyme disease"),
        ("Describe the oceanic crust.", "What are the main layers?", "oceanic crust"),
        ("What are sharks?", "How do I choose a new one?", "sharks"),
        ("Tell me about Rock City.", "Are special events held there?", "Rock City"),
        ("Tell me about sharks.", "What is the largest ever?", "sharks"),
        ("Tell me about sharks.", "Is it legal?", "sharks"),
        ("What is a door opener?", "How much does it cost for someone to fix it?", "door opener"),
        ("What are stews?", "What are popular ones in France?", "stews"),
        ("Tell me about the Silver Lake film.", "What was the impact of the film?", "Silver Lake"),
        ("Tell me about the Bronze Age collapse.", "What came after it?", "Bronze Age collapse"),
    ],
)
def test_a_question_without_its_owner_is_asked_of_the_question_before(
    ask, earlier, question, subject
):
    analysis = ask(question, earlier)
    assert analysis.use_context
    assert subject in analysis.rewritten
    assert question in analysis.queries


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ("松江的面积是多少？", "松江大桥的作者是谁？"),
        ("松江的面积是多少？", "给水泵的额定压力是多少？"),
        ("给水泵的检查步骤是什么？", "给水泵的启动步骤是什么？"),
        ("松江的面积是多少？", "汛限水位是多少？"),
        ("松江的面积是多少？", "水轮机效率"),
        ("Tell me about sharks.", "What is a virtual machine?"),
        ("Tell me about sharks.", "What is the role of melatonin?"),
        ("Tell me about sharks.", "What are the symptoms of Lyme disease?"),
        ("Tell me about sharks.", "Is there a boiler in the plant?"),
        ("Tell me about sharks.", "Is it legal to park here?"),
        ("Tell me about sharks.", "How much does it cost to fix a pump?"),
        ("Tell me about sharks.", "How do smart pumps differ from traditional ones?"),
        ("Tell me about sharks.", "Which one of the two pumps is bigger?"),
        ("What is Rock City?", "What about the health effects of being vegan in Rock City?"),
    ],
)
def test_a_question_that_names_what_it_is_about_stays_as_it_is(ask, earlier, question):
    analysis = ask(question, earlier)
    assert analysis.rewritten == question
    assert not analysis.use_context


@pytest.mark.parametrize("question", ["作者是谁？", "额定压力是多少？", "Who is the author?"])
def test_without_a_thread_nothing_is_missing(ask, question):
    analysis = ask(question)
    assert analysis.rewritten == question
    assert not analysis.ask_back


def test_a_remark_is_left_alone_and_searched_behind_what_it_may_lean_on(ask):
    analysis = ask("是北方的一座老桥", "你知道松江大桥吗")
    assert analysis.rewritten == "是北方的一座老桥"
    assert not analysis.use_context
    assert any("松江大桥" in query for query in analysis.queries)
    assert "是北方的一座老桥" in analysis.queries


def test_after_a_remark_the_thread_is_still_about_its_topic(ask):
    history = ("松江大桥有多长？", "是北方的一座老桥", "是哪一年建成的？")
    assert "松江大桥" in ask(history[2], *history[:2]).rewritten
    focus = next_focus(Focus(topic=history[0]), ask(history[1], history[0]), [], [], [])
    assert focus.topic == history[0]


def test_keywords_of_another_topic_are_not_searched_behind_the_old_one(ask):
    assert ask("水轮机效率", "你知道松江大桥吗").queries == ("水轮机效率",)


def test_a_surname_is_left_alone_and_searched_in_full_too(ask):
    analysis = ask("Where was Hansen born?", "Tell me about Nora Hansen.")
    assert analysis.rewritten == "Where was Hansen born?"
    assert "Where was Nora Hansen born?" in analysis.queries


def test_this_and_a_noun_is_not_cut_out_for_a_name(ask):
    text = ask("这个计划由谁主持？", "松江大桥有多长？").rewritten
    assert text == "松江大桥有多长？这个计划由谁主持？"
    english = ask("When was this edict declared?", "Who was Nora Hansen?").rewritten
    assert english == "Who was Nora Hansen? When was this edict declared?"


def test_a_long_chain_says_its_first_and_its_last_question_only(ask):
    history = ["Tell me about whales.", "What about in the south?", "Why?", "Really, why?"]
    assert len(ask("And why again?", *history).rewritten) < len(" ".join(history))


@pytest.mark.parametrize(
    ("topic", "question", "also"),
    [
        ("Who founded Northwind Motors?", "What colours can be ordered?", "Northwind Motors: What"),
        ("Tell me about heat pumps.", "What are usual complaints?", "heat pumps: What"),
        ("Who founded Northwind Motors?", "How fast is the Falcon X2?", ""),
    ],
)
def test_a_question_without_a_name_is_also_searched_with_the_threads_subject(topic, question, also):
    found = resolve(question, topic=topic, focus=Focus())
    assert found.text == question
    assert bool(found.also) == bool(also)
    assert found.also.startswith(also)


def test_what_is_also_searched_leaves_the_question_as_it_is():
    topic, question = "Who founded Northwind Motors?", "What colours can be ordered?"
    assert resolve(question, topic=topic, focus=Focus()).text == question
    assert resolve(question, topic="", focus=Focus()).also == ""


@pytest.mark.parametrize(
    ("question", "meant"),
    [("给我唱一首她的歌", "给我唱一首王菲的歌"), ("发几张她的照片", "发几张王菲的照片")],
)
def test_a_request_before_a_pronoun_is_no_antecedent(question, meant):
    assert resolve(question, topic="王菲是谁？", focus=Focus()).text == meant
