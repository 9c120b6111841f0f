"""Uploaded files: kept under the home folder by generated folders and cleaned names."""

import re
import shutil
import unicodedata
from pathlib import Path

from ...backends.whole_file import write_whole
from ...core.errors import UsageError
from ...core.text import digest
from ...graph.services import Services

FOLDER = "uploads"
MAX_NAME_BYTES = 120
PREFIX = "upload:"
_BAD = re.compile(r'[\x00-\x1f\x7f<>:"|?*\u202a-\u202e\u2066-\u2069]')
_ID = re.compile(r"[0-9a-f]{16}")


def clean_name(name: str) -> str:
    """The last part of a name that a client sent, without anything a file system could misread."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    last = _BAD.sub("", last).strip().strip(".").strip()
    stem, dot, suffix = last.rpartition(".")
    if not dot:
        stem, suffix = last, ""
    room = MAX_NAME_BYTES - len(suffix.encode()) - 1
    if len(suffix.encode()) > 20:
        stem, suffix, room = last, "", MAX_NAME_BYTES
    if len(stem.encode()) > room:
        tag = digest(stem, length=8)
        stem = stem.encode()[: room - 9].decode("utf-8", "ignore") + "-" + tag
    return (f"{stem}.{suffix}" if suffix else stem) or "file"


def root(services: Services) -> Path:
    """The folder of all uploads."""
    return services.settings.home.absolute() / FOLDER


def keep(services: Services, collection: str, name: str, data: bytes) -> Path:
    """Write an upload where the same name in the same collection replaces it. Blocking.

    Raises UsageError for a file over the limit.
    """
    limit = services.settings.server.max_upload_mb
    if len(data) > limit << 20:
        raise UsageError(f"{clean_name(name)} is larger than {limit} MB, the limit of this server.")
    folder = root(services) / digest(collection, length=16)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / clean_name(name)
    write_whole(target, data)
    return target


def forget(services: Services, collection: str, name: str) -> None:
    """Remove an upload's file, if it is one."""
    (root(services) / digest(collection, length=16) / clean_name(name)).unlink(missing_ok=True)


def forget_collection(services: Services, collection: str) -> None:
    """Remove all files that were uploaded into a collection."""
    shutil.rmtree(root(services) / digest(collection, length=16), ignore_errors=True)


def upload_id(path: Path) -> str:
    """What a client calls a kept upload: `upload:<folder>/<name>`."""
    return f"{PREFIX}{path.parent.name}/{path.name}"


def find_upload(services: Services, collection: str, token: str) -> Path:
    """The file of an upload id, if it was uploaded into that collection. Raises UsageError."""
    folder, _, name = token.removeprefix(PREFIX).partition("/")
    path = root(services) / folder / clean_name(name)
    known = _ID.fullmatch(folder) and folder == digest(collection, length=16)
    if not known or not path.is_file():
        raise UsageError("There is no such upload in this collection.")
    return path
