"""Which box and page each part of a chunk's text stands in."""

import pytest

from tests.unit.ingestion.builders import built_blocks, built_of, content_list, png, text, title
from tuwen.core.document import BBox, Block
from tuwen.ingestion.chunkers.place import Place, located, places_of, with_rest
from tuwen.ingestion.parsers.pdf import unrotated
from tuwen.tools.citations import quote_for

TOP, MIDDLE, LOW = (BBox(x0=0.1, y0=y, x1=0.9, y1=y + 0.1) for y in (0.2, 0.4, 0.6))


def quoted(chunks, words):
    chunk = next(c for c in chunks if words in c.text)
    quote = quote_for(words, chunk)
    assert words in quote.text
    return quote.page, quote.bbox


@pytest.mark.parametrize("kind", ["document", "page", "exam", "slides", "notes"])
def test_each_block_of_a_chunk_keeps_its_box(kind):
    blocks = [
        text("1. 泵的扭矩为 85 牛米。", bbox=TOP),
        text("短句。", bbox=MIDDLE),
        text("2. 密封每六个月更换一次，由值班人员记录。", bbox=LOW),
        text("3. 轴承每天检查。", page=2, bbox=TOP),
    ]
    chunks = built_blocks(blocks, kind).edition.chunks
    assert all(len(c.box_starts) == len(c.boxes) for c in chunks)
    assert quoted(chunks, "扭矩为 85") == (1, TOP)
    assert quoted(chunks, "短句") == (1, MIDDLE)
    assert quoted(chunks, "每六个月更换") == (1, LOW)
    assert quoted(chunks, "轴承每天检查") == (2, TOP)


def test_a_piece_of_a_long_text_has_only_the_boxes_that_it_touches():
    sentences = "".join(f"第{n}号泵每天检查一次。" for n in range(60))
    blocks = [title("1 总则"), text(sentences, bbox=TOP), text("最后一句话在下面。", bbox=LOW)]
    first, *_, last = built_blocks(blocks, chunk_chars=200, overlap_chars=0).edition.chunks
    assert [box.bbox for box in first.boxes] == [TOP]
    assert [box.bbox for box in last.boxes][-1] == LOW
    assert last.text[last.box_starts[-1] :] == "最后一句话在下面。"


def test_a_paragraph_whose_second_half_is_an_empty_block_stands_in_both_boxes(tmp_path):
    words = "甲" * 100 + "。" + "乙" * 100 + "。"
    entries = [
        {
            "type": "text",
            "text": "1 总则",
            "text_level": 1,
            "page_idx": 0,
            "bbox": [100, 100, 400, 120],
        },
        {"type": "text", "text": words, "page_idx": 0, "bbox": [100, 800, 500, 900]},
        {"type": "text", "text": "", "page_idx": 1, "bbox": [100, 80, 500, 180]},
        {"type": "text", "text": "下一段。", "page_idx": 1, "bbox": [100, 200, 500, 230]},
    ]
    built = built_of(content_list(tmp_path / "out", entries))
    chunks = built.edition.chunks
    assert quoted(chunks, "甲" * 100)[0] == 1
    assert quoted(chunks, "乙" * 100) == (2, BBox(x0=0.1, y0=0.08, x1=0.5, y1=0.18))
    assert (chunks[0].page_start, chunks[0].page_end) == (1, 2)
    assert built.account.dropped == {}
    assert built.account.merged == 2


def test_a_list_that_is_too_long_for_its_box_goes_on_in_the_free_column(tmp_path):
    def entry(body, bbox, **more):
        return {"type": "text", "text": body, "page_idx": 0, "bbox": bbox, **more}

    lines = [
        f"[{n}] Author {n}. A study of pumps and of valves. Journal of Pumps." for n in range(40)
    ]
    entries = [
        entry("A paragraph of text that is long enough to measure. " * 5, [100, 100, 480, 200]),
        {"type": "list", "list_items": lines, "page_idx": 0, "bbox": [100, 700, 480, 740]},
    ]
    chunks = built_of(content_list(tmp_path / "out", entries)).edition.chunks
    page, box = quoted(chunks, "[39] Author 39")
    assert page == 1
    assert box.x0 >= 0.48


def test_a_caption_stands_outside_its_picture(tmp_path):
    entries = [
        {
            "type": "text",
            "text": "水位每天记录，" * 20,
            "page_idx": 0,
            "bbox": [100, 100, 900, 200],
        },
        {
            "type": "image",
            "img_path": "images/a.png",
            "image_caption": ["图1 水位过程线"],
            "page_idx": 0,
            "bbox": [100, 210, 900, 500],
        },
        {"type": "text", "text": "下一段说明。", "page_idx": 0, "bbox": [100, 560, 900, 600]},
    ]
    chunks = built_of(content_list(tmp_path / "out", entries, ("a.png",))).edition.chunks
    page, box = quoted(chunks, "图1 水位过程线")
    assert page == 1
    assert box.y0 == pytest.approx(0.5)
    assert box.y1 <= 0.56


