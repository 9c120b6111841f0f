"""Files that are there whole or not at all, also after a loss of power."""

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


def write_whole(target: Path, data: bytes) -> None:
    """Write `data` beside `target` and put it in its place in one step; the folder exists.

    After a crash, a loss of power or an OSError (raised) the old file stands, and no part of a new
    one.
    """
    write_all({target: data})


def write_all(files: Mapping[Path, bytes]) -> None:
    """`write_whole` for several: all are written before the disk is waited for."""
    parts: dict[Path, Path] = {}
    try:
        for target, data in files.items():
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=".part-")
            parts[target] = Path(name)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
        for part in parts.values():
            sync(part)  # a new name for bytes that are not there yet would be an empty file
        for target, part in parts.items():
            part.replace(target)
        for folder in {target.parent for target in files}:
            sync_names(folder)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """The folder and those above it, with the names of the new ones on the disk."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_names(folder.parent)


def sync(path: Path) -> None:
    """Wait until a file's bytes are on the disk."""
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_names(folder: Path) -> None:
    """Wait until a folder's list of names is on the disk, where the system can be asked that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems refuse
            os.fsync(handle)
    finally:
        os.close(handle)


def sync_below(folder: Path, since: float) -> None:
    """Wait for every file below that was changed since then (a file's time), and its name."""
    for at, _, names in os.walk(folder):
        new = []
        for name in names:
            with suppress(FileNotFoundError):  # removed meanwhile
                path = Path(at, name)
                if path.stat().st_mtime >= since:
                    sync(path)
                    new.append(path)
        if new or Path(at).stat().st_mtime >= since:
            sync_names(Path(at))
