"""The HTTP of mineru-api: version 4's /v1/file_parse, and /file_parse of versions 2 and 3."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from ...core.errors import DocumentError

_ATTEMPTS = 3
_WAIT_SECONDS = 300
_POLL_SECONDS = 2.0
_CALL_SECONDS = 60.0


class _Reply:
    """Status, headers and body of an answer, whatever its status."""

    def __init__(self, status: int, body: bytes, kind: str) -> None:
        self.status, self.body, self.kind = status, body, kind

    @property
    def json(self) -> dict[str, Any]:
        """The body as an object; empty when it is none."""
        try:
            value = json.loads(self.body)
        except (ValueError, UnicodeDecodeError):
            return {}
        return value if isinstance(value, dict) else {}


def fetch(
    url: str,
    path: Path,
    *,
    timeout: float,
    pause: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> bytes:
    """The result archive (zip) of a PDF. Raises DocumentError saying what the server said."""
    end = clock() + timeout
    wait = max(1, min(int(timeout), _WAIT_SECONDS))
    query = {"response_format": "zip", "filename": path.name, "wait_timeout": str(wait)}
    data = path.read_bytes()
    reply = _ask(url, query, data, wait + _CALL_SECONDS, pause)
    if reply.status == 503 and "tier='flash'" in _said(reply):
        # A server without models reads with its flash tier, but only when asked for it.
        reply = _ask(url, {**query, "tier": "flash"}, data, wait + _CALL_SECONDS, pause)
    if reply.status == 404:
        return _old_form(url, path, data, timeout, pause)
    while reply.status == 202:
        task = reply.json
        if clock() >= end or not task.get("result_url"):
            raise DocumentError(
                f"The MinerU server took more than {timeout:.0f} s over {path.name}. "
                "Split the file or try again later."
            )
        pause(_POLL_SECONDS)
        result = urllib.parse.urljoin(f"{url}/", str(task["result_url"]).lstrip("/"))
        reply = _send(f"{result}?response_format=zip", None, {}, _CALL_SECONDS, pause)
    return _archive(reply, path)


def _ask(
    url: str,
    query: Mapping[str, str],
    data: bytes,
    timeout: float,
    pause: Callable[[float], None],
) -> _Reply:
    headers = {"Content-Type": "application/octet-stream"}
    address = f"{url}/v1/file_parse?{urllib.parse.urlencode(query)}"
    return _send(address, data, headers, timeout, pause)


def _old_form(
    url: str, path: Path, data: bytes, timeout: float, pause: Callable[[float], None]
) -> bytes:
    """Versions 2 and 3 take a form."""
    border = uuid4().hex
    fields = {
        "return_content_list": "true",
        "return_images": "true",
        "return_md": "false",
        "response_format_zip": "true",
    }
    parts = [_part(border, f'name="{name}"', value.encode()) for name, value in fields.items()]
    name = urllib.parse.quote(path.name)
    about = f'name="files"; filename="{name}"\r\nContent-Type: application/pdf'
    body = b"".join([*parts, _part(border, about, data), f"--{border}--\r\n".encode()])
    headers = {"Content-Type": f"multipart/form-data; boundary={border}"}
    return _archive(_send(f"{url}/file_parse", body, headers, timeout, pause), path)


def _part(border: str, about: str, value: bytes) -> bytes:
    head = f"--{border}\r\nContent-Disposition: form-data; {about}\r\n\r\n"
    return head.encode() + value + b"\r\n"


def _archive(reply: _Reply, path: Path) -> bytes:
    if reply.status == 200 and reply.body.startswith(b"PK"):
        return reply.body
    said = _said(reply)
    if reply.status == 503:
        raise DocumentError(
            f"The MinerU server is not ready{said}. Its model weights may be missing or loading: "
            "run `mineru-models-download` there, or start it with --tier flash."
        )
    if reply.status in (401, 403):
        raise DocumentError(f"The MinerU server refused access{said}.")
    if reply.status == 413:
        raise DocumentError(f"{path.name} is too large for the MinerU server{said}.")
    raise DocumentError(
        f"The MinerU server did not return a result for {path.name} "
        f"(HTTP {reply.status}){said}. See its log."
    )


def _said(reply: _Reply) -> str:
    """The server's own words, from any of the forms that its versions use."""
    body = reply.json
    found: Any = body.get("error") or body.get("detail") or body.get("message")
    if not found and isinstance(body.get("files"), list):
        found = next((f.get("error") for f in body["files"] if isinstance(f, dict)), None)
    if isinstance(found, Mapping):
        found = found.get("message")
    return f": {str(found)[:300]}" if found else ""


def _send(
    url: str,
    data: bytes | None,
    headers: Mapping[str, str],
    timeout: float,
    pause: Callable[[float], None],
) -> _Reply:
    """One request; a refused connection is tried again, an answer never."""
    method = "GET" if data is None else "POST"
    request = urllib.request.Request(url, data=data, headers=dict(headers), method=method)
    for attempt in range(_ATTEMPTS):
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return _Reply(answer.status, answer.read(), answer.headers.get_content_type())
        except urllib.error.HTTPError as error:
            return _Reply(error.code, error.read(), error.headers.get_content_type())
        except TimeoutError as error:
            raise DocumentError(
                f"The MinerU server did not answer within {timeout:.0f} s. Try again later."
            ) from error
        except (urllib.error.URLError, ConnectionError, OSError) as error:
            if attempt + 1 == _ATTEMPTS:
                raise DocumentError(
                    f"The MinerU server at {_place(url)} does not answer. Start it with "
                    "`mineru-api` and check ingest.mineru_url."
                ) from error
            pause(0.5 * 2**attempt)
    raise AssertionError("unreachable")


def _place(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
