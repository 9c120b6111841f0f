"""What a path is, judged by content first and by suffix second; folders become inputs."""

import hashlib
import os
import re
import time
import unicodedata
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..core.document import EMPTY_FOLDER, FileReport

InputKind = Literal[
    "mineru",
    "middle",
    "docmind",
    "pdf",
    "office",
    "html",
    "epub",
    "csv",
    "markdown",
    "text",
    "zip",
    "picture",
    "empty",
    "missing",
    "unknown",
]
_HEAD_BYTES = 65536
_SETTLED_SECONDS = 2.0
_CONTENT_LIST = re.compile(r"^(?P<stem>.*?)[._-]?content_list(?P<v2>_v2)?\.json$", re.IGNORECASE)
# MinerU writes these beside a content list; they are the same document again.
_COMPANION = re.compile(
    r"(^|_)(full\.md|origin\.pdf|layout\.pdf|spans?\.pdf|middle\.json|model\.json|layout\.json"
    r"|model_output\.txt|middle_json\.json|structured_content\.json|block_list\.json)$",
    re.IGNORECASE,
)
# A MinerU 4 result: the other files say the same again.
_MIDDLE = "middle_json.json"
_RESULT_FILES = frozenset(
    {_MIDDLE, "markdown.md", "structured_content.json", "model_output.json", "model_json.json"}
)
_METHOD_FOLDERS = frozenset({"auto", "vlm", "txt", "ocr", "office", "hybrid_auto", "hybrid_ocr"})
_SUFFIX_KINDS: dict[str, InputKind] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".csv": "csv",
    ".tsv": "csv",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
_OLE_SUFFIXES = frozenset({".doc", ".xls", ".ppt"})
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")
_HTML = re.compile(rb"^\s*(<!--.*?-->\s*)*(<\?xml[^>]*>\s*)?<(!doctype html|html)\b", re.I | re.S)


@dataclass(frozen=True)
class Input:
    """One document to read.

    `path` is the file that is parsed (the content list of a MinerU folder). `source_key` says which
    document it is, stable over re-ingests. `skip_reason` is set for what a folder holds and nobody
    asked to read.
    """

    path: Path
    kind: InputKind
    source_key: str
    name: str
    skip_reason: str = ""


def find_inputs(paths: Sequence[Path]) -> list[Input]:
    """Every input that the paths name, folders expanded, in order and without repetition.

    A directly named path always yields an input, even a missing one: parsing it says what is wrong.
    """
    found: dict[str, Input] = {}
    for path in paths:
        for item in _expand(path):
            found.setdefault(item.source_key, item)
    return list(found.values())


def skip_report(item: Input) -> FileReport | None:
    """The report of what a folder holds and nobody asked to read; None: it is to be read."""
    if not item.skip_reason:
        return None
    return FileReport(path=item.name, state="skipped", reason=item.skip_reason)


def _expand(path: Path) -> Iterator[Input]:
    if path.is_dir():
        inside = list(_walk(path))
        yield from _drop_sources_of_outputs(inside) if inside else [_skipped(path, EMPTY_FOLDER)]
    elif not path.is_file():
        yield _input(path, "missing")
    else:
        yield _named_file(path)


def _named_file(path: Path) -> Input:
    kind = sniff(path)
    if kind == "middle":
        key = _text(str(path.resolve()))
        name = path.resolve().parent.name if path.name == _MIDDLE else path.stem
        return Input(path, kind, key, _shown(name))
    return _mineru_input(path) if kind == "mineru" else _input(path, kind)


def _walk(root: Path) -> Iterator[Input]:
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        lists = _content_lists(here, files)
        hidden = [name for name in folders if name.startswith(".") or name == "__MACOSX"]
        yield from (_skipped(here / name, "hidden folder") for name in sorted(hidden))
        result = not lists and _MIDDLE in files
        folders[:] = sorted(
            name
            for name in folders
            if name not in hidden
            and not ((lists or result) and name == "images")
            and not (here / name).is_symlink()
        )
        yield from (_mineru_input(path) for path in lists)
        if result:
            yield _named_file(here / _MIDDLE)
        rest = set(files) - (_RESULT_FILES if result else set())
        yield from _other_files(here, sorted(rest), lists)


def _other_files(here: Path, files: list[str], lists: list[Path]) -> Iterator[Input]:
    stems = {_stem(path) for path in lists}
    for name in files:
        path = here / name
        if _CONTENT_LIST.match(name) or (lists and _is_companion(name, stems)):
            continue
        if name.startswith((".", "~$")):
            yield _skipped(path, "hidden file")
        elif path.is_symlink() and not path.exists():
            yield _skipped(path, "broken link")
        else:
            yield _folder_file(path)


def _folder_file(path: Path) -> Input:
    kind = sniff(path)
    if kind == "picture":
        return _skipped(path, "a picture without a document", kind)
    if kind == "unknown" and path.suffix.lower() != ".pdf":
        return _skipped(path, "no reader for this type of file", kind)
    return _mineru_input(path) if kind == "mineru" else _input(path, kind)


def _content_lists(here: Path, files: Sequence[str]) -> list[Path]:
    """One content list a stem; the first version wins over the second."""
    best: dict[str, Path] = {}
    for name in sorted(files):
        match = _CONTENT_LIST.match(name)
        if match and (match["stem"] not in best or not match["v2"]):
            best[match["stem"]] = here / name
    return [best[stem] for stem in sorted(best)]


