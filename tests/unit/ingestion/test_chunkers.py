import pytest

from tests.unit.ingestion.builders import built_blocks, built_of, content_list, text, title
from tuwen.core.document import Block, ParsedDocument
from tuwen.ingestion.chunkers.questions import questions
from tuwen.ingestion.chunkers.slides import lecture_of
from tuwen.ingestion.source_type import guess

ITEM = (
    "{n}. 型号 P{n} 的泵，其额定流量为（ ）。\nA. 3\nB. 4\nC. 5\nD. 8\n"
    "答案：B\n解析：P{n} 的铭牌见表{n}。"
)


def test_one_chunk_a_question_with_options_answer_and_explanation(tmp_path):
    path = tmp_path / "2021年泵工试题.txt"
    path.write_text(
        "泵工试题\n\n" + "\n\n".join(ITEM.format(n=n) for n in range(1, 31)), encoding="utf-8"
    )
    built = built_of(path)
    assert built.record.source_type == "exam"
    asked = {
        c.metadata["question"]: c.text for c in built.edition.chunks if "question" in c.metadata
    }
    assert asked["17"] == ITEM.format(n=17)
    assert len(asked) == 30
    assert {c.metadata["year"] for c in built.edition.chunks} == {2021}


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("3. [Total marks 25]", 25),
        ("Question 3 Explain the pump [25 marks]", 25),
        ("Q3 (25 points) Explain", 25),
        ("3. （本题满分25分）说明", 25),
        ("第三题（25分） 说明", 25),
    ],
)
def test_questions_of_every_year_format_and_their_marks_are_read(line, marks):
    from tuwen.ingestion.chunkers.questions import facts

    found = questions(f"1. a\n2. b\n{line}" if line[0] == "3" else line)
    assert found[-1].number == "3"
    assert facts(line, found[-1])["marks"] == marks


def test_numbers_start_again_in_a_new_part_and_options_do_not_count():
    body = "一、选择题\n1. 甲\n2. 乙\n1. 选项\n3. 丙\n二、填空题\n1. 丁\n2. 戊\n9. 无关"
    assert [(q.part, q.number) for q in questions(body)] == [
        ("一", "1"), ("一", "2"), ("一", "3"), ("二", "1"), ("二", "2"),
    ]  # fmt: skip


def test_a_solutions_parts_are_paired_with_their_questions():
    body = (
        "Question 1 " + "Consider the grammar of words over two letters. " * 8
        + "\n(a) Is it regular?\n(b) Is it finite?\nSolution\n(a) It is regular, by pumping."
        "\n(b) It is infinite.\nQuestion 2 What is a set?\nSolution\nA collection."
    )  # fmt: skip
    built = built_blocks([text(body, None)], "solution", chunk_chars=200)
    parts = {c.metadata.get("sub_question"): c for c in built.edition.chunks}
    assert parts["a"].text == "(a) Is it regular?\n(a) It is regular, by pumping."
    assert parts["b"].text == "(b) Is it finite?\n(b) It is infinite."
    assert "Consider the grammar" in parts["b"].embedding_text
    assert built.edition.chunks[-1].metadata["question"] == "2"


def picture(*captions):
    return Block(index=0, kind="image", captions=captions, meta={"missing_image": "x.png"}, page=1)


def test_a_picture_in_an_exam_carries_its_questions_number():
    built = built_blocks(
        [
            text("1. 如图所示的泵，扬程是多少？"), picture("泵的外形"), text("2. 求流量。"),
            text("3. 看图回答。"), picture("第2题图"),
        ],
        "exam",
    )  # fmt: skip
    found = {
        c.text: c.metadata["question"] for c in built.edition.chunks if c.chunk_type == "image"
    }
    assert found == {"泵的外形": "1", "第2题图": "2"}


@pytest.mark.parametrize(
    ("name", "lecture", "topic"),
    [
        ("第3讲 词法分析.pdf", 3, "词法分析"),
        ("lec05_joins.pdf", 5, "joins"),
        ("Lecture 12 - Recovery.pptx", 12, "Recovery"),
        ("04机器学习-朴素贝叶斯.pdf", 4, "机器学习-朴素贝叶斯"),
    ],
)
def test_lecture_number_and_topic_come_from_the_name(name, lecture, topic):
    assert lecture_of(name) == {"lecture": lecture, "topic": topic}


