"""What a question wants an overview of, and the outline that answers it."""

import pytest

from tuwen.agents.overview import (
    asked_overview,
    asked_page,
    asks_for_documents,
    entries,
    names_alone,
    page_entries,
    say_overview,
)
from tuwen.core.chunk import Chunk, PageBox
from tuwen.core.document import BBox


@pytest.mark.parametrize(
    ("question", "words", "this"),
    [
        ("总结一下第三章", "第三章", False),
        ("总结《泵站检修管理办法》", "《泵站检修管理办法》", False),
        ("这份文件讲了什么？", "这份文件", True),
        ("请概括本报告的主要内容", "本报告", True),
        ("泵站手册主要讲什么", "泵站手册", False),
        ("泵站手册的主要内容是什么？", "泵站手册", False),
        ("What is this document about?", "this document", True),
        ("summarise the pump handbook", "the pump handbook", False),
        ("Give me an overview of chapter 3", "chapter 3", False),
        ("what does the handbook cover?", "the handbook", True),
        ("Tell me about the Harbour Survey", "the Harbour Survey", False),
        ("Tell me something about chapter 2", "chapter 2", False),
    ],
)
def test_what_is_to_be_summed_up_is_told(question, words, this):
    asked = asked_overview(question)
    assert asked is not None
    assert (asked.words, asked.this) == (words, this)


@pytest.mark.parametrize(
    "question",
    [
        "第十条说了什么",
        "图2说明了什么",
        "密封多久更换一次？",
        "what is a pump?",
        "how is the pump started?",
        "泵的流量是多少",
    ],
)
def test_other_questions_want_none(question):
    assert asked_overview(question) is None


@pytest.mark.parametrize(
    ("words", "alone"),
    [
        ("《检修管理办法》", True),
        ("检修管理办法", True),
        ("检修管理办法第三章", True),
        ("检修管理办法的处罚标准", False),
    ],
)
def test_only_a_name_by_itself_asks_for_the_whole(words, alone):
    assert names_alone(words, ["泵站检修管理办法"]) == alone


def chunk(path, text, place=0, **more):
    return Chunk.model_validate(
        {
            "chunk_id": f"c{place}",
            "doc_id": "d1",
            "edition": "e",
            "collection": "k",
            "doc_title": "泵站手册",
            "chunk_type": "section_text",
            "text": text,
            "embedding_text": "",
            "semantic_id": "s",
            "ordinal": place,
            "section_path": path,
            "section_title": path.rpartition(" > ")[2],
            **more,
        }
    )


BOOK = [
    chunk("", "泵站手册 2020 年版", 0),
    chunk("第一章 总则", "本手册适用于各泵站的运行与检修。其余从略。", 1),
    chunk("第二章 检修 > 2.1 周期", "泵每年检修一次，密封每半年更换。", 2),
    chunk("第二章 检修 > 2.2 记录", "检修记录保存五年以上。", 3),
]


def test_each_section_gives_its_heading_and_its_first_sentence():
    found = entries(BOOK)
    assert [(e.heading, e.lead) for e in found] == [
        ("第一章 总则", "本手册适用于各泵站的运行与检修。"),
        ("第二章 检修", "泵每年检修一次，密封每半年更换。"),
    ]
    draft = say_overview([("泵站手册", found)], {"c1": 1, "c2": 2}, "zh")
    assert draft.text.splitlines()[0] == "《泵站手册》的主要内容："
    assert draft.text.splitlines()[1] == "- 第一章 总则：本手册适用于各泵站的运行与检修。 [1]"


def test_a_chapter_gives_its_own_sections():
    own = [c for c in BOOK if c.section_path.startswith("第二章")]
    assert [e.heading for e in entries(own, "第二章 检修")] == ["2.1 周期", "2.2 记录"]