def _stem(path: Path) -> str:
    match = _CONTENT_LIST.match(path.name)
    return match["stem"] if match else path.stem


def _is_companion(name: str, stems: set[str]) -> bool:
    base = Path(name)
    related = base.stem in stems or any(stem and base.stem.startswith(f"{stem}_") for stem in stems)
    return bool(_COMPANION.search(name)) or (
        related and base.suffix.lower() in {".md", ".pdf", ".json", ".html", ".docx"}
    )


def _drop_sources_of_outputs(items: list[Input]) -> Iterator[Input]:
    """A file beside the folder of its own MinerU output is that document again."""
    outputs = {
        (item.name, parent)
        for item in items
        if item.kind == "mineru"
        for parent in item.path.parents
    }
    for item in items:
        twin = (item.path.stem, item.path.parent) in outputs
        if item.kind in {"pdf", "office"} and twin and not item.skip_reason:
            yield _skipped(item.path, "its MinerU output is read instead", item.kind)
        else:
            yield item


def _mineru_input(path: Path) -> Input:
    stem = _stem(path) if _CONTENT_LIST.match(path.name) else path.stem
    folder = path.resolve().parent
    while not stem and folder.name in _METHOD_FOLDERS:
        folder = folder.parent
    key = _text(str(path.resolve().parent / f"{_stem(path)}_content_list"))
    return Input(path, "mineru", key, _shown(stem or folder.name))


def _input(path: Path, kind: InputKind) -> Input:
    return Input(path, kind, _text(str(path.resolve())), _shown(path.name))


def _skipped(path: Path, reason: str, kind: InputKind = "unknown") -> Input:
    return Input(path, kind, _text(str(path.absolute())), _shown(path.name), reason)


def _text(name: str) -> str:
    """Storable as UTF-8 even where the file system's bytes are not."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _shown(name: str) -> str:
    return unicodedata.normalize("NFC", _text(name))


_NO_ENTRY = b"PK\x05\x06"
"""What an archive without entries begins with."""


def sniff(path: Path) -> InputKind:
    """The kind of a file's content; `unknown` when no parser reads it."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if not head:
        return "empty"
    return _binary_kind(path, head) or _text_kind(path, head)


def _binary_kind(path: Path, head: bytes) -> InputKind | None:
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", _NO_ENTRY)):
        return _zip_kind(path)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return "office" if path.suffix.lower() in _OLE_SUFFIXES else "unknown"
    if head.startswith(b"{\\rtf"):
        return "office"
    if head.startswith(_PICTURES) or head[8:12] == b"WEBP":
        return "picture"
    return None


def _zip_kind(path: Path) -> InputKind:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            kind = archive.read("mimetype")[:80] if names[:1] == ["mimetype"] else b""
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError):
        return "zip"
    if b"epub" in kind:
        return "epub"
    return "office" if "[Content_Types].xml" in names or b"opendocument" in kind else "zip"


def _text_kind(path: Path, head: bytes) -> InputKind:
    suffix = path.suffix.lower()
    if suffix == ".json":
        return _json_kind(path, head)
    if _HTML.match(head.lstrip(b"\xef\xbb\xbf")):
        return "html"
    return _SUFFIX_KINDS.get(suffix, "unknown")


def _json_kind(path: Path, head: bytes) -> InputKind:
    if _CONTENT_LIST.match(path.name):
        return "mineru"
    body = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    if b'"layouts"' in body or (b'"uniqueId"' in body and b'"pageNum"' in body):
        return "docmind"
    named = path.name.endswith(_MIDDLE) or (b'"schema"' in head and b'"producer"' in head)
    if body.startswith(b"{") and named:
        return "middle"
    blocks = b'"type"' in body and any(
        key in body for key in (b'"page_idx"', b'"img_path"', b'"text_level"', b'_content"')
    )
    return "mineru" if body.startswith(b"[") and blocks else "unknown"


def content_hash(item: Input) -> str:
    """SHA-256 of what is read: a content list's bytes with the names and bytes of its pictures."""
    sha = hashlib.sha256()
    if item.kind == "missing":
        return sha.hexdigest()
    _feed(sha, item.path)
    for picture in _pictures(item):
        sha.update(b"\0" + os.fsencode(picture.name) + b"\0")
        _feed(sha, picture)
    return sha.hexdigest()


def stamp(item: Input) -> str:
    """Names, sizes and times of change of what `content_hash` would read.

    Empty where that proves nothing: a missing file, or one that changed so lately that the next
    change could bear the same time.
    """
    try:
        facts = [_fact(path) for path in (item.path, *_pictures(item))]
    except OSError:
        return ""
    if max(fact[1] for fact in facts) > (time.time() - _SETTLED_SECONDS) * 1e9:
        return ""
    return hashlib.sha256(repr(facts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _pictures(item: Input) -> list[Path]:
    """The pictures that a parser wrote beside its result, in order of their names."""
    folder = item.path.parent / "images"
    if item.kind not in ("mineru", "middle") or not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_file())


def _fact(path: Path) -> tuple[str, int, int]:
    known = path.stat()
    return path.name, known.st_mtime_ns, known.st_size


def _feed(sha: "hashlib._Hash", path: Path) -> None:
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            sha.update(block)
