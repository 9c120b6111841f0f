"""Pictures of figures that a PDF draws with lines and areas."""

import io

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from tuwen.core.document import BBox, Block, ParsedDocument
from tuwen.ingestion.parsers.drawn_figures import with_drawings
from tuwen.ingestion.parsers.page_drawings import drawn_on, shown

WIDTH, HEIGHT = A4
PARAGRAPH = "The warden counts the herons of the reed bed each week and keeps the sums in a ledger."


def block(text, x, y, width=300, high=12, kind="text"):
    """A text whose baseline is at (x, y) in points from the lower left."""
    box = BBox(
        x0=x / WIDTH, x1=(x + width) / WIDTH, y0=1 - (y + high) / HEIGHT, y1=1 - (y - 3) / HEIGHT
    )
    return Block(index=0, kind=kind, text=text, page=1, bbox=box)


def parsed(path, draw, *blocks):
    """The document of one page with those texts and what `draw` draws on its canvas."""
    canvas = Canvas(str(path), pagesize=A4)
    draw(canvas)
    canvas.save()
    numbered = tuple(b.model_copy(update={"index": n}) for n, b in enumerate(blocks))
    document = ParsedDocument(title="t", blocks=numbered, parser="p", pages=1)
    return with_drawings(document, path)


def pie(canvas):
    canvas.setFillColorRGB(0.8, 0.2, 0.1)
    canvas.wedge(200, 400, 400, 600, 0, 110, fill=1)
    canvas.setFillColorRGB(0.1, 0.5, 0.2)
    canvas.wedge(200, 400, 400, 600, 110, 250, fill=1)


def nodes(canvas):
    for place in range(3):
        canvas.rect(110 + 120 * place, 450, 80, 50)
        if place:
            canvas.line(70 + 120 * place, 475, 110 + 120 * place, 475)


def drawings(document):
    return [b for b in document.blocks if b.raw_type == "drawing"]


@pytest.mark.parametrize(
    ("draw", "frame"), [(pie, (200, 400, 400, 600)), (nodes, (110, 450, 430, 500))]
)
@pytest.mark.parametrize("caption", ["Figure 4: Herons by month", "图2-1 苍鹭的分布"])
@pytest.mark.parametrize("at", ["over", "under"])
def test_a_caption_without_a_picture_gets_the_drawing_at_it(tmp_path, draw, frame, caption, at):
    y = frame[1] - 30 if at == "under" else frame[3] + 20
    texts = [block(PARAGRAPH, 100, 700), block(caption, 150, y), block(PARAGRAPH, 100, 200)]
    made = parsed(tmp_path / "a.pdf", draw, *texts)
    (figure,) = drawings(made)
    left, low, right, high = frame
    expected = (left / WIDTH, 1 - high / HEIGHT, right / WIDTH, 1 - low / HEIGHT)
    found = (figure.bbox.x0, figure.bbox.y0, figure.bbox.x1, figure.bbox.y1)
    assert found == pytest.approx(expected, abs=0.025)
    assert made.blocks[figure.index + 1].text == caption
    assert [b.index for b in made.blocks] == list(range(4))
    picture = Image.open(io.BytesIO(made.images[figure.image]))
    wanted = (right - left) / (high - low)
    assert picture.width / picture.height == pytest.approx(wanted, rel=0.25)


def test_short_texts_in_the_drawing_are_the_pictures_and_no_paragraphs(tmp_path):
    texts = [
        block(PARAGRAPH, 100, 700),
        block("reeds", 220, 520, 30),
        block("open water", 340, 470, 50),
        block("Figure 1. Where they stand", 200, 370),
    ]
    made = parsed(tmp_path / "a.pdf", pie, *texts)
    assert [b.meta["text_in_picture"] for b in drawings(made)] == ["reeds open water"]
    assert [b.text for b in made.blocks if b.text] == [PARAGRAPH, "Figure 1. Where they stand"]


def boxed_note(canvas):
    canvas.roundRect(90, 420, 420, 60, 8)


def ruled_table(canvas):
    for row in range(4):
        canvas.line(100, 420 + 20 * row, 480, 420 + 20 * row)
    for column in range(3):
        canvas.line(100 + 190 * column, 420, 100 + 190 * column, 480)


def cells(canvas):
    for row in range(3):
        for column in range(4):
            canvas.rect(100 + 90 * column, 420 + 20 * row, 90, 20, fill=0)


def underline(canvas):
    canvas.line(100, 430, 420, 430)


def background(canvas):
    canvas.setFillColorRGB(0.9, 0.95, 1)
    canvas.rect(0, 0, WIDTH, HEIGHT, fill=1, stroke=0)


