"""Facts of an exam paper, read by their form."""

import pytest

from tuwen.agents.exam_facts import Paper, asked_facts, cover_of, facts_of, say_facts
from tuwen.core.chunk import Chunk
from tuwen.core.label import Label, find_labels


def chunk(ident, text, **more):
    return Chunk.model_validate(
        {
            "chunk_id": ident,
            "doc_id": "d1",
            "edition": "e",
            "collection": "k",
            "doc_title": "Pumps exam",
            "chunk_type": "section_text",
            "text": text,
            "embedding_text": "",
            "semantic_id": "s",
            "ordinal": 0,
            **more,
        }
    )


COVER = chunk(
    "c0",
    "Winter 2023 Examination Period\nPUMP2001\nPumps and Valves\nTIME ALLOWED:\n2 Hours\n"
    "This paper contains three questions, worth 40, 35 and 25 marks respectively. The maximum for"
    " this paper is 100 marks.",
)
ONE = chunk(
    "c1",
    "Q1. Valves.\n(a) Name one. [15 marks]\n(b) Draw it.\n[25 marks]",
    metadata={"question": "1"},
)
TWO = chunk("c2", "Question 2 [35 Marks] Seals", metadata={"question": "2"})
ZH = [
    chunk("z0", "水泵期末试卷\n考试时间：120 分钟 满分 100 分 本卷共 3 大题"),
    chunk("z1", "三、（本题满分 12 分）画出阀门。", metadata={"question": "3"}),
]


def said(kinds, question="", paper=None, language="en"):
    labels = [span.label for span in find_labels(question)]
    own = {"1": (ONE,), "2": (TWO,), "3": (ZH[1],)}
    items = tuple((label, own[label.parts[0]]) for label in labels)
    paper = (paper or Paper("d1", "Pumps exam", (COVER,)))._replace(items=items)
    return [(fact.text, fact.chunk_id) for fact in facts_of(paper, kinds, language)]


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How long is the exam?", ["duration"]),
        ("考试时间多长？", ["duration"]),
        ("How many questions does the paper have?", ["count"]),
        ("试卷一共几道题？", ["count"]),
        ("How many marks is question 2?", ["marks"]),
        ("第3题多少分", ["marks"]),
        ("满分是多少", ["marks"]),
        ("which course is the exam for?", ["course"]),
        ("What year is the exam from?", ["date"]),
        ("What is a valve?", []),
        ("考试安排在哪里？", []),
    ],
)
def test_what_is_asked_of_a_paper_is_told_by_its_words(question, kinds):
    assert asked_facts(question) == kinds


def test_the_cover_says_time_number_total_course_and_year():
    assert said(["duration"]) == [("TIME ALLOWED: 2 Hours", "c0")]
    assert said(["course"]) == [("PUMP2001 Pumps and Valves", "c0")]
    assert said(["date"]) == [("Winter 2023 Examination Period", "c0")]
    [(total, _)] = said(["marks"])
    assert "100 marks" in total
    [(count, _)] = said(["count"])
    assert "three questions" in count


def test_a_chinese_paper_is_read_alike():
    paper = Paper("d1", "水泵期末试卷", (ZH[0],))
    for kind, value in (("duration", "120 分钟"), ("marks", "满分 100 分"), ("count", "共 3 大题")):
        assert value in said([kind], paper=paper, language="zh")[0][0]
    assert said(["marks"], "第3题", paper, "zh")[0][0].startswith("第3题：12 分")


@pytest.mark.parametrize(
    ("question", "text", "source"),
    [
        ("question 2", 'Question 2: 35 marks ("Question 2 [35 Marks] Seals")', "c2"),
        ("question 1", "Question 1: 40 marks", "c0"),
    ],
    ids=["its heading", "the cover's list"],
)
def test_the_marks_of_a_question_are_those_that_are_said_of_it(question, text, source):
    [(found, chunk_id)] = said(["marks"], question)
    assert found.startswith(text)
    assert chunk_id == source


def test_marks_of_the_parts_are_added_where_nothing_says_the_whole():
    bare = Paper("d1", "Pumps exam", (chunk("c0", "Pumps exam"),))
    assert said(["marks"], "question 1", bare) == [
        ("Marks given in Question 1: 15 + 25, 40 in all.", "c1")
    ]


def test_where_the_number_of_questions_is_not_said_they_are_listed():
    paper = Paper("d1", "x", (chunk("c0", "Pumps"),), numbers=(("1", "c1"), ("2", "c2")))
    assert [text for text, _ in said(["count"], paper=paper)][1:] == ["Question 1", "Question 2"]


def test_the_cover_ends_where_the_first_question_begins():
    assert cover_of([COVER, ONE, TWO]) == (COVER,)
    assert cover_of([ONE, TWO]) == (ONE,)


def test_several_papers_are_named():
    facts = facts_of(Paper("d1", "A", (COVER,)), ["duration"], "en")
    other = [fact._replace(doc_id="d2") for fact in facts]
    draft = say_facts([*facts, *other], {"d1": "A", "d2": "B"}, {"c0": 1}, "en")
    assert draft.text == "A: TIME ALLOWED: 2 Hours [1]\nB: TIME ALLOWED: 2 Hours [1]"


@pytest.mark.parametrize(
    ("text", "letter", "marks"),
    [
        ("Q1. Valves.\n(a) Name one. [15 marks]\n(b) Draw it.\n[25 marks]", "a", "15"),
        ("Q1. Valves.\n(a) Name one. [15 marks]\n(b) Draw it.\n[25 marks]", "b", "25"),
        ("Q1. Valves.\nName one.\n[15 marks]\n* (b) Draw it.\n[25 marks]", "a", "15"),
    ],
)
def test_a_part_has_its_own_marks_and_not_those_of_the_question(text, letter, marks):
    label = Label(kind="question", parts=("1",), sub=letter)
    paper = Paper("d1", "Pumps exam", (COVER,), ((label, (chunk("c9", text),)),))
    (fact,) = facts_of(paper, ["marks"], "en")
    assert f": {marks} marks" in fact.text


@pytest.mark.parametrize("text", ["Question 1 [40 Marks] Valves", "A. [5 marks]\nB. [6 marks]"])
def test_a_part_that_is_not_told_from_the_others_has_no_marks(text):
    label = Label(kind="question", parts=("1",), sub="c")
    paper = Paper("d1", "Pumps exam", (COVER,), ((label, (chunk("c9", text),)),))
    assert facts_of(paper, ["marks"], "en") == []
