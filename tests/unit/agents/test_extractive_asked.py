"""Questions whose kind is understood first: definitions, formulas, figures, tables by label."""

import pytest

from tuwen.agents.analyst import analyse
from tuwen.agents.extractive import write_extractive
from tuwen.core.analysis import Focus
from tuwen.core.chunk import Figure
from tuwen.core.label import Label
from tuwen.core.text import sentences

FORMULA = "效率按下式计算：\n$$\n\\eta = P_o / P_i\n$$\n式中：η为效率；Pi为输入功率。其他见附录。"


def figure(label, caption, kind="chart", html=""):
    return Figure(
        figure_id=label.key,
        doc_id="d",
        edition="e",
        collection="c",
        doc_title="运行手册",
        kind=kind,
        ordinal=0,
        label=label,
        label_text=caption.split()[0],
        caption=caption,
        html=html,
    )


@pytest.fixture
def ask(tokenizer, embedder):
    def run(question, passages, *, figures=()):
        analysis = analyse(question, focus=Focus(), history=(), tokenizer=tokenizer)
        return write_extractive(
            analysis, passages, figures=figures, tokenizer=tokenizer, embedder=embedder
        )

    return run


def quotes(draft):
    return [line.rpartition(" [")[0] for line in draft.text.splitlines()]


def test_what_a_figure_shows_is_said_until_another_object_is_named(ask, passage):
    text = (
        "机组见前页。发电量如图2-3所示。去年最低，为 5 万度。表2.1列出月值。水位正常。\n"
        "图2.3 机组发电量"
    )
    shown = figure(Label(kind="figure", parts=("2", "3")), "图2.3 机组发电量")
    draft = ask("图2.3说明了什么？", [passage(1, text)], figures=[shown])
    assert quotes(draft) == ["图2.3 机组发电量", "发电量如图2-3所示。", "去年最低，为 5 万度。"]


def test_an_asked_figure_that_nothing_here_names_gives_an_abstention(ask, passage):
    assert ask("图2.9是什么？", [passage(1, "发电量如图2.3所示。去年最低。")]).abstained


def test_a_section_named_by_the_term_is_its_definition(ask, passage):
    passages = [
        passage(1, "汛限水位 408.50 m。高于汛限水位的天数共 27 天。"),
        passage(2, "允许兴利蓄水的上限水位。", section_path="1 总则 > 1.3.2 汛限水位"),
    ]
    assert quotes(ask("什么是汛限水位？", passages)) == ["允许兴利蓄水的上限水位。"]


def test_a_defining_sentence_goes_before_one_that_gives_a_value(ask, passage):
    passages = [
        passage(1, "The seal gap is set to 2 mm."),
        passage(2, "Seal gap is the distance between the seal and the shaft."),
    ]
    draft = ask("What is the seal gap?", passages)
    assert quotes(draft) == ["Seal gap is the distance between the seal and the shaft."]


def test_a_glossary_row_explains_its_term(ask, passage):
    text = "| 术语 | English | 说明 |\n|---|---|---|\n| 库容 | storage | 水库蓄水的容积 |"
    assert quotes(ask("什么是库容？", [passage(1, text)])) == ["库容：水库蓄水的容积"]


def test_a_formula_comes_with_its_lead_and_its_letters(ask, passage):
    draft = ask("效率怎么计算？", [passage(1, "效率很重要。效率高。"), passage(2, FORMULA)])
    assert quotes(draft) == [
        "效率按下式计算：",
        "$$ \\eta = P_o / P_i $$",
        "式中：η为效率；Pi为输入功率。",
    ]


def test_only_the_table_asked_for_by_its_label_is_read(ask, passage):
    head = "<tr><th>部位</th><th>项目</th><th>周期</th></tr>"
    rows = head + "<tr><td>水泵</td><td>密封</td><td>{}</td></tr>"
    own = f"<table>{rows.format('三年')}</table>"
    other = f"<table>{rows.format('五年')}</table>"
    table = figure(Label(kind="table", parts=("3", "1")), "表3.1 检查", "table", own)
    passages = [
        passage(1, "表3.2 检查", html=other, chunk_type="table"),
        passage(2, "表3.1 检查", html=own, chunk_type="table"),
    ]
    draft = ask("表3.1中密封的周期是多少？", passages, figures=[table])
    assert quotes(draft) == ["水泵 密封 · 周期：三年"]
    assert draft.used == (2,)


def test_the_sentence_that_says_the_same_fact_follows_the_cell(ask, passage):
    text = (
        "A Kaplan turbine may run down to 20 %.\n"
        "| Type | Lowest flow (%) |\n|---|---|\n| Kaplan | 20 |\n| Pelton | 10 |"
    )
    draft = ask("What is the lowest flow of a Kaplan turbine?", [passage(1, text)])
    assert quotes(draft) == [
        "Kaplan · Lowest flow (%): 20",
        "A Kaplan turbine may run down to 20 %.",
    ]


def test_the_neighbour_with_the_kind_of_thing_asked_for_comes_along(ask, passage):
    text = "The monthly energy of the example plant varies. May is best with 1.27 GWh."
    others = [passage(n, f"Valve {n} is closed by hand. It is green.") for n in (2, 3)]
    draft = ask("Which month gives the example plant energy?", [passage(1, text), *others])
    assert "May is best with 1.27 GWh." in quotes(draft)


def test_each_part_of_a_compound_question_is_answered(ask, passage):
    passages = [passage(1, "轴承温度上限为 80 ℃。"), passage(2, "密封的更换周期为三年。")]
    draft = ask("轴承温度上限是多少？密封多久更换一次？", passages)
    assert quotes(draft)[0] == "轴承温度上限为 80 ℃。"
    assert "密封的更换周期为三年。" in quotes(draft)


def test_a_year_that_no_passage_holds_is_not_answered_with_another(ask, passage):
    passages = [passage(n, f"2021年营业收入为 {n} 亿元。") for n in (1, 2, 3)]
    assert ask("2019年营业收入是多少？", passages).abstained


def test_a_superlative_and_a_unit_choose_among_foreign_sentences(ask, passage):
    text = "年最低水位398.42 m，在四月。年最高水位410.86 m，在七月。全年检查 12 次。"
    draft = ask("What was the highest level?", [passage(1, text)])
    assert "年最高水位410.86 m，在七月。" in quotes(draft)
    assert "全年检查 12 次。" not in quotes(draft)


def test_abbreviations_end_no_sentence():
    text = "Das gilt z.Z. nicht, vgl. Abb. 3 und Fig. 4. The pump stops, e.g. at night. It is off."
    parts = [text[start:end] for start, end in sentences(text)]
    assert parts == [
        "Das gilt z.Z. nicht, vgl. Abb. 3 und Fig. 4.",
        "The pump stops, e.g. at night.",
        "It is off.",
    ]
