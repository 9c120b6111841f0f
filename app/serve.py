"""The flags of `langgraph dev` that tuwen needs."""

import ipaddress
import shutil
import sys
from pathlib import Path

from ..core.errors import UsageError
from ..core.settings import Settings
from .config import CONFIG_KEY, process_env, toml_path

PACKAGE = Path(__file__).resolve().parent.parent
QUIET = {"LANGGRAPH_CLI_NO_ANALYTICS": "1"}
OPEN = (
    "认证未开启：能访问此端口的人都是同一用户。 / Authentication is off: everybody who reaches this"
    " port is one user."
)


def command(*, host: str, port: int, jobs: int) -> list[str]:
    """`langgraph dev` on our langgraph.json: no browser, no reload, several runs at once."""
    executable = Path(sys.executable).with_name("langgraph")
    return [
        str(executable),
        "dev",
        "--config",
        str(PACKAGE / "langgraph.json"),
        "--host",
        host,
        "--port",
        str(port),
        "--n-jobs-per-worker",
        str(jobs),
        "--no-browser",
        "--no-reload",
    ]


def environment(settings: Settings, folder: Path) -> dict[str, str]:
    """The server's environment, for any working folder: places are absolute, `folder`'s .env read.

    What the user set stays; analytics are off unless set.
    """
    env = {**QUIET, **process_env(folder), "TUWEN_HOME": str(settings.home.absolute())}
    toml = toml_path(env, folder)
    if toml.is_file():
        env[CONFIG_KEY] = str(toml.absolute())
    if settings.server.import_dir:
        env["TUWEN_SERVER__IMPORT_DIR"] = str(Path(settings.server.import_dir).absolute())
    return env


def working_folder(settings: Settings, port: int) -> Path:
    """An empty folder for the server to stand in.

    `langgraph dev` keeps its lists as pickles in `.langgraph_api` of the folder it is started in,
    and loads what lies there. Threads are in tuwen's own SQLite file, so the pickles would be a
    second truth, and a planted one would run: what an earlier server left is removed unread.
    """
    folder = settings.home.absolute() / "server" / str(port)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / ".langgraph_api", ignore_errors=True)
    return folder


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def notice(host: str, settings: Settings, *, insecure: bool = False) -> str:
    """What to say before the start; "" with keys.

    Raises UsageError for an address that others reach without keys, unless `insecure` says that
    something in front authenticates.
    """
    if settings.server.api_keys:
        return ""
    if not is_loopback(host) and not insecure:
        raise UsageError(
            f"{host} 可被其他机器访问，但未设置密钥。 / Other machines can reach {host} and there"
            " are no keys. Set TUWEN_API_KEYS=owner:secret, or give --insecure when a gateway"
            " in front of it authenticates."
        )
    return OPEN
