"""Where quoted words stand: inside one box, near an estimated turn, over the end of a page."""

from tuwen.core.chunk import Chunk, PageBox
from tuwen.core.document import BBox
from tuwen.tools.quote_boxes import locate

LEFT = BBox(x0=0.1, y0=0.1, x1=0.45, y1=0.9)
RIGHT = BBox(x0=0.55, y0=0.1, x1=0.9, y1=0.9)
FIRST = "The pump runs at full load. " * 4
SECOND = "The valve stays open all day. " * 4


def chunk(*boxes: tuple[int, BBox, int], text: str = FIRST + SECOND) -> Chunk:
    return Chunk.model_validate(
        {
            "chunk_id": "c",
            "doc_id": "d",
            "edition": "e",
            "collection": "k",
            "doc_title": "t",
            "chunk_type": "section_text",
            "text": text,
            "embedding_text": text,
            "semantic_id": "s",
            "ordinal": 0,
            "boxes": [PageBox(page=page, bbox=box) for page, box, _ in boxes],
            "box_starts": [start for *_, start in boxes],
        }
    )


def test_words_far_from_the_turn_have_their_box() -> None:
    made = chunk((1, LEFT, 0), (1, RIGHT, len(FIRST)))
    assert locate(made, 0, 27).box == PageBox(page=1, bbox=LEFT)
    assert locate(made, len(FIRST) + 90, len(made.text)).box == PageBox(page=1, bbox=RIGHT)


def test_words_near_an_estimated_turn_have_the_frame_of_both_columns() -> None:
    made = chunk((1, LEFT, 0), (1, RIGHT, len(FIRST)))
    spot = locate(made, len(FIRST) + 2, len(FIRST) + 29)
    assert spot.box == PageBox(page=1, bbox=BBox(x0=0.1, y0=0.1, x1=0.9, y1=0.9))
    assert (spot.start, spot.end) == (len(FIRST) + 2, len(FIRST) + 29)


def test_a_turn_at_a_lines_end_is_sure() -> None:
    text = f"{FIRST.strip()}\n{SECOND}"
    made = chunk((1, LEFT, 0), (1, RIGHT, len(FIRST.strip()) + 1), text=text)
    start = len(FIRST.strip()) + 1
    assert locate(made, start, start + 29).box == PageBox(page=1, bbox=RIGHT)


def test_words_that_turn_the_page_are_cut_to_the_page_with_most_of_them() -> None:
    turn = len(FIRST) - 18  # inside a sentence: "at full load. " stands on the next page
    made = chunk((1, LEFT, 0), (2, RIGHT, turn))
    spot = locate(made, len(FIRST) - 28, len(FIRST) + 29)
    assert spot.box is not None
    assert spot.box.page == 2
    assert made.text[spot.start : spot.end].startswith("at full load.")


def test_without_boxes_there_is_no_place() -> None:
    assert locate(chunk(), 0, 5).box is None
