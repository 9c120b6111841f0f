"""The codes of passages' tokens on disk, by the hash of the text: read once, at ingestion.

A cache: what is missing is read again from the text, and the file may be removed at any time. So
no failure here is an ingest's or a question's.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from ..core.text import digest
from .token_codes import Codes

logger = logging.getLogger(__name__)

_KEY = 32
_SLICE = 500
_WAIT = 5.0
"""Seconds that another process may keep the file."""


def key(text: str) -> str:
    """What a text's codes are kept under."""
    return digest(text, length=_KEY)


class TokenStore:
    """SQLite in the file `path`; `encoder` says whose codes they are: another's are thrown away.

    About 29 kB a chunk of 500 Chinese characters. Thread-safe; opened at the first use.
    """

    def __init__(self, path: Path, encoder: Callable[[], str], *, width: int) -> None:
        self._path = path
        self._encoder = encoder
        self._width = width
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def known(self, texts: Sequence[str]) -> dict[str, Codes]:
        """The codes of those texts that are kept."""
        by_key = {key(text): text for text in texts}
        found: dict[str, Codes] = {}

        def read(db: sqlite3.Connection) -> None:
            keys = list(by_key)
            for start in range(0, len(keys), _SLICE):
                part = keys[start : start + _SLICE]
                marks = ",".join("?" * len(part))
                rows = db.execute(f"SELECT key, value FROM codes WHERE key IN ({marks})", part)
                for name, value in rows:
                    if len(value) % self._width == 0:
                        codes = np.frombuffer(value, dtype=np.uint8).reshape(-1, self._width)
                        found[by_key[name]] = codes

        self._do(read)
        return found

    def keep(self, codes: Mapping[str, Codes]) -> None:
        """Keep the codes of texts."""
        rows = [(key(text), value.tobytes()) for text, value in codes.items()]
        self._do(lambda db: db.executemany("INSERT OR REPLACE INTO codes VALUES (?, ?)", rows))

    def forget(self, texts: Sequence[str]) -> None:
        """Remove what is kept of texts."""
        rows = [(key(text),) for text in texts]
        self._do(lambda db: db.executemany("DELETE FROM codes WHERE key = ?", rows))

    def keep_only(self, texts: Iterable[str]) -> None:
        """Remove what is kept of any other text."""
        keys = {key(text) for text in texts}

        def sift(db: sqlite3.Connection) -> None:
            gone = [row for row in db.execute("SELECT key FROM codes") if row[0] not in keys]
            db.executemany("DELETE FROM codes WHERE key = ?", gone)

        self._do(sift)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def _do(self, work: Callable[[sqlite3.Connection], object]) -> None:
        with self._lock:
            try:
                with self._opened() as db:
                    work(db)
            except sqlite3.OperationalError as error:  # a full disk, a folder that is not ours
                logger.info("%s cannot be used: %s", self._path, error)
            except sqlite3.DatabaseError as error:
                logger.warning("%s is damaged and is made anew: %s", self._path, error)
                self._start_again()

    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            with suppress(OSError):  # said by SQLite
                self._path.parent.mkdir(parents=True, exist_ok=True)
            self._db = db = sqlite3.connect(self._path, timeout=_WAIT, check_same_thread=False)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            with db:
                db.execute("CREATE TABLE IF NOT EXISTS encoder (name TEXT PRIMARY KEY)")
                name = self._encoder()
                if db.execute("SELECT name FROM encoder").fetchall() != [(name,)]:
                    db.execute("DROP TABLE IF EXISTS codes")
                    db.execute("DELETE FROM encoder")
                    db.execute("INSERT INTO encoder VALUES (?)", (name,))
                db.execute("CREATE TABLE IF NOT EXISTS codes (key TEXT PRIMARY KEY, value BLOB)")
        return self._db

    def _start_again(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
