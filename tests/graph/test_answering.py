"""Questions over small documents of our own, through the whole chat graph, without a model."""

import pytest

from tests.graph.talking import Talk, take_in, written
from tuwen.app.config import load_settings
from tuwen.app.services import open_services

DOCUMENTS = {
    "青松给水泵手册.md": """# 青松给水泵手册

## 维护

乙厂泵的机械密封每12个月更换一次。轴承温度不得超过75℃。

| 部件 | 检查周期 | 更换周期 |
|---|---|---|
| 机械密封 | 1个月 | 6个月 |
| 滤网 | 1周 | 3个月 |
| 轴承 | 3个月 | 24个月 |

维护工作由设备科王磊负责，联系电话 0571-889-9001。
""",
    "KLP-80.md": """# KLP-80 潜水泵说明书

## 技术数据

KLP-80 的额定流量为 80 m³/h，额定扬程为 32 m。外壳采用不锈钢。

## 安装

水泵应安装在离池底至少 0.5 m 处。安装后应试运行2小时。振动过大的原因是叶轮堵塞。处理方法：清洗叶轮。

| 型号 | 额定流量 (m³/h) | 扬程 (m) | 重量 (kg) |
|---|---|---|---|
| KLP-50 | 50 | 40 | 61 |
| KLP-80 | 80 | 32 | 75 |
| KLP-100 | 100 | 25 | 90 |
""",
    "保險條款.md": """# 終身保險條款

## 第七條 審閱期間

本契約的審閱期間為三日。要保人於保險單送達的翌日起算十日內，得以書面撤銷本契約。
""",
    "fans.md": """# Cooling fan guide

## Maintenance

Dr. Smith wrote the guide in 2015. The fan belt is made of rubber.

| Part | Inspection interval | Replacement interval | Responsible |
|---|---|---|---|
| Fan belt | 1 month | 6 months | Mechanic |
| Air filter | 2 weeks | 3 months | Operator |

## Models

| Model | Air flow (m³/h) | Noise (dB) | Color code |
|---|---|---|---|
| F10 | 1000 | 52 | Red |
| F20 | 2000 | 58 | Blue |
| F30 | 3000 | 61 | Green |
""",
    "werkstoffe.md": """# Werkstoffe

| Kurzzeichen | Werkstoff | Dichte (g/cm³) |
|---|---|---|
| PE | Polyethylen | 0.95 |
| PP | Polypropylen | 0.91 |
| PVC | Polyvinylchlorid | 1.38 |
""",
    "AB.md": "A 泵支持远程启动。B 泵不支持远程启动，只能就地启动。B 泵外形紧凑，重 80 kg。\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answering")
    with open_services(load_settings({}, folder=folder, home=folder / "home")) as services:
        take_in(services, *written(folder / "papers", DOCUMENTS))
        yield services


@pytest.mark.parametrize(
    "question",
    [
        "甲厂密封多久更换？",
        "甲厂的机械密封多久换一次？",
        "白山厂的密封多久更换？",
        "KLP-80的保修电话是多少？",
        "KLP-80的价格是多少？",
        "KLP-90的额定流量是多少？",
        "C 泵支持远程启动吗？",
        "What does the F20 cost?",
        "Who is the manufacturer of the F20?",
    ],
)
async def test_what_no_document_says_of_the_subject_is_not_answered(library, question):
    turn = await Talk(library).say(question)
    assert turn.finish["abstained"], turn.answer
    assert "最接近的内容" in turn.answer or "nearest passage" in turn.answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("乙厂密封多久更换？", "12个月"),
        ("滤网多久换一次？", "滤网 · 更换周期：3个月"),
        ("滤网多长时间检查一次？", "滤网 · 检查周期：1周"),
        ("维护找谁？", "王磊"),
        ("设备科的电话？", "0571-889-9001"),
        ("How often do I change the air filter?", "Replacement interval: 3 months"),
        ("Who looks after the air filter?", "Responsible: Operator"),
        ("重量75 kg的是哪个型号？", "KLP-80"),
        ("扬程最大的型号是哪个？", "KLP-50 · 扬程 (m)：40"),
        ("Which model has the largest air flow?", "F30 · Air flow"),
        ("Which fan is the quietest?", "F10 · Noise"),
        ("Which model has a noise of 58 dB?", "Model: F20"),
        ("Welches Kurzzeichen hat Polypropylen?", "Kurzzeichen: PP"),
        ("What is the fan belt made of?", "made of rubber"),
        ("Who wrote the cooling fan guide?", "Dr. Smith wrote the guide in 2015."),
        ("振动过大怎么办？", "处理方法：清洗叶轮"),
    ],
)
async def test_properties_are_answered_however_they_are_asked(library, question, answer):
    turn = await Talk(library).say(question)
    assert not turn.finish["abstained"], turn.answer
    assert answer in turn.answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("审阅期间几日？", "三日"), ("審閱期間多久？", "三日"), ("撤销契约要几日内？", "十日")],
)
async def test_simplified_and_traditional_meet_and_the_text_is_quoted_as_found(
    library, question, answer
):
    turn = await Talk(library).say(question)
    assert not turn.finish["abstained"], turn.answer
    assert answer in turn.answer
    assert "契約" in turn.answer


async def test_a_column_that_is_not_asked_for_is_not_read(library):
    turn = await Talk(library).say("What is the fan belt made of?")
    assert "interval" not in turn.answer


async def test_a_follow_up_is_answered_of_its_own_subject_alone(library):
    talk = Talk(library)
    await talk.say("A 泵支持远程启动吗？")
    turn = await talk.say("B 泵呢？")
    assert "B 泵不支持远程启动" in turn.answer
    assert "A 泵支持" not in turn.answer


async def test_a_greeting_with_a_question_mark_is_greeted(library):
    turn = await Talk(library).say("你好吗？")
    assert turn.answer.startswith("你好")
    assert not turn.finish["sources"]
