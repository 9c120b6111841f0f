"""Facts of a document as a whole, as whole runs without a model."""

import pytest

from tests.graph.talking import Talk, take_in, written

pytestmark = pytest.mark.integration
LIBRARY = {
    "journal.md": """# Flow of Sand in Narrow Channels

Mara Lind, Tomas Okoye

Department of Rivers, Northern University

## Abstract

We measure how sand moves in narrow channels.

## 1 Introduction

Sand moves slowly.

## 2 Method

A channel of glass was used.

Table 1: Runs

| Run | Speed |
|---|---|
| a | 3 |
| b | 4 |

## References

Ann Other. 2011. Sand. In Proceedings of Rivers, pages 1-9.
""",
    "吊车租赁合同.md": """# 吊车租赁合同

合同编号：DC-7。

审核：贺兰

## 第一条 租期

租期为六个月，自2026年3月起。

## 第二条 押金

乙方支付押金9000元。

签订日期：2026年2月11日
""",
    "harbour-meeting.md": """# Minutes of the Harbour Association, 3 May 2026

**Chair:** Ada Brook

**Present:** Ada Brook, Carl Reed

## 1 Boats

Carl Reed repairs the boats.
""",
    "职工守则.md": """# 职工守则

本守则由人事处编制。

## 第一章 总则

第一条 本守则适用于全体职工。

## 第二章 处分

第二条 对违纪的职工给予下列处分：

（一）警告；

（二）记过；

（三）开除。

第三条 受过两种以上处分的，从重处理。

第四条 职工不服处分的，由工会负责复核。
""",
}


@pytest.fixture(scope="module")
def library(store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("facts")
    take_in(store, *written(folder / "files", LIBRARY), collection="facts")
    return store


async def ask(services, question):
    return await Talk(services, collection="facts").say(question)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Who wrote the paper?", ["Mara Lind", "Tomas Okoye"]),
        ("论文的作者是谁？", ["Mara Lind"]),
        ("Which university are the authors of the paper from?", ["Northern University"]),
        ("What is the title of the paper?", ["Flow of Sand in Narrow Channels"]),
        ("How many tables are in the paper?", ["1 numbered table", "Table 1: Runs"]),
        ("How many chapters does the paper have?", ["2 numbered", "1 Introduction", "2 Method"]),
        ("How many pages does the paper have?", ["no pages"]),
        ("职工守则有几章？", ["共有 2 章", "第一章 总则", "第二章 处分"]),
        ("职工守则一共有多少条？", ["共有 4 条", "第一条", "第四条"]),
        ("职工守则是谁编制的？", ["人事处编制"]),
        ("How many articles does the rental contract have?", ["2 articles", "吊车租赁合同"]),
        ("Who chaired the harbour association meeting?", ["Chair: Ada Brook"]),
        ("Who attended the harbour association meeting?", ["Carl Reed"]),
        ("租赁合同是哪天签的？", ["2026年2月11日"]),
        ("租赁合同是谁审核的？", ["审核：贺兰"]),
        ("When was the lease signed?", ["2026年2月11日"]),
    ],
)
async def test_a_fact_of_a_document_is_told_with_its_source(library, question, says):
    turn = await ask(library, question)
    assert all(part in turn.answer for part in says), turn.answer
    assert not turn.finish["abstained"]
    assert turn.finish["sources"]
    assert not turn.finish["images"]


async def test_a_paper_that_does_not_say_when_it_came_out_is_not_dated_by_its_references(library):
    turn = await ask(library, "When was the paper published?")
    assert turn.finish["abstained"]
    assert "2011" not in turn.answer
    assert "Mara Lind" in turn.answer


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("这份合同讲了什么？", "押金9000元"),
        ("what is this contract about?", "押金9000元"),
        ("合同的主要内容是什么？", "押金9000元"),
    ],
)
async def test_the_only_document_of_its_kind_is_meant_without_asking_back(library, question, says):
    turn = await ask(library, question)
    assert says in turn.answer
    assert {source["doc"] for source in turn.finish["sources"]} == {"吊车租赁合同"}


async def test_a_document_that_could_be_any_is_asked_back(library):
    turn = await ask(library, "这份文件有多少页？")
    assert "您指的是哪份文档" in turn.answer
    assert not turn.finish["sources"]


@pytest.mark.parametrize(
    ("question", "says", "not_says"),
    [
        ("处分有哪几种？", ["警告", "记过", "开除"], "两种以上"),
        ("处分由谁复核？", ["工会负责复核"], "两种以上"),
        ("押金是多少？", ["9000"], "六个月"),
    ],
)
async def test_what_asks_of_the_text_is_still_searched(library, question, says, not_says):
    turn = await ask(library, question)
    assert all(part in turn.answer for part in says), turn.answer
    assert not_says not in turn.answer
    assert not turn.finish["abstained"]


async def test_a_document_that_names_no_author_is_said_to_name_none(library):
    turn = await ask(library, "吊车租赁合同的作者是谁？")
    assert turn.finish["abstained"]
    assert "没有写明作者" in turn.answer


async def test_a_part_of_a_title_is_no_document_where_other_things_have_the_same(library):
    assert "没有识别出图" in (await ask(library, "吊车租赁合同有几张图？")).answer
    assert "没有识别出图" not in (await ask(library, "吊车有几张图？")).answer


async def test_the_documents_are_counted(library):
    assert "4 份文档" in (await ask(library, "一共有多少份文档？")).answer
    assert "4 documents" in (await ask(library, "How many documents are there?")).answer
