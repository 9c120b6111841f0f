"""Slides that draw something are pictures; text slides, covers and documents are not."""

import pytest
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from tests.unit.ingestion.builders import built_of

WIDE = landscape(A4)
BODY = "The pump house takes water from the northern intake and lifts it to the basin"


def chart(canvas, seed):
    for bar in range(5):
        canvas.rect(180 + 90 * bar, 60, 50, 60 + (bar * 37 + seed * 53) % 190, fill=1)


def network(canvas, seed):
    for node in range(4):
        canvas.circle(150 + 140 * node, 100 + (node * 61 + seed * 40) % 200, 40, fill=1)
    canvas.line(150, 100, 700, 300)


def deck(path, slides, size=WIDE):
    """Slides of a title, a sentence and what `slides` draws on each (None: nothing)."""
    canvas = Canvas(str(path), pagesize=size)
    for number, (title, draw) in enumerate(slides, 1):
        canvas.rect(0, size[1] - 20, size[0], 20, fill=1)  # on every slide
        canvas.setFontSize(28)
        canvas.drawString(60, size[1] - 70, title)
        canvas.setFontSize(14)
        canvas.drawString(60, size[1] - 120, f"{BODY}, {number}.")
        if draw is not None:
            draw(canvas, number)
        canvas.showPage()
    canvas.save()
    return path


SLIDES = [
    ("Northern water works", chart),  # the cover
    ("Who we are", None),
    ("Water lifted by month", chart),
    ("Staff and shifts", None),
    ("How the basins are joined", network),
    ("What we plan", None),
]


def pictures(path):
    figures = built_of(path).edition.figures
    return [(f.page, f.caption) for f in figures if not f.decoration]


def test_a_slide_that_draws_something_is_a_picture_named_by_its_title(tmp_path):
    assert pictures(deck(tmp_path / "works.pdf", SLIDES)) == [
        (3, "Water lifted by month"),
        (5, "How the basins are joined"),
    ]


def test_a_divider_that_comes_again_and_again_is_none(tmp_path):
    slides = []
    for part in range(4):
        slides += [
            (f"Part {part}", lambda canvas, _: network(canvas, 1)),
            ("Some words", None),
            ("More words", None),
        ]
    assert pictures(deck(tmp_path / "parts.pdf", [SLIDES[0], *slides])) == []


def test_upright_pages_are_no_slides(tmp_path):
    path = deck(tmp_path / "report.pdf", SLIDES, size=A4)
    assert not any(f.bbox and f.bbox.x1 - f.bbox.x0 > 0.99 for f in built_of(path).edition.figures)


def test_pieces_of_a_shown_slide_are_decoration(tmp_path):
    figures = built_of(deck(tmp_path / "works.pdf", SLIDES)).edition.figures
    whole = {f.page for f in figures if f.caption}
    pieces = [f for f in figures if f.page in whole and not f.caption and f.kind == "image"]
    assert all(f.decoration for f in pieces)


@pytest.mark.parametrize("place", [3, 5])
def test_every_block_is_accounted_for_and_the_picture_can_be_shown(tmp_path, place):
    built = built_of(deck(tmp_path / "works.pdf", SLIDES))
    assert built.record.blocks.balanced
    shown = next(f for f in built.edition.figures if f.page == place and f.caption)
    assert shown.available
    assert built.edition.assets[shown.asset_id].startswith(b"\xff\xd8\xff")