def test_a_chunk_stays_on_its_page_unless_a_sentence_runs_over():
    built = built_blocks([
        title("1 启动"), text("甲句。", 1), text("乙句。", 2),
        text("这一段说明给水泵启动以前应当逐项检查的内容，由值班员负责，包括油位", 2),
        text("与冷却水。", 3),
    ])  # fmt: skip
    assert [(c.page_start, c.page_end) for c in built.edition.chunks] == [(1, 1), (2, 3)]
    assert "油位与冷却水。" in built.edition.chunks[1].text


def test_a_section_of_nothing_but_its_heading_can_be_found():
    built = built_blocks([title("1 总则"), title("2 安装"), text("正文。"), title("2.1 待定")])
    assert [(c.section_path, c.text) for c in built.edition.chunks] == [
        ("1 总则", "1 总则"), ("2 安装", "正文。"), ("2 安装 > 2.1 待定", "2.1 待定"),
    ]  # fmt: skip


def test_page_mode_gives_one_chunk_a_page_with_its_tables():
    table = Block(index=0, kind="table", html="<table><tr><td>a</td></tr></table>", page=1)
    built = built_blocks([title("标题"), text("甲。"), table, text("乙。", 2)], "page")
    assert [c.text for c in built.edition.chunks] == ["# 标题\n甲。\n| a |\n|---|", "乙。"]


def parsed(body, name="x", kind="pdf", titles=0):
    blocks = [Block(index=n, kind="title", text=f"标题{n}") for n in range(titles)]
    blocks.append(Block(index=titles, kind="text", text=body))
    return ParsedDocument(title=name, blocks=tuple(blocks), doc_type=kind)


def test_the_source_type_is_guessed_from_content():
    bibliography = "\n".join(f"{n}. Author, Title [{n}], 2020." for n in range(1, 40))
    assert guess(parsed(bibliography), "paper.pdf") == "document"
    assert guess(parsed("x", kind="pptx"), "a.pptx") == "slides"
    assert guess(parsed("正文", kind="markdown", titles=3), "a.md") == "notes"
    assert guess(parsed("正文", "物理公式表"), "a.pdf") == "formula_sheet"
    assert guess(parsed("正文", "GB/T 14747-2006 儿童三轮车"), "a.pdf") == "standard"
    answers = "1. a [5 marks]\n2. b [5 marks]\n3. c [5 marks]"
    assert guess(parsed(answers, "exam"), "exam_2020.pdf") == "exam"
    assert guess(parsed(answers, "exam answers"), "exam_answers.pdf") == "solution"


WORDED = """Programming examination

Q1. This question is about syntax.
(a) Say for each grammar whether it is regular.
1. S -> aSa
2. S -> bSb
3. S -> c
4. S -> aS
[5 marks]

Q2. This question is about semantics.
1. x = 3
2. y = 4
[10 marks]
"""


def test_worded_questions_win_over_the_numbered_items_inside_them():
    assert [question.number for question in questions(WORDED)] == ["1", "2"]


def test_a_single_mention_of_a_worded_question_is_no_numbering():
    text = "1. Add.\n2. Divide.\nQuestion 1 and 2 are for practice.\n3. Multiply.\n"
    assert [question.number for question in questions(text)] == ["1", "2", "3"]


def test_a_question_is_named_in_the_path_of_its_chunk(tmp_path):
    path = tmp_path / "exam.txt"
    path.write_text(WORDED, encoding="utf-8")
    chunks = [c for c in built_of(path, "exam").edition.chunks if c.metadata.get("question")]
    assert [c.section_title for c in chunks] == ["Question 1", "Question 2"]
    assert all(c.section_path.endswith(c.section_title) for c in chunks)
    assert "Question 2" in chunks[1].embedding_text.splitlines()[0]


def test_marks_that_a_parser_takes_for_headings_are_none(tmp_path):
    entries = [
        {"type": "text", "text": "一、选择题", "text_level": 1, "page_idx": 0},
        {"type": "text", "text": "1. 泵的作用是什么？", "page_idx": 0},
        {"type": "text", "text": "（5分）", "text_level": 1, "page_idx": 0},
        {"type": "text", "text": "2. 阀的作用是什么？", "page_idx": 0},
        {"type": "text", "text": "[10 marks]", "text_level": 1, "page_idx": 0},
    ]
    built = built_of(content_list(tmp_path, entries), "exam")
    assert [section.title for section in built.sections] == ["一、选择题"]
    assert [c.metadata.get("marks") for c in built.edition.chunks] == [5, 10]
