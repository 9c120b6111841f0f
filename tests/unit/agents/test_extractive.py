import pytest

from tuwen.agents.extractive import write_extractive
from tuwen.core.analysis import Analysis
from tuwen.core.chunk import Figure

TABLE = """<table><tr><td rowspan="2">型号</td><td colspan="2">额定流量</td><td>重量</td></tr>
<tr><td>2020年</td><td>2021年</td><td>kg</td></tr>
<tr><td>ABC-320</td><td>50</td><td>55</td><td>80</td></tr>
<tr><td>ABC-640</td><td>90</td><td>95</td><td>120</td></tr></table>"""


@pytest.fixture
def write(tokenizer, embedder):
    def run(question, passages, *, kind="conceptual", language="zh", wish="none", figures=()):
        analysis = Analysis(
            question=question,
            rewritten=question,
            queries=(question,),
            question_type=kind,
            language=language,
            wish=wish,
        )
        return write_extractive(
            analysis, passages, figures=figures, tokenizer=tokenizer, embedder=embedder
        )

    return run


def test_the_right_sentence_is_quoted_with_its_source(write, passage):
    passages = [
        passage(1, "机组于去年投运。厂房位于河边。"),
        passage(2, "给水泵的额定流量为 50 m3/h。外形紧凑。"),
    ]
    draft = write("给水泵的额定流量是多少", passages, kind="numeric")
    assert "给水泵的额定流量为 50 m3/h。 [2]" in draft.text.splitlines()
    assert not draft.abstained
    assert 2 in draft.used


def test_nothing_is_said_twice(write, passage):
    text = "密封的更换周期为三年。"
    draft = write("密封的更换周期", [passage(1, text), passage(2, text + "轴承每年检查。")])
    assert draft.text.count("密封的更换周期为三年") == 1


def test_sentences_stand_in_document_order(write, passage):
    text = "密封的更换周期为三年。首次密封更换周期为一年。"
    draft = write("密封的更换周期", [passage(1, text)])
    lines = draft.text.splitlines()
    assert [line[:2] for line in lines] == ["密封", "首次"]


@pytest.mark.parametrize(
    ("question", "value", "other"),
    [
        ("ABC-320 在2021年的额定流量是多少", "55", "95"),
        ("ABC-640 在2020年的额定流量是多少", "90", "50"),
        ("ABC-640 的重量是多少", "120", "80"),
    ],
)
def test_numbers_are_read_from_the_right_cell(write, passage, question, value, other):
    draft = write(question, [passage(1, "", html=TABLE, chunk_type="table")], kind="numeric")
    first = draft.text.splitlines()[0]
    assert first.endswith(f"：{value} [1]")
    assert other not in draft.text


def test_a_table_in_markdown_is_read_too(write, passage):
    text = "| Year | Revenue | Profit |\n|---|---|---|\n| 2020 | 10 | 1 |\n| 2021 | 12 | 2 |"
    draft = write(
        "What was the revenue in 2021?", [passage(1, text)], kind="numeric", language="en"
    )
    assert draft.text.splitlines()[0] == "2021 · Revenue: 12 [1]"


def test_a_list_question_gets_the_whole_list(write, passage):
    text = "启动步骤包括：\n1. 检查水位\n2. 打开进口阀\n3. 按启动按钮\n\n停机见下节。"
    draft = write("启动的步骤有哪些", [passage(1, text)])
    assert [line.split(" [")[0] for line in draft.text.splitlines()] == [
        "启动步骤包括：",
        "1. 检查水位",
        "2. 打开进口阀",
        "3. 按启动按钮",
    ]


def test_a_definition_question_prefers_the_defining_sentence(write, passage):
    text = "儿童三轮车很常见。儿童三轮车是指供儿童骑行的有三个轮子的车辆。儿童三轮车应检查。"
    draft = write("什么是儿童三轮车", [passage(1, text)], kind="definition")
    assert "儿童三轮车是指供儿童骑行的有三个轮子的车辆。" in draft.text


