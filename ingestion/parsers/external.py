"""Parsers that live in an environment of their own: magic-pdf as a command, MinerU over HTTP."""

import shlex
import subprocess
import tempfile
from pathlib import Path

from ...core.document import ParsedDocument
from ...core.errors import DocumentError, SettingsError
from .. import images
from .archive import unpack
from .middle import MiddleJsonParser
from .mineru import MineruParser
from .mineru_http import fetch

TIMEOUT_SECONDS = 3600.0
_LOG_CHARS = 300


class MagicPdfParser:
    """Runs `magic-pdf -p FILE -o FOLDER -m auto` and reads what it wrote."""

    def __init__(self, command: str, *, timeout: float = TIMEOUT_SECONDS) -> None:
        if not command:
            raise SettingsError(
                "parser=magic-pdf needs the setting ingest.magic_pdf_command. "
                "`tuwen parsers install magic-pdf` makes its environment and says what to set."
            )
        self._command = shlex.split(command)
        self._timeout = timeout

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
            log = self._run(path, folder)
            # It exits with 0 even when its weights are missing: only the output tells.
            return _read_output(Path(folder), path, "magic-pdf", log)

    def _run(self, path: Path, folder: str) -> str:
        command = [*self._command, "-p", str(path.resolve()), "-o", folder, "-m", "auto"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=self._timeout, check=False)
        except subprocess.TimeoutExpired as error:
            raise DocumentError(
                f"magic-pdf took more than {self._timeout:.0f} s over {path.name} and was stopped."
                " Split the file, or use parser=auto."
            ) from error
        except OSError as error:
            raise DocumentError(
                f"magic-pdf did not run ({error.strerror or error}): {self._command[0]}. "
                "Check ingest.magic_pdf_command, or: tuwen parsers install magic-pdf"
            ) from error
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        return f"exit code {done.returncode}; it said: {said[-_LOG_CHARS:] or 'nothing'}"


class MineruApiParser:
    """Sends the PDF to a mineru-api server (2 to 4) and reads the archive that comes back."""

    def __init__(self, url: str, *, timeout: float = TIMEOUT_SECONDS) -> None:
        if not url:
            raise SettingsError(
                "parser=mineru needs the setting ingest.mineru_url, the address of a mineru-api. "
                "`tuwen parsers install mineru` makes its environment and says how to start it."
            )
        self._url = url.rstrip("/")
        self._timeout = timeout

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "mineru-api"

    def accepts(self, path: Path) -> bool:
        """Whether it is a PDF."""
        return path.suffix.lower() == ".pdf"

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        with tempfile.TemporaryDirectory(prefix="tuwen-mineru-") as folder:
            archive = Path(folder) / "result.zip"
            archive.write_bytes(fetch(self._url, path, timeout=self._timeout))
            unpack(archive, Path(folder) / "result")
            return _read_output(Path(folder), path, "the MinerU server", "")


def _read_output(folder: Path, source: Path, who: str, log: str) -> ParsedDocument:
    lists = sorted(folder.rglob("*content_list.json")) or sorted(
        folder.rglob("*content_list*.json")
    )
    middles = sorted(folder.rglob("*middle_json.json"))
    if lists:
        parsed = MineruParser().parse(lists[0])
    elif middles:
        parsed = MiddleJsonParser().parse(middles[0])
    else:
        said = f" ({log})" if log else ""
        raise DocumentError(
            f"{who} wrote no content list for {source.name}{said}. Its model weights may be "
            "missing: see its documentation for the download, then try again."
        )
    loaded: dict[str, str | bytes] = {k: images.load(v) for k, v in parsed.images.items()}
    update = {"images": loaded, "source_pdf": str(source), "title": parsed.title or source.stem}
    return parsed.model_copy(update=update)
