"""MinerU 4 result folders."""

import json

import docvortex
import pytest

from tests.unit.ingestion.builders import built_of, parsed_of
from tests.unit.ingestion.test_pdf import LINES, pdf
from tuwen.core.errors import DamagedFileError
from tuwen.ingestion.sniff import find_inputs


@pytest.fixture
def result(tmp_path):
    """A result as version 4 writes it: the engine behind its flash tier makes the JSON."""
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} 1."], None, [f"{LINES} 3."]])
    made = docvortex.parse(path, file_suffix="pdf", parse_mode="txt")
    folder = tmp_path / "pump manual"
    for name, data in made.assets.items():
        target = folder / "images" / name.rsplit("/", 1)[-1]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    folder.mkdir(exist_ok=True)
    body = made.middle_json.model_dump(mode="json")
    (folder / "middle_json.json").write_text(json.dumps(body), encoding="utf-8")
    (folder / "structured_content.json").write_text("[]", encoding="utf-8")
    (folder / "markdown.md").write_text("# x", encoding="utf-8")
    return folder


def test_a_result_folder_is_one_document_named_after_it(result):
    assert [(i.kind, i.name, i.skip_reason) for i in find_inputs([result])] == [
        ("middle", "pump manual", "")
    ]


def test_pages_boxes_and_pictures_are_those_of_the_result(result):
    built = built_of(result)
    texts = [c for c in built.edition.chunks if c.chunk_type == "section_text"]
    assert [c.page_start for c in texts] == [1, 3]
    assert all(c.boxes for c in texts)
    assert len(built.edition.assets) == 1
    assert built.record.pages == 3


def test_json_of_another_form_is_damaged(tmp_path):
    path = tmp_path / "middle_json.json"
    path.write_text('{"pdf_info": []}', encoding="utf-8")
    with pytest.raises(DamagedFileError, match="not a MinerU 4 result"):
        parsed_of(path)
