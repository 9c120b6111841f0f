"""Tables of the catalog and how a connection to it is opened."""

import sqlite3
from pathlib import Path

from ..core.errors import StoreError

VERSION = 1
OLDEST_SQLITE = (3, 38, 0)  # JSON functions in every build
OLDEST_SQLITE_TEXT = ".".join(map(str, OLDEST_SQLITE[:2]))

_TABLES = """
CREATE TABLE collections (
    name TEXT PRIMARY KEY,
    embedder TEXT NOT NULL DEFAULT '',
    dim INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE editions (
    id INTEGER PRIMARY KEY,
    doc_id TEXT NOT NULL,
    edition TEXT NOT NULL,
    collection TEXT NOT NULL REFERENCES collections (name) ON DELETE CASCADE,
    active INTEGER NOT NULL DEFAULT 0,
    name TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    record TEXT NOT NULL,
    facets TEXT NOT NULL,
    UNIQUE (doc_id, edition)
);
CREATE UNIQUE INDEX one_active_edition ON editions (doc_id) WHERE active;
CREATE INDEX editions_by_collection ON editions (collection, active);
CREATE INDEX editions_by_hash ON editions (collection, content_hash);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    chunk_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    semantic_id TEXT NOT NULL,
    section_number TEXT NOT NULL,
    page_start INTEGER,
    page_end INTEGER,
    meta TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (owner, chunk_id)
);
CREATE INDEX chunks_by_ordinal ON chunks (owner, ordinal, chunk_id);
CREATE INDEX chunks_by_block ON chunks (owner, semantic_id);
CREATE INDEX chunks_by_section ON chunks (section_number, owner) WHERE section_number <> '';
CREATE TABLE figures (
    id INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    figure_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    label TEXT NOT NULL,
    base_label TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (owner, figure_id)
);
CREATE INDEX figures_by_id ON figures (figure_id, owner);
CREATE INDEX figures_by_label ON figures (base_label, owner) WHERE base_label <> '';
CREATE TABLE assets (
    owner INTEGER NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    asset_id TEXT NOT NULL,
    UNIQUE (asset_id, owner)
);
CREATE INDEX assets_by_owner ON assets (owner);
CREATE TABLE failures (
    doc_id TEXT PRIMARY KEY,
    collection TEXT NOT NULL,
    report TEXT NOT NULL
);
"""
_PLACES = """
CREATE INDEX IF NOT EXISTS chunks_by_place ON chunks (chunk_id, owner, page_start, page_end);
DROP INDEX IF EXISTS chunks_by_id;
"""
"""Where hits stand is read from the index alone. Stores of before have a narrower one."""


def check_sqlite() -> None:
    """Raises StoreError when Python's own SQLite is too old."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError(
            f"This Python uses SQLite {sqlite3.sqlite_version}; {OLDEST_SQLITE_TEXT} or newer is"
            " needed. The sqlite3 command's version does not count: install a newer Python."
        )


def connect(path: Path) -> sqlite3.Connection:
    """A connection that may be used by one thread at a time."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables in a new file. Raises StoreError for a file of a newer tuwen."""
    connection.execute("PRAGMA journal_mode = WAL")
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found > VERSION:
        raise StoreError(
            f"The catalog {path} was made by a newer tuwen (schema {found}, this one reads"
            f" {VERSION}). Upgrade tuwen, or choose another home folder.",
            place=path.parent,
        )
    if found == 0:
        connection.executescript(f"BEGIN;{_TABLES}{_PLACES}PRAGMA user_version = {VERSION};COMMIT;")
    elif connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'chunks_by_id'").fetchone():
        connection.executescript(f"BEGIN IMMEDIATE;{_PLACES}COMMIT;")


def identity(path: Path) -> tuple[int, int]:
    """What tells a file from another one put in its place; (0, 0) where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return (0, 0)
    return (found.st_dev, found.st_ino)
