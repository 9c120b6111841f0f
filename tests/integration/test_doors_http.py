"""The app's own routes over real stores, in process."""

import asyncio
import io
import re
import shutil
import time

import pytest
from PIL import Image
from starlette.testclient import TestClient

from tests.integration.doors_server import TEXT, pdf, sse
from tuwen.app.config import load_settings
from tuwen.app.doors.opened import Opened
from tuwen.app.server import make_app

pytestmark = pytest.mark.integration
QUESTION = "A 泵支持远程启动吗？"
PUMP = "Pump KX-77 is started from the panel.\nIts motor has 45 kW of rated power."


def open_app(folder, **env):
    return make_app(Opened(load_settings({k: str(v) for k, v in env.items()}, home=folder)))


@pytest.fixture(scope="module")
def http(tmp_path_factory):
    app = open_app(tmp_path_factory.mktemp("http") / "home", TUWEN_SERVER__MAX_UPLOAD_MB=2)
    with TestClient(app) as client:
        upload(client, TEXT.encode(), "手册.md")
        upload(client, pdf(PUMP), "pump.pdf", collection="pumps")
        yield client


def upload(client, data, name, headers=None, **form):
    answer = client.post("/documents", files={"files": (name, data)}, data=form, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["files"][0]


def test_the_stream_ends_in_finish_and_no_proxy_may_hold_it_back(http):
    answer = http.post("/chat/stream", json={"question": QUESTION})
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-accel-buffering"] == "no"
    assert "no-cache" in answer.headers["cache-control"]
    events = sse(answer.text)
    kinds = [event["type"] for event in events]
    assert kinds[0] == "analysed"
    assert kinds[-2:] == ["trace", "finish"]
    assert "支持远程启动" in events[-1]["answer"]
    assert events[-2]["hits"][0]["explain"]["legs"]


def test_the_same_thread_name_continues_and_another_does_not(http):
    http.post("/chat", json={"question": QUESTION, "thread": "t1"})
    second = http.post("/chat", json={"question": "B 泵呢？", "thread": "t1"}).json()
    assert "不支持远程启动" in second["answer"]
    fresh = http.post(
        "/chat", json={"question": "那它呢？", "thread": "t2", "ask_back": True}
    ).json()
    assert "远程启动" not in fresh["answer"]


def test_a_cited_page_opens_as_a_picture_with_its_box(http):
    body = {"question": "What rated power has pump KX-77?", "collection": "pumps"}
    source = http.post("/chat", json=body).json()["sources"][0]
    plain = http.get(re.sub(r"\?.*", "", source["page_url"]))
    assert http.get(re.sub(r"\.png\?.*", "", source["page_url"])).content == plain.content
    marked = http.get(source["page_url"])
    assert marked.status_code == 200
    assert marked.headers["content-type"] == "image/png"
    assert marked.headers["x-content-type-options"] == "nosniff"
    picture = Image.open(io.BytesIO(marked.content))
    assert picture.width == pytest.approx(1000, abs=2)
    assert marked.content != plain.content
    assert any(r > 180 and g < 120 and b < 120 for _, (r, g, b) in picture.getcolors(1 << 24))


def test_documents_are_listed_shown_and_deleted_without_places_on_the_server(http):
    report = upload(http, b"# Valve\n\nThe valve V-9 opens at 7 bar.\n", "../../valve.md")
    listed = http.get("/documents").json()["documents"]
    assert "valve.md" in [item["name"] for item in listed]
    shown = http.get(f"/documents/{report['doc_id']}")
    for text in (str(listed), shown.text):
        assert "source_pdf" not in text
        assert "/home" not in text
    assert http.delete(f"/documents/{report['doc_id']}").json()["deleted"]
    assert http.get(f"/documents/{report['doc_id']}").status_code == 404
    assert http.delete(f"/documents/{report['doc_id']}").status_code == 404
    gone = http.post("/chat", json={"question": "At what pressure does valve V-9 open?"}).json()
    assert "7 bar" not in gone["answer"]


def test_the_same_name_again_replaces_the_document(http):
    first = upload(http, b"# Fan\n\nFan F-3 turns at 900 rpm.\n", "fan.md", collection="fans")
    again = upload(http, b"# Fan\n\nFan F-3 turns at 1200 rpm.\n", "fan.md", collection="fans")
    assert first["doc_id"] == again["doc_id"]
    body = {"question": "How fast does fan F-3 turn?", "collection": "fans"}
    answer = http.post("/chat", json=body).json()["answer"]
    assert "1200" in answer
    assert "900" not in answer


def test_upload_progress_comes_as_events_or_as_a_job(http):
    files = {"files": ("a.md", b"# A\n\nAlpha is one.\n")}
    streamed = http.post(
        "/documents", files=files, headers={"Accept": "text/event-stream"}, data={"collection": "p"}
    )
    events = sse(streamed.text)
    assert next(e["stage"] for e in events if e["type"] == "ingest.file") == "parse"
    assert events[-1]["type"] == "report"
    started = http.post("/documents", files=files, data={"collection": "p2", "wait": "false"})
    assert started.status_code == 202
    address = f"/documents/jobs/{started.json()['job_id']}"
    deadline = time.monotonic() + 60
    while (job := http.get(address).json())["state"] == "running":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert job["files"][0]["state"] == "ready"


@pytest.mark.parametrize(
    "name", ["../outside.txt", "..\\x.txt", "/etc/x.txt", "a" * 300 + ".txt", "．．/x.txt", ".txt"]
)
def test_no_file_name_leaves_the_data_folder(http, name, tmp_path_factory):
    sent = b"A text that no other test sends.\n"
    answer = http.post("/documents", files={"files": (name, sent)}, data={"collection": "n"})
    assert answer.status_code in (200, 422)
    written = [p for p in tmp_path_factory.getbasetemp().rglob("*.txt") if p.read_bytes() == sent]
    assert all("uploads" in p.parts for p in written)


def test_broken_files_are_refused_with_a_reason_and_no_path(http):
    for name, data in (("x.pdf", b"%PDF-1.4 nothing"), ("y.bin", b"\0\1\2"), ("z.md", b"")):
        answer = http.post("/documents", files={"files": (name, data)}, data={"collection": "bad"})
        assert answer.status_code == 422
        assert answer.json()["detail"]
        assert "/tmp" not in answer.text


def test_a_store_that_fails_is_told_without_its_place(tmp_path):
    home = tmp_path / "home"
    with TestClient(open_app(home)) as client:
        upload(client, TEXT.encode(), "手册.md")
        shutil.rmtree(home / "chroma")
        answer = client.post("/documents", files={"files": ("泵.md", b"# Pump\n\nKX-77 runs.\n")})
        assert answer.status_code == 422
        assert "tuwen doctor --repair" in answer.text
    assert str(tmp_path) not in answer.text


def test_large_bodies_are_refused_before_they_are_read(http):
    big = b"x" * (4 << 20)
    answer = http.post("/documents", files={"files": ("big.md", big)})
    assert answer.status_code == 413
    assert "MB" in answer.json()["detail"]
    middle = http.post("/documents", files={"files": ("m.md", b"y" * (5 << 19))})
    assert middle.status_code == 400
    assert "2 MB" in middle.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"question": ""},
        {"question": 3},
        {"question": "x", "effort": "no"},
        {"question": "x", "unknown": 1},
        {"question": "x", "filters": {"a": {"b": 1}}},
        [],
        "text",
    ],
)
def test_malformed_questions_are_4xx_with_a_message(http, body):
    for route in ("/chat", "/chat/stream"):
        answer = http.post(route, json=body)
        assert 400 <= answer.status_code < 500
        assert answer.json()["detail"]


