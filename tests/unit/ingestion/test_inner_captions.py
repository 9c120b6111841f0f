from tests.unit.ingestion.builders import text
from tuwen.core.document import BBox, Block
from tuwen.ingestion.parsers.inner_captions import with_inner_captions

BOX = BBox(x0=0.1, y0=0.4, x1=0.9, y1=0.9)


def picture(*captions):
    return Block(index=0, kind="image", image="a.png", captions=captions, page=1, bbox=BOX)


def found(inside, *others):
    return with_inner_captions([picture(), *others], lambda _: inside)[0].captions


def test_the_caption_inside_a_full_page_picture_is_read_from_the_pages_text():
    inside = "0 10 20\nloss\nFigure 3: Loss over the train-\ning steps of all models.\nepoch"
    assert found(inside) == ("Figure 3: Loss over the training steps of all models.",)
    assert found("40 60\n图3.2 水位过程线\n") == ("图3.2 水位过程线",)


def test_a_label_without_words_and_a_label_of_another_block_are_no_caption():
    assert found("Table 3\n1 2 3") == ()
    assert found("Figure 3: Loss", text("Figure 3: Loss")) == ()
    assert found("see Figure 3: Loss") == ()


def test_the_box_is_looked_at_with_a_margin_and_only_where_a_caption_is_missing():
    asked = []
    with_inner_captions([picture(), picture("图1 甲")], lambda box: asked.append(box) or "")
    assert [[round(x, 2) for x in box] for box in asked] == [[0.1, 0.37, 0.9, 0.93]]
