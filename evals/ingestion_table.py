"""What ingestion makes of folders of real files: one Markdown row a file, figures only.

python -m tuwen.evals.ingestion_table FOLDER... [--made] [--ocr] [--boxes]
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..core.document import BlockAccount, DocumentRecord
from ..core.errors import DocumentError, TuwenError
from ..core.options import IngestOptions
from ..core.settings import IngestSettings
from ..ingestion.build import Built, build_edition
from ..ingestion.parse import parse_input
from ..ingestion.sniff import Input, find_inputs
from .ingestion_boxes import check
from .made_files import write_all

HEAD = (
    "| file | kind | state | pages | in = indexed + merged + dropped "
    "| sections | chunks | figures | s |"
)
RULE = "|---|---|---|--:|--:|--:|--:|--:|--:|"
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Row:
    """One file."""

    name: str
    kind: str
    state: str
    pages: int | None = None
    account: BlockAccount = field(default_factory=BlockAccount)
    sections: int = 0
    chunks: int = 0
    figures: int = 0
    seconds: float = 0.0
    quotes: int = 0
    missed: int = 0

    @property
    def line(self) -> str:
        """The row as Markdown."""
        account = self.account
        dropped = sum(account.dropped.values())
        blocks = f"{account.total} = {account.indexed} + {account.merged} + {dropped}"
        cells = (
            *(self.name, self.kind, self.state, "" if self.pages is None else str(self.pages)),
            *(blocks if account.total else "", str(self.sections), str(self.chunks)),
            *(str(self.figures), f"{self.seconds:.1f}"),
        )
        return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


def read(item: Input, name: str, *, ocr: bool, boxes: bool) -> Row:
    """Parse and build one input; a refusal is a state with its reason."""
    if item.skip_reason:
        return Row(name, item.kind, f"skipped: {item.skip_reason}")
    begun = time.monotonic()
    settings = IngestSettings(parser="auto" if ocr else "docvortex")
    try:
        parsed = parse_input(item, IngestOptions(), settings)
        built = build_edition(parsed, _record(item), settings=settings)
    except DocumentError as error:
        return Row(name, item.kind, f"failed: {error.reason}", seconds=time.monotonic() - begun)
    except TuwenError as error:
        return Row(name, item.kind, f"failed: {type(error).__name__}")
    seconds = time.monotonic() - begun
    total, missed = 0, 0
    if boxes and parsed.source_pdf:
        total, misses = check(Path(parsed.source_pdf), built.edition.chunks)
        missed = len(misses)
    return _row(item, name, built, seconds, (total, missed))


def _row(item: Input, name: str, built: Built, seconds: float, quotes: tuple[int, int]) -> Row:
    if not built.account.balanced:
        raise AssertionError(f"{name}: blocks are unaccounted for: {built.account}")
    return Row(
        name=name,
        kind=f"{item.kind}, {built.record.source_type}",
        state=built.record.state,
        pages=built.record.pages,
        account=built.account,
        sections=len(built.sections),
        chunks=built.record.chunks,
        figures=built.record.figures,
        seconds=seconds,
        quotes=quotes[0],
        missed=quotes[1],
    )


def _record(item: Input) -> DocumentRecord:
    return DocumentRecord(
        doc_id="d",
        edition="e",
        collection="default",
        name=item.name,
        source_key=item.source_key,
        content_hash="",
        title=item.name,
    )


def rows(folders: Sequence[Path], *, ocr: bool, boxes: bool) -> Iterator[tuple[str, Row]]:
    """(folder name, row) of every input below the folders."""
    for folder in folders:
        for item in find_inputs([folder]):
            place = item.path.parent if item.kind in ("mineru", "middle") else item.path
            name = place.relative_to(folder).as_posix() if place != folder else item.name
            if len(name) > _LONGEST_NAME:
                name = "…" + name[-_LONGEST_NAME + 1 :]
            yield folder.name, read(item, name, ocr=ocr, boxes=boxes)


def summary(found: Sequence[Row]) -> str:
    """Totals of a table."""
    states: dict[str, int] = {}
    reasons: dict[str, int] = {}
    for row in found:
        states[row.state] = states.get(row.state, 0) + 1
        for reason, count in row.account.dropped.items():
            reasons[reason] = reasons.get(reason, 0) + count
    quotes, missed = sum(row.quotes for row in found), sum(row.missed for row in found)
    lines = [
        f"{len(found)} inputs: " + _counts(states) + ".",
        f"Blocks: {sum(row.account.total for row in found)} in, "
        f"{sum(row.account.indexed for row in found)} indexed, "
        f"{sum(row.account.merged for row in found)} merged, "
        f"{sum(reasons.values())} dropped ({_counts(reasons)}).",
    ]
    if quotes:
        share = 1 - missed / quotes
        lines.append(
            f"Quotes whose words stand in their box: {quotes - missed} of {quotes} ({share:.3f})."
        )
    return "\n".join(lines)


def _counts(values: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(values.items())) or "none"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--made", action="store_true", help="also office files made on the spot")
    parser.add_argument("--ocr", action="store_true", help="read scans too (slow)")
    parser.add_argument("--boxes", action="store_true", help="check the boxes of quotes")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        folders = list(chosen.folders)
        if chosen.made:
            made = Path(folder) / "made on the spot"
            write_all(made)
            folders.append(made)
        _print(rows(folders, ocr=chosen.ocr, boxes=chosen.boxes))


def _print(found: Iterator[tuple[str, Row]]) -> None:
    current, table = "", list[Row]()
    for name, row in found:
        if name != current:
            _close(table)
            current, table = name, []
            sys.stdout.write(f"\n### {name}\n\n{HEAD}\n{RULE}\n")
        table.append(row)
        sys.stdout.write(row.line + "\n")
        sys.stdout.flush()
    _close(table)


def _close(table: Sequence[Row]) -> None:
    if table:
        sys.stdout.write("\n" + summary(table) + "\n")


if __name__ == "__main__":
    main()
