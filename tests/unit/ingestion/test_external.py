import importlib.util
import stat
import sys
import zipfile

import pytest

from tests.unit.ingestion.builders import built_of
from tuwen.core.document import Block
from tuwen.core.errors import DocumentError, MissingExtraError
from tuwen.ingestion.parsers.external import MagicPdfParser
from tuwen.ingestion.parsers.ocr import OcrParser
from tuwen.ingestion.parsers.respace import lost_text

SCRIPT = """#!{python}
import json, pathlib, sys
out = pathlib.Path(sys.argv[sys.argv.index("-o") + 1]) / "pump" / "auto"
out.mkdir(parents=True)
if {works}:
    body = [{{"type": "text", "text": "正文。", "page_idx": 0}}]
    (out / "pump_content_list.json").write_text(json.dumps(body), encoding="utf-8")
"""


def command(tmp_path, works):
    script = tmp_path / "magic-pdf"
    script.write_text(SCRIPT.format(python=sys.executable, works=works), encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


def test_magic_pdfs_output_is_read(tmp_path):
    pdf = tmp_path / "pump.pdf"
    pdf.write_bytes(b"%PDF-1.4")
    parsed = MagicPdfParser(command(tmp_path, works=True)).parse(pdf)
    assert [(b.text, b.page) for b in parsed.blocks] == [("正文。", 1)]
    assert parsed.source_pdf == str(pdf)


def test_magic_pdf_that_writes_nothing_has_failed_whatever_its_exit_code(tmp_path):
    with pytest.raises(DocumentError, match="no content list"):
        MagicPdfParser(command(tmp_path, works=False)).parse(tmp_path / "pump.pdf")


def test_a_command_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(DocumentError, match="did not run"):
        MagicPdfParser(str(tmp_path / "nothing")).parse(tmp_path / "pump.pdf")


def test_missing_weights_are_named_with_what_the_command_said(tmp_path):
    script = tmp_path / "magic-pdf"
    said = "model weights not found"
    script.write_text(f"#!{sys.executable}\nimport sys\nprint({said!r}, file=sys.stderr)\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(
        DocumentError, match=r"exit code 0; it said: model weights not found.*weights"
    ):
        MagicPdfParser(str(script)).parse(tmp_path / "pump.pdf")


def test_a_command_that_hangs_is_stopped(tmp_path):
    script = tmp_path / "magic-pdf"
    script.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(60)\n", encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(DocumentError, match="was stopped"):
        MagicPdfParser(str(script), timeout=0.5).parse(tmp_path / "pump.pdf")


@pytest.mark.skipif(
    importlib.util.find_spec("rapidocr") is not None, reason="rapidocr is installed"
)
def test_ocr_without_its_extra_says_how_to_install_it(tmp_path):
    from tests.unit.ingestion.test_pdf import pdf

    with pytest.raises(MissingExtraError, match="ocr"):
        OcrParser().parse(pdf(tmp_path / "scan.pdf", [None]))


def test_lines_that_layout_analysis_lost_are_found_and_small_losses_are_left():
    held = Block(index=0, kind="text", text="The pump must be stopped before the seal is changed.")
    lost = "Oil is checked once a day by the operator on duty, who signs the book afterwards."
    note = "Spare parts are kept in the store behind the boiler house and are counted yearly."
    page = f"The pump must be stopped before\nthe seal is changed.\n{lost}\n{note}"
    assert lost_text(page, [held]) == [f"{lost}\n{note}"]
    assert lost_text("The pump must be stopped before the seal is changed.\n12", [held]) == []


def write(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode("gb18030"))
    return path


def test_web_pages_and_tables_in_gbk_are_read(tmp_path):
    page = (
        '<html><head><meta charset="gbk"><title>泵</title></head><body><h1>3 安装</h1>'
        "<p>地脚螺栓扭矩为 85。</p><script>alert(1)</script>"
        "<table><tr><th>部件</th></tr><tr><td>轴承</td></tr></table>"
        '<img src="http://127.0.0.1:9/x.png"></body></html>'
    )
    built = built_of(write(tmp_path / "a.html", page))
    stored = "\n".join(c.text for c in built.edition.chunks)
    assert "地脚螺栓扭矩为 85。" in stored
    assert "轴承" in stored
    assert "alert" not in stored
    rows = built_of(write(tmp_path / "b.csv", "部件,周期\n机械密封,6个月\n"))
    assert rows.edition.figures[0].kind == "table"
    assert "| 机械密封 | 6个月 |" in rows.edition.chunks[0].text


def test_a_word_file_gives_its_headings_and_no_pages(tmp_path):
    name = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
    body = (
        f"<w:p>{style}<w:r><w:t>3 安装</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>地脚螺栓扭矩为 85。</w:t></w:r></w:p>"
    )
    files = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{kind}.document.main+xml"/>'
        f'<Override PartName="/word/styles.xml" ContentType="{kind}.styles+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
        'officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        'relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        'relationships/styles" Target="styles.xml"/></Relationships>',
        "word/styles.xml": f'<w:styles {name}><w:style w:type="paragraph" w:styleId="Heading1">'
        '<w:name w:val="heading 1"/></w:style></w:styles>',
        "word/document.xml": f"<w:document {name}><w:body>{body}</w:body></w:document>",
    }
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        for entry, text in files.items():
            archive.writestr(entry, text)
    chunk = built_of(path).edition.chunks[0]
    assert (chunk.section_path, chunk.text, chunk.page_start) == (
        "3 安装",
        "地脚螺栓扭矩为 85。",
        None,
    )
