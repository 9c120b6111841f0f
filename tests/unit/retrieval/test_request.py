"""What a request asks for, without the words that only ask."""

import pytest

from tuwen.tools.request import asked_for


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        ("请告诉我2号泵的额定流量的具体数值", "2号泵的额定流量"),
        ("能否简要介绍一下大坝监测的情况，并做简要分析。", "大坝监测"),
        ("我想了解职工食堂的开放时间", "职工食堂的开放时间"),
        ("2021年的在建工程具体是多少？", "2021年的在建工程是多少？"),
        ("在2021年的时候，水泵销量是多少？", "2021年水泵销量是多少？"),
        ("在2021年的财务数据中，存货是多少？", "2021年存货是多少？"),
        ("Please tell me what the deposit is.", "what the deposit is."),
    ],
)
def test_the_words_that_only_ask_are_left_out(request_, asked):
    assert asked_for(request_) == asked


@pytest.mark.parametrize(
    "question",
    [
        "说明书第3页讲什么？",
        "介绍信由谁开具？",
        "分析仪的型号是什么？",
        "请假多少天要审批？",
        "闸门开度是多少？",
        "谁提供备件？",
        "介绍一下",
    ],
)
def test_a_question_that_begins_like_a_request_is_left_whole(question):
    assert asked_for(question) == question