def test_evidence_beside_the_question_gives_an_abstention(write, passage):
    draft = write("额定流量和额定压力是多少", [passage(3, "The office is closed on Sundays.")])
    assert draft.abstained
    assert "《运行手册》" in draft.text
    assert "The office is closed on Sundays." in draft.text
    assert draft.used == (3,)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_passages_give_an_abstention_without_a_source(write, language):
    draft = write("额定流量", [], language=language)
    assert draft.abstained
    assert draft.used == ()
    assert "[" not in draft.text


def test_text_in_another_language_is_shown_as_found_behind_a_lead(write, passage):
    text = "The seal is replaced every 3 years."
    draft = write("the seal is replaced every 多久", [passage(1, text)], language="zh")
    assert draft.text.splitlines() == ["所检索文档中的原文如下：", f"{text} [1]"]


def test_brackets_of_the_source_are_no_citations_of_ours(write, passage):
    draft = write("密封的更换周期", [passage(1, "密封的更换周期为三年[12]。")])
    assert "［12］" in draft.text
    assert "[12]" not in draft.text


def test_a_figure_question_names_label_and_caption(write, passage):
    figure = Figure(
        figure_id="f",
        doc_id="d",
        edition="e",
        collection="c",
        doc_title="运行手册",
        kind="chart",
        ordinal=0,
        label_text="图2.3",
        caption="图2.3 机组发电量",
        chunk_id="c2",
    )
    passages = [passage(1, "机组发电量见图2.3。"), passage(2, "图2.3 机组发电量")]
    draft = write("机组发电量图", passages, kind="figure", wish="weak", figures=[figure])
    assert draft.text.splitlines()[0] == "图2.3 机组发电量 [2]"


def test_every_line_is_verbatim_and_cites_a_given_passage(write, passage):
    passages = [passage(4, "密封的更换周期为三年。轴承温度上限为 80 ℃。"), passage(7, "水位正常。")]
    draft = write("轴承温度上限", passages)
    for line in draft.text.splitlines():
        quote, _, mark = line.rpartition(" [")
        number = int(mark.rstrip("]"))
        assert quote in next(p.text for p in passages if p.n == number)


def test_being_near_is_not_enough_where_every_passage_is_on_the_topic(write, passage):
    beside = [
        passage(n, f"给水泵的额定流量见第 {n} 章的说明文件与附录。厂房位于河边。")
        for n in (1, 2, 3, 4)
    ]
    question = "给水泵的额定流量和密封更换周期"
    assert write(question, beside).abstained
    answered = [*beside, passage(5, "给水泵的额定流量为 50，密封更换周期为三年。")]
    assert not write(question, answered).abstained


def test_a_figure_that_only_a_caption_speaks_of_is_answered_with_the_caption(write, passage):
    text = "图2.2 密封更换周期曲线"
    draft = write("哪张图是关于密封更换的？", [passage(1, text)], kind="figure", wish="weak")
    assert draft.text == f"{text} [1]"
    none = write("哪张图是关于人口增长的？", [passage(1, text)], kind="figure", wish="weak")
    assert none.abstained


def test_choices_of_other_exam_questions_are_not_mixed_in(write, passage):
    text = "密封的更换周期为三年。\nA. 密封的更换周期为一年\nB. 密封的更换周期为两年"
    draft = write("密封的更换周期是多少", [passage(1, text)], kind="numeric")
    assert "三年" in draft.text
    assert "A." not in draft.text
    assert "B." not in draft.text


def test_evidence_of_another_plant_is_named_as_nearest_and_not_as_answer(write, passage):
    draft = write("甲厂密封多久更换", [passage(1, "乙厂密封每 3 年更换。")], kind="numeric")
    assert draft.abstained
    assert "最接近的内容：乙厂密封每 3 年更换。 [1]" in draft.text


