"""PDFs that were cut off: the pages that are left, with their numbers."""

import io

import pypdf
import pytest

from tests.unit.ingestion.builders import built_of, parsed_of
from tests.unit.ingestion.test_pdf import BODIES, LINES, pdf
from tuwen.core.errors import DamagedFileError
from tuwen.ingestion.parsers.salvage import salvaged


def pages(count):
    return [[f"{LINES} {n}.", "Oil is checked once a day."] for n in range(1, count + 1)]


def texts(data):
    reader = pypdf.PdfReader(io.BytesIO(data))
    return [page.extract_text() for page in reader.pages]


def bundled():
    """A PDF whose page objects lie in object streams, as most programs write them."""
    page = b"".join(
        b"%d 0 obj\n<</Length %d>>\nstream\nBT /F1 12 Tf 72 400 Td (%s) Tj ET\nendstream\nendobj\n"
        % (n + 10, len(body) + 36, body.encode())
        for n, body in enumerate(BODIES, 1)
    )
    bodies = {3: b"<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"}
    for n in range(1, len(BODIES) + 1):
        bodies[n + 30] = (
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources 3 0 R"
            b"/Contents %d 0 R>>" % (n + 10)
        )
    head, body = b"", b""
    for number, inner in bodies.items():
        head += b"%d %d " % (number, len(body))
        body += inner + b" "
    stream = head + body
    about = b"<</Type/ObjStm/N %d/First %d/Length %d>>" % (len(bodies), len(head), len(stream))
    bundle = b"5 0 obj\n" + about + b"\nstream\n" + stream + b"\nendstream\nendobj\n"
    return b"%PDF-1.5\n" + page + bundle + b"6 0 obj\n<</Type/XRef"


def test_a_file_without_its_end_gives_all_its_pages(tmp_path):
    data = pdf(tmp_path / "a.pdf", pages(4)).read_bytes()
    left, count = salvaged(data[: data.rindex(b"xref")])
    assert count == 4
    assert [f"page {n}." in text for n, text in enumerate(texts(left), 1)] == [True] * 4


def test_pages_in_object_streams_are_found():
    left, count = salvaged(bundled())
    assert count == 3
    assert [text.strip() for text in texts(left)] == BODIES


def test_a_lost_page_between_others_leaves_a_blank_page(tmp_path):
    writer = pypdf.PdfWriter(clone_from=str(pdf(tmp_path / "a.pdf", pages(3))))
    whole = io.BytesIO()
    writer.write(whole)
    data = whole.getvalue()
    second = pypdf.PdfReader(whole).pages[1].indirect_reference.idnum
    broken = data.replace(b"\n%d 0 obj" % second, b"\n%d 0 xxx" % second)
    left, count = salvaged(broken[: broken.rindex(b"xref")])
    found = texts(left)
    assert (len(found), count) == (3, 2)
    assert "page 1." in found[0]
    assert found[1].strip() == ""
    assert "page 3." in found[2]


def test_what_is_left_is_ingested_as_partial_and_said(tmp_path):
    path = tmp_path / "cut.pdf"
    path.write_bytes(bundled())
    built = built_of(path)
    assert built.record.state == "partial"
    assert built.record.source_pdf == ""
    assert any("3 page(s) could be recovered" in note for note in built.warnings)
    assert {c.page_start for c in built.edition.chunks} == {1, 2, 3}


@pytest.mark.parametrize("data", [b"%PDF-1.7\n", b"%PDF-1.7\n1 0 obj\n<</Type/Page", b"%PDF-" * 99])
def test_nothing_left_is_damaged(tmp_path, data):
    assert salvaged(data) is None
    (tmp_path / "a.pdf").write_bytes(data)
    with pytest.raises(DamagedFileError, match="damaged"):
        parsed_of(tmp_path / "a.pdf")
