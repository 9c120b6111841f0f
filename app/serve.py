"""The flags of `langgraph dev` that tuwen needs."""

import ipaddress
import os
import sys
from pathlib import Path

from ..core.errors import UsageError
from ..core.settings import Settings

PACKAGE = Path(__file__).resolve().parent.parent
QUIET = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    # Threads are in tuwen's own SQLite file; the tool's pickles beside it would be a second truth.
    "LANGGRAPH_DISABLE_FILE_PERSISTENCE": "true",
}
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


def environment() -> dict[str, str]:
    """The process's environment without the tool's analytics and pickles; what is set stays."""
    return {**QUIET, **os.environ}


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