def test_two_plants_are_kept_apart(write, passage):
    passages = [
        passage(1, "乙厂密封每 3 年更换。", doc_id="b"),
        passage(2, "甲厂密封每 1 年更换。", doc_id="a"),
    ]
    draft = write("甲厂密封多久更换", passages, kind="numeric")
    assert "甲厂密封每 1 年更换。 [2]" in draft.text
    assert "乙厂" not in draft.text


def test_a_full_width_number_is_written_to_be_copied(write, passage):
    text = "密封水压力应为０．３５ＭＰａ。"
    draft = write("密封水压力是多少", [passage(1, text)], kind="numeric")
    assert "0.35" in draft.text


def test_the_value_of_another_model_is_not_said_beside_the_asked_one(write, passage):
    text = "KLP-80 泵的额定压力为 1.6 MPa。MNO-5 泵的额定压力为 9.9 MPa。"
    draft = write("KLP-80 泵的额定压力是多少？", [passage(1, text)], kind="numeric")
    assert draft.text == "KLP-80 泵的额定压力为 1.6 MPa。 [1]"


def test_the_nearest_passage_is_one_in_the_language_of_the_question(write, passage):
    passages = [passage(1, "The fan weighs 80 kg."), passage(2, "风机外形紧凑。")]
    draft = write("MNO-5 的密封多久更换？", passages, kind="numeric")
    assert draft.abstained
    assert "风机外形紧凑。 [2]" in draft.text


def test_of_two_plants_the_one_that_the_passages_name_is_answered(write, passage):
    passages = [passage(1, "乙厂密封每 3 年更换。")]
    draft = write("甲厂和乙厂的密封分别多久更换？", passages, kind="numeric")
    assert "乙厂密封每 3 年更换。 [1]" in draft.text
    assert not draft.abstained
    assert write("甲厂和丙厂的密封分别多久更换？", passages, kind="numeric").abstained


@pytest.mark.parametrize("question", ["ABC-320", "ＡＢＣ－320", "ABC-320？"])
def test_a_model_number_alone_gets_what_is_said_of_it(write, passage, question):
    passages = [passage(1, "机组于去年投运。"), passage(2, "ABC-320 型给水泵用于甲厂。")]
    draft = write(question, passages, language="en")
    assert draft.text == "ABC-320 型给水泵用于甲厂。 [2]"
    assert not draft.abstained


def test_a_model_number_alone_is_not_another_one(write, passage):
    assert write("ABC-32", [passage(1, "ABC-320 型给水泵用于甲厂。")], language="en").abstained


def test_a_model_number_alone_gets_its_table_row(write, passage):
    draft = write("ABC-640", [passage(1, "", html=TABLE, chunk_type="table")], language="en")
    assert "ABC-640" in draft.text
    assert "120" in draft.text
    assert "80" not in draft.text


def test_exam_items_about_something_are_all_given_with_their_options(write, passage):
    text = "1. 依据甲级标准，密封为（ ）\nA. 一年\n2. 依据丁级标准，密封为（ ）\nA. 两年\nB. 三年"
    draft = write("依据丁级标准的题目", [passage(1, text)])
    assert draft.text.splitlines() == [
        "2. 依据丁级标准，密封为（ ） [1]",
        "A. 两年 [1]",
        "B. 三年 [1]",
    ]


def test_the_nearest_passages_of_an_abstention_are_cited_by_their_own_numbers(write, passage):
    passages = [
        passage(1, "天气很好。", title="《A》", doc_id="a"),
        passage(2, "校长奖学金每年 5000 元。", doc_id="b"),
    ]
    draft = write("国家奖学金每年多少元", passages, kind="numeric")
    assert draft.abstained
    assert "校长奖学金每年 5000 元。 [2]" in draft.text


def test_the_line_that_answers_is_named(write, passage):
    text = "给水泵的密封每年检查。给水泵的额定流量为 50 m3/h。"
    draft = write("给水泵的额定流量是多少", [passage(1, text)], kind="numeric")
    assert draft.best == "给水泵的额定流量为 50 m3/h。"
