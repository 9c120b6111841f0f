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


def write_all(files: Mapping[Path, bytes], *, names: bool = True) -> None:
    """`write_whole` for several: all are written before the disk is waited for.

    Without `names` a loss of power may still take a new file away, never a part of it: the folder
    is not waited for.
    """
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
        for folder in {target.parent for target in files if names}:
            sync_names(folder)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


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


def sync_below(folder: Path, since: float, *, waited: Path | None = None) -> None:
    """Wait for every file below that was changed since then (a file's time), and its name; in
    `waited`, where files are waited for as they are written, for the names alone."""
    for at, _, names in os.walk(folder):
        here = Path(at)
        for name in names if waited is None or not here.is_relative_to(waited) else ():
            with suppress(FileNotFoundError):  # removed meanwhile
                if (here / name).stat().st_mtime >= since:
                    sync(here / name)
        with suppress(FileNotFoundError):
            if here.stat().st_mtime >= since:
                sync_names(here)
