"""The catalog's file: a connection a thread, writers in turn, and what goes wrong in words."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.errors import StoreError
from .catalog_schema import check_sqlite, connect, identity, prepare


class CatalogFile:
    """SQLite in the file `path`. Readers never wait for a writer (WAL)."""

    def __init__(self, path: Path) -> None:
        check_sqlite()
        self._path = path
        self._write_lock = threading.RLock()
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            prepare(self._connection(), path)
            self._file = identity(path)

    def close(self) -> None:
        """Close every thread's connection; the catalog cannot be used afterwards."""
        with self._write_lock:
            while self._open:
                self._open.pop().close()
            self._local = threading.local()

    def check(self) -> list[str]:
        """SQLite's own findings about the file; empty when it is sound."""
        return [line for line in self._column("PRAGMA quick_check") if line != "ok"]

    def _column(self, sql: str, *values: Any) -> list[str]:
        return [row[0] for row in self._all(sql, *values)]

    def _all(self, sql: str, *values: Any) -> list[Any]:
        with self._errors():
            return self._connection().execute(sql, values).fetchall()

    def _version(self) -> tuple[int, int] | None:
        """Changes with every change that this thread can read, its own and others'; None inside a
        change, which may be taken back."""
        with self._errors():
            connection = self._connection()
            (others,) = connection.execute("PRAGMA data_version").fetchone()
            return None if connection.in_transaction else (others, connection.total_changes)

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = connect(self._path)
            with self._write_lock:
                self._open.append(connection)
        return connection

    @contextmanager
    def _transaction(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """`durable`: it is on the disk at the end, with all that was written before it; another
        may be lost with the power, the last ones first, and then was never there."""
        with self._errors(), self._write_lock:
            self._check_file()
            db = self._connection()
            db.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    def _check_file(self) -> None:
        """SQLite goes on writing into a file that was removed, and nobody would find it again."""
        if identity(self._path) != self._file:
            raise StoreError(
                f"The catalog {self._path} was removed or replaced while it was in use. Restart;"
                " what is in the folder then is what counts.",
                place=self._path.parent,
            )

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"The catalog {self._path} cannot be used ({error}). Check that the folder exists"
                " and may be written and that the disk has space; restart after it was moved or"
                " removed.",
                place=self._path.parent,
            ) from error
