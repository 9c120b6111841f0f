"""Slides, sheets, texts and books of the office formats."""

import zipfile

import pytest

from tests.unit.ingestion.builders import built_of, parsed_of
from tuwen.evals.ingestion_table import main
from tuwen.evals.made_files import SECTIONS, write_all
from tuwen.ingestion.parsers.docvortex_blocks import Gathered
from tuwen.ingestion.parsers.hidden_sheets import hidden_note
from tuwen.tools.quote_boxes import locate


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return {path.suffix: path for path in write_all(tmp_path_factory.mktemp("office"))}


@pytest.mark.parametrize("suffix", [".pptx", ".odp"])
def test_slides_keep_their_numbers_and_titles(made, suffix):
    built = built_of(made[suffix])
    assert built.record.source_type == "slides"
    assert built.record.pages == len(SECTIONS)
    text = "\n".join(c.text for c in built.edition.chunks)
    assert all(body in text for _, body in SECTIONS)
    assert built.edition.chunks[0].metadata["slide_range"] == "1-3"


@pytest.mark.parametrize("suffix", [".odt", ".epub"])
def test_texts_and_books_keep_their_chapters(made, suffix):
    built = built_of(made[suffix])
    found = {c.section_path: c.text for c in built.edition.chunks if c.chunk_type != "table"}
    assert [found.get(title) for title, _ in SECTIONS] == [body for _, body in SECTIONS]


@pytest.mark.parametrize("suffix", [".xlsx", ".ods", ".odt"])
def test_sheets_become_tables(made, suffix):
    figures = built_of(made[suffix]).edition.figures
    assert [figure.kind for figure in figures] == ["table"]
    assert "机械密封" in figures[0].html


def test_the_table_of_files_names_each_with_its_account(made, capsys):
    main([str(made[".odt"].parent)])
    printed = capsys.readouterr().out
    assert "| 规程.odt | office, document | ready |" in printed
    assert f"{len(made)} inputs: {len(made)} ready." in printed


def test_text_of_a_slide_inside_a_chunk_of_several_is_placed_on_its_own_page(made):
    chunk = built_of(made[".pptx"]).edition.chunks[0]
    for page, (_, body) in enumerate(SECTIONS, 1):
        start = chunk.text.index(body)
        box = locate(chunk, start, start + len(body)).box
        assert box is not None
        assert box.page == page


def _document(path, paragraphs, notes):
    """A Word file; `paragraphs` are (text, number of the note it refers to, or None)."""
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    kinds = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    rels = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    mark = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = "".join(
        f"<w:p><w:r><w:t>{text}</w:t></w:r>{mark.format(note) if note else ''}</w:p>"
        for text, note in paragraphs
    )
    kept = "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:footnote>'
        for number, text in notes.items()
    )
    line = (
        '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>----</w:t></w:r></w:p></w:footnote>'
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{kinds}.document.main+xml"/>'
        f'<Override PartName="/word/footnotes.xml" ContentType="{kinds}.footnotes+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
        f'Type="{rels}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="rId1" Type="{rels}/footnotes" Target="footnotes.xml"/></Relationships>',
        "word/document.xml": f"<w:document {w}><w:body>{body}</w:body></w:document>",
        "word/footnotes.xml": f"<w:footnotes {w}>{line}{kept}</w:footnotes>",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_footnotes_of_a_word_file_stand_behind_the_paragraph_that_names_them(tmp_path):
    paragraphs = [
        ("泵站建于一九九八年。", 3),
        ("The weir was raised by 0.4 m.", 1),
        ("末段。", None),
    ]
    notes = {1: "Measured at the left bank.", 3: "据县志第四卷。"}
    parsed = parsed_of(_document(tmp_path / "weir.docx", paragraphs, notes))
    assert [block.text for block in parsed.blocks] == [
        "泵站建于一九九八年。",
        "据县志第四卷。",
        "The weir was raised by 0.4 m.",
        "Measured at the left bank.",
        "末段。",
    ]
    assert [block.index for block in parsed.blocks] == [0, 1, 2, 3, 4]


def test_a_note_that_no_paragraph_names_is_kept_at_the_end(tmp_path):
    path = _document(tmp_path / "loose.docx", [("Only text.", None)], {5: "A note left over."})
    assert [block.text for block in parsed_of(path).blocks] == ["Only text.", "A note left over."]


@pytest.mark.parametrize("kind", ["chart", "table"])
def test_the_numbers_of_a_native_chart_are_a_table(kind):
    html = "<table><tr><th></th><th>Tonnes</th></tr><tr><td>June</td><td>41</td></tr></table>"
    gathered = Gathered()
    entry = {"type": kind, "content": [{"type": f"{kind}_body", "content": html}]}
    gathered._add(entry, 2, {}, "")
    assert [(block.kind, block.html) for block in gathered.blocks] == [("table", html)]


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_hidden_sheets_are_named(tmp_path, state):
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    hidden = "".join(f'<sheet name="{name}" state="{state}"/>' for name in ("Wages", "旧账"))
    sheets = f'<sheet name="Prices"/>{hidden}'
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w") as archive:
        archive.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{main}"><sheets>{sheets}</sheets></workbook>'
        )
    (note,) = hidden_note(tmp_path / "book.xlsx")
    assert "2 hidden sheet(s) left out: Wages, 旧账." in note


def test_a_workbook_without_hidden_sheets_has_no_such_note(made):
    assert parsed_of(made[".xlsx"]).warnings == ()


@pytest.mark.parametrize(
    ("described", "kept"),
    [
        ("holiday 014.JPG", ""),
        ("图片 3", ""),
        ("Picture 12", ""),
        ("A lock with its upper gate open", "A lock with its upper gate open"),
        ("picture of lock 12", "picture of lock 12"),
    ],
)
def test_a_file_name_is_no_description_of_a_picture(described, kept):
    gathered = Gathered()
    gathered._add({"type": "image", "content": described}, 1, {}, "")
    assert [block.meta.get("text_in_picture", "") for block in gathered.blocks] == [kept]
