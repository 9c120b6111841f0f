"""Which fact of a document is asked for, what its first page says, and what is counted."""

import pytest

from tuwen.agents.document_counts import Whole, counted
from tuwen.agents.document_facts import asked_of_document
from tuwen.agents.front_matter import front_lines, is_paper, said_in_front, speaks_of_authors
from tuwen.core.chunk import Chunk, Figure
from tuwen.core.document import DocumentRecord
from tuwen.core.label import parse_label
from tuwen.tools.document_kind import kinds_of, kinds_said


def chunk(n, text, path="", page=1):
    return Chunk(
        chunk_id=f"c{n}",
        doc_id="d",
        edition="e",
        collection="c",
        doc_title="Rivers and Sand",
        chunk_type="section_text",
        text=text,
        embedding_text=text,
        semantic_id=f"s{n}",
        ordinal=n,
        section_path=path,
        section_title=path.rpartition(" > ")[2],
        page_start=page,
    )


def figure(n, kind, label="", **fields):
    return Figure(
        figure_id=f"f{n}",
        doc_id="d",
        edition="e",
        collection="c",
        doc_title="Rivers and Sand",
        kind=kind,
        ordinal=n,
        label=parse_label(label) if label else None,
        label_text=label,
        caption=f"{label} of the river" if label else "",
        chunk_id="c0",
        **fields,
    )


@pytest.mark.parametrize(
    ("question", "kind", "words"),
    [
        ("这份文件有多少页？", "pages", "这份文件"),
        ("学生手册一共有几章", "chapters", "学生手册"),
        ("手册里有几个表？", "tables", "手册"),
        ("合同有几条", "articles", "合同"),
        ("论文的总页数是多少", "pages", "论文"),
        ("How many pages does the handbook have?", "pages", "the handbook"),
        ("How many sections are there in the report?", "sections", "the report"),
        ("how many figures are in the paper", "figures", "the paper"),
        ("How many tables are there?", "tables", ""),
        ("What is the number of pages in the manual?", "pages", "the manual"),
        ("Who wrote the paper?", "authors", "the paper"),
        ("who are the authors of this paper?", "authors", "this paper"),
        ("作者是谁", "authors", ""),
        ("这篇论文是谁写的？", "authors", "这篇论文"),
        ("谁编写了这本手册", "authors", "这本手册"),
        ("Which university are the authors from?", "affiliation", ""),
        ("论文作者来自哪所大学？", "affiliation", "论文"),
        ("When was the report published?", "date", "the report"),
        ("这篇论文什么时候发表的", "date", "这篇论文"),
        ("What is the title of the paper?", "title", "the paper"),
        ("论文的题目是什么", "title", "论文"),
    ],
)
def test_a_fact_of_a_whole_document_is_recognised(question, kind, words):
    asked = asked_of_document(question)
    assert asked is not None
    assert (asked.kind, asked.words) == (kind, words)


@pytest.mark.parametrize(
    "question",
    [
        "第三章有几节？",
        "图2的标题是什么",
        "手册里有几页讲了水泵？",
        "How many pages deal with pumps?",
        "How many figures show the river?",
        "水泵有几条要求",
        "一共有多少人参加",
        "How many days of leave are there?",
        "When was the bridge built?",
        "谁负责解释本办法",
        "What is the name of pump 3's operator in the night shift?",
    ],
)
def test_what_asks_for_more_is_none(question):
    assert asked_of_document(question) is None


def test_authors_stand_unlabelled_under_the_title_of_a_paper():
    chunks = [
        chunk(0, "Mara Lind1, Tomas P. Okoye2\nNorthern University\nPort City, NC 28000\nm@x.org"),
        chunk(1, "We measure sand. Ann Other helped.", "Abstract"),
    ]
    lines = front_lines(chunks)
    assert is_paper(chunks)
    names = said_in_front("authors", lines, paper=True, title="Rivers and Sand")
    assert [text for text, _ in names] == ["Mara Lind1, Tomas P. Okoye2"]
    places = said_in_front("affiliation", lines, paper=True, title="Rivers and Sand")
    assert [text for text, _ in places] == ["Northern University"]
    assert not said_in_front("date", lines, paper=True, title="Rivers and Sand")


