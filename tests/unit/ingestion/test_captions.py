from tests.unit.ingestion.builders import text
from tuwen.core.document import BBox, Block
from tuwen.ingestion.caption_text import is_caption
from tuwen.ingestion.captions import caption_all


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


def test_long_captions_piled_on_the_last_are_shared_out():
    words = "each row gives the share of users in one community " * 8
    found = captions(
        picture(kind="table"), picture(f"Table 7: {words}", f"Table 8: {words}", kind="table")
    )
    assert [(c[:7], o) for c, o in found] == [("Table 7", "pile"), ("Table 8", "pile")]


def test_captions_that_each_stand_on_the_next_table_move_up_by_one():
    found = captions(
        picture(kind="table"),
        picture("表7 甲", kind="table"),
        picture("表8 乙", "表9 丙", kind="table"),
    )
    assert [c for c, _ in found] == ["表7 甲", "表8 乙", "表9 丙"]


def test_of_two_captions_that_of_its_own_kind_names_a_table():
    assert captions(picture("图4 提示", "表6 数量", kind="table")) == [
        ("表6 数量 图4 提示", "parser")
    ]


def test_a_caption_right_under_a_picture_is_its_own_wherever_the_reading_order_has_it():
    top, right_under = (
        BBox(x0=0.5, y0=0.1, x1=0.9, y1=0.3),
        BBox(x0=0.5, y0=0.31, x1=0.9, y1=0.34),
    )
    left = [text("段落。", bbox=BBox(x0=0.1, y0=y / 10, x1=0.45, y1=0.9)) for y in (1, 2, 3, 4)]
    table = picture(kind="table", box=top)
    assert captions(table, *left, text("Table 4: Sizes", bbox=right_under)) == [
        ("Table 4: Sizes", "geometry")
    ]
    between = text("正文一段。", bbox=BBox(x0=0.5, y0=0.305, x1=0.9, y1=0.309))
    assert captions(table, *left, between, text("Table 4: Sizes", bbox=right_under)) == [
        ("", "none")
    ]


def test_a_table_that_was_taken_for_a_picture_keeps_its_caption():
    box, under = BBox(x0=0.5, y0=0.1, x1=0.7, y1=0.2), BBox(x0=0.4, y0=0.22, x1=0.9, y1=0.26)
    assert captions(picture(box=box), text("Table 3: Confusion", bbox=under)) == [
        ("Table 3: Confusion", "geometry")
    ]
    logo = BBox(x0=0.5, y0=0.17, x1=0.55, y1=0.2)
    assert captions(picture(box=logo), text("Table 3: Confusion", bbox=under)) == [("", "none")]


def test_a_figure_of_drawing_and_text_takes_the_one_caption_that_no_picture_has():
    drawing = picture(box=BBox(x0=0.5, y0=0.2, x1=0.9, y1=0.3))
    pieces = [
        text(f"Question {n}?", bbox=BBox(x0=0.5, y0=0.3 + n / 50, x1=0.8, y1=0.31 + n / 50))
        for n in range(6)
    ]
    caption = text("Figure 1: Questions", bbox=BBox(x0=0.5, y0=0.5, x1=0.9, y1=0.55))
    assert captions(drawing, *pieces, caption) == [("Figure 1: Questions", "context")]
    place = BBox(x0=0.5, y0=0.46, x1=0.9, y1=0.48)
    heading = text("2 Method", bbox=place).model_copy(update={"kind": "title"})
    assert captions(drawing, *pieces, heading, caption) == [("", "none")]


def test_many_tables_are_looked_at_page_by_page(monkeypatch):
    read = []
    monkeypatch.setattr("tuwen.ingestion.caption_places.is_caption", read.append)
    for page in (None, 1):
        read.clear()
        blocks = [
            block
            for n in range(60)
            for block in (picture(kind="table", page=page and n), text(f"段落{n}", page=page and n))
        ]
        captions(*blocks)
        assert len(read) < 10 * len(blocks)


def at(words, x0, y0, x1, y1):
    return text(words).model_copy(update={"page": 1, "bbox": BBox(x0=x0, y0=y0, x1=x1, y1=y1)})


def test_captions_beside_pictures_go_to_the_ones_at_their_height():
    left = [picture(box=BBox(x0=0.1, y0=y, x1=0.45, y1=y + 0.15)) for y in (0.2, 0.4, 0.6)]
    names = ["Figure 3. Larch", "图4 云杉", "Fig. 5 Yew"]
    tops = (0.21, 0.39, 0.63)
    right = [at(name, 0.6, y, 0.9, y + 0.02) for name, y in zip(names, tops, strict=True)]
    assert [c for c, _ in captions(*left, *right)] == names
    mixed = captions(left[2], *right, left[0], left[1])
    assert [c for c, _ in mixed] == [names[2], names[0], names[1]]


def test_a_caption_in_a_column_of_text_beside_a_picture_is_not_its_own():
    words = "The foresters count the rings of each felled stem. " * 8
    column = at(words, 0.55, 0.25, 0.9, 0.4)
    beside = at("Figure 8 Rings", 0.55, 0.45, 0.9, 0.47)
    own = picture(box=BBox(x0=0.1, y0=0.2, x1=0.45, y1=0.5))
    assert captions(own, text("A paragraph of the left column."), column, beside) == [("", "none")]
