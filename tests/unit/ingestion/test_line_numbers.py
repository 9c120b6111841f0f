from tests.unit.ingestion.builders import text
from tuwen.core.document import BBox
from tuwen.ingestion.parsers.line_numbers import without_line_numbers

LEFT = BBox(x0=0.02, y0=0.1, x1=0.04, y1=0.12)
BODY = BBox(x0=0.12, y0=0.1, x1=0.49, y1=0.5)
BOTH = BBox(x0=0.02, y0=0.5, x1=0.97, y1=0.9)
COUNT = [text(str(n), bbox=LEFT) for n in range(100, 112)]


def read(*blocks):
    return [(b.kind, b.text) for b in without_line_numbers([*COUNT, *blocks])[len(COUNT) :]]


def test_a_count_of_lines_in_the_margin_is_furniture():
    found = without_line_numbers([*COUNT, text("112 113", bbox=LEFT)])
    assert {b.kind for b in found} == {"page_number"}


def test_line_numbers_between_words_are_taken_out_and_cut_words_joined():
    body = "112 we see up to 90 point drops. The pa-113 rameter is 150 kW, 114 on average"
    assert read(text(body, bbox=BOTH)) == [
        ("text", "we see up to 90 point drops. The parameter is 150 kW, on average")
    ]


def test_text_inside_the_page_keeps_its_numbers():
    body = text("Between 112 and 113 items in 2021.", bbox=BODY)
    assert read(body) == [("text", body.text)]


def test_a_few_numbers_at_the_edge_are_no_count():
    few = [text(str(n), bbox=LEFT) for n in (3, 9, 27)]
    body = text("3 pumps and 9 valves", bbox=BOTH)
    assert without_line_numbers([*few, body]) == [*few, body]
