"""Two server processes on one home, their vectors in a Chroma server."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.integration.doors_server import Server, free_port, ingest_text

pytestmark = pytest.mark.integration
QUESTION = "A 泵支持远程启动吗？"


@pytest.fixture(scope="module")
def chroma(tmp_path_factory):
    program = Path(sys.executable).with_name("chroma")
    if not program.is_file():
        pytest.skip("the chroma program is not installed")
    port = free_port()
    data = tmp_path_factory.mktemp("chroma")
    command = [str(program), "run", "--path", str(data), "--host", "127.0.0.1", "--port", str(port)]
    with (data / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{url}/api/v2/heartbeat", timeout=2).status_code == 200:
                break
        except httpx.HTTPError:
            time.sleep(0.2)
    else:
        pytest.fail("chroma run did not start")
    yield url
    process.terminate()
    process.wait(timeout=20)


@pytest.fixture(scope="module")
def workers(tmp_path_factory, chroma):
    folder = tmp_path_factory.mktemp("workers")
    pair = [Server(folder, TUWEN_STORE__CHROMA_URL=chroma) for _ in range(2)]
    for number, worker in enumerate(pair):
        worker.log = folder / f"log-{number}"
        worker.start()
    yield pair
    for worker in pair:
        worker.stop()
        assert "BlockingError" not in worker.text()


def ask(worker, **body) -> str:
    answer = httpx.post(f"{worker.url}/chat", json={"question": QUESTION, **body}, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()["answer"]


def test_what_one_worker_ingests_or_deletes_the_other_sees_at_once(workers):
    one, two = workers
    report = ingest_text(one.url)[0]
    assert "支持远程启动" in ask(two)
    changed = "# 泵站手册\n\n## 1 启动\n\nA 泵支持远程启动，需持钥匙 K-7。\n"
    ingest_text(two.url, changed)
    assert "K-7" in ask(one)
    deleted = httpx.delete(f"{one.url}/documents/{report['doc_id']}", timeout=60)
    assert deleted.status_code == 200
    assert httpx.get(f"{two.url}/documents", timeout=20).json()["documents"] == []
    assert "K-7" not in ask(two)


def test_a_conversation_goes_on_at_the_other_worker(workers):
    one, two = workers
    ingest_text(one.url)
    assert "支持远程启动" in ask(one, thread="t")
    assert "不支持远程启动" in ask(two, thread="t", question="B 泵呢？")


def test_both_may_write_and_read_at_the_same_time(workers):
    def write(number: int):
        text = f"# 风机 {number}\n\n风机 F-{number} 的转速为 {900 + number} r/min。\n"
        name = f"风机{number}.md"
        return ingest_text(workers[number % 2].url, text, name, collection="风机")[0]["state"]

    def read(number: int):
        question = f"风机 F-{number} 的转速是多少？"
        return ask(workers[(number + 1) % 2], question=question, collection="风机")

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(write, range(8))) == ["ready"] * 8
        answers = list(pool.map(read, range(8)))
    for number, answer in enumerate(answers):
        assert str(900 + number) in answer
