"""Result archives, unpacked within limits; nothing leaves the work folder."""

import re
import stat
import zipfile
from pathlib import Path, PurePosixPath

from ...core.errors import DamagedFileError, DocumentError, LockedFileError

MAX_ENTRIES = 10_000
MAX_TOTAL_BYTES = 1 << 30
MAX_RATIO = 100
# A small file may compress well without being a bomb.
_FREE_BYTES = 8 << 20
_DRIVE = re.compile(r"^[A-Za-z]:")


class UnsafeArchiveError(DocumentError):
    """The archive breaks a limit or names a place outside itself."""

    reason = "unsafe"


def unpack(path: Path, target: Path) -> None:
    """Unpack into the empty folder `target`. Raises DocumentError before anything is written."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check(path.name, entries)
            for entry in entries:
                if not entry.is_dir():
                    _write(archive, entry, target)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError) as error:
        raise DamagedFileError(f"{path.name} is not a readable zip archive ({error}).") from error


def _check(name: str, entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES:
        raise UnsafeArchiveError(
            f"{name} holds {len(entries)} entries, more than {MAX_ENTRIES}. Unpack it yourself and "
            "ingest the folder."
        )
    total = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries) or 1
    if total > MAX_TOTAL_BYTES or (total > _FREE_BYTES and total / packed > MAX_RATIO):
        raise UnsafeArchiveError(f"{name} would unpack to {total >> 20} MB from {packed >> 10} kB.")
    for entry in entries:
        _check_entry(name, entry)


def _check_entry(name: str, entry: zipfile.ZipInfo) -> None:
    if entry.flag_bits & 0x1:
        raise LockedFileError(f"{name} is encrypted. Unpack it with its password first.")
    plain = entry.filename.replace("\\", "/")
    if plain.startswith("/") or _DRIVE.match(plain) or ".." in PurePosixPath(plain).parts:
        raise UnsafeArchiveError(f"{name} names a file outside the archive.")
    mode = entry.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise UnsafeArchiveError(f"{name} holds a link or a device.")


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
    place = target / entry.filename.replace("\\", "/")
    if not place.resolve().is_relative_to(target.resolve()):
        raise UnsafeArchiveError("The archive names a file outside itself.")
    place.parent.mkdir(parents=True, exist_ok=True)
    left = entry.file_size
    with archive.open(entry) as source, place.open("wb") as sink:
        while block := source.read(1 << 20):
            left -= len(block)
            if left < 0:
                raise UnsafeArchiveError("An entry is longer than the archive says.")
            sink.write(block)
