import pytest

from tuwen.agents.analyst import analyse, next_focus
from tuwen.core.analysis import Focus
from tuwen.core.document import DocumentRecord
from tuwen.core.label import Label

FIGURE = Label(kind="figure", parts=("2", "3"))


@pytest.fixture
def ask(tokenizer):
    def run(question, *history, focus=None, **options):
        return analyse(
            question,
            focus=focus or Focus(),
            history=history,
            tokenizer=tokenizer,
            **options,
        )

    return run


def record(title):
    """A document of this title."""
    names = dict.fromkeys(("doc_id", "name", "source_key", "title"), title)
    return DocumentRecord(**names, edition="1", collection="c", content_hash="0")


@pytest.mark.parametrize(
    "text",
    [
        "你好",
        "hi",
        "谢谢！",
        "ok",
        "😀",
        "",
        "   ",
        "。",
        "好" * 500,
        "Thank you very much!",
        "好的，谢谢",
        "?!",
    ],
)
def test_small_talk_needs_no_retrieval(ask, text):
    analysis = ask(text)
    assert not analysis.need_retrieval
    assert analysis.question_type == "chat"
    assert analysis.queries == ()


@pytest.mark.parametrize(
    "text", ["密封多久更换？", "Thanks to which rule is the valve shut?", "ok灯亮是什么意思"]
)
def test_a_question_that_begins_like_small_talk_is_a_question(ask, text):
    assert ask(text).need_retrieval


def test_a_long_paste_without_a_question_is_not_searched(ask):
    assert not ask("机组运行平稳，水位正常。" * 200).need_retrieval


def test_a_long_paste_is_searched_by_its_question(ask):
    analysis = ask("机组运行平稳，水位正常。" * 200 + "上面的密封多久更换一次？")
    assert analysis.need_retrieval
    assert analysis.rewritten == "上面的密封多久更换一次？"
    assert max(map(len, analysis.queries)) < 100


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("这份标准引用了哪些文件", "reference"),
        ("哪一条规定了制动性能", "reference"),
        ("Which section covers braking?", "reference"),
        ("流量的计算公式是什么", "formula"),
        ("Derive the equation of continuity", "formula"),
        ("计算总装机容量", "calculation"),
        ("求X的值", "calculation"),
        ("发电量图", "figure"),
        ("Show me the chart of revenue", "figure"),
        ("额定流量是多少", "numeric"),
        ("How many pumps are installed?", "numeric"),
        ("什么是儿童三轮车", "definition"),
        ("What is a safety valve?", "definition"),
        ("制动系统有什么要求", "requirement"),
        ("What must be tested before start?", "requirement"),
        ("为什么会汽蚀", "conceptual"),
    ],
)
def test_question_types_by_cue(ask, question, kind):
    assert ask(question).question_type == kind


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("对密封的要求", "calculation"),
        ("用户需求有变化吗", "calculation"),
        ("排序算法为什么快", "calculation"),
        ("计算机为什么会死机", "calculation"),
        ("图书馆几点开门", "figure"),
        ("他的意图为何改变", "figure"),
        ("公司为什么打算上市", "calculation"),
    ],
)
def test_short_cues_inside_longer_words_do_not_count(ask, question, wrong):
    assert ask(question).question_type != wrong


@pytest.mark.parametrize(
    ("history", "question", "meant"),
    [
        ("A 泵支持远程启动吗？", "B 泵呢？", "B 泵支持远程启动吗？"),
        ("ABC-320 泵的额定流量？", "它的额定压力是多少？", "ABC-320 泵的额定压力是多少？"),
        ("泵 P-101 和 P-102 哪个功率大？", "那第二个的转速呢？", "P-102的转速呢？"),
        ("技术部门有多少人？", "销售部门呢？", "销售部门有多少人？"),
        ("2020年的营业收入是多少？", "2021年呢？", "2021年的营业收入是多少？"),
        ("给水泵的额定流量是多少", "额定压力呢", "给水泵的额定压力是多少"),
        ("北京的面积是多少？", "上海呢？", "上海的面积是多少？"),
        (
            "B-20 电池的最大持续放电电流是多少？",
            "那脉冲放电呢，10秒的？",
            "B-20 电池的最大脉冲放电电流是多少，10秒的？",
        ),
        ("最大放电电流是多少，10秒的？", "那截止电压呢？", "截止电压是多少？"),
        ("第三条的内容是什么？", "那第四条呢？", "第四条的内容是什么？"),
        ("A 泵支持远程启动吗？", "为什么？", "A 泵支持远程启动吗？为什么？"),
        ("《三体》的作者是谁", "它讲了什么", "《三体》讲了什么"),
        ("What was the revenue in 2020?", "and in 2021?", "What was the revenue in 2021?"),
        (
            "Does pump A support remote start?",
            "What about pump B?",
            "Does pump B support remote start?",
        ),
        ("What is throat cancer?", "Is it treatable?", "Is throat cancer treatable?"),
        ("Who was Frank Zappa?", "Where was he born?", "Where was Frank Zappa born?"),
        ("Who was Frank Zappa?", "What was his last album?", "What was Frank Zappa's last album?"),
        ("What is throat cancer?", "Why?", "What is throat cancer? Why?"),
        (
            "Is the seal of P-101 replaceable?",
            "what about P-102?",
            "Is the seal of P-102 replaceable?",
        ),
    ],
)
def test_a_follow_up_is_made_self_contained(ask, history, question, meant):
    analysis = ask(question, history)
    assert analysis.rewritten == meant
    assert analysis.use_context
    assert question in analysis.queries
    assert analysis.queries[0] == meant


