"""Pages of documents that the command line ingested can be shown, whatever became of the files."""

import asyncio
import io
import json
import shutil
import zipfile

import pytest
from PIL import Image
from starlette.testclient import TestClient

from tests.integration.doors_server import pdf
from tuwen.app.config import load_settings
from tuwen.app.doors.opened import Opened
from tuwen.app.ingest import ingest
from tuwen.app.server import make_app
from tuwen.core.options import IngestOptions

pytestmark = pytest.mark.integration
SENTENCE = "The crane CR-9 lifts 12 tonnes at most."
BLOCKS = [
    {"type": "text", "text": "Cranes", "text_level": 1, "page_idx": 0, "bbox": [100, 50, 500, 90]},
    {"type": "text", "text": SENTENCE, "page_idx": 0, "bbox": [100, 100, 900, 160]},
]


def mineru_folder(root, name):
    """What MinerU writes beside its content list: the original, and drawings of its own."""
    folder = root / name / "auto"
    folder.mkdir(parents=True)
    (folder / f"{name}_content_list.json").write_text(json.dumps(BLOCKS), encoding="utf-8")
    (folder / f"{name}_layout.pdf").write_bytes(pdf("not this one"))
    (folder / f"{name}_origin.pdf").write_bytes(pdf(SENTENCE))
    return root / name


def as_pdf(root):
    path = root / "crane.pdf"
    path.write_bytes(pdf(SENTENCE))
    return path


def as_zip(root):
    folder = mineru_folder(root, "crane")
    path = root / "crane.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*.*")):
            archive.write(file, file.relative_to(root))
    shutil.rmtree(folder)
    return path


@pytest.mark.parametrize("made", [as_pdf, lambda root: mineru_folder(root, "crane"), as_zip])
def test_a_cited_page_opens_after_its_file_has_gone(tmp_path, made):
    opened = Opened(load_settings({}, home=tmp_path / "home"))
    originals = tmp_path / "originals"
    originals.mkdir()
    source = made(originals)
    graph = opened.graph("local_ingest")
    reports = asyncio.run(ingest(graph, [str(source)], options=IngestOptions()))
    assert [report.state for report in reports] == ["ready"], reports
    shutil.rmtree(originals)
    with TestClient(make_app(opened)) as http:
        body = {"question": "How much does crane CR-9 lift?"}
        source = http.post("/chat", json=body).json()["sources"][0]
        found = http.get(source["page_url"])
        assert found.status_code == 200, found.text
        picture = Image.open(io.BytesIO(found.content))
        assert picture.height > picture.width > 900
        listed = http.get(f"/documents/{source['doc_id']}")
        assert "page_asset" not in listed.text
        assert str(tmp_path) not in listed.text
        assert http.get("/images/" + asset_of(opened)).status_code == 404
        assert http.delete(f"/documents/{source['doc_id']}").status_code == 200
        assert not list((tmp_path / "home" / "assets").rglob("*.pdf"))


def asset_of(opened):
    """The kept PDF's name: no picture, so the picture route has nothing of that name."""
    return opened.services().catalog.documents(None)[0].page_asset


def test_a_document_without_a_pdf_has_no_page_and_says_so(tmp_path):
    (tmp_path / "note.md").write_text("# Crane\n\n" + SENTENCE, encoding="utf-8")
    opened = Opened(load_settings({}, home=tmp_path / "home"))
    graph = opened.graph("local_ingest")
    report = asyncio.run(ingest(graph, [str(tmp_path / "note.md")], options=IngestOptions()))[0]
    with TestClient(make_app(opened)) as http:
        answer = http.get(f"/documents/{report.doc_id}/pages/1.png")
        assert answer.status_code == 404
        assert "no picture" in answer.json()["detail"]
        told = http.post("/chat", json={"question": "How much does crane CR-9 lift?"}).json()
        assert "page_url" not in told["sources"][0]
