"""The files in which Chroma keeps its graphs: whether they are whole.

Every thousand changes Chroma writes a collection's graph over the old one and then forgets its log
of those changes. A process that dies meanwhile leaves a graph that cannot be read (or that ends the
process that reads it), and a loss of power one that was never on the disk. So the files' times are
noted whenever they were waited for, and a graph of other times is not trusted.
"""

import pickletools
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from .catalog_schema import identity
from .whole_file import sync, sync_names

Stamps = dict[str, list[int]]
"""Time and size of each file of a graph, by "segment/file"."""
DATABASE = "chroma.sqlite3"
_LAST = "index_metadata.pickle"  # written when all others are


def stamps(folder: Path) -> Stamps:
    """Of every graph in Chroma's folder."""
    found: Stamps = {}
    for path in sorted(folder.glob("*/*")):
        with suppress(FileNotFoundError):
            seen = path.stat()
            found[f"{path.parent.name}/{path.name}"] = [seen.st_mtime_ns, seen.st_size]
    return found


def settle(folder: Path, before: Stamps) -> Stamps:
    """Wait until the files that changed since `before` are on the disk; the stamps now."""
    now = stamps(folder)
    changed = [folder / name for name, stamp in now.items() if before.get(name) != stamp]
    for path in changed:
        with suppress(FileNotFoundError):  # of a collection that was dropped
            sync(path)
    for segment in {path.parent for path in changed}:
        if segment.is_dir():
            sync_names(segment)
    if changed:
        sync_names(folder)
    return now


def cut_off(folder: Path, noted: Mapping[str, list[int]], *, power: bool) -> set[str]:
    """Segments whose graph was not whole when the process, or (`power`) the machine, stopped.

    Where only the process stopped, a graph is whole when its last file was begun after the others
    and is complete.
    """
    now = stamps(folder)
    names = [name for name in now.keys() | noted.keys() if now.get(name) != noted.get(name)]
    changed = {name.partition("/")[0] for name in names}
    return {s for s in changed if (folder / s).is_dir() and (power or not _finished(folder / s))}


def _finished(segment: Path) -> bool:
    last = segment / _LAST
    if not last.is_file():  # nothing was ever written over: Chroma reads its log
        return True
    begun = last.stat().st_mtime_ns
    if any(path.stat().st_mtime_ns > begun for path in segment.iterdir()):
        return False
    try:
        for _ in pickletools.genops(last.read_bytes()):  # reads the form; nothing is made of it
            pass
    except ValueError:
        return False
    return True


class Seen(NamedTuple):
    """What Chroma's database said before this process opened it."""

    owners: Mapping[str, str]
    """Id of the engine's collection that each segment belongs to."""
    ruined: bool
    """Whether it is no database any more, and not only out of reach."""


_seen: dict[tuple[int, int], Seen] = {}


def look(folder: Path) -> Seen:
    """To be asked before Chroma opens the folder; asked later, it says the same again.

    Two SQLite libraries in one process do not see each other's locks, and Chroma closes its files
    some time after it was told to: the second would take the first one's log away.
    """
    path = folder / DATABASE
    known = _seen.get(identity(path))
    if known is None:
        known = _read(path)
        if path.is_file():
            _seen[identity(path)] = known
        if known.owners:
            _sweep(folder, known.owners)
    return known


def forget(folder: Path) -> None:
    """Chroma's folder is about to be removed."""
    _seen.pop(identity(folder / DATABASE), None)


def _read(path: Path) -> Seen:
    """Its segments; and let it write ahead: one wait for the disk a change instead of four, and as
    safe. It stays as it is where that cannot be (a file system without shared memory)."""
    try:
        with closing(sqlite3.connect(path)) as db:
            with suppress(sqlite3.OperationalError):
                db.execute("PRAGMA journal_mode = WAL")
            return Seen(dict(db.execute("SELECT id, collection FROM segments").fetchall()), False)
    except sqlite3.OperationalError:  # new, locked, or no space
        return Seen({}, False)
    except sqlite3.DatabaseError:
        return Seen({}, True)


def _sweep(folder: Path, owners: Mapping[str, str]) -> None:
    """Chroma leaves the files of a collection that was dropped and not loaded."""
    for header in folder.glob("*/header.bin"):
        if header.parent.name not in owners:
            shutil.rmtree(header.parent, ignore_errors=True)