@pytest.mark.parametrize(
    "name",
    ["nope", "..%2F..%2Fetc%2Fpasswd", "%2e%2e", "%252e%252e%252f", "a%00b", "//etc/passwd", "é"],
)
def test_only_registered_pictures_are_served(http, name):
    answer = http.get(f"/images/{name}")
    assert answer.status_code in (400, 404)
    assert "/work" not in answer.text


def test_strange_page_addresses_are_refused(http):
    doc = http.get("/documents").json()["documents"][0]["doc_id"]
    for path in ("0.png", "-1.png", "x.png", "999999999999.png"):
        assert http.get(f"/documents/{doc}/pages/{path}").status_code == 422
    assert http.get(f"/documents/{doc}/pages/99.png").status_code == 404
    assert http.get("/documents/nope/pages/1.png").status_code == 404


def test_an_unexpected_error_is_words_without_a_trace(http, monkeypatch):
    def broken(*_):
        raise RuntimeError(f"secret {__file__}")

    monkeypatch.setattr("tuwen.app.doors.openai_api.collection_of", broken)
    quiet = TestClient(http.app, raise_server_exceptions=False)
    body = {"model": "tuwen", "messages": [{"role": "user", "content": "x"}]}
    answer = quiet.post("/v1/chat/completions", json=body)
    assert answer.status_code == 500
    assert "internal error" in answer.json()["error"]["message"]
    assert "secret" not in answer.text


