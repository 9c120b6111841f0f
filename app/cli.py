"""The command line. Exit codes: 0 done, 1 some failed, 2 wrong usage."""

import asyncio
import gc
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Coroutine
from contextlib import AbstractContextManager
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from ..core.errors import TuwenError, UsageError
from ..core.settings import Settings
from ..graph.services import Services
from .config import load_settings

T = TypeVar("T")
app = typer.Typer(
    name="tuwen",
    help="图文问答：答案附页码引用与图表。 Answers with page-exact citations and figures.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
Collection = Annotated[str, typer.Option("--collection", "-c", help="集合 / collection")]
AsJson = Annotated[bool, typer.Option("--json", help="机器可读 / for machines")]
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""
COLLECTED = (100_000, 50, 100)
"""When Python's collector looks for what may go. Dictionaries and models are many objects that
stay: looking through them again and again took a fifth of the start."""
out = Console()
err = Console(stderr=True)


def settings() -> Settings:
    """The settings of this process."""
    return load_settings()


def services(
    loaded: Settings | None = None, *, warm: bool = True
) -> AbstractContextManager[Services]:
    """The opened stores and models; imported late, so that `--help` is instant."""
    from .services import open_services

    return open_services(loaded or settings(), warm=warm)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end.

    Ctrl-C ends the process at once: waiting for a thread that parses or embeds could take minutes,
    and the store finishes or undoes at the next start what was cut off.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _interrupted)
    return asyncio.run(work)


def _interrupted(signum: int, frame: object) -> None:
    sys.stderr.write("\n已中断；已完成的文件保留。 / Interrupted; what was finished is kept.\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def parse_where(pairs: list[str]) -> dict[str, Any]:
    """`--where year=2023 --where source_type=exam`; the same key twice is either value."""
    filters: dict[str, Any] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"--where needs key=value, not {pair!r}.")
        filters.setdefault(key.strip(), []).append(value.strip())
    return filters


def main() -> None:
    """Entry point: errors become one clear line, never a stack trace."""
    gc.set_threshold(*COLLECTED)
    from . import commands  # noqa: F401  registers the commands
    from .commands_more import mount_evals

    if sys.argv[1:2] in ([], ["eval"], ["--help"]):
        mount_evals()

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        app()
    except TuwenError as error:
        err.print(f"[red]✗[/red] {error}", highlight=False, markup=True)
        sys.exit(error.exit_code)
    except (PermissionError, OSError) as error:
        err.print("[red]✗[/red]", f"{error.strerror or error}: {error.filename or ''}")
        sys.exit(1)
