"""Files that could not be ingested: kept, so that an answer can say what was not searched."""

from collections.abc import Sequence

from ..core.document import FileReport
from .catalog_file import CatalogFile


class FailureRows(CatalogFile):
    """The catalog's part about failed files. A file that is ingested later is one no more."""

    def note_failure(self, collection: str, doc_id: str, report: FileReport) -> None:
        """Keep the report of a file that failed, instead of an earlier one."""
        with self._transaction() as db:
            db.execute(
                "INSERT OR REPLACE INTO failures (doc_id, collection, report) VALUES (?, ?, ?)",
                (doc_id, collection, report.model_dump_json()),
            )

    def forget_failures(self, doc_ids: Sequence[str]) -> None:
        """Forget the failures of these documents."""
        with self._transaction() as db:
            db.executemany("DELETE FROM failures WHERE doc_id = ?", [(i,) for i in doc_ids])

    def failures(self, collection: str | None = None) -> list[FileReport]:
        """Reports of the files that failed and have no document, by name."""
        found = self._all(
            "SELECT report FROM failures WHERE (?1 IS NULL OR collection = ?1)"
            " AND doc_id NOT IN (SELECT doc_id FROM editions WHERE active)",
            collection,
        )
        reports = [FileReport.model_validate_json(text) for (text,) in found]
        return sorted(reports, key=lambda report: (report.path, report.doc_id))
