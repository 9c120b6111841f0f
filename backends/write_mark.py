"""A mark beside the store while it holds what may not be on the disk yet.

What a process wrote outlives it; what a machine wrote outlives a loss of power only where the disk
was waited for. Waiting for every file of every document would double the time of small ones, so it
is done at the end, and a mark stands until then. One that is found at a start says that the process
ended in between, and, where the machine was started since, that any file may be incomplete.
"""

import json
import os
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from .chroma_graphs import Stamps
from .whole_file import sync_below, sync_names, write_whole

_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Left(NamedTuple):
    """What an earlier process left: whether the machine stopped since (or that is not known), and
    the graphs that were on the disk."""

    power: bool
    graphs: Stamps


class WriteMark:
    """The file `store.writing` in the store's folder; in `waited` every file is waited for as it
    is written."""

    def __init__(self, home: Path, *, waited: Path | None = None) -> None:
        self._home = home
        self._waited = waited
        self._path = home / "store.writing"
        self._graphs: Stamps | None = None

    def left(self) -> Left | None:
        """What to look at; None: everything was on the disk."""
        if not self._path.is_file():
            return None
        kept = self._read()
        same = bool(kept.get("boot")) and kept["boot"] == _boot()
        return Left(power=not same, graphs=kept.get("graphs", {}))

    def set(self, graphs: Stamps) -> None:
        """Before the first write, and whenever other graphs are on the disk."""
        if self._graphs == graphs and self._path.is_file():
            return
        since = self._read().get("since")
        if since is None:
            with TemporaryFile(dir=self._home) as file:
                since = os.fstat(file.fileno()).st_mtime  # by the clock of the files themselves
        kept = {"boot": _boot(), "since": since, "graphs": graphs}
        write_whole(self._path, json.dumps(kept).encode())
        self._graphs = graphs

    @property
    def standing(self) -> bool:
        """Whether this process has set it."""
        return self._graphs is not None

    def clear(self) -> None:
        """Wait for all that was written since it was set, and take it away. Raises OSError."""
        sync_below(self._home, self._read().get("since", 0.0), waited=self._waited)
        self._path.unlink(missing_ok=True)
        sync_names(self._home)
        self._graphs = None

    def _read(self) -> dict[str, Any]:
        try:
            kept = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}


def _boot() -> str:
    """What this run of the machine is called; "" where the system does not say."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