def test_openai_errors_have_openai_form(http):
    unknown = http.post(
        "/v1/chat/completions",
        json={"model": "no-such", "messages": [{"role": "user", "content": "x"}]},
    )
    assert unknown.status_code == 404
    assert unknown.json()["error"]["code"] == "model_not_found"
    silent = http.post(
        "/v1/chat/completions",
        json={"model": "tuwen", "messages": [{"role": "system", "content": "x"}]},
    )
    assert silent.status_code == 400
    assert "user" in silent.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({"model": "tuwen", "messages": []}, "messages is empty"),
        ({"model": "tuwen"}, "messages is empty"),
        ({"messages": [{"role": "user", "content": "x"}]}, "model"),
        ({"model": "tuwen", "messages": [{"role": "robot", "content": "x"}]}, "messages.0.role"),
        ({"model": "tuwen", "n": 3, "messages": [{"role": "user", "content": "x"}]}, "n: "),
        ("no json", "the body"),
    ],
    ids=["empty", "none", "no model", "role", "n", "no object"],
)
def test_a_wrong_openai_request_is_refused_in_openai_form(http, body, word):
    answer = http.post("/v1/chat/completions", json=body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["type"], error["param"]) == ("invalid_request_error", None)
    assert word in error["message"]


def test_an_openai_address_that_is_not_there_says_so_in_openai_form(http):
    assert http.get("/v1/embeddings").json()["error"]["message"]
    assert "detail" in http.get("/documents/no-such").json()


def test_health_and_metrics_answer(http):
    assert http.get("/health").json()["status"] == "ok"
    http.post("/chat", json={"question": QUESTION})
    text = http.get("/health/metrics").text
    assert re.search(r'tuwen_turns_total\{outcome="answered"\} [1-9]', text)


@pytest.fixture(scope="module")
def keyed(tmp_path_factory):
    app = open_app(
        tmp_path_factory.mktemp("keyed") / "home",
        TUWEN_API_KEYS="alice:s1,bob:s2",
        TUWEN_SERVER__REQUESTS_PER_MINUTE=40,
    )
    with TestClient(app) as client:
        yield client


ALICE = {"Authorization": "Bearer s1"}
BOB = {"X-Api-Key": "s2"}


def test_every_route_needs_a_key(keyed):
    calls = [
        ("GET", "/documents"),
        ("GET", "/collections"),
        ("GET", "/v1/models"),
        ("GET", "/health/metrics"),
        ("DELETE", "/documents/x"),
        ("GET", "/documents/x"),
        ("GET", "/documents/jobs/x"),
    ]
    for method, path in calls:
        assert keyed.request(method, path).status_code == 401, path
        wrong = keyed.request(method, path, headers={"Authorization": "Bearer nope"})
        assert wrong.status_code == 401
    refused = keyed.get("/v1/models")
    assert refused.json()["error"]["type"] == "authentication_error"
    assert refused.headers["www-authenticate"] == "Bearer"
    assert keyed.post("/chat", json={"question": "x"}).status_code == 401
    assert keyed.post("/documents", files={"files": ("a.md", b"x")}).status_code == 401
    assert keyed.get("/health").json()["authentication"] is True


