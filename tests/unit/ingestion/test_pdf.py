import io

import pypdf
import pytest
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.unit.ingestion.builders import built_of, parsed_of, png
from tuwen.core.errors import DamagedFileError, LockedFileError, NoTextError, SettingsError
from tuwen.core.options import IngestOptions
from tuwen.core.settings import IngestSettings
from tuwen.ingestion.parse import parser_for
from tuwen.ingestion.parsers.respace import respaced
from tuwen.ingestion.sniff import find_inputs

BODIES = [
    "The pump must be stopped before the seal is changed.",
    "Oil is checked once a day by the operator on duty.",
    "Spare parts are kept in the store behind the boiler house.",
]
LINES = "The pump must be stopped before the seal is changed on page"


def pdf(path, pages, size=A4):
    """Pages of text lines; None is a page that is only a picture."""
    canvas = Canvas(str(path), pagesize=size)
    for number, body in enumerate(pages, 1):
        if body is None:
            canvas.drawImage(ImageReader(io.BytesIO(png(400, 300, number))), 50, 200, 400, 300)
        for line, words in enumerate(body or ()):
            canvas.drawString(72, size[1] - 100 - 20 * line, words)
        canvas.showPage()
    canvas.save()
    return path


def protected(path, source, **passwords):
    writer = pypdf.PdfWriter(clone_from=str(source))
    writer.encrypt(**passwords, algorithm="RC4-128")
    with path.open("wb") as file:
        writer.write(file)
    return path


def test_text_comes_with_its_physical_page_and_boxes_as_fractions(tmp_path):
    built = built_of(pdf(tmp_path / "a.pdf", [[body] for body in BODIES]))
    assert [(c.page_start, c.page_end) for c in built.edition.chunks] == [(1, 1), (2, 2), (3, 3)]
    box = built.edition.chunks[1].boxes[0].bbox
    assert 0 <= box.x0 < box.x1 <= 1
    assert 0 <= box.y0 < box.y1 < 0.3


def test_pages_keep_their_numbers_over_windows(tmp_path):
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} number {n}."] for n in range(1, 8)])
    parsed = parsed_of(path, page_window=2)
    assert [(b.page, f"number {b.page}." in b.text) for b in parsed.blocks] == [
        (n, True) for n in range(1, 8)
    ]
    assert [b.index for b in parsed.blocks] == list(range(7))


def test_pages_without_text_among_good_ones_are_named(tmp_path):
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} 1."], None, [f"{LINES} 3."], []])
    built = built_of(path, parser="docvortex")
    assert built.record.state == "partial"
    assert any("1 of 4 page(s): 2 (OCR" in warning for warning in built.warnings)
    assert {c.page_start for c in built.edition.chunks if c.chunk_type == "section_text"} == {1, 3}


def test_a_scan_is_refused_with_its_page_count_and_what_to_do(tmp_path):
    with pytest.raises(NoTextError, match="OCR or MinerU") as raised:
        parsed_of(pdf(tmp_path / "scan.pdf", [None, None]), parser="docvortex")
    assert raised.value.pages == 2


def test_a_user_password_is_refused_and_an_owner_password_is_not(tmp_path):
    plain = pdf(tmp_path / "plain.pdf", [[f"{LINES} 1."]])
    locked = protected(tmp_path / "locked.pdf", plain, user_password="u", owner_password="o")
    free = protected(tmp_path / "free.pdf", plain, user_password="", owner_password="o")
    with pytest.raises(LockedFileError, match="password"):
        parsed_of(locked)
    assert "seal" in parsed_of(free).blocks[0].text


def test_a_file_without_a_whole_page_is_damaged(tmp_path):
    path = pdf(tmp_path / "half.pdf", [[f"{LINES} 1."]])
    path.write_bytes(path.read_bytes()[:120])
    with pytest.raises(DamagedFileError, match="damaged"):
        parsed_of(path)


def test_printed_page_labels_are_kept(tmp_path):
    source = pdf(tmp_path / "a.pdf", [[f"{LINES} {n}."] for n in (1, 2, 3)])
    writer = pypdf.PdfWriter(clone_from=str(source))
    writer.set_page_label(0, 1, style="/r")
    writer.set_page_label(2, 2, style="/D", start=1)
    labelled = tmp_path / "labelled.pdf"
    with labelled.open("wb") as file:
        writer.write(file)
    assert parsed_of(labelled).page_labels == ("i", "ii", "1")


def test_a_chunk_says_the_printed_label_where_it_is_not_the_pages_number(tmp_path):
    source = pdf(tmp_path / "a.pdf", [[body] for body in BODIES])
    writer = pypdf.PdfWriter(clone_from=str(source))
    writer.set_page_label(0, 0, style="/r")
    writer.set_page_label(1, 2, style="/D", start=2)
    labelled = tmp_path / "labelled.pdf"
    with labelled.open("wb") as file:
        writer.write(file)
    built = built_of(labelled)
    assert [c.metadata.get("page_label") for c in built.edition.chunks] == ["i", None, None]
    assert built.record.page_labels == ("i", "2", "3")


def test_wide_pages_are_slides(tmp_path):
    pages = [[f"Slide {n}", f"{LINES} {n}."] for n in range(1, 8)]
    built = built_of(pdf(tmp_path / "lec05_pumps.pdf", pages, landscape(A4)))
    assert built.record.source_type == "slides"
    assert {c.metadata["slide_range"] for c in built.edition.chunks} == {"1-3", "4-6", "7-7"}
    assert {(c.metadata["lecture"], c.metadata["topic"]) for c in built.edition.chunks} == {
        (5, "pumps")
    }


def test_scattered_letters_are_joined_as_the_page_has_them():
    assert respaced("牌号为 L-T S A 46。", "油牌号为 L-TSA46。") == "牌号为 L-TSA46。"
    assert respaced("vitamin A and B 12", "vitamin A and B 12") == "vitamin A and B 12"
    assert respaced("L-T S A 46", "nothing of the kind") == "L-T S A 46"


def test_the_parser_is_chosen_by_option_then_by_setting(tmp_path):
    item = find_inputs([pdf(tmp_path / "a.pdf", [["x"]])])[0]
    external = IngestSettings(parser="magic-pdf", magic_pdf_command="magic-pdf")
    assert parser_for(item, IngestOptions(), external).name == "magic-pdf"
    assert parser_for(item, IngestOptions(parser="ocr"), external).name.startswith("rapidocr")
    with pytest.raises(SettingsError, match="magic_pdf_command"):
        parser_for(item, IngestOptions(parser="magic-pdf"), IngestSettings())
    with pytest.raises(SettingsError, match="Unknown parser"):
        parser_for(item, IngestOptions(parser="word"), IngestSettings())
