"""One process owns an embedded store: two writers lose vectors, a second reader sees stale ones."""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from ..core.errors import StoreBusyError, StoreError


class StoreLock:
    """A lock that names its owner. The kernel frees it when the owner dies, however it dies.

    The owner's process id stands in a file beside the lock, because a locked file cannot be read
    on every system.
    """

    def __init__(self, home: Path, *, wait_seconds: float) -> None:
        self._home = home
        self._wait = wait_seconds
        self._owner = home / "store.owner"
        self._lock = FileLock(str(home / "store.lock"), thread_local=False)

    @property
    def home(self) -> Path:
        """The store's folder."""
        return self._home

    def acquire(self) -> Self:
        """Own the store. Raises StoreBusyError after the wait, StoreError if it is unwritable."""
        try:
            self._home.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=self._wait, poll_interval=0.05)
            command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]]).strip()
            self._owner.write_text(
                json.dumps({"pid": os.getpid(), "command": command}), encoding="utf-8"
            )
        except Timeout as error:
            raise StoreBusyError(self._busy(), place=self._home) from error
        except OSError as error:
            self._lock.release()
            raise StoreError(
                f"The store folder {self._home} cannot be used ({error}). Check that it exists and"
                " may be written, or choose another with TUWEN_HOME.",
                place=self._home,
            ) from error
        return self

    def release(self) -> None:
        """Give the store up; a second call does nothing."""
        if self._lock.is_locked:
            with suppress(OSError):  # a folder that cannot be written any more: the lock counts
                self._owner.unlink(missing_ok=True)
            self._lock.release()

    def __enter__(self) -> Self:
        return self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def _busy(self) -> str:
        try:
            owner = json.loads(self._owner.read_text(encoding="utf-8"))
            who = f"process {owner['pid']} ({owner['command']})"
        except (OSError, ValueError, KeyError, TypeError):
            who = "another process"
        return (
            f"The store {self._home} is in use by {who}, and still was after {self._wait:g} s."
            " Stop that process, ask it instead (a running server answers over HTTP), or share one"
            " store between processes: run `chroma run --path DIR` and set TUWEN_STORE__CHROMA_URL."
        )
