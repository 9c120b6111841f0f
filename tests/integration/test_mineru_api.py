"""mineru-api over HTTP: a loopback server that answers as the real versions do.

The real one: `tuwen parsers install mineru`, start `mineru-api --tier flash`, and set
TUWEN_TEST_MINERU_URL to its address.
"""

import io
import json
import os
import threading
import zipfile
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.unit.ingestion.test_pdf import LINES, pdf
from tuwen.app.parsers_cli import probe_mineru
from tuwen.core.errors import DocumentError
from tuwen.ingestion.parsers import mineru_http
from tuwen.ingestion.parsers.external import MineruApiParser

pytestmark = pytest.mark.integration
Answer = tuple[int, str, bytes]


class Server:
    """Serves what `answer` says and keeps what was asked."""

    def __init__(self, answer: Callable[[str, dict[str, list[str]], bytes], Answer]) -> None:
        self.asked: list[tuple[str, str, dict[str, list[str]], str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self._reply("POST")

            def do_GET(self) -> None:
                self._reply("GET")

            def _reply(self, method: str) -> None:
                parts = urlsplit(self.path)
                query = parse_qs(parts.query)
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                kind = str(self.headers.get("Content-Type") or "")
                outer.asked.append((method, parts.path, query, kind))
                status, content_type, data = answer(parts.path, query, body)
                self.send_response(status)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def serve():
    servers: list[Server] = []

    def start(answer):
        servers.append(Server(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(mineru_http, "_POLL_SECONDS", 0.01)


def archive(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name, text in files.items():
            target.writestr(name, text)
    return buffer.getvalue()


def problem(status: int, code: str, message: str) -> Answer:
    error = {"error": {"type": "api_error", "code": code, "message": message, "param": None}}
    return status, "application/json", json.dumps(error).encode()


CONTENT_LIST = json.dumps([{"type": "text", "text": "The pump.", "page_idx": 1}])


def middle_json(path: Path) -> str:
    """A result in version 4's form, made by the engine behind its flash tier."""
    import docvortex

    middle = docvortex.parse(path, file_suffix="pdf", parse_mode="txt").middle_json
    return json.dumps(middle.model_dump(mode="json"))


def test_version_4_gets_the_bytes_and_its_archive_is_read(serve, tmp_path):
    path = pdf(tmp_path / "pump manual.pdf", [[f"{LINES} 1."], [f"{LINES} 2."]])
    packed = archive({"markdown.md": "x", "middle_json.json": middle_json(path)})

    def answer(place, query, body):
        if place != "/v1/file_parse" or query.get("response_format") != ["zip"]:
            return problem(404, "not_found", "no")
        allowed = {"response_format", "wait_timeout", "filename"}
        if set(query) - allowed or not body.startswith(b"%PDF-"):
            return problem(400, "invalid_request", "extra fields are not permitted")
        return 200, "application/zip", packed

    server = serve(answer)
    parsed = MineruApiParser(server.url).parse(path)
    assert [(b.page, f"{b.page}." in b.text) for b in parsed.blocks] == [(1, True), (2, True)]
    assert parsed.blocks[0].bbox is not None
    _, _, query, kind = server.asked[0]
    assert kind == "application/octet-stream"
    assert query["filename"] == ["pump manual.pdf"]


def test_a_server_without_models_is_asked_for_its_flash_tier(serve, tmp_path):
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} 1."]])

    def answer(place, query, body):
        if query.get("tier") != ["flash"]:
            said = "No basic, standard, or advanced tier available. Pass tier='flash' explicitly."
            return problem(503, "tier_unavailable", said)
        return 200, "application/zip", archive({"a_content_list.json": CONTENT_LIST})

    server = serve(answer)
    assert MineruApiParser(server.url).parse(path).blocks[0].text == "The pump."
    assert len(server.asked) == 2


def test_a_task_that_takes_longer_is_asked_for_again(serve, tmp_path):
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} 1."]])
    task = {"task_id": "t1", "status": "running", "result_url": "/v1/tasks/t1/result"}
    left = [2]

    def answer(place, query, body):
        if place == "/v1/tasks/t1/result" and not left[0]:
            return 200, "application/zip", archive({"a_content_list.json": CONTENT_LIST})
        left[0] -= 1
        return 202, "application/json", json.dumps(task).encode()

    server = serve(answer)
    parsed = MineruApiParser(server.url).parse(path)
    assert [(b.text, b.page) for b in parsed.blocks] == [("The pump.", 2)]
    assert [method for method, *_ in server.asked] == ["POST", "GET", "GET"]


def test_a_task_that_never_ends_is_given_up(serve, tmp_path):
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} 1."]])
    task = {"task_id": "t1", "status": "running", "result_url": "/v1/tasks/t1/result"}
    server = serve(lambda *_: (202, "application/json", json.dumps(task).encode()))
    with pytest.raises(DocumentError, match="took more than"):
        MineruApiParser(server.url, timeout=0.2).parse(path)


def test_versions_2_and_3_get_a_form(serve, tmp_path):
    path = pdf(tmp_path / "泵.pdf", [[f"{LINES} 1."]])

    def answer(place, query, body):
        if place != "/file_parse":
            return 404, "application/json", b'{"detail":"Not Found"}'
        good = b'name="files"' in body and b'name="response_format_zip"' in body
        files = {"a/auto/a_content_list.json": CONTENT_LIST}
        return (200, "application/zip", archive(files)) if good else (422, "text/plain", b"")

    server = serve(answer)
    assert MineruApiParser(server.url).parse(path).blocks[0].text == "The pump."
    assert server.asked[-1][3].startswith("multipart/form-data; boundary=")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (problem(503, "model_missing", "models are not downloaded"), "weights may be missing"),
        (problem(401, "no_key", "API key required"), "refused access: API key required"),
        (problem(413, "file_too_large", "File exceeds 200 MiB"), "too large"),
        ((409, "application/json", b'{"files":[{"error":{"message":"bad xref"}}]}'), "bad xref"),
        ((200, "text/html", b"<html>"), "did not return a result"),
    ],
)
def test_a_refusal_says_what_the_server_said(serve, tmp_path, reply, said):
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} 1."]])
    with pytest.raises(DocumentError, match=said):
        MineruApiParser(serve(lambda *_: reply).url).parse(path)


