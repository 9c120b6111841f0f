"""`tuwen parsers`: which engines read PDFs here, and environments of their own for two of them."""

import importlib.metadata
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from ..core.errors import TuwenError, UsageError
from ..core.settings import Settings
from .cli import AsJson, app, err, out, print_json, settings

MAGIC_COMMAND = "TUWEN_INGEST__MAGIC_PDF_COMMAND"
MINERU_URL = "TUWEN_INGEST__MINERU_URL"
_PROBE_SECONDS = 3.0
_MINERU_PORT = 8000


@dataclass(frozen=True)
class Engine:
    """One engine: whether it can read a PDF now, what is known of it, what to do if it cannot."""

    name: str
    ready: bool
    detail: str
    todo: str = ""


@dataclass(frozen=True)
class Recipe:
    """What an engine's own environment holds."""

    packages: tuple[str, ...]
    executable: str
    note: str


RECIPES = {
    "magic-pdf": Recipe(
        ("magic-pdf[full]==1.3.12",),
        "magic-pdf",
        "magic-pdf is under the AGPL; it runs as a program of its own. It needs model weights and "
        "magic-pdf.json: see its documentation.",
    ),
    "mineru": Recipe(
        ("mineru>=4,<5",),
        "mineru-api",
        "The flash tier needs no weights; the others: mineru-models-download.",
    ),
}

parsers = typer.Typer(help="解析引擎。 Engines that read PDFs.", invoke_without_command=True)
app.add_typer(parsers, name="parsers")


def engines(loaded: Settings, *, probe: Callable[[str], str]) -> list[Engine]:
    """Every engine, the default first. `probe` asks a MinerU address for its state: "" is ready."""
    version = importlib.metadata.version("docvortex")
    return [
        Engine("auto", True, f"docvortex {version}: PDF with text, Office, HTML, EPUB, CSV"),
        _ocr(),
        _magic_pdf(loaded),
        _mineru(loaded, probe),
    ]


def _ocr() -> Engine:
    if importlib.util.find_spec("rapidocr") is None:
        todo = "pip install 'tuwen[ocr]'"
        return Engine("ocr", False, "rapidocr is not installed: scans are not read", todo)
    version = importlib.metadata.version("rapidocr")
    return Engine("ocr", True, f"rapidocr {version}: scans and pictures, also within auto")


def _magic_pdf(loaded: Settings) -> Engine:
    command = loaded.ingest.magic_pdf_command
    if not command:
        own = executable(loaded.home, "magic-pdf")
        if own.is_file():
            todo = f"{MAGIC_COMMAND}={shlex.quote(str(own))}"
            return Engine("magic-pdf", False, "installed, but the setting is empty", todo)
        return Engine("magic-pdf", False, "not installed", "tuwen parsers install magic-pdf")
    program = shlex.split(command)[0]
    if shutil.which(program) is None:
        return Engine(
            "magic-pdf", False, f"{program} is no program", f"correct or empty {MAGIC_COMMAND}"
        )
    missing = _missing_weights()
    todo = "follow magic-pdf's documentation to download its models" if missing else ""
    return Engine("magic-pdf", not missing, missing or command, todo)


def _missing_weights() -> str:
    """What is wrong with magic-pdf's models: it would exit with 0 and write nothing."""
    named = os.environ.get("MINERU_TOOLS_CONFIG_JSON", "magic-pdf.json")
    config = Path.home() / named  # an absolute name stays as it is
    try:
        folder = json.loads(config.read_text(encoding="utf-8")).get("models-dir", "")
    except OSError:
        return f"{config} does not exist: its model weights are not set up"
    except (ValueError, AttributeError):
        return f"{config} is not valid JSON"
    folders = list(folder.values()) if isinstance(folder, dict) else [folder]
    gone = next((one for one in folders if not one or not Path(str(one)).is_dir()), None)
    return "" if gone is None else f"its model folder {gone or '(none)'} does not exist"


