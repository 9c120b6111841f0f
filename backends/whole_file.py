"""Files that are there whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_whole(target: Path, data: bytes) -> None:
    """Write `data` beside `target` and put it in its place in one step; the folder exists.

    After a crash or an OSError (raised) the old file stands, and no part of a new one.
    """
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(target)
    finally:
        Path(name).unlink(missing_ok=True)