def test_a_caption_that_is_a_block_of_its_own_keeps_its_box():
    picture = Block(index=0, kind="image", page=1, bbox=MIDDLE, image="a.png")
    blocks = [text("正文说明水位。", bbox=TOP), picture, text("图1 水位过程线", bbox=LOW)]
    chunks = built_blocks(blocks).edition.chunks
    assert quoted(chunks, "图1 水位过程线") == (1, LOW)


def test_the_words_around_a_bare_picture_are_cited_where_they_stand(tmp_path):
    picture = {"type": "image", "img_path": "images/a.png", "bbox": [100, 400, 900, 600]}
    entries = [
        {"type": "text", "text": "水位每天记录一次。", "page_idx": 0, "bbox": [100, 200, 900, 300]},
        {**picture, "page_idx": 0},
        {"type": "text", "text": "雨量另行记录。", "page_idx": 0, "bbox": [100, 650, 900, 700]},
    ]
    folder = content_list(tmp_path / "out", entries)
    (folder / "images" / "a.png").write_bytes(png(400, 300))
    chunks = built_of(folder).edition.chunks
    shown = next(c for c in chunks if c.chunk_type == "image")
    assert quoted([shown], "水位每天记录一次") == (1, BBox(x0=0.1, y0=0.2, x1=0.9, y1=0.3))
    assert quoted([shown], "雨量另行记录") == (1, BBox(x0=0.1, y0=0.65, x1=0.9, y1=0.7))
    assert shown.page_start == shown.page_end == 1


def test_a_text_in_two_boxes_is_shared_out_by_their_areas():
    block = with_rest(text("x" * 90, bbox=TOP), [(2, BBox(x0=0.1, y0=0.1, x1=0.5, y1=0.2))])
    assert [(p.start, p.page) for p in places_of(block, 10, 90)] == [(10, 1), (70, 2)]


def test_known_words_split_a_text_and_a_shortened_caption_ends_where_it_was_cut():
    own, above = Place(0, 1, MIDDLE), Place(0, 1, TOP)
    caption = "表1 各泵站的运行参数与检修周期以及责任人员一览（2023年度，含备用机组）"
    found = located(f"{caption[:32]}…\n| 泵 |", own, [(caption, above)])
    assert [(p.start, p.bbox) for p in found] == [(0, TOP), (32, MIDDLE)]


def test_text_without_a_box_among_others_may_stand_anywhere_on_its_page():
    blocks = [text("泵的扭矩为 85 牛米。", bbox=TOP), text("这一段没有方框。")]
    chunks = built_blocks(blocks).edition.chunks
    assert quoted(chunks, "没有方框") == (1, BBox(x0=0, y0=0, x1=1, y1=1))
    assert built_blocks(blocks[1:]).edition.chunks[0].boxes == ()


def test_the_rows_of_a_tables_second_half_stand_on_its_page(tmp_path):
    rows = "".join(f"<tr><td>部件{n}</td><td>每{n}个月检查一次</td></tr>" for n in range(40))
    entries = [
        {
            "type": "table",
            "table_body": f"<table>{rows}</table>",
            "table_caption": ["表1 周期"],
            "page_idx": 0,
            "bbox": [100, 500, 900, 900],
        },
        {
            "type": "table",
            "table_body": "",
            "img_path": "",
            "page_idx": 1,
            "bbox": [100, 80, 900, 480],
        },
    ]
    chunks = built_of(content_list(tmp_path / "out", entries)).edition.chunks
    assert quoted(chunks, "部件2 |")[0] == 1
    assert quoted(chunks, "部件38")[0] == 2


def test_a_table_that_is_only_a_picture_stands_where_its_first_half_does(tmp_path):
    table = {"type": "table", "table_body": ""}
    entries = [
        {
            **table,
            "img_path": "images/a.png",
            "table_caption": ["表1 周期"],
            "page_idx": 0,
            "bbox": [100, 500, 900, 900],
        },
        {**table, "img_path": "", "page_idx": 1, "bbox": [100, 80, 900, 480]},
    ]
    chunks = built_of(content_list(tmp_path / "out", entries, ("a.png",))).edition.chunks
    assert quoted(chunks, "表1 周期")[0] == 1


@pytest.mark.parametrize(
    ("rotation", "found"),
    [
        (0, (10, 180, 60, 200)),
        (90, (0, 20, 10, 120)),
        (180, (40, 0, 90, 20)),
        (270, (90, 80, 100, 180)),
    ],
)
def test_a_box_as_shown_is_found_on_a_turned_page(rotation, found):
    box = (0.1, 0.0, 0.6, 0.1)
    assert unrotated(box, (0, 0, 100, 200), rotation) == pytest.approx(found)
