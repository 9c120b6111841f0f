"""Opening and closing Chroma: a folder of this process, or a server that several share."""

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..core.errors import StoreError
from .chroma_graphs import look

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

_CONNECT_SECONDS = 5.0


def connect(folder: Path, url: str) -> "ClientAPI":
    """A client of the folder (created at need) or of the server at `url`.

    Raises StoreError where no server answers.
    """
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    if not url:
        folder.mkdir(parents=True, exist_ok=True)
        look(folder)
        try:
            return chromadb.PersistentClient(path=str(folder), settings=settings)
        except AttributeError as error:  # chromadb 1.5 stops what never started, and hides why
            raise OSError(str(error.__context__ or error)) from error
    parts = urlsplit(url if "//" in url else f"http://{url}")
    host, secure = parts.hostname or "localhost", parts.scheme == "https"
    port = parts.port or (443 if secure else 8000)
    try:
        # The client waits long for a server that is not there, and keeps what it opened.
        socket.create_connection((host, port), timeout=_CONNECT_SECONDS).close()
        return chromadb.HttpClient(host=host, port=port, ssl=secure, settings=settings)
    except (OSError, ValueError) as error:
        raise StoreError(
            f"No Chroma server answers at {url} ({error}). Start one with: chroma run --path DIR",
            place=url,
        ) from error


def disconnect(client: Any) -> None:
    """Release what a client holds."""
    # chromadb 1.5 leaves the connections of a server's clients open.
    servers = [
        getattr(c, "_server", None) for c in (client, getattr(client, "_admin_client", None))
    ]
    sessions = [getattr(server, "_session", None) for server in servers]
    client.close()
    for session in sessions:
        if session is not None:
            session.close()
