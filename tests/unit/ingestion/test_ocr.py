"""Recognised lines in reading order; scans and pictures read where the extra is installed."""

import io
import random

import pypdfium2 as pdfium
import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.unit.ingestion.builders import built_of, parsed_of, png
from tests.unit.ingestion.test_pdf import LINES, pdf
from tuwen.core.document import BBox
from tuwen.core.errors import DamagedFileError, UnsupportedFileError
from tuwen.core.options import IngestOptions
from tuwen.core.settings import IngestSettings
from tuwen.ingestion.parse import parse_input
from tuwen.ingestion.parsers import ocr, slide_pictures
from tuwen.ingestion.parsers.ocr import installed, read_pages
from tuwen.ingestion.parsers.ocr_lines import Line, compact, paragraphs
from tuwen.ingestion.parsers.ocr_turn import turned
from tuwen.ingestion.sniff import find_inputs, skip_report

needs_ocr = pytest.mark.skipif(not installed(), reason="rapidocr is not installed (extra ocr)")
no_ocr = pytest.mark.skipif(installed(), reason="rapidocr is installed")


def line(text, x0, y0, x1, height=0.02):
    return Line(text, BBox(x0=x0, y0=y0, x1=x1, y1=y0 + height))


def test_two_columns_are_read_one_after_the_other_under_their_heading():
    left = [line(f"left {n}", 0.1, 0.2 + 0.03 * n, 0.45) for n in range(6)]
    right = [line(f"right {n}", 0.55, 0.2 + 0.03 * n, 0.9) for n in range(6)]
    lines = [line("Pump manual", 0.2, 0.08, 0.8, 0.04), *left, *right]
    random.Random(3).shuffle(lines)
    found = list(paragraphs(lines))
    assert (found[0].text, found[0].heading) == ("Pump manual", True)
    words = " ".join(p.text for p in found[1:])
    assert words == " ".join([*(f"left {n}" for n in range(6)), *(f"right {n}" for n in range(6))])


def test_a_short_line_ends_its_paragraph_and_chinese_joins_without_blanks():
    lines = [
        line("水泵应在停机后", 0.1, 0.1, 0.9),
        line("更换密封。", 0.1, 0.125, 0.4),
        line("轴承每天检查。", 0.1, 0.15, 0.9),
    ]
    assert [p.text for p in paragraphs(lines)] == ["水泵应在停机后更换密封。", "轴承每天检查。"]


def test_a_speck_far_lower_than_the_line_beside_it_is_read_too():
    lines = [line(f"line {n}", 0.1, 0.1 + 0.02 * n, 0.9, height=0.05) for n in range(6)]
    specks = [line("speck", 0.91, 0.1, 0.92, height=0.0005)]
    words = " ".join(p.text for p in paragraphs([*lines, *specks]))
    assert sorted(words.split()) == sorted(" ".join(x.text for x in (*lines, *specks)).split())


def test_cells_of_one_row_are_read_from_left_to_right():
    rows = [
        line(f"r{r}c{c}", 0.1 + 0.3 * c, 0.1 + 0.1 * r, 0.2 + 0.3 * c)
        for r in (0, 1)
        for c in (0, 1)
    ]
    assert [p.text for p in paragraphs(rows[::-1])] == ["r0c0", "r0c1", "r1c0", "r1c1"]


def test_a_page_without_lines_gives_nothing():
    assert list(paragraphs([])) == []


def scan(path, words):
    """A page of text lines as a picture."""
    source = pdf(path.with_suffix(".tmp"), [words])
    document = pdfium.PdfDocument(source)
    picture = document[0].render(scale=2).to_pil()
    document.close()
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer


@needs_ocr
def test_a_scanned_page_among_good_ones_is_read_in_its_place(tmp_path):
    words = ["The seal is changed every six months.", "The bearing is checked every day."]
    picture = scan(tmp_path / "scan", words)
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    for number in (1, 2, 3):
        if number == 2:
            canvas.drawImage(ImageReader(picture), 0, 0, *A4)
        else:
            canvas.drawString(72, 700, f"{LINES} {number}.")
        canvas.showPage()
    canvas.save()
    built = built_of(path)
    assert built.record.state == "ready"
    texts = [(c.page_start, c.text) for c in built.edition.chunks if c.chunk_type == "section_text"]
    assert [page for page, _ in texts] == sorted(page for page, _ in texts)
    read = next(text for page, text in texts if page == 2)
    assert "six months" in read
    assert any("OCR" in warning for warning in built.warnings)


