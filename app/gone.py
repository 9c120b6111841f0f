"""Documents whose file has left a folder that is ingested again: they are still searched."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..core.document import DocumentRecord

_LIST = "_content_list"
"""What the source key of a result folder ends in; the folder stands for its files."""


def gone_from(folders: Iterable[Path], records: Sequence[DocumentRecord]) -> list[DocumentRecord]:
    """The documents that came from below one of the folders and whose file is no longer there."""
    roots = [folder.resolve() for folder in folders if folder.is_dir()]
    placed = [(record, Path(record.source_key)) for record in records if record.source_key]
    return [
        record
        for record, path in placed
        if any(path.is_relative_to(root) for root in roots) and not _there(path)
    ]


def _there(path: Path) -> bool:
    return path.exists() or (path.name.endswith(_LIST) and path.parent.is_dir())


def said_gone(record: DocumentRecord) -> str:
    """What the terminal says of such a document."""
    name = record.name
    return (
        f"{name}：文件已不在该文件夹中，但仍可检索 / no longer in the folder, still searched. "
        f"Remove it with: tuwen documents delete {record.doc_id}"
    )