def test_the_focus_is_preferred_to_the_bare_history(ask):
    focus = Focus(topic="ABC-320 泵的额定流量是多少？")
    assert ask("它的密封呢？", "别的问题是什么？", focus=focus).rewritten.startswith(
        "ABC-320 泵的密封"
    )


def test_a_chain_of_follow_ups_keeps_its_subject(ask):
    analysis = ask("那人口呢？", "北京的面积是多少？", "上海呢？")
    assert analysis.rewritten == "上海的人口是多少？"


@pytest.mark.parametrize(
    "question",
    [
        "ABC-320 泵的“额定流量”不是多少？",
        "其他密封的更换周期是多少？",
        "水泵应该多久更换一次密封？",
        "当水泵过热时，它会自动停机吗？",
        "GB/T 14747-2006 第 3 章规定了什么？",
        "第一个五年计划是哪年开始的？",
        "What happens when the pump overheats and its seal fails?",
        "Why did Frank Zappa break up his band?",
        "Is it possible to replace the seal?",
        "What time is it in Beijing?",
        "According to this report, how many pumps failed?",
        "Which university has its origins in a school of medicine?",
        "What is the name of the valve that was replaced?",
    ],
)
def test_a_self_contained_question_is_never_altered(ask, question):
    analysis = ask(question, "北京的面积是多少？", "Who was Frank Zappa?")
    assert analysis.rewritten == question
    assert not analysis.use_context


@pytest.mark.parametrize(
    "question", ["它多重？", "那第二个呢？", "what about the other one?", "为什么？", "why?"]
)
def test_without_an_antecedent_the_question_is_asked_back(ask, question):
    analysis = ask(question)
    assert question in analysis.ask_back
    assert analysis.rewritten == question


def test_a_list_that_is_not_understood_is_asked_back_only_on_wish(ask):
    topic = "P-101、P-102 和 P-103 哪个功率大？"
    assert not ask("那另一个呢？", topic).ask_back
    assert ask("那另一个呢？", topic, ask_back=True).ask_back


def test_the_last_picture_is_named_by_its_label(ask):
    focus = Focus(topic="图2.3表示什么？", labels=(FIGURE,), figure_ids=("f1",))
    analysis = ask("上一张图里的蓝线是什么？", focus=focus)
    assert analysis.rewritten == "图2.3里的蓝线是什么？"
    assert FIGURE in analysis.labels
    english = ask("What does this figure show?", focus=focus)
    assert english.rewritten == "What does Figure 2.3 show?"


def test_identifiers_numbers_negations_and_quotes_survive(ask):
    analysis = ask("它在 -20 ℃ 时不能用“快速启动”吗？", "ABC-320 泵的额定流量？")
    for piece in ("-20 ℃", "不能", "“快速启动”", "ABC-320"):
        assert piece in analysis.rewritten


def test_a_question_asked_before_is_flagged_and_still_searched(ask):
    focus = next_focus(Focus(), ask("密封多久更换？"), ["d"], [], [])
    again = ask("密封多久更换?", focus=focus)
    assert again.repeated
    assert again.need_retrieval
    assert not ask("轴承多久更换？", focus=focus).repeated


def test_the_same_follow_up_on_another_topic_is_no_repetition(ask):
    focus = Focus()
    for topic in ("A 泵的重量是多少？", "C 泵的重量是多少？"):
        focus = next_focus(focus, ask(topic, focus=focus), [], [], [])
        follow_up = ask("它的额定压力是多少？", focus=focus)
        assert not follow_up.repeated
        focus = next_focus(focus, follow_up, [], [], [])


def test_a_standards_question_gets_a_variant_with_document_and_kinds(ask):
    titles = [record("GB/T 14747-2006 儿童三轮车安全要求"), record("运行手册")]
    analysis = ask("GB/T 14747-2006 中儿童三轮车的定义", documents=titles)
    variant = analysis.queries[-1]
    assert variant.startswith("GB/T 14747-2006 儿童三轮车安全要求")
    assert "术语" in variant
    assert ask("密封多久更换？", documents=titles).queries == ("密封多久更换？",)


