import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.ingestion.builders import (
    built_blocks,
    built_of,
    content_list,
    png,
    record,
    text,
    title,
)  # fmt: skip
from tuwen.core.document import BBox, Block, ParsedDocument
from tuwen.core.errors import NoTextError
from tuwen.core.options import IngestOptions
from tuwen.ingestion.build import build_edition

KINDS = [
    *("title", "text", "list", "table", "image", "chart", "equation", "code", "header", "footer"),
    *("page_number", "footnote", "aside", "toc", "unknown"),
]
WORDS = [
    *(
        "",
        "3.1 安装",
        "3 总则",
        "见图1和表2。",
        "图1 泵",
        "表2 参数",
        "目录",
        "1 总则 …… 3",
        "— 3 —",
    ),
    *("泵的扭矩为 85。" * 90, "a b c", "$$x$$", "Question 1 x", "1. 甲 A. 乙"),
]
ROWS = "<tr><td>甲</td><td>1</td></tr><tr><td>乙</td><td>2</td></tr>"
HTML = [
    "",
    "<table></table>",
    f"<table>{ROWS}</table>",
    "<table><tr>" + "<td>重复</td>" * 90 + "</tr></table>",
    '<table><tr><td><img src="a.png"></td></tr></table>',
]
EDGE, MIDDLE = BBox(x0=0.1, y0=0.01, x1=0.9, y1=0.05), BBox(x0=0, y0=0.3, x1=1, y1=0.6)
BLOCK = st.builds(
    Block,
    index=st.just(0),
    kind=st.sampled_from(KINDS),
    text=st.sampled_from(WORDS),
    html=st.sampled_from(HTML),
    image=st.sampled_from(["", "a.png", "gone.png"]),
    captions=st.lists(st.sampled_from(["图1 泵", "表2 参数", "(b) 侧面", "说明"]), max_size=3).map(
        tuple
    ),
    footnotes=st.lists(st.sampled_from(["图3 阀", "注：mm"]), max_size=2).map(tuple),
    page=st.sampled_from([None, 1, 1, 2, 3]),
    bbox=st.sampled_from([None, EDGE, MIDDLE]),
    level=st.sampled_from([None, 1, 2]),
)
TYPES = ["document", "slides", "exam", "solution", "notes", "formula_sheet", "page", "standard"]


@settings(max_examples=150, deadline=None)
@given(st.lists(BLOCK, max_size=25), st.sampled_from(TYPES))
def test_every_block_is_accounted_for_whatever_the_parser_yields(blocks, kind):
    numbered = tuple(b.model_copy(update={"index": n}) for n, b in enumerate(blocks))
    parsed = ParsedDocument(title="手册", blocks=numbered, images={"a.png": png()}, parser="test")
    try:
        built = build_edition(parsed, record(), options=IngestOptions(source_type=kind))
    except NoTextError:
        return
    assert built.account.balanced
    assert built.account.total == len(blocks)
    chunks, figures = built.edition.chunks, built.edition.figures
    assert [c.ordinal for c in chunks] == list(range(len(chunks)))
    assert all(c.text.strip() and c.source_ids for c in chunks)
    known = {f.figure_id for f in figures}
    ids = {c.chunk_id for c in chunks}
    assert {m for c in chunks for m in c.mentions} <= known
    assert {m for f in figures for m in f.mentions} | {f.chunk_id for f in figures} <= ids | {""}
    assert {f.asset_id for f in figures} <= set(built.edition.assets) | {""}
    if kind == "document":
        assert max(len(c.text) for c in chunks) <= 500


def test_building_twice_gives_the_same_edition():
    blocks = [
        title("1 总则"),
        text("见表1。"),
        Block(index=0, kind="table", html=HTML[2], captions=("表1 甲",)),
    ]
    assert built_blocks(blocks) == built_blocks(blocks)


def test_chunks_carry_title_path_pages_and_the_users_own_values():
    parsed = ParsedDocument(
        title="泵手册",
        blocks=(title("3 安装"), text("扭矩 85。", 4).model_copy(update={"index": 1})),
    )
    built = build_edition(
        parsed, record("2019泵手册.pdf"), options=IngestOptions(metadata={"plant": "甲"})
    )
    chunk = built.edition.chunks[0]
    assert chunk.embedding_text == "泵手册 > 3 安装\n扭矩 85。"
    assert (chunk.chunk_id, chunk.section_number, chunk.section_level) == ("d1.e1.0000", "3", 1)
    assert chunk.metadata == {
        "source_type": "document",
        "language": "zh",
        "year": 2019,
        "plant": "甲",
    }
    assert (built.record.chunks, built.record.title, built.record.language) == (1, "泵手册", "zh")


