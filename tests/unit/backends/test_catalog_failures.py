from tuwen.backends.catalog import SqliteCatalog
from tuwen.core.document import FileReport


def test_a_failed_file_is_listed_until_it_is_forgotten(tmp_path):
    catalog = SqliteCatalog(tmp_path / "c.sqlite")
    scan = FileReport(path="扫描.pdf", state="failed", reason="no_text", error="needs OCR")
    catalog.note_failure("泵房", "d1", scan)
    catalog.note_failure("泵房", "d1", scan)
    catalog.note_failure("other", "d2", scan)
    assert [report.path for report in catalog.failures("泵房")] == ["扫描.pdf"]
    assert len(catalog.failures()) == 2
    catalog.forget_failures(["d1"])
    assert catalog.failures("泵房") == []
    catalog.close()
