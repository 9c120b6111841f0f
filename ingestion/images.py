"""Picture bytes: media type by content, size, asset id."""

import hashlib
import re
import warnings
from io import BytesIO
from pathlib import Path

MAX_PICTURE_BYTES = 64 << 20
_NO_NAME = re.compile("[\0\ud800-\udfff]")  # no file is called so


def media_suffix(data: bytes) -> str:
    """`.png`, `.jpg`, `.gif`, `.webp`, or empty: nothing else is shown (SVG can run script)."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return ".png"
    if data.startswith(b"\xff\xd8\xff"):
        return ".jpg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return ".gif"
    return ".webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def asset_id(data: bytes) -> str:
    """Content address of a picture; empty when it is of no type that may be shown."""
    suffix = media_suffix(data)
    return hashlib.sha256(data).hexdigest()[:32] + suffix if suffix else ""


def pixel_size(data: bytes) -> tuple[int, int] | None:
    """Width and height, read from the header; None when it cannot be read."""
    from PIL import Image, UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            with Image.open(BytesIO(data)) as picture:
                return picture.size
        except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
            return None


def load(source: str | bytes | None) -> bytes:
    """The bytes of a parsed document's picture; empty when missing or too big."""
    if isinstance(source, bytes):
        return source
    path = Path(source) if source else None
    if path is None or not path.is_file() or path.stat().st_size > MAX_PICTURE_BYTES:
        return b""
    return path.read_bytes()


def below(folder: Path, name: str) -> Path | None:
    """The existing file that `name` means below `folder`; never one outside it.

    Addresses, absolute paths, `..` and links that lead out give None. An absolute path of another
    machine is looked up by its last parts, as parsers write them.
    """
    cleaned = name.strip().replace("\\", "/").split("?")[0]
    if not cleaned or "://" in cleaned or cleaned.startswith("data:") or _NO_NAME.search(cleaned):
        return None
    parts = [part for part in cleaned.split("/") if part not in ("", ".")]
    if not parts or ".." in parts or any(len(part.encode()) > 255 for part in parts):
        return None
    absolute = cleaned.startswith("/") or parts[0].endswith(":")
    tails = (
        [parts[-2:], parts[-1:], ["images", parts[-1]]]
        if absolute
        else [parts, ["images", parts[-1]]]
    )
    root = folder.resolve()
    for tail in tails:
        target = root.joinpath(*tail)
        if target.is_file() and target.resolve().is_relative_to(root):
            return target
    return None