@pytest.mark.parametrize(
    "line", ["编写：王小明", "Prepared by Ann Other", "本手册由人事处编制。", "教务处编"]
)
def test_a_labelled_author_counts_in_any_document(line):
    lines = front_lines([chunk(0, f"2026 Edition\n{line}")])
    assert [t for t, _ in said_in_front("authors", lines, paper=False, title="")] == [line]


def test_capitalised_words_of_a_handbook_are_no_authors():
    lines = front_lines([chunk(0, "Harbour View Estates\nGeneral Conditions")])
    assert not said_in_front("authors", lines, paper=False, title="")


def test_figures_are_counted_by_number_and_a_gap_is_told():
    own = (
        figure(1, "image", "Figure 1"),
        figure(2, "image", "Figure 4"),
        figure(3, "image"),
        figure(4, "image", decoration=True),
        figure(5, "table", "Table 1"),
    )
    whole = Whole("d", "Rivers", 9, (chunk(0, "text"),), own)
    lead, *rest = counted("figures", whole, "en")
    assert lead.text == (
        "Rivers: 2 numbered figures found, and 1 without a number (the numbers run to 4):"
    )
    assert [fact.text for fact in rest] == ["- Figure 1 of the river", "- Figure 4 of the river"]
    assert counted("tables", whole, "zh")[0].text == "《Rivers》里识别出有编号的表 1 个："


def test_chapters_of_a_compilation_are_not_listed_as_one_series():
    chunks = tuple(
        chunk(n, "x", path) for n, path in enumerate(("甲 > 第一章", "甲 > 第二章", "乙 > 第一章"))
    )
    (fact,) = counted("chapters", Whole("d", "汇编", None, chunks), "zh")
    assert "各部分分别编章" in fact.text
    assert "3 章" in fact.text


def test_articles_that_begin_anew_are_not_counted():
    chunks = tuple(chunk(n, "第一条 x\n第二条 y", path) for n, path in enumerate("甲乙丙"))
    assert not counted("articles", Whole("d", "汇编", None, chunks), "zh")
    (fact,) = counted("articles", Whole("d", "办法", None, chunks[:1]), "zh")
    assert fact.text == "《办法》共有 2 条，从第一条到第二条。"


@pytest.mark.parametrize(
    ("title", "source", "kinds"),
    [
        ("塔吊租赁合同", "notes", {"contract"}),
        ("Residential Lease Agreement", "notes", {"contract"}),
        ("2023学生手册", "document", {"manual"}),
        ("final paper 2021", "exam", {"exam"}),
        ("Sand", "slides", {"slides"}),
        ("Sand", "document", set()),
    ],
)
def test_a_document_is_of_the_kind_that_its_title_or_source_says(title, source, kinds):
    record = DocumentRecord(
        doc_id="d",
        edition="e",
        collection="c",
        name="x.md",
        source_key="k",
        content_hash="h",
        title=title,
        source_type=source,
    )
    assert kinds_of(record) == kinds


def test_an_exam_paper_is_no_paper_of_a_journal():
    assert kinds_said("the exam paper") == {"exam"}
    assert kinds_said("这篇论文") == {"paper"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("编制日期：2024年1月15日", True),
        ("Date: 14 May 2024, 10:00 to 11:45", True),
        ("本办法于2021年3月1日发布。", True),
        (
            "第一条 根据《关于印发奖学金办法的通知》（财教〔2019〕105号 2019年4月）制定本办法。",
            False,
        ),
        ("预计2025年6月竣工。", False),
        ("Sven said that the reading room will be finished by 30 August 2024.", False),
    ],
)
def test_a_document_is_dated_by_no_sentence_about_something_else(line, told):
    lines = front_lines([chunk(0, f"Title\n{line}")])
    found = [text for text, _ in said_in_front("date", lines, paper=False, title="")]
    assert found == ([line] if told else [])


def test_whether_a_text_speaks_of_an_author_at_all_is_told():
    assert speaks_of_authors([chunk(0, "Minutes taken by: Tom")])
    assert speaks_of_authors([chunk(0, "正文"), chunk(1, "执笔：王芳")])
    assert not speaks_of_authors([chunk(0, "The pump is made of steel."), chunk(1, "水泵一台")])