def test_an_archive_without_a_result_says_that_weights_may_be_missing(serve, tmp_path):
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} 1."]])
    server = serve(lambda *_: (200, "application/zip", archive({"manifest.json": "{}"})))
    with pytest.raises(DocumentError, match="weights"):
        MineruApiParser(server.url).parse(path)


def test_a_server_that_is_not_there_is_named(serve, tmp_path):
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} 1."]])
    server = serve(lambda *_: (200, "text/plain", b""))
    server.close()
    with pytest.raises(DocumentError, match=r"127\.0\.0\.1:\d+ does not answer"):
        mineru_http.fetch(server.url, path, timeout=1, pause=lambda _: None)


def test_the_probe_says_whether_a_server_is_well(serve):
    well = serve(lambda place, *_: (200 if place == "/v1/health" else 404, "text/plain", b"{}"))
    ill = serve(lambda *_: problem(503, "model_missing", "models"))
    other = serve(lambda *_: (404, "text/plain", b""))
    assert probe_mineru(well.url) == ""
    assert "models may be missing" in probe_mineru(ill.url)
    assert "no mineru-api" in probe_mineru(other.url)


@pytest.mark.skipif(
    not os.environ.get("TUWEN_TEST_MINERU_URL"),
    reason="set TUWEN_TEST_MINERU_URL to a running mineru-api (tuwen parsers install mineru)",
)
def test_the_real_server_reads_a_pdf(tmp_path):
    path = pdf(tmp_path / "a.pdf", [[f"{LINES} {n}."] for n in (1, 2)])
    parsed = MineruApiParser(os.environ["TUWEN_TEST_MINERU_URL"]).parse(path)
    assert [(b.page, f"{b.page}." in b.text) for b in parsed.blocks] == [
        (1, True),
        (2, True),
    ]