def test_a_compilation_gives_its_regulations():
    book = [
        chunk(f"第{n % 2}部分 > {n}、{name} > 第一章 总则", f"第一条 为规范{name}制定本文。", n)
        for n, name in enumerate(("检修办法", "防火规定", "奖惩条例", "采购细则"), 1)
    ]
    assert [e.heading for e in entries(book)] == [
        "1、检修办法",
        "2、防火规定",
        "3、奖惩条例",
        "4、采购细则",
    ]


def test_of_many_sections_some_are_quoted_and_the_others_named():
    book = [chunk(f"{n} 设备{n}", f"这里说的是第{n}种设备的用法。", n) for n in range(1, 21)]
    found = entries(book)
    numbers = {e.chunk.chunk_id: n for n, e in enumerate(found, 1)}
    lines = say_overview([("手册", found)], numbers, "zh").text.splitlines()
    assert len(lines) == 16
    assert lines[-1].startswith("另有：")
    assert sum(f"设备{n}" in "".join(lines) for n in range(1, 21)) == 20


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("第4页有什么？", (4, "")),
        ("泵站手册第10页讲了什么", (10, "泵站手册")),
        ("总结一下第5页", (5, "")),
        ("第 3 页的内容是什么", (3, "")),
        ("What is on page 6 of the pump handbook?", (6, "the pump handbook")),
        ("Summarize page 2", (2, "")),
        ("What is on slide 9 of the safety course?", (9, "the safety course")),
        ("安全培训第5张幻灯片讲了什么？", (5, "安全培训")),
        ("第9页的泵流量是多少？", None),
        ("What is the head on page 6?", None),
        ("图2.3在第几页？", None),
    ],
)
def test_a_page_alone_is_asked_for_its_content(question, page):
    assert asked_page(question) == page


def test_a_page_is_told_by_what_stands_on_it():
    def on(page, n, text, title, end=None):
        return chunk(title, text, n, page_start=page, page_end=end or page)

    chunks = [
        on(1, 0, "泵站建于一九九〇年五月。", "概况"),
        on(2, 1, "水泵共有三台，均为立式。", "水泵", end=3),
        on(3, 2, "闸门共有两扇，均为平板。", "闸门"),
        on(3, 3, "表1 闸门尺寸 | 名称 | 宽 |\n|---|---|", "闸门"),
    ]
    said = [(e.heading, e.lead) for e in page_entries(chunks, 3)]
    assert said[:2] == [("水泵", "水泵共有三台，均为立式。"), ("闸门", "闸门共有两扇，均为平板。")]
    assert all("|" not in lead for _, lead in said)
    assert page_entries(chunks, 4) == []


@pytest.mark.parametrize(
    "question",
    ["你有哪些文件？", "知识库里有什么资料", "What documents do you have?", "list all files"],
)
def test_the_documents_that_there_are_are_asked_for(question):
    assert asks_for_documents(question)


@pytest.mark.parametrize(
    "question", ["申请要有哪些文件？", "有哪些文件需要提交", "What documents do I need?"]
)
def test_documents_that_something_needs_are_none_of_the_collection(question):
    assert not asks_for_documents(question)


def test_of_slides_in_one_chunk_only_the_asked_one_is_told():
    words = ["Anchors are checked in March.", "Ropes\nRopes are renewed in June."]
    whole = BBox(x0=0, y0=0, x1=1, y1=1)
    slides = chunk("Anchors", "\n".join(words), 1, page_start=4, page_end=5).model_copy(
        update={
            "boxes": (PageBox(page=4, bbox=whole), PageBox(page=5, bbox=whole)),
            "box_starts": (0, len(words[0]) + 1),
        }
    )
    assert [(e.heading, e.lead) for e in page_entries([slides], 4)] == [
        ("Anchors", "Anchors are checked in March.")
    ]
    told = page_entries([slides], 5)
    assert [e.heading for e in told] == [""]
    assert "renewed in June" in told[0].lead
    assert "March" not in told[0].lead
