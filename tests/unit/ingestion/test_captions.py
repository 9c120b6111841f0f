from tests.unit.ingestion.builders import text
from tuwen.core.document import BBox, Block
from tuwen.ingestion.captions import caption_all, is_caption


def picture(*captions, kind="image", notes=(), page=1, box=None):
    return Block(
        index=0, kind=kind, image="a.png", captions=captions, footnotes=notes, page=page, bbox=box
    )


def captions(*blocks):
    numbered = [b.model_copy(update={"index": n}) for n, b in enumerate(blocks)]
    return [(c.caption, c.origin) for c in caption_all(numbered)]


def test_a_numbered_text_under_a_picture_is_its_caption():
    assert captions(text("见图。"), picture(), text("图2.1 水位")) == [("图2.1 水位", "geometry")]


def test_a_numbered_text_over_a_table_is_its_caption():
    found = captions(text("表3 参数"), picture(kind="table"), text("正文。"), picture(kind="table"))
    assert found == [("表3 参数", "geometry"), ("", "none")]


def test_between_two_pictures_the_caption_under_the_first_is_its_own():
    found = captions(picture(), text("图1 甲"), picture(), text("图2 乙"))
    assert [c for c, _ in found] == ["图1 甲", "图2 乙"]


def test_geometry_decides_where_the_order_misleads():
    low, high = BBox(x0=0.1, y0=0.6, x1=0.5, y1=0.8), BBox(x0=0.1, y0=0.1, x1=0.5, y1=0.3)
    below = BBox(x0=0.1, y0=0.31, x1=0.5, y1=0.33)
    found = captions(picture(box=low), text("图1 甲", bbox=below), picture(box=high))
    assert [c for c, _ in found] == ["", "图1 甲"]


def test_a_sentence_about_a_figure_is_no_caption():
    for body in (
        "图3给出了水位。",
        "图3所示为泵。",
        "Figure 3 shows the pump.",
        "Table 2 lists sizes.",
    ):
        assert is_caption(body) is None
    for body in ("图3 水位过程线", "Figure 3: The pump", "表 2-1 参数", "Table IV. Sizes"):
        assert is_caption(body) is not None


def test_a_footnote_that_is_the_next_ones_caption_moves_there():
    a = picture("表6 阅读结果", kind="table", notes=("表7 释义结果", "注：单位 %"))
    found = captions(a, picture(kind="table"))
    assert found == [("表6 阅读结果", "parser"), ("表7 释义结果", "footnote")]


def test_captions_piled_on_the_first_of_several_are_shared_out():
    found = captions(picture("图1 甲", "图2 乙", "图3 丙"), picture(), picture())
    assert found == [("图1 甲", "pile"), ("图2 乙", "pile"), ("图3 丙", "pile")]


def test_captions_piled_on_the_last_are_shared_out():
    found = captions(picture(), picture("Figure 4: a", "Figure 5: b"))
    assert [c for c, _ in found] == ["Figure 4: a", "Figure 5: b"]


def test_two_captions_without_a_second_picture_stay_together():
    assert captions(picture("图1 甲", "图2 乙"), text("正文")) == [("图1 甲 图2 乙", "parser")]


def test_glued_captions_are_parted_when_the_next_picture_has_none():
    found = captions(picture("图1 泵的外形 图2 泵的剖面"), picture())
    assert [c for c, _ in found] == ["图1 泵的外形", "图2 泵的剖面"]


def test_a_caption_of_the_parser_is_left_alone():
    found = captions(picture("图1 甲"), text("图2 乙"), picture())
    assert found == [("图1 甲", "parser"), ("图2 乙", "geometry")]


def test_a_table_does_not_take_a_figures_caption():
    assert captions(picture(kind="table"), text("图5 曲线")) == [("", "none")]


def test_a_sentence_taken_for_a_caption_leaves_the_label_to_the_table_that_has_it():
    found = captions(
        picture("Table 11: Results by domain", kind="table"),
        text("Running text."),
        picture("Table 11, the results above are alike.", kind="table"),
        text("Table 12: Results by model"),
    )
    assert found == [
        ("Table 11: Results by domain", "parser"),
        ("Table 12: Results by model", "geometry"),
    ]


def test_the_number_of_a_question_is_no_label_of_its_picture():
    (item,) = caption_all([picture("第3题 如图所示")])
    assert item.label is None
    (own,) = caption_all([picture("第3题图")])
    assert own.label is not None
