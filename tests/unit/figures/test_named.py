"""Which document a question names, and what is said where it has no such label."""

import pytest

from tests.unit.figures.test_labels_leg import Shelf, asked, figure
from tests.unit.ingestion.builders import record
from tuwen.core.chunk import Chunk
from tuwen.tools.labels import find_labelled, label_notices
from tuwen.tools.named import Names, best_named, names_of, naming_part, work_of, years_asked

BOOKS = {
    "a": Names(("泵站检修管理办法",), "document"),
    "b": Names(("泵站奖惩管理办法",), "document"),
    "c": Names(("final_2020", "Final exam 2020"), "exam", frozenset({"2020"})),
    "d": Names(("final_2021",), "exam", frozenset({"2021"})),
    "e": Names(("GB/T 1234-2020 Valves",), "standard", frozenset({"2020"})),
    "f": Names(("din",), "document"),
    "g": Names(("Safety quiz",), "document"),
}


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("《检修管理办法》第七条", "a"),
        ("泵站奖惩管理办法第三条说了什么", "b"),
        ("奖惩办法第三条", "b"),
        ("question 2 of the 2021 paper", "d"),
        ("2020年试卷第2题", "c"),
        ("clause 5.3 of GB/T 1234", "e"),
        ("section 3.1 of the DIN document", "f"),
        ("question 2 of the safety quiz", "g"),
    ],
)
def test_the_named_document_is_told(question, key):
    best, score = best_named(question, BOOKS)
    assert best == {key}
    assert score >= 4


def test_a_question_without_a_name_names_none():
    assert best_named("第七条说了什么？", BOOKS) == (set(), 0.0)


def test_only_a_documents_year_is_its_own():
    assert years_asked("question 2 of the 2021 paper") == {"2021"}
    assert years_asked("2021年的发电量是多少？") == set()


def article(number, ident, doc, title, path):
    return Chunk.model_validate(
        {
            "chunk_id": f"{doc}-{ident}",
            "doc_id": doc,
            "edition": "e",
            "collection": "k",
            "doc_title": title,
            "chunk_type": "section_text",
            "text": f"第{number}条 {ident}",
            "embedding_text": "",
            "semantic_id": "s",
            "ordinal": 0,
            "section_path": path,
            "section_title": f"第{number}条",
            "section_number": number,
        }
    )


ARTICLES = [
    article("7", "检修周期", "d1", "泵站检修管理办法", "第二章 周期"),
    article("7", "奖励标准", "d2", "职工手册", "一、泵站奖惩条例 > 第二章 奖励"),
    article("7", "防火", "d2", "职工手册", "二、仓库防火规定 > 第一章 总则"),
    article("9", "附则", "d2", "职工手册", "二、仓库防火规定 > 第二章 附则"),
]


def looked(question, focus=()):
    shelf = Shelf([figure("图1", "d1"), figure("图2", "d2")], ARTICLES)
    return find_labelled(shelf, "k", asked(question), focus, question=question)


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("检修管理办法第七条", ("d1-检修周期",)),
        ("仓库防火规定第七条", ("d2-防火",)),
        ("《泵站奖惩条例》第七条", ("d2-奖励标准",)),
    ],
)
def test_the_clause_of_the_named_regulation_is_found(question, ids):
    finding = looked(question)
    assert finding.matches[0].chunk_ids == ids
    assert not finding.ambiguous


def test_a_clause_of_several_documents_is_shown_with_their_names():
    finding = looked("第七条说了什么")
    [item] = finding.ambiguous
    assert set(item.titles) == {
        "泵站检修管理办法",
        "职工手册 · 泵站奖惩条例",
        "职工手册 · 仓库防火规定",
    }


def test_the_document_in_focus_is_meant_where_none_is_named():
    assert looked("第七条说了什么", ["d1"]).matches[0].chunk_ids == ("d1-检修周期",)


