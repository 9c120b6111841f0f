"""Answers that need what stands over or around them: titles, stems, steps, gaps to fill in."""

import pytest

from tuwen.agents.analyst import analyse
from tuwen.agents.extractive import write_extractive
from tuwen.agents.extractive_answerable import stated
from tuwen.agents.extractive_sentences import has_blank, passage_sentences
from tuwen.agents.extractive_stems import stem
from tuwen.agents.extractive_steps import steps
from tuwen.agents.extractive_words import holds_kind
from tuwen.agents.subjects import absent_subjects
from tuwen.core.analysis import Focus

BLADE = (
    "1. Unplug the saw.\n2. Loosen the two nuts.\n3. Lift the blade out.\nKeep the nuts.\n"
    "4. Insert the new blade."
)
DUTIES = "(a) feed the hens every morning;\n(b) lock the gate;\n(c) tell the owner of any fox."


@pytest.fixture
def ask(tokenizer, embedder):
    def run(question, passages):
        analysis = analyse(question, focus=Focus(), history=(), tokenizer=tokenizer)
        return write_extractive(analysis, passages, tokenizer=tokenizer, embedder=embedder)

    return run


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How do I change the blade?", 4),
        ("steps: change the blade", 4),
        ("step 3: change the blade", 1),
        ("How do I sharpen the blade?", 0),
        ("Who may change the blade?", 0),
    ],
)
def test_a_section_named_by_the_question_gives_its_steps(question, count, passage, tokenizer):
    found = steps(question, [passage(1, BLADE, section_path="5 Change the blade")], tokenizer)
    assert len(found) == count
    assert count != 1 or found == [(1, "3. Lift the blade out.")]


def test_steps_have_no_gap_and_are_more_than_one(passage, tokenizer):
    text = "1. 关闭总阀。\n3. 取下滤芯。"
    found = steps("怎么更换滤芯？", [passage(1, text, section_path="2 更换滤芯")], tokenizer)
    assert found == []


def test_an_item_is_said_with_the_words_it_goes_on_from(ask, passage):
    held = passage(1, DUTIES, section_path="Farm sitting > 4. The sitter must")
    draft = ask("Must the sitter lock the gate?", [held])
    assert [line.rpartition(" [")[0] for line in draft.text.splitlines()][:2] == [
        "4. The sitter must",
        "(b) lock the gate;",
    ]


@pytest.mark.parametrize(
    ("spans", "section", "order", "lead"),
    [
        (["乙方不得：", "（1）转租房屋；", "（2）改变结构。"], "第五条", 2, "乙方不得："),
        (["(a) oil the chain;"], "3. The rider shall not", 0, "3. The rider shall not"),
        (["(a) oil the chain;"], "3. Maintenance", 0, ""),
        (["The rider must wear a helmet."], "3. The rider must", 0, ""),
    ],
)
def test_only_an_unfinished_heading_or_line_is_a_stem(spans, section, order, lead):
    assert stem(spans, section, order) == lead


def test_what_the_title_says_need_not_be_said_again(ask, passage):
    own = passage(1, "共三层。定于2031年5月动工。", title="青禾图书馆扩建")
    other = passage(2, "共两层。定于2030年8月动工。", title="白石体育馆扩建")
    assert "2031年5月" in ask("青禾图书馆扩建什么时候动工？", [own, other]).text


def test_a_reason_is_known_by_its_word(ask, passage):
    held = passage(1, "因桥面开裂，该线停运。", title="北山索道公告")
    assert "桥面开裂" in ask("北山索道为什么停运？", [held]).text


@pytest.mark.parametrize(
    "text", ["7. 水的沸点是______℃。", "Water boils at ____ degrees.", "下列属于金属的是（　　）"]
)
def test_a_gap_is_no_answer(text, ask, passage):
    assert has_blank(text)
    assert not has_blank("def f(_x): pass（见附录）")


def test_the_question_of_an_exam_does_not_answer_itself(ask, passage):
    draft = ask("地球绕太阳一周多少天？", [passage(1, "3. 地球绕太阳一周是______天。")])
    assert draft.abstained


def test_a_caption_alone_is_no_answer(ask, passage):
    held = passage(1, "表4 各车间能耗与产量\n产量见上月简报。")
    assert "表4" not in ask("三车间能耗多少？", [held]).text.split("最接近")[0]


def test_a_line_with_a_label_is_not_the_end_of_the_line_before(passage):
    text = "参会人员：王志远、李晓梅、何国强、张丽华、孙建平、吴海燕、周文博\n请假：冯春生"
    assert passage_sentences(passage(1, text)) == text.splitlines()
    broken = "本次检修历时三十五天，更换了全部密封件和两台主泵的轴承，并对控制\n系统作了升级。"
    assert len(passage_sentences(passage(1, broken))) == 1


def test_how_long_until_is_told_by_a_time_in_words():
    assert holds_kind("date", "Keep the cast on for six weeks.", "how long until I can ski")
    assert not holds_kind("date", "Keep the cast on.", "how long until I can ski")


def test_a_building_is_a_place():
    assert holds_kind("place", "面试在科技楼512进行。", "面试在哪？")
    assert not holds_kind("place", "面试在周五进行。", "面试在哪？")


def test_a_row_is_named_with_its_head_and_a_works_by_its_place():
    table = "| 地区 | 2031年 |\n|---|---|\n| 东北 | 77 |"
    assert absent_subjects("东北地区2031年产量是多少？", [table]) == []
    assert absent_subjects("西北地区2031年产量是多少？", [table]) == ["西北地区"]
    assert absent_subjects("皖南工厂的产能是多少？", ["皖南第三工厂投产。"]) == []


@pytest.mark.parametrize(
    ("question", "sentence", "says"),
    [
        ("What is the lifetime of the seal?", "The lifetime is four seasons.", True),
        ("what's the range of the XK9", "Its range depends on the wind.", False),
        ("木塔的跨度是多少", "该塔跨度为九丈。", True),
        ("木塔的跨度是多少", "跨度很大，游人不少。", False),
    ],
)
def test_a_property_is_stated_where_a_sentence_begins_with_it(question, sentence, says):
    assert bool(stated(question).search(sentence)) == says


def test_an_exception_is_said_with_the_rule_before_it(ask, passage):
    text = (
        "Members may borrow skis for nine days. If you hold a silver card, keep skis for 20 days."
    )
    draft = ask("How many days may I keep skis with a silver card?", [passage(1, text)])
    assert "nine days" in draft.text
