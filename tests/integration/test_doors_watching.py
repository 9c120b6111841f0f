"""What an operator sees: JSON lines with run ids, metrics, traces at the usual places."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from langgraph_sdk import get_client

from tests.integration.doors_server import Server, ingest_text, sse

pytestmark = pytest.mark.integration
QUESTION = "A 泵支持远程启动吗？"


class Collector:
    """Takes whatever tracing sends, on loopback."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format, *args) -> None:
                """Quiet."""

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                owner.paths.append(self.path)
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            do_GET = do_PATCH = do_POST

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def has(self, part: str, seconds: float = 30) -> bool:
        """Whether something arrived at such an address."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if any(part in path for path in self.paths):
                return True
            time.sleep(0.1)
        return False


@pytest.fixture(scope="module")
def collector():
    made = Collector()
    yield made
    made.http.shutdown()
    made.http.server_close()


@pytest.fixture(scope="module")
def server(tmp_path_factory, collector):
    running = Server(
        tmp_path_factory.mktemp("watched"),
        LOG_JSON="true",
        LOG_LEVEL="INFO",
        LANGSMITH_TRACING="true",
        LANGSMITH_API_KEY="lsv2_pt_none",
        LANGSMITH_ENDPOINT=collector.url,
        LANGSMITH_OTEL_ENABLED="true",
        OTEL_EXPORTER_OTLP_ENDPOINT=f"{collector.url}/otel",
    )
    running.start()
    ingest_text(running.url)
    yield running
    running.stop()


def turns(server) -> list:
    """The log's turns; every line of the server's own is JSON."""
    found = []
    for line in server.text().splitlines():
        if line.startswith("{"):
            event = json.loads(line)
            if event.get("event") == "turn":
                found.append(event)
    return found


def test_every_turn_is_a_json_line_with_its_run_id_and_without_the_question(server):
    answer = httpx.post(f"{server.url}/chat/stream", json={"question": QUESTION}, timeout=60)
    trace = next(event for event in sse(answer.text) if event["type"] == "trace")
    logged = {turn["run_id"]: turn for turn in turns(server)}
    turn = logged[trace["run_id"]]
    assert turn["outcome"] == "answered"
    assert turn["collection"] == "default"
    assert turn["milliseconds"] > 0
    assert QUESTION not in server.text()
    assert str(server.folder) not in json.dumps(turn)


def test_metrics_are_where_prometheus_looks(server):
    httpx.post(f"{server.url}/chat", json={"question": QUESTION}, timeout=60)
    for path in ("/metrics", "/health/metrics"):
        found = httpx.get(server.url + path, timeout=20)
        assert found.headers["content-type"].startswith("text/plain")
        assert 'tuwen_turns_total{outcome="answered"}' in found.text
        assert "tuwen_turn_seconds_bucket" in found.text
        assert 'tuwen_files_total{state="ready"}' in found.text


async def test_a_run_of_langgraphs_routes_is_logged_and_traced_where_the_variables_say(
    server, collector
):
    asked = {"messages": [{"role": "user", "content": QUESTION}]}
    async with get_client(url=server.url) as client:
        thread = (await client.threads.create())["thread_id"]
        run = await client.runs.create(thread, "chat", input=asked)
        await client.runs.join(thread, run["run_id"])
    logged = {turn["run_id"]: turn for turn in turns(server)}
    assert logged[run["run_id"]]["outcome"] == "answered"
    assert collector.has("/runs")
    assert collector.has("/otel/v1/traces")


def test_nothing_is_traced_unless_it_is_asked_for(tmp_path):
    collector = Collector()
    running = Server(
        tmp_path, LANGSMITH_ENDPOINT=collector.url, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url
    )
    running.start()
    try:
        ingest_text(running.url)
        httpx.post(f"{running.url}/chat", json={"question": QUESTION}, timeout=60)
    finally:
        running.stop()
        collector.http.shutdown()
        collector.http.server_close()
    assert collector.paths == []