def _mineru(loaded: Settings, probe: Callable[[str], str]) -> Engine:
    url = loaded.ingest.mineru_url.rstrip("/")
    if not url:
        own = executable(loaded.home, "mineru")
        if own.is_file():
            start = f"{shlex.quote(str(own))} --tier flash --port {_MINERU_PORT}"
            todo = f"{start}   and {MINERU_URL}=http://127.0.0.1:{_MINERU_PORT}"
            return Engine("mineru", False, "installed, but no server is named", todo)
        return Engine("mineru", False, "no server is named", "tuwen parsers install mineru")
    said = probe(url)
    todo = f"start mineru-api there, or correct {MINERU_URL}" if said else ""
    return Engine("mineru", not said, said or f"server {url}", todo)


def probe_mineru(url: str) -> str:
    """What keeps the server from working; empty when it answers that it is well."""
    for path in ("/v1/health", "/health", "/docs"):
        try:
            with urllib.request.urlopen(f"{url}{path}", timeout=_PROBE_SECONDS):
                return ""
        except urllib.error.HTTPError as error:
            if error.code != 404:
                return f"the server at {url} says HTTP {error.code}: its models may be missing"
        except (OSError, ValueError) as error:
            return f"no server answers at {url} ({type(error).__name__})"
    return f"what answers at {url} is no mineru-api"


def executable(home: Path, name: str) -> Path:
    """Where an engine's program is in the environment that `install` makes."""
    folder = home.resolve() / "parsers" / name
    program = RECIPES[name].executable
    if os.name == "nt":
        return folder / "Scripts" / f"{program}.exe"
    return folder / "bin" / program


def install(name: str, home: Path, run: Callable[[Sequence[str]], int]) -> Path:
    """Make the environment and install into it; `run` runs a command and gives its exit code.

    Raises UsageError for an engine without a recipe, TuwenError when a step fails.
    """
    recipe = RECIPES.get(name)
    if recipe is None:
        raise UsageError(f"There is no {name!r} to install: use {' or '.join(RECIPES)}.")
    folder = home.resolve() / "parsers" / name
    program = executable(home, name)
    python = program.with_name("python.exe" if os.name == "nt" else "python")
    steps = (
        [sys.executable, "-m", "venv", str(folder)],
        [str(python), "-m", "pip", "install", *recipe.packages],
    )
    for step in steps:
        if (code := run(step)) != 0:
            shown = " ".join(map(shlex.quote, step))
            raise TuwenError(f"This step failed with exit code {code}: {shown}")
    if not program.is_file():
        raise TuwenError(f"{' '.join(recipe.packages)} brought no {recipe.executable}.")
    return program


@parsers.callback()
def list_parsers(context: typer.Context, as_json: AsJson = False) -> None:
    """列出引擎及其状态。 Without a sub-command: list the engines."""
    if context.invoked_subcommand is not None:
        return
    found = engines(settings(), probe=probe_mineru)
    if as_json:
        print_json({"parsers": [asdict(engine) for engine in found]})
        return
    table = Table(show_header=False, box=None)
    for engine in found:
        mark = "[green]✓[/green]" if engine.ready else "[dim]–[/dim]"
        table.add_row(mark, Text(engine.name, "bold"), Text(engine.detail), Text(engine.todo))
    out.print(table)


@parsers.command("install")
def install_parser(
    name: Annotated[str, typer.Argument(help=" | ".join(RECIPES))],
) -> None:
    """装入独立环境。 Install an engine into an environment of its own."""

    def run(command: Sequence[str]) -> int:
        err.print(Text("$ " + " ".join(map(shlex.quote, command)), "dim"))
        return subprocess.run(command, check=False).returncode

    loaded = settings()
    program = install(name, loaded.home, run)
    out.print(Text(f"✓ {program}"))
    err.print(Text(RECIPES[name].note))
    probe = engines(loaded, probe=probe_mineru)
    for engine in probe:
        if engine.name == name and engine.todo:
            err.print(Text(engine.todo))
