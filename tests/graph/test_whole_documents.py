"""Named documents, overviews and the facts of an exam, as whole runs without a model."""

import pytest

from tests.graph.talking import Talk, roles, take_in, written

pytestmark = pytest.mark.integration
LIBRARY = {
    "职工手册.md": """# 职工手册

## 一、泵站检修管理办法

河务〔2020〕6 号

### 第一章 总则

第一条 为规范泵站检修，制定本办法。

### 第二章 周期

第二条 水泵每年检修一次。第三条 密封每半年更换一次。

## 二、仓库防火规定

河务〔2021〕8 号

### 第一章 总则

第一条 为防止仓库火灾，制定本规定。

第二条 仓库内严禁烟火，灭火器每季度检查一次。
""",
    "07.txt": """青川河管理局文件

河务〔2022〕9 号

泵站奖惩条例

第一条 为奖励先进，制定本条例。

第二条 一等奖奖金为每人 3000 元。

第九条 本条例由人事处解释。
""",
    "final-2023.md": """# PUMP2001 Final Exam 2023

Time allowed: 2 hours. This paper contains two questions. The total marks for the exam are 60.

## Question 1 [40 marks]

(a) Explain how a centrifugal pump works. [15 marks]

(b) Draw the characteristic curve of a pump. [25 marks]

## Question 2 [20 marks]

Name two kinds of valves and say what each is used for.
""",
}


@pytest.fixture(scope="module")
def library(store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    take_in(store, *written(folder / "files", LIBRARY), collection="library")
    return store


def talk(services):
    return Talk(services, collection="library")


async def ask(services, question):
    return await talk(services).say(question)


@pytest.mark.parametrize(
    ("question", "says", "not_says"),
    [
        ("检修管理办法第二条", "水泵每年检修一次", "严禁烟火"),
        ("《仓库防火规定》第二条说了什么？", "严禁烟火", "水泵"),
        ("泵站检修管理办法第三条", "密封每半年更换一次", "奖金"),
        ("奖惩条例第九条", "人事处解释", "第一条"),
        ("question 2 of the 2023 paper", "two kinds of valves", "centrifugal"),
    ],
)
async def test_the_clause_or_question_of_the_named_document_is_quoted(
    library, question, says, not_says
):
    turn = await ask(library, question)
    assert says in turn.answer
    assert not_says not in turn.answer
    assert not turn.finish["abstained"]


async def test_a_clause_of_several_regulations_is_shown_with_their_names(library):
    turn = await ask(library, "第一条说了什么？")
    assert "泵站检修管理办法" in turn.answer
    assert "仓库防火规定" in turn.answer
    assert "泵站奖惩条例" in turn.answer
    assert "label_ambiguous" in turn.codes


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("《泵站奖惩条例》第五十条", "《泵站奖惩条例》里没有第50条"),
        ("question 7 of the exam paper", "no Question 7 in PUMP2001 Final Exam 2023"),
        ("question 2 of the 2019 paper", "no such document of 2019"),
    ],
)
async def test_a_named_document_without_the_label_says_so(library, question, says):
    turn = await ask(library, question)
    assert turn.finish["abstained"]
    assert says in turn.answer


async def test_a_title_is_found_behind_issuer_and_number(library):
    titles = {record.title for record in library.catalog.documents("library")}
    assert "泵站奖惩条例" in titles


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("How many marks is question 2?", "20 marks"),
        ("how long is the exam", "Time allowed: 2 hours"),
        ("How many questions does the exam have?", "two questions"),
        ("试卷的满分是多少？", "60"),
    ],
)
async def test_the_facts_of_an_exam_are_answered_from_its_heading(library, question, says):
    turn = await ask(library, question)
    assert says in turn.answer
    assert [source["doc"] for source in turn.finish["sources"]] == ["PUMP2001 Final Exam 2023"]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("总结《泵站检修管理办法》", ["第一章 总则", "第二章 周期", "水泵每年检修一次"]),
        ("总结泵站检修管理办法第二章", ["水泵每年检修一次", "密封每半年更换一次"]),
        ("职工手册讲了什么？", ["泵站检修管理办法", "仓库防火规定"]),
    ],
)
async def test_an_overview_is_made_of_headings_and_first_sentences(library, question, says):
    turn = await ask(library, question)
    assert all(part in turn.answer for part in says)
    assert turn.finish["verdict"] == "supported"
    assert len(turn.finish["sources"]) > 1


async def test_this_document_is_the_one_in_focus_and_else_asked_for(library):
    unknown = await ask(library, "这份文件讲了什么？")
    assert "职工手册" in unknown.answer
    assert unknown.finish["sources"] == []
    chat = talk(library)
    await chat.say("奖惩条例第二条")
    known = await chat.say("这份文件讲了什么？")
    assert {source["doc"] for source in known.finish["sources"]} == {"泵站奖惩条例"}


async def test_a_question_that_asks_for_more_than_facts_is_searched(library):
    turn = await ask(
        library, "How long is the exam, and what are the two kinds of valves used for?"
    )
    assert turn.trace["hits"]


async def test_a_model_sums_up_from_the_leading_sentences(library, modelled, server):
    roles(server, writer="检修与周期。[1]")
    turn = await Talk(modelled(), collection="library").say("总结《泵站检修管理办法》")
    prompt = server.requests[-1].messages[-1]["content"]
    assert "水泵每年检修一次" in prompt
    assert "总结《泵站检修管理办法》" in prompt
    assert turn.answer == "检修与周期。[1]"
    assert turn.finish["sources"]


@pytest.fixture(scope="module")
def stations(store, tmp_path_factory):
    text = "# {0}号站管理办法\n\n## 第三章 检修\n\n第九条 {0}号站的水泵每年检修一次。\n"
    files = {f"{n}号站.md": text.format(n) for n in range(1, 7)}
    folder = tmp_path_factory.mktemp("stations")
    take_in(store, *written(folder / "files", files), collection="stations")
    return store


async def test_a_chapter_that_many_documents_have_is_searched_and_not_outlined(stations):
    turn = await Talk(stations, collection="stations").say("总结第三章")
    assert "主要内容" not in turn.answer
    assert "label_ambiguous" in turn.codes