def test_a_path_that_begins_with_the_title_does_not_repeat_it():
    parsed = ParsedDocument(
        title="泵", blocks=(title("泵"), text("正文。").model_copy(update={"index": 1}))
    )
    assert build_edition(parsed, record()).edition.chunks[0].embedding_text == "泵\n正文。"


def test_mentions_run_both_ways_and_only_to_that_number(tmp_path):
    entries = [
        {"type": "text", "text": "2 水情", "text_level": 1, "page_idx": 0},
        {"type": "text", "text": "水位过程如图 2-3 所示。", "page_idx": 0},
        {
            "type": "image",
            "img_path": "images/a.png",
            "image_caption": ["图2.3 水位"],
            "page_idx": 0,
        },
        {
            "type": "image",
            "img_path": "images/b.png",
            "image_caption": ["图2.30 流量"],
            "page_idx": 0,
        },
        {"type": "text", "text": "数值列于下表。", "page_idx": 1},
        {"type": "table", "table_body": HTML[2], "page_idx": 1},
    ]
    edition = built_of(content_list(tmp_path, entries, ("a.png", "b.png"))).edition
    level, flow, table = edition.figures
    said = next(c for c in edition.chunks if "过程" in c.text and c.chunk_type == "section_text")
    assert said.mentions == (level.figure_id,)
    assert level.mentions == (said.chunk_id,)
    assert flow.mentions == ()
    assert edition.chunks[[c.text for c in edition.chunks].index("数值列于下表。")].mentions == (
        table.figure_id,
    )


def test_a_figure_has_a_short_and_a_full_form_and_one_chunk(tmp_path):
    entries = [
        {"type": "text", "text": "第一章 水情分析", "text_level": 1, "page_idx": 4},
        {"type": "text", "text": "汛期水位上涨。", "page_idx": 4},
        {"type": "chart", "img_path": "images/a.png", "chart_caption": ["图2.3 水位"],
         "chart_footnote": ["单位：m"], "page_idx": 4},
        {"type": "text", "text": "其后回落。", "page_idx": 4},
    ]  # fmt: skip
    edition = built_of(content_list(tmp_path, entries, ("a.png",))).edition
    figure = edition.figures[0]
    assert figure.summary == (
        "图表 图2.3 水位：位于「第一章 水情分析」，第5页 前文：汛期水位上涨。 后文：其后回落。"
    )
    assert figure.description.split("\n")[:2] == ["图2.3 水位", "注: 单位：m"]
    chunk = next(c for c in edition.chunks if c.figure_id == figure.figure_id)
    assert figure.chunk_id == chunk.chunk_id
    assert (chunk.chunk_type, chunk.text) == ("chart", "图2.3 水位\n单位：m")
    assert figure.summary in chunk.embedding_text


def test_an_english_figure_is_summed_up_in_english():
    picture = Block(index=0, kind="image", captions=("Figure 1: A pump",), page=2)
    figure = built_blocks([title("1 Intro"), text("The pump runs."), picture]).edition.figures[0]
    assert figure.summary.startswith('Figure Figure 1: A pump: in "1 Intro", page 2')
    assert not figure.available


def test_long_tables_are_parted_by_rows_under_caption_and_head():
    rows = "".join(f"<tr><td>{n}</td><td>备件{n:02d}</td></tr>" for n in range(60))
    table = Block(index=0, kind="table", captions=("表3-1 备件",), page=4,
                  html=f"<table><tr><td>序号</td><td>名称</td></tr>{rows}</table>")  # fmt: skip
    built = built_blocks([table], chunk_chars=300)
    chunks = built.edition.chunks
    assert len(chunks) > 2
    assert all(len(c.text) <= 300 for c in chunks)
    assert all(c.text.startswith("表3-1 备件\n| 序号 | 名称 |\n|---|---|\n") for c in chunks)
    assert [n for n in range(60) if not any(f"备件{n:02d}" in c.text for c in chunks)] == []
    assert len({c.semantic_id for c in chunks}) == 1
    assert built.edition.figures[0].chunk_id == chunks[0].chunk_id


def test_an_empty_table_half_belongs_to_the_table_before_and_is_named(tmp_path):
    entries = [
        {"type": "table", "table_caption": ["表2-1 周期"], "table_body": HTML[2], "page_idx": 3},
        {"type": "table", "img_path": "images/", "table_body": "", "page_idx": 4},
        {"type": "text", "text": "停机后方可检修。", "page_idx": 4},
    ]
    built = built_of(content_list(tmp_path, entries))
    (figure,) = built.edition.figures
    assert (figure.page, figure.page_end) == (4, 5)
    assert any("page 5" in warning for warning in built.warnings)
    assert built.account.merged == 1


