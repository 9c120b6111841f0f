import pytest

from tuwen.agents.analyst import analyse
from tuwen.agents.analyst_rules import parts_of, picture_question, sub_questions
from tuwen.agents.extractive_bridge import bridged
from tuwen.agents.extractive_quantities import extremes, quantity_asked
from tuwen.agents.extractive_words import answer_kind, holds_kind
from tuwen.core.analysis import Focus


@pytest.mark.parametrize(
    ("question", "fits", "other"),
    [
        ("额定功率是多少千瓦", "rated at 2,445 kW.", "an output of 12 GWh"),
        ("What did it cost to build?", "共花费 3000 万元", "共 3000 人"),
        ("最高水位是多少", "为 410.86 m，", "为 410.86 m³/s"),
        ("What is the temperature?", "80 ℃", "80 mm"),
        ("How high is the dam?", "坝高 76 米", "76 kW"),
        ("吸水管多长？", "长 6 米", "6 天"),
    ],
)
def test_an_asked_quantity_is_known_by_its_unit_in_any_language(question, fits, other):
    written = quantity_asked(question)
    assert written.search(fits)
    assert not written.search(other)


@pytest.mark.parametrize(
    "question",
    [
        "谁是负责人",
        "大修要多长时间",
        "停机多长的时间才算备用",
        "哪一年水位最高",
        "流量之城什么时候开播",
    ],
)
def test_a_question_without_a_quantity_asks_for_no_unit(question):
    assert quantity_asked(question) is None


def test_superlatives_meet_across_languages_and_not_their_opposites():
    assert extremes("the highest level") & extremes("年最高水位")
    assert not extremes("the highest level") & extremes("年最低水位")


@pytest.mark.parametrize(
    ("question", "kind", "answer", "other"),
    [
        ("多久巡检一次", "frequency", "每4 h巡检1次", "巡检很重要"),
        ("How often is it inspected?", "frequency", "1 week", "Head loss 0.15 m"),
        ("全开要多久", "duration", "需29 min", "速度0.5 m/min"),
        ("Which month is best?", "date", "May is best", "it is best"),
        ("质保期多长", "duration", "质保期为24个月", "质保期满后支付"),
        ("使用寿命有多长", "duration", "可用20年", "长20米"),
        ("审核要多久", "duration", "3个工作日内答复", "3个人答复"),
        ("润滑油什么时候加最好", "date", "早上开机前", "由班长加"),
        ("规定什么时候开始施行？", "date", "自2022年3月1日起施行", "病假3天以内由经理批准"),
        ("When was the bridge completed?", "date", "finished in 1998", "open every day"),
        ("冷却时间", "date", "冷却需要四个小时", "冷却很慢"),
        ("加药时间", "date", "每天 9:30 加药", "加药量 30 g"),
        ("哪一年投运的", "date", "1998年投运", "早上投运"),
        ("投运日期是", "date", "1998年投运", "四个小时后投运"),
        ("When is oil added?", "date", "in the morning", "by the operator"),
    ],
)
def test_how_often_how_long_and_when_are_told_apart(question, kind, answer, other):
    assert answer_kind(question) == kind
    assert holds_kind(kind, answer, question)
    assert not holds_kind(kind, other, question)


def test_listed_words_bridge_two_languages():
    near = bridged("示例电站的额定功率", "the example plant is rated at 9 kW")
    assert near > bridged("示例电站的额定功率", "an example by the river") > 0.0
    assert bridged("the highest water level", "全年最高水位") > 0.0
    assert bridged("谁唱的", "a plant by the river") == 0.0


def test_a_wish_to_see_and_a_question_are_two_parts(tokenizer):
    question = "给我看水位过程线图，最高水位是多少？"
    assert sub_questions(question) == ["给我看水位过程线图", "最高水位是多少？"]
    analysis = analyse(question, focus=Focus(), history=(), tokenizer=tokenizer)
    assert [part.wish for part in parts_of(analysis)] == ["weak", "none"]
    assert picture_question(analysis) == "给我看水位过程线图"


def test_one_question_with_a_comma_is_one_part():
    assert sub_questions("水位超过上限时，多久巡检一次？") == []
