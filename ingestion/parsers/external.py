"""Parsers that live in an environment of their own: magic-pdf as a command, MinerU over HTTP."""

import json
import shlex
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from ...core.document import ParsedDocument
from ...core.errors import DocumentError, SettingsError
from .. import images
from .archive import unpack
from .mineru import MineruParser

_TIMEOUT_SECONDS = 3600


class MagicPdfParser:
    """Runs `magic-pdf -p FILE -o FOLDER -m auto` and reads what it wrote."""

    def __init__(self, command: str) -> None:
        if not command:
            raise SettingsError("parser=magic-pdf needs the setting ingest.magic_pdf_command.")
        self._command = shlex.split(command)

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "magic-pdf"

    def accepts(self, path: Path) -> bool:
        """Whether it is a PDF."""
        return path.suffix.lower() == ".pdf"

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        with tempfile.TemporaryDirectory(prefix="tuwen-magic-pdf-") as folder:
            command = [*self._command, "-p", str(path.resolve()), "-o", folder, "-m", "auto"]
            try:
                done = subprocess.run(
                    command, capture_output=True, timeout=_TIMEOUT_SECONDS, check=False
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise DocumentError(f"magic-pdf did not run ({type(error).__name__}).") from error
            # It exits with 0 even when its weights are missing: only the output tells.
            return _read_output(Path(folder), path, f"magic-pdf (exit code {done.returncode})")


class MineruApiParser:
    """Sends the PDF to a mineru-api server and reads the archive that comes back."""

    def __init__(self, url: str) -> None:
        if not url:
            raise SettingsError("parser=mineru needs the setting ingest.mineru_url.")
        self._url = url.rstrip("/")

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "mineru-api"

    def accepts(self, path: Path) -> bool:
        """Whether it is a PDF."""
        return path.suffix.lower() == ".pdf"

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        request = urllib.request.Request(
            f"{self._url}/v1/file_parse?return_content_list=true&response_format_zip=true",
            data=path.read_bytes(),
            headers={"Content-Type": "application/pdf"},
            method="POST",
        )
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as reply:
                body = reply.read()
        except (urllib.error.URLError, TimeoutError, OSError) as error:
            raise DocumentError(
                "The MinerU server does not answer. Check ingest.mineru_url."
            ) from error
        with tempfile.TemporaryDirectory(prefix="tuwen-mineru-") as folder:
            _store(body, Path(folder))
            return _read_output(Path(folder), path, "the MinerU server")


def _store(body: bytes, folder: Path) -> None:
    """A zip is unpacked; a JSON reply with a content list is written where it is looked for."""
    if body.startswith(b"PK"):
        archive = folder / "result.zip"
        archive.write_bytes(body)
        unpack(archive, folder / "result")
        return
    try:
        found = _content_list(json.loads(body))
    except (json.JSONDecodeError, UnicodeDecodeError):
        found = None
    if found is not None:
        (folder / "reply_content_list.json").write_text(json.dumps(found), encoding="utf-8")


def _content_list(reply: object) -> object:
    if isinstance(reply, str):
        return json.loads(reply)
    if isinstance(reply, dict):
        if "content_list" in reply:
            return _content_list(reply["content_list"])
        inner = (_content_list(value) for value in reply.values() if isinstance(value, dict))
        return next((value for value in inner if value is not None), None)
    return reply if isinstance(reply, list) else None


def _read_output(folder: Path, source: Path, who: str) -> ParsedDocument:
    lists = sorted(folder.rglob("*content_list.json")) or sorted(
        folder.rglob("*content_list*.json")
    )
    if not lists:
        raise DocumentError(
            f"{who} wrote no content list for {source.name}. See its log: weights may be missing."
        )
    parsed = MineruParser().parse(lists[0])
    loaded: dict[str, str | bytes] = {k: images.load(v) for k, v in parsed.images.items()}
    update = {"images": loaded, "source_pdf": str(source), "title": parsed.title or source.stem}
    return parsed.model_copy(update=update)