def test_one_owners_documents_pictures_and_threads_are_nothing_to_another(keyed):
    report = upload(keyed, pdf(PUMP), "pump.pdf", headers=ALICE)
    doc = report["doc_id"]
    body = {"question": "What rated power has pump KX-77?", "thread": "s1"}
    mine = keyed.post("/chat", json=body, headers=ALICE).json()
    assert "45 kW" in mine["answer"]
    theirs = keyed.post("/chat", json=body, headers=BOB).json()
    assert "45 kW" not in theirs["answer"]
    foreign = {**body, "collection": "@alice/default", "thread": ""}
    assert "45 kW" not in keyed.post("/chat", json=foreign, headers=BOB).json()["answer"]
    assert doc not in keyed.get("/documents", headers=BOB).text
    for method in ("GET", "DELETE"):
        assert keyed.request(method, f"/documents/{doc}", headers=BOB).status_code == 404
    page = f"/documents/{doc}/pages/1.png"
    assert keyed.get(page, headers=BOB).status_code == 404
    assert keyed.get(page).status_code == 404
    assert keyed.get(page, headers=ALICE).status_code == 200
    stolen = keyed.post(
        "/documents",
        files={"files": ("a.md", b"x y z")},
        data={"collection": "@alice/default"},
        headers=BOB,
    )
    assert stolen.status_code == 400


def test_signed_addresses_open_one_picture_until_they_expire(keyed):
    upload(keyed, pdf(PUMP), "pump.pdf", headers=ALICE)
    body = {"question": "What rated power has pump KX-77?"}
    source = keyed.post("/chat", json=body, headers=ALICE).json()["sources"][0]
    signed = source["page_url"]
    assert keyed.get(signed).status_code == 200
    assert keyed.get(signed.replace("pages/1", "pages/2")).status_code == 404
    expires = re.search(r"expires=(\d+)", signed).group(1)
    later = signed.replace(expires, str(int(expires) + 3600))
    assert keyed.get(later).status_code == 404
    assert keyed.get(re.sub(r"signature=\w{4}", "signature=0000", signed)).status_code == 404


def test_shared_collections_are_everybodys(keyed):
    upload(keyed, TEXT.encode(), "手册.md", headers=ALICE, collection="manuals", shared="true")
    body = {"question": QUESTION, "collection": "manuals"}
    assert "支持远程启动" in keyed.post("/chat", json=body, headers=BOB).json()["answer"]
    names = keyed.get("/collections", headers=BOB).json()["collections"]
    assert [item["name"] for item in names] == ["manuals"]


def test_too_many_requests_are_told_when_to_come_back(keyed):
    answers = [keyed.post("/chat", json={"question": "hi"}, headers=BOB) for _ in range(41)]
    last = answers[-1]
    assert last.status_code == 429
    assert int(last.headers["retry-after"]) > 0
    assert keyed.post("/chat", json={"question": "hi"}, headers=ALICE).status_code == 200


async def test_the_servers_graphs_bring_no_checkpointer_of_their_own(tmp_path):
    opened = Opened(load_settings({}, home=tmp_path / "home"))
    try:
        graphs = [await opened.agraph(name) for name in ("chat", "answer", "ingest")]
        assert [graph.checkpointer for graph in graphs] == [None, None, None]
    finally:
        await asyncio.to_thread(opened.close)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/chat", '{"question": NaN}', 422),
        ("/chat", '{"question": 3, "collection": "\\ud800"}', 422),
        ("/chat", '{"question": "what?", "\\ud800": 1}', 422),
        ("/chat", '{"question": "what is \\ud800?"}', 422),
        ("/chat/stream", '{"question": Infinity}', 422),
        ("/v1/chat/completions", '{"messages": NaN}', 400),
        ("/v1/chat/completions", '{"model": "\\ud800", "messages": [{"role": "user"}]}', 400),
        (
            "/v1/chat/completions",
            '{"model": "tuwen", "messages": [{"role": "user",'
            ' "content": [{"type": [1], "text": "a"}]}]}',
            200,
        ),
    ],
)
def test_a_request_that_is_no_valid_json_for_an_answer_is_still_answered(http, path, body, status):
    answer = http.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    assert answer.json()
    if status == 422:
        assert {"type", "loc", "msg"} == set(answer.json()["detail"][0])
