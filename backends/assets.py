"""Picture bytes in files under the home folder, named by their content."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..core.errors import StoreError
from .whole_file import write_all

_ID = re.compile(r"[0-9a-f]{8,128}\.[a-z0-9]{1,8}|[0-9a-f]{8,128}")
_AT_ONCE = 64


class FileAssets:
    """`<root>/<first two hex digits>/<asset id>`; an id is lower-case hex and a short suffix.

    The pattern is what keeps a request for `../../etc/passwd` out of the file system.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def folder(self) -> Path:
        """Where they are; every file is waited for as it is written."""
        return self._root

    def put(self, asset_id: str, data: bytes) -> None:
        """Keep the bytes; a reader sees the whole file or none. Raises StoreError."""
        self.put_all({asset_id: data})

    def put_all(self, assets: Mapping[str, bytes]) -> None:
        """Keep several; their bytes are on the disk when this returns. Raises StoreError."""
        files: dict[Path, bytes] = {}
        for asset_id, data in assets.items():
            target = self._target(asset_id)
            if target is None:
                raise StoreError(
                    f"{asset_id!r} is no asset id: a lower-case hex hash and a suffix are expected."
                )
            files[target] = data
        try:
            fresh = [path for path, data in files.items() if not _holds(path, data)]
            for start in range(0, len(fresh), _AT_ONCE):
                some = fresh[start : start + _AT_ONCE]
                for folder in {path.parent for path in some}:
                    folder.mkdir(parents=True, exist_ok=True)
                # A folder a picture would double the time; the catalog's own wait covers most.
                write_all({path: files[path] for path in some}, names=False)
        except OSError as error:
            raise StoreError(
                f"The picture store {self._root} cannot be written ({error}). Check the disk's"
                " free space and the folder's permissions.",
                place=self._root,
            ) from error

    def path(self, asset_id: str) -> Path | None:
        """The file of a stored asset, or None; never a path outside the store."""
        target = self._target(asset_id)
        return target if target is not None and target.is_file() else None

    def delete(self, asset_ids: Iterable[str]) -> None:
        """Remove; unknown ids are ignored."""
        for asset_id in asset_ids:
            target = self._target(asset_id)
            if target is not None:
                target.unlink(missing_ok=True)

    def ids(self) -> set[str]:
        """Every stored asset; half-written files of a crash are no assets."""
        return {p.name for p in self._root.glob("??/*") if _ID.fullmatch(p.name)}

    def _target(self, asset_id: str) -> Path | None:
        if not _ID.fullmatch(asset_id):
            return None
        return self._root / asset_id[:2] / asset_id


def _holds(path: Path, data: bytes) -> bool:
    """Whether those bytes are there: the size alone would take what a loss of power left."""
    return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data
