"""Clauses without titles and numbered equations are found by their numbers."""

import pytest

from tests.unit.ingestion.builders import built_blocks, text, title
from tuwen.core.document import Block
from tuwen.ingestion.equations import equation_numbers, held_labels


def numbers(blocks, **settings):
    chunks = built_blocks(blocks, **settings).edition.chunks
    return [(c.section_number, c.section_title, c.text) for c in chunks]


def test_a_clause_without_a_title_is_found_by_its_number_and_is_no_section():
    blocks = [
        title("5 要求"),
        title("5.2 泵"),
        text("本条适用于离心泵。"),
        text("5.2.1 泵应在停机后检修。"),
        text("a) 先断电；"),
        text("5.2.2 密封每六个月更换一次。"),
    ]
    assert numbers(blocks) == [
        ("5.2", "5.2 泵", "本条适用于离心泵。"),
        ("5.2.1", "5.2.1", "5.2.1 泵应在停机后检修。\na) 先断电；"),
        ("5.2.2", "5.2.2", "5.2.2 密封每六个月更换一次。"),
    ]
    chunks = built_blocks(blocks).edition.chunks
    assert {c.section_path for c in chunks} == {"5 要求 > 5.2 泵"}
    assert len({c.semantic_id for c in chunks}) == 1


@pytest.mark.parametrize(
    "body",
    ["5.5 kg 的零件应吊装。", "4.1 阀应关闭。", "5.2 万元以上须审批。", "5.3 of the pumps fail."],
)
def test_an_amount_or_another_sections_number_begins_no_clause(body):
    found = numbers([title("5 要求"), text("总的要求如下所述。"), text(body)])
    assert [number for number, *_ in found] == ["5"]


def test_articles_count_on_over_chapters_and_a_mention_is_none():
    blocks = [
        title("第一章 总则"),
        text("第一条 为规范检修，制定本条例。"),
        text("第二条 检修由值班人员负责。"),
        title("第二章 检修"),
        text("第三条 密封每六个月更换一次。"),
        text("第一百条规定的情形除外。"),
    ]
    assert [(n, t) for n, t, _ in numbers(blocks)] == [
        ("1", "第1条"),
        ("2", "第2条"),
        ("3", "第3条"),
    ]


def equation(body):
    return Block(index=0, kind="equation", text=f"$$\n{body}\n$$", page=1)


def test_a_numbered_equation_is_among_the_labels_of_its_chunk():
    blocks = [
        title("2 水力"),
        text("功率按式(2.3)计算："),
        equation(r"P = 9.81 Q H \eta \tag{2.3}"),
    ]
    chunk, *_ = built_blocks(blocks).edition.chunks
    assert chunk.metadata["labels"] == ["equation:2.3"]
    plain = built_blocks([title("2 水力"), text("功率按式(2.3)计算。")]).edition.chunks[0]
    assert "labels" not in plain.metadata


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (r"P = QH \tag {3}", ["3"]),
        (r"P = QH \qquad (2-3)", ["2-3"]),
        (r"P = QH, (4)", ["4"]),
        (r"P = f (x)", []),
        (r"\sum_{i=1}^{n} i = \frac{n(n+1)}{2}", []),
        (r"Q = f(3)", []),
    ],
)
def test_an_equations_number_is_set_off_from_the_formula(body, found):
    assert equation_numbers(f"$$\n{body}\n$$") == found


def test_a_number_in_the_next_block_belongs_to_the_equation_before():
    assert held_labels([equation("P = QH")], text("(7)")) == ["equation:7"]
    assert held_labels([equation("P = QH")], text("(7) 式中 Q 为流量")) == []


def test_code_keeps_its_caption_and_label():
    code = Block(index=0, kind="code", text="open the valve", captions=("Algorithm 2 Start-up",))
    chunk = built_blocks([title("3 Start"), code]).edition.chunks[0]
    assert chunk.text == "Algorithm 2 Start-up\nopen the valve"
    assert chunk.metadata["labels"] == ["algorithm:2"]


def test_articles_of_one_paragraph_are_parted():
    blocks = [
        title("第二章 标准"),
        text("第三条 奖金为每年 500 元。第四条 申请人应在册。第五条 按第三条 所列标准发放。"),
    ]
    assert numbers(blocks) == [
        ("3", "第3条", "第三条 奖金为每年 500 元。"),
        ("4", "第4条", "第四条 申请人应在册。"),
        ("5", "第5条", "第五条 按第三条 所列标准发放。"),
    ]


def test_few_articles_far_apart_are_found_and_references_are_none():
    blocks = [
        title("摘录"),
        text("第二条  泵每年检修一次。"),
        text("第九条  检修记录保存五年。"),
        text("第三十条 规定的情形除外。"),
    ]
    assert [(n, t) for n, t, _ in numbers(blocks)] == [("2", "第2条"), ("9", "第9条")]
