"""MinerU 4 results: `middle_json.json` with its pictures, the form that docvortex itself yields."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ...core.document import ParsedDocument
from ...core.errors import DamagedFileError
from .. import images
from .docvortex_blocks import Gathered
from .pdf import quiet

_UNPAGED = frozenset(
    {"docx", "doc", "html", "epub", "csv", "tsv", "xlsx", "xls", "rtf", "odt", "ods"}
)


class MiddleJsonParser:
    """Reads `middle_json.json` of a MinerU 4 result folder or archive."""

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "mineru-4"

    def accepts(self, path: Path) -> bool:
        """Whether it is a JSON object with pages and a schema."""
        head = path.read_bytes()[:65536].lstrip()
        return head.startswith(b"{") and b'"producer"' in head

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DamagedFileError."""
        quiet()
        middle = _load(path)
        assets = _Pictures(path.parent)
        suffix = str(middle.metadata.file_suffix or "pdf")
        paged = suffix not in _UNPAGED
        gathered = Gathered()
        result = SimpleNamespace(middle_json=middle, assets=assets.of(middle))
        gathered.take(result, paged=paged, facts=None)
        return ParsedDocument(
            title=str(getattr(middle.metadata.document, "title", "") or ""),
            blocks=tuple(gathered.blocks),
            images=gathered.images,
            pages=len(middle.pages) if paged else None,
            parser=self.name,
            doc_type=suffix,
            warnings=tuple(gathered.warnings),
        )


def _load(path: Path) -> Any:
    from docvortex.schema import MiddleJson

    try:
        return MiddleJson.from_dict(json.loads(path.read_bytes().decode("utf-8-sig")))
    except (UnicodeDecodeError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise DamagedFileError(
            f"{path.name} is not a MinerU 4 result ({type(error).__name__}). "
            "Use the file as MinerU wrote it."
        ) from error


class _Pictures:
    """The pictures beside the JSON."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, middle: Any) -> dict[str, bytes]:
        """Bytes by the name that blocks give them; missing ones are left out."""
        found: dict[str, bytes] = {}
        for page in middle.pages:
            for block in page.blocks:
                for name in _names(block.model_dump(mode="json")):
                    path = images.below(self._folder, name) or images.below(
                        self._folder, f"images/{name}"
                    )
                    if path is not None:
                        found[name] = path.read_bytes()
        return found


def _names(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for part in value for name in _names(part)]
    if not isinstance(value, dict):
        return []
    own = value.get("image_path")
    return ([own] if isinstance(own, str) and own else []) + _names(value.get("content"))