def test_the_rest_of_a_table_on_the_next_page_keeps_its_page_and_gets_the_head():
    head = "<table><tr><td>部件</td><td>周期</td></tr>"
    first = Block(
        index=0,
        kind="table",
        captions=("表2 周期",),
        html=f"{head}<tr><td>甲</td><td>1</td></tr></table>",
        page=4,
    )
    rest = Block(
        index=0, kind="table", html="<table><tr><td>乙</td><td>2</td></tr></table>", page=5
    )
    one, two = built_blocks([first, rest]).edition.figures
    assert (two.page, two.label, two.group) == (5, one.label, one.figure_id)
    chunk = built_blocks([first, rest]).edition.chunks[1]
    assert chunk.text == "表2 周期\n| 部件 | 周期 |\n|---|---|\n| 乙 | 2 |"
    assert chunk.page_start == 5


def test_runaway_cells_are_cut_and_reported_with_their_page():
    table = Block(index=0, kind="table", html=HTML[3], captions=("表8 分工",), page=4)
    built = built_blocks([table])
    assert built.edition.chunks[0].text.count("重复") < 10
    assert any("page 4" in warning for warning in built.warnings)


def test_pictures_of_one_figure_are_a_group_and_parts_get_their_letter(tmp_path):
    entries = [
        {"type": "image", "img_path": "images/a.png", "image_caption": ["(a) 正面"], "page_idx": 0},
        {"type": "image", "img_path": "images/b.png", "image_caption": ["(b) 侧面"], "page_idx": 0},
        {"type": "image", "img_path": "images/c.png", "image_caption": ["图5 泵"], "page_idx": 0},
    ]
    figures = built_of(content_list(tmp_path, entries, ("a.png", "b.png", "c.png"))).edition.figures
    assert [f.label.key for f in figures] == ["figure:5(a)", "figure:5(b)", "figure:5"]
    assert {f.group for f in figures} == {figures[2].figure_id}


@pytest.mark.parametrize(
    ("size", "box"), [((10, 10), None), ((900, 20), None), ((90, 60), [10, 10, 60, 40])]
)
def test_rules_tiny_pictures_and_edge_logos_are_decoration(tmp_path, size, box):
    entries = [
        {"type": "image", "img_path": "images/a.png", "bbox": box, "page_idx": 0},
        {"type": "text", "text": "正文。", "page_idx": 0},
    ]
    folder = content_list(tmp_path, entries, ("a.png",))
    (folder / "images" / "a.png").write_bytes(png(*size))
    built = built_of(folder)
    assert built.edition.figures[0].decoration
    assert built.account.dropped == {"decoration": 1}
    assert [c.text for c in built.edition.chunks] == ["正文。"]


def test_a_picture_repeated_on_many_pages_is_decoration_unless_captioned(tmp_path):
    entries = [{"type": "text", "text": "正文。", "page_idx": 0}]
    entries += [{"type": "image", "img_path": "images/a.png", "page_idx": n} for n in range(4)]
    entries += [
        {"type": "image", "img_path": "images/a.png", "image_caption": ["图1 泵"], "page_idx": 9}
    ]
    figures = built_of(content_list(tmp_path, entries, ("a.png",))).edition.figures
    assert [f.decoration for f in figures] == [True] * 4 + [False]


def test_a_document_of_nothing_is_refused():
    with pytest.raises(NoTextError, match="OCR"):
        built_blocks([Block(index=0, kind="page_number", text="3", page=1)])


def test_svg_is_never_an_asset(tmp_path):
    entries = [{"type": "image", "img_path": "images/a.svg", "image_caption": ["图1 泵"]}]
    folder = content_list(tmp_path, entries)
    (folder / "images" / "a.svg").write_text("<svg onload='alert(1)'/>", encoding="utf-8")
    built = built_of(folder)
    assert built.edition.assets == {}
    assert not built.edition.figures[0].available


def test_ligatures_and_bullets_of_extracted_text_are_repaired():
    chunk = built_blocks([text("e\ufb03cient \uf0b7 con\u00adtrol \u2f8f")]).edition.chunks[0]
    assert chunk.text == "efficient • control 行"


def test_a_formula_that_was_not_read_is_shown_as_a_picture_and_its_page_named():
    formula = Block(index=1, kind="equation", page=4, image="f.png")
    blocks = (text("功率按下式计算：", page=4), formula)
    parsed = ParsedDocument(title="手册", blocks=blocks, images={"f.png": png(400, 12)}, parser="t")
    built = build_edition(parsed, record())
    assert built.account.indexed == 2
    assert [f.decoration for f in built.edition.figures] == [False]
    assert any("1 formula(s) on page(s) 4" in warning for warning in built.warnings)
