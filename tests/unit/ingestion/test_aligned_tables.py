"""Statements of figures without rules are read as tables from where their words stand."""

import pytest

from tuwen.core.document import BBox, Block
from tuwen.ingestion.parsers.aligned_tables import aligned_tables, with_aligned_tables
from tuwen.ingestion.parsers.pdf import Word

HEIGHT, CHAR, LINE = 10.0, 5.0, 14.0
SIZE = (600.0, 800.0)


def line(number, *pieces):
    """Words of a line; a piece is (left edge, text), or (text, right edge) for figures."""
    words = []
    for piece in pieces:
        if isinstance(piece[0], str):
            text, right = piece
            x = right - CHAR * len(text)
        else:
            x, text = piece
        for word in text.split():
            wide = CHAR * len(word)
            top = 100 + LINE * number
            words.append(Word(word, x, top, x + wide, top + HEIGHT))
            x += wide + 0.3 * HEIGHT
    return words


def page(*lines):
    return [word for number, pieces in enumerate(lines) for word in line(number, *pieces)]


STATEMENT = page(
    [(50, "Harbour fees of the year")],
    [(300, "Year Ended June 30,")],
    [(50, "(In thousands)"), ("2031", 340), ("2030", 440)],
    [(50, "Fees:")],
    [(50, "Berths"), (300, "$"), ("64,773", 340), (400, "$"), ("64,699", 440)],
    [(50, "Cranes and other"), ("(1,646)", 343), ("788", 440)],
    [(50, "Weighted average number of ships used in")],
    [(50, "computing fees"), ("11.86", 340), ("—", 440)],
    [(50, "Share of berths"), ("12.5", 340), (342, "%"), ("9", 440), (442, "%")],
)


def test_a_statement_is_a_grid_with_its_heads():
    (table,) = aligned_tables(STATEMENT)
    assert table.grid[0][1:] == ("Year Ended June 30, 2031", "2030")
    assert table.grid[1:] == (
        ("Fees:", "", ""),
        ("Berths", "$64,773", "$64,699"),
        ("Cranes and other", "(1,646)", "788"),
        ("Weighted average number of ships used in computing fees", "11.86", "—"),
        ("Share of berths", "12.5%", "9%"),
    )


@pytest.mark.parametrize(
    "lines",
    [
        # Prose with figures.
        [
            [(50, "In 2031 the harbour had 412 ships, of which 38 were cranes and 12 barges,")],
            [(50, "while in 2030 there were 377 ships and 31 cranes, which is 12 % less than")],
            [(50, "the plan of 400 ships and 40 cranes for 2031 and 2032 in all berths 1 to 9")],
        ],
        # A table of contents: one column of figures.
        [
            [(50, "Berths"), ("4", 440)],
            [(50, "Cranes"), ("12", 440)],
            [(50, "Ships"), ("31", 440)],
            [(50, "Fees"), ("45", 440)],
        ],
        # Figures that stand anywhere.
        [
            [(50, "Berths"), ("4,100", 240), ("12", 330)],
            [(50, "Cranes"), ("12", 300), ("7,000", 420)],
            [(50, "Ships"), ("31", 260), ("9", 390)],
        ],
    ],
)
def test_other_text_with_figures_is_no_table(lines):
    assert aligned_tables(page(*lines)) == []


def test_two_statements_below_each_other_stay_two():
    lines = [
        [(50, "Berths"), ("4,100", 340), ("3,900", 440)],
        [(50, "Cranes"), ("1,200", 340), ("1,100", 440)],
        [(50, "Ships"), ("310", 340), ("305", 440)],
        [(50, "The fees of the berths are told apart below, by what was paid for in each year.")],
        [(50, "Tugs"), ("51", 340), ("50", 440)],
        [(50, "Pilots"), ("22", 340), ("21", 440)],
        [(50, "Guards"), ("13", 340), ("12", 440)],
    ]
    assert [len(t.grid) for t in aligned_tables(page(*lines))] == [4, 4]


def block(index, kind, text, box, **values):
    x0, y0, x1, y1 = box
    bbox = BBox(x0=x0 / SIZE[0], y0=y0 / SIZE[1], x1=x1 / SIZE[0], y1=y1 / SIZE[1])
    return Block(index=index, kind=kind, text=text, page=3, bbox=bbox, **values)


def torn():
    """What layout analysis makes of it: headings, paragraphs, and the text before and after."""
    parts = [block(0, "title", "Harbour fees of the year", (50, 100, 260, 110), level=2)]
    parts.append(block(1, "title", "64,773", (310, 156, 340, 166), level=3))
    parts.append(block(2, "text", "Fees: Berths Cranes and other", (50, 142, 140, 180)))
    parts.append(block(3, "text", "The fees are paid yearly.", (50, 300, 300, 310)))
    return parts


def test_a_torn_table_is_put_together_and_the_rest_stays():
    blocks = with_aligned_tables(torn(), STATEMENT, SIZE)
    assert [(b.kind, b.text) for b in blocks] == [
        ("title", "Harbour fees of the year"),
        ("table", ""),
        ("text", "The fees are paid yearly."),
    ]
    assert "<td>Cranes and other</td><td>(1,646)</td><td>788</td>" in blocks[1].html
    assert blocks[1].page == 3
    assert [b.index for b in blocks] == [0, 1, 2]


def test_the_blocks_of_a_later_page_go_on_from_their_first_number():
    later = [b.model_copy(update={"index": b.index + 40}) for b in torn()]
    assert [b.index for b in with_aligned_tables(later, STATEMENT, SIZE)] == [40, 41, 42]


def test_a_table_that_was_read_whole_is_left_alone():
    (table,) = aligned_tables(STATEMENT)
    whole = [block(0, "table", "", (50, 114, 445, 222), html=table.html)]
    assert with_aligned_tables(whole, STATEMENT, SIZE) == whole


def test_text_that_the_table_does_not_have_keeps_its_blocks():
    note = "A note on berths that stands among the rows and in no row of the table at all"
    blocks = [*torn()[:3], block(4, "text", note, (50, 184, 340, 194))]
    assert with_aligned_tables(blocks, STATEMENT, SIZE) == blocks