def outlined_letters(canvas):
    """Letters of a formula as areas, scattered over the lines of a paragraph."""
    for place in range(12):
        canvas.circle(115 + 25 * place, 428 + 8 * (place % 3), 2.5, fill=1)


@pytest.mark.parametrize(
    "draw", [boxed_note, ruled_table, cells, underline, background, outlined_letters]
)
def test_frames_around_text_rules_and_backgrounds_are_no_drawing(tmp_path, draw):
    texts = [
        block(
            "Nets are dried before they are stored, and the floats with them, each May.",
            110,
            425,
            320,
            30,
        ),
        block("Figure 3: Storing the nets", 150, 390),
    ]
    assert drawings(parsed(tmp_path / "a.pdf", draw, *texts)) == []


def test_a_drawing_behind_a_paragraph_is_not_the_captions(tmp_path):
    texts = [block(PARAGRAPH, 100, 360, 400), block("Figure 2: The boathouse", 150, 335)]
    assert drawings(parsed(tmp_path / "a.pdf", pie, *texts)) == []


def test_a_drawing_without_a_caption_and_a_sentence_about_a_figure_make_no_picture(tmp_path):
    texts = [block("Figure 2 shows the boathouse and the pier.", 150, 380)]
    assert drawings(parsed(tmp_path / "a.pdf", pie, *texts)) == []


def test_each_of_two_captions_side_by_side_gets_its_own_drawing(tmp_path):
    def draw(canvas):
        for x in (80, 340):
            canvas.setFillColorRGB(0.1, 0.3, 0.6)
            canvas.wedge(x, 450, x + 150, 600, 0, 200, fill=1)
            canvas.circle(x + 75, 525, 20)

    texts = [block("Fig. 5 Spring", 90, 425, 120), block("Fig. 6 Autumn", 350, 425, 120)]
    made = parsed(tmp_path / "a.pdf", draw, *texts)
    assert [made.blocks[b.index + 1].text for b in drawings(made)] == [
        "Fig. 5 Spring",
        "Fig. 6 Autumn",
    ]
    assert [b.bbox.x0 * WIDTH for b in drawings(made)] == pytest.approx([80, 340], abs=15)


def test_a_caption_that_has_its_picture_gets_no_other(tmp_path):
    picture = Block(
        index=0,
        kind="image",
        image="a.png",
        page=1,
        captions=("Figure 7: A boat",),
        bbox=BBox(x0=0.3, y0=0.2, x1=0.7, y1=0.5),
    )
    made = parsed(tmp_path / "a.pdf", pie, picture, block("Figure 7: A boat", 150, 380))
    assert drawings(made) == []


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_are_those_of_the_page_as_it_is_shown(tmp_path, turn):
    canvas = Canvas(str(tmp_path / "a.pdf"), pagesize=(400, 800))
    canvas.setFillColorRGB(1, 0, 0)
    canvas.rect(40, 240, 80, 120, fill=1, stroke=0)
    canvas.setPageRotation(turn)
    canvas.save()
    page = pypdfium2.PdfDocument(tmp_path / "a.pdf")[0]
    (drawn,) = drawn_on(page)
    picture = page.render(scale=1).to_pil().convert("RGB")
    red = [
        (x, y)
        for x in range(0, picture.width, 4)
        for y in range(0, picture.height, 4)
        if picture.getpixel((x, y)) == (255, 0, 0)
    ]
    assert drawn.x0 * picture.width == pytest.approx(min(x for x, _ in red), abs=6)
    assert drawn.y1 * picture.height == pytest.approx(max(y for _, y in red), abs=6)


def test_a_frame_keeps_its_place_on_a_page_that_begins_elsewhere():
    assert shown((110, 220, 160, 320), (10, 20, 210, 420), 0) == (0.5, 0.25, 0.75, 0.5)


def test_a_page_that_cannot_be_drawn_leaves_the_document_as_it_was(tmp_path, monkeypatch):
    def broken(_):
        raise pypdfium2.PdfiumError("no page")

    monkeypatch.setattr("tuwen.ingestion.parsers.drawn_figures.drawn_on", broken)
    made = parsed(tmp_path / "a.pdf", pie, block("Figure 4: Herons by month", 150, 370))
    assert [b.kind for b in made.blocks] == ["text"]


def test_an_entry_of_a_list_of_figures_does_not_take_the_captions_place(tmp_path):
    entry = block("Figure 4: Herons by month 17", 100, 750)
    made = parsed(tmp_path / "a.pdf", pie, entry, block("Figure 4: Herons by month", 150, 370))
    (figure,) = drawings(made)
    assert made.blocks[figure.index + 1].text == "Figure 4: Herons by month"