@needs_ocr
def test_a_named_picture_is_read_and_shown(tmp_path):
    path = tmp_path / "nameplate.png"
    path.write_bytes(scan(tmp_path / "x", ["Rated head 42 metres"]).getvalue())
    built = built_of(path)
    assert any("42" in c.text for c in built.edition.chunks)
    assert len(built.edition.assets) == 1


@needs_ocr
def test_a_named_picture_that_is_broken_is_damaged(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(png()[:40])
    with pytest.raises(DamagedFileError, match="damaged"):
        parsed_of(path)


@no_ocr
def test_a_named_picture_without_ocr_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(png())
    with pytest.raises(UnsupportedFileError, match=r"tuwen\[ocr\]"):
        parse_input(find_inputs([path])[0], IngestOptions(), IngestSettings())


def test_a_picture_in_a_folder_is_skipped_with_a_reason_and_not_failed(tmp_path):
    (tmp_path / "notes.md").write_text("# 笔记\n\n见图。", encoding="utf-8")
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_bytes(png())
    reports = {item.name: skip_report(item) for item in find_inputs([tmp_path])}
    assert reports["notes.md"] is None
    assert reports["a.png"].state == "skipped"
    assert "picture" in reports["a.png"].reason


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("额定转速 2 9 5 0 r / mi n", "额定转速 2950 r/min"),
        ("压力为 0 . 3 5 M Pa", "压力为 0.35 MPa"),
        ("k W", "kW"),
        ("1 2 3 4", "1 2 3 4"),
        ("Figure 2 is a b c", "Figure 2 is a b c"),
        ("流量 25 m³/h", "流量 25 m³/h"),
    ],
)
def test_blanks_inside_numbers_and_units_of_chinese_lines_go(read, meant):
    assert compact(read) == meant


def test_boxes_turn_with_the_page_and_back():
    box = BBox(x0=0.1, y0=0.2, x1=0.3, y1=0.6)
    assert turned(box, 1) == BBox(x0=0.2, y0=0.7, x1=0.6, y1=0.9)
    for turns in range(4):
        back = turned(turned(box, turns), 4 - turns)
        assert (back.x0, back.y1) == (pytest.approx(box.x0), pytest.approx(box.y1))


@needs_ocr
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_page_is_read_from_its_first_line(tmp_path, turns):
    words = ["The pump is stopped before work.", "Oil is checked on every day.", "Keep a record."]
    with Image.open(scan(tmp_path / "a", words)) as page:
        page.rotate(90 * turns, expand=True).save(tmp_path / "turned.png")
    parsed = parsed_of(tmp_path / "turned.png")
    text = " ".join(block.text for block in parsed.blocks if block.text)
    places = [text.index(word) for word in ("pump", "checked", "record")]
    assert places == sorted(places)
    first = next(block for block in parsed.blocks if "pump" in block.text)
    wide = first.bbox.x1 - first.bbox.x0 > first.bbox.y1 - first.bbox.y0
    assert wide == (turns == 2)


@needs_ocr
def test_pages_are_told_as_they_are_read(tmp_path):
    told = []
    path = pdf(tmp_path / "scan.pdf", [None, None])
    list(read_pages(path, [1, 2], lambda done, total: told.append((done, total))))
    assert told == [(0, 2), (1, 2)]


class Page:
    """A page of a PDF that is whole or damaged."""

    def __init__(self, size=(100.0, 100.0)):
        self.size = size

    def get_size(self):
        return self.size

    def get_width(self):
        return self.size[0]

    def render(self, **how):
        raise pdfium.PdfiumError("Failed to render page.")


class Document(list):
    def __getitem__(self, index):
        page = super().__getitem__(index)
        if page is None:
            raise pdfium.PdfiumError("Failed to load page.")
        return page


@pytest.mark.parametrize("page", [None, Page(), Page((0.0, 0.0))])
def test_a_page_that_cannot_be_drawn_has_no_pixels(page):
    assert ocr.drawn(Document([page]), 0) is None
    assert slide_pictures.grey(Document([page]), 0, 64) is None
