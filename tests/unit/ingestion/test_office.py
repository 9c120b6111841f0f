"""Slides, sheets, texts and books of the office formats."""

import pytest

from tests.unit.ingestion.builders import built_of
from tuwen.evals.ingestion_table import main
from tuwen.evals.made_files import SECTIONS, write_all


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