def test_two_questions_in_one_are_searched_by_themselves_too(ask):
    question = "密封多久更换？轴承温度上限是多少？"
    analysis = ask(question)
    assert analysis.queries == (question, "密封多久更换？", "轴承温度上限是多少？")


def test_languages(ask):
    assert ask("密封多久更换？").language == "zh"
    assert ask("How often is the seal replaced?").language == "en"


def test_small_talk_and_asking_back_leave_the_focus(ask):
    focus = Focus(topic="t", labels=(FIGURE,), doc_ids=("d",), figure_ids=("f",))
    assert next_focus(focus, ask("谢谢"), ["x"], ["y"], []) == focus
    assert next_focus(focus, ask("它多重？"), ["x"], ["y"], []) == focus


def test_the_focus_moves_to_what_was_shown(ask):
    focus = next_focus(Focus(), ask("发电量图"), ["d2", "d2", "d1"], ["f9"], [FIGURE])
    assert (focus.topic, focus.doc_ids, focus.figure_ids) == ("发电量图", ("d2", "d1"), ("f9",))
    later = next_focus(focus, ask("密封多久更换？", focus=focus), ["d3"], [], [])
    assert (later.doc_ids, later.figure_ids, later.labels) == (("d3",), ("f9",), (FIGURE,))


@pytest.mark.parametrize(
    ("question", "wish"),
    [
        ("给我看发电量图", "weak"),
        ("show me the chart", "weak"),
        ("密封多久更换？", "none"),
        ("哪个表是关于截止电压的？", "weak"),
        ("Which table is about the cut-off voltage?", "weak"),
        ("哪些表面需要清洗？", "none"),
    ],
)
def test_the_wish_for_a_picture(ask, question, wish):
    assert ask(question).wish == wish


@pytest.mark.parametrize(
    "question", ["这篇论文提出了什么框架？", "该文档的适用范围是什么？", "这个标准规定了什么？"]
)
def test_the_document_itself_needs_no_antecedent(question, tokenizer):
    found = analyse(question, focus=Focus(), history=[], tokenizer=tokenizer)
    assert not found.ask_back
    assert found.rewritten == question


@pytest.mark.parametrize(
    ("history", "question", "meant"),
    [
        (["ABC-320 泵的机械密封是什么材料？"], "多久更换一次？", "ABC-320 泵"),
        (["ABC-320 泵的额定流量？"], "能远程启动吗？", "ABC-320 泵"),
        (["ABC-320 泵的额定流量？"], "怎么安装？", "ABC-320 泵"),
        (["张三是谁？"], "你认识他吗？", "张三"),
        (["Tell me about the Journey tour."], "What happened in 1977?", "Journey"),
        (["Tell me about Nora Hansen."], "Was the album successful?", "Nora Hansen"),
    ],
)
def test_a_question_that_leaves_out_its_subject_takes_the_last_one(ask, history, question, meant):
    analysis = ask(question, *history)
    assert analysis.use_context
    assert meant in analysis.rewritten


@pytest.mark.parametrize(
    ("history", "question"),
    [
        (["青松电站有几台机组？"], "水轮机多久检修一次？"),
        (["怎么和朋友相处？"], "那个朋友喜欢唱歌"),
        (["Tell me about pumps."], "What happened at Plant Seven in 1977?"),
        (["Tell me about pumps."], "When was the album of Nora Hansen released?"),
    ],
)
def test_a_question_that_names_its_subject_stays_as_it_is(ask, history, question):
    analysis = ask(question, *history)
    assert analysis.rewritten == question
    assert not analysis.use_context


@pytest.mark.parametrize("question", ["第三条的内容是什么？", "第二条呢？", "第5条规定了什么？"])
def test_a_numbered_clause_is_a_place_and_needs_no_antecedent(ask, question):
    for history in ([], ["馆员和读者的权利有哪些？"]):
        analysis = ask(question, *history, ask_back=True)
        assert analysis.labels
        assert not analysis.ask_back
    assert ask("那第二款的转速呢？", "P-101 和 P-102 哪款好？").rewritten == "P-102的转速呢？"


@pytest.mark.parametrize("question", ["怎样停机？", "维护找谁？", "多久更换一次？"])
def test_what_is_done_can_be_searched_without_a_thread(ask, question):
    assert not ask(question).ask_back


@pytest.mark.parametrize(
    "question", ["《港口测量》里谁负责夜班？", "Who is on night duty in the harbour survey?"]
)
def test_a_named_document_is_spoken_of_although_it_has_no_answer(ask, question):
    named = ask(question).model_copy(update={"named_docs": ("d7",)})
    before = Focus(doc_ids=("d2",))
    assert next_focus(before, named, [], [], []).doc_ids == ("d7",)
    assert next_focus(before, named, ["d9"], [], []).doc_ids == ("d9",)