@pytest.mark.parametrize("question", ["检修管理办法第九条", "《检修管理办法》第九十九条"])
def test_a_named_document_without_the_clause_says_so(question):
    finding = looked(question)
    assert not finding.matches
    [notice] = label_notices(finding, "zh")
    assert "《泵站检修管理办法》里没有第9" in notice.text
    assert "第7条" in notice.text


def test_a_figure_that_only_another_document_has_is_not_given_for_the_named_ones():
    finding = looked("检修管理办法的图2")
    assert finding.figure_ids == ()
    assert "泵站检修管理办法" in label_notices(finding, "zh")[0].text


def test_a_document_of_a_year_that_nobody_has_is_said():
    shelf = Shelf([figure("图1", "d1", doc_title="2020年试卷")])
    finding = find_labelled(shelf, "k", asked("图1"), question="2021年试卷的图1")
    [notice] = label_notices(finding, "zh")
    assert "没有 2021 年的" in notice.text
    assert "2020年试卷" in notice.text


def test_the_regulation_of_a_chunk_is_read_from_its_path():
    assert work_of(ARTICLES[1]) == "一、泵站奖惩条例"
    assert work_of(ARTICLES[0]) == ""


def test_a_chance_word_of_a_title_does_not_beat_the_document_in_focus():
    shelf = Shelf(
        [figure("图3", "d1", doc_title="泵站手册"), figure("图3", "d2", doc_title="控制系统说明")]
    )
    finding = find_labelled(shelf, "k", asked("图3"), ["d1"], question="图3中系统的结构如何？")
    assert finding.figure_ids == ("d1-图3",)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("检修管理办法的图2说明什么", "检修管理办法的"),
        ("图2里的检修管理流程是什么", ""),
        ("图2（《检修管理办法》）", "《检修管理办法》"),
        ("What does Figure 2 of the pump handbook show?", " the pump handbook show?"),
        ("In the plant, what does Figure 2 show?", ""),
    ],
)
def test_a_label_is_said_to_be_of_what_stands_before_or_behind_it(question, part):
    assert naming_part(question) == part


class Counted(Shelf):
    """It counts the documents that are read."""

    read = 0

    def chunks_of(self, doc_id, *, first=0, last=None):
        self.read += 1
        return super().chunks_of(doc_id, first=first, last=last)


def test_of_many_documents_that_are_named_alike_only_a_few_are_read():
    books = [
        article("7", "检修周期", f"d{n}", f"泵站检修管理办法 {n}", "第二章 周期") for n in range(60)
    ]
    other = article("9", "附则", "x1", "职工手册", "第九章 附则")
    shelf = Counted([], [*books, other])
    finding = find_labelled(shelf, "k", asked("第九条"), question="检修管理办法第九条")
    assert [gone.nearest for gone in finding.missing] == [(asked("第七条")[0],)]
    assert shelf.read < 30


def test_an_article_that_every_document_has_gives_a_bounded_list():
    books = [article("7", "周期", f"d{n}", f"办法 {n}", "第二章 周期") for n in range(500)]
    finding = find_labelled(Shelf([], books), "k", asked("第七条"), question="第七条")
    assert len(finding.matches[0].chunk_ids) == len(finding.result.ids) == 400
    assert "500" in label_notices(finding, "zh")[0].text


def test_words_of_another_title_do_not_hide_the_figure_that_exists():
    shelf = Shelf(
        [figure("图2", "d1", doc_title="青川河年报"), figure("图9", "d2", doc_title="水库调度规程")]
    )
    finding = find_labelled(shelf, "k", asked("图2"), question="图2里水库调度的过程如何？")
    assert finding.figure_ids == ("d1-图2",)
    assert not finding.missing


@pytest.mark.parametrize("stem", ["paper", "report2", "final_draft", "论文"])
def test_a_file_name_that_any_document_could_have_names_none(stem):
    file = f"{stem}.pdf"
    named = names_of(record(file, "Sprouted wheat as a food"))
    assert named.titles == ("Sprouted wheat as a food",)
