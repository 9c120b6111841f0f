"""Batches through the ingestion graph: what is not read again, what is read once, what is told."""

import asyncio
import os

import pytest

from tests.fakes import HashEmbedder
from tuwen.app.config import load_settings
from tuwen.app.ingest import ingest
from tuwen.backends.commit import open_store
from tuwen.core.options import IngestOptions
from tuwen.graph.ingest import build_ingest_graph
from tuwen.graph.nodes import workbench
from tuwen.graph.services import Services

pytestmark = pytest.mark.integration
NOTE = "# 泵\n\n## 密封\n\n密封每 6 个月更换一次。\n"


@pytest.fixture
def services(tmp_path):
    settings = load_settings({}, folder=tmp_path, home=tmp_path / "home")
    settings.home.mkdir()
    store = open_store(settings.home, HashEmbedder())
    parts = ("catalog", "vectors", "keywords", "assets", "tokenizer", "embedder")
    yield Services(
        settings=settings,
        store=store,
        reranker=None,
        **{name: getattr(store, name) for name in parts},
    )
    store.close()


@pytest.fixture
def graph(services):
    return build_ingest_graph(services).compile()


def run(graph, *paths, **options):
    events = []
    chosen = IngestOptions(**options)
    work = ingest(graph, [str(p) for p in paths], options=chosen, on_event=events.append)
    return asyncio.run(work), events


def old(path, text, seconds=3600):
    """A file that has not changed for a while."""
    path.write_text(text, encoding="utf-8")
    before = path.stat().st_mtime - seconds
    os.utime(path, (before, before))
    return path


def test_a_file_of_the_same_size_and_time_is_not_read_again(graph, tmp_path, monkeypatch):
    path = old(tmp_path / "a.md", NOTE)
    assert run(graph, path)[0][0].state == "ready"

    def refuse(source):
        raise AssertionError(f"{source.name} was read")

    monkeypatch.setattr(workbench, "content_hash", refuse)
    reports, events = run(graph, path)
    assert (reports[0].state, reports[0].chunks) == ("unchanged", 1)
    assert [(event["stage"], event["state"]) for event in events] == [("done", "unchanged")]


def test_a_change_is_seen_and_a_touch_is_no_change(graph, tmp_path):
    path = old(tmp_path / "a.md", NOTE)
    run(graph, path)
    old(path, NOTE, seconds=60)
    assert run(graph, path)[0][0].state == "unchanged"
    old(path, NOTE.replace("6", "3"), seconds=30)
    assert run(graph, path)[0][0].state == "ready"


def test_a_file_changed_just_now_is_read_whatever_its_time_says(graph, tmp_path):
    path = tmp_path / "a.md"
    path.write_text(NOTE, encoding="utf-8")
    same = path.stat()
    run(graph, path)
    path.write_text(NOTE.replace("6", "3"), encoding="utf-8")
    os.utime(path, ns=(same.st_atime_ns, same.st_mtime_ns))
    assert run(graph, path)[0][0].state == "ready"


def test_other_choices_read_the_file_again(graph, tmp_path):
    path = old(tmp_path / "a.md", NOTE)
    run(graph, path)
    assert run(graph, path, metadata={"year": "2023"})[0][0].state == "ready"


def test_two_copies_in_one_batch_are_one_document(graph, services, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a.md", "b.md", "c.md"):
        (folder / name).write_text(NOTE, encoding="utf-8")
    reports, _ = run(graph, folder)
    assert sorted(report.state for report in reports) == ["duplicate", "duplicate", "ready"]
    first = next(report for report in reports if report.state == "ready")
    said = [report.warnings[0] for report in reports if report.state == "duplicate"]
    assert all(first.path in text for text in said)
    assert len(services.catalog.documents()) == 1


def test_same_name_in_two_folders_is_two_documents(graph, services, tmp_path):
    for folder, months in (("a", "6"), ("b", "9")):
        (tmp_path / folder).mkdir()
        text = NOTE.replace("6", months)
        (tmp_path / folder / "说明.md").write_text(text, encoding="utf-8")
    reports, _ = run(graph, tmp_path / "a", tmp_path / "b")
    assert [report.state for report in reports] == ["ready", "ready"]
    services.store.delete(reports[0].doc_id)
    left = services.catalog.documents()
    assert [record.doc_id for record in left] == [reports[1].doc_id]


def test_one_graph_serves_several_event_loops(graph, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(12):
        text = NOTE.replace("6", str(number))
        (folder / f"{number}.md").write_text(text, encoding="utf-8")
    for collection in ("one", "two"):
        reports, _ = run(graph, folder, collection=collection)
        assert {report.state for report in reports} == {"ready"}


def test_few_files_are_open_at_once(graph, services, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(8):
        text = NOTE.replace("6", str(number))
        (folder / f"{number}.md").write_text(text, encoding="utf-8")
    _, events = run(graph, folder)
    open_now, most = set(), 0
    for event in events:
        (open_now.discard if event["stage"] == "done" else open_now.add)(event["path"])
        most = max(most, len(open_now))
    assert most == services.settings.ingest.parallel_files
    assert {event["stage"] for event in events} == {"parse", "structure", "embed", "commit", "done"}


class CutError(BaseException):
    """What ends a process in the middle."""


def test_an_ingest_that_was_cut_leaves_a_trace_until_it_is_done_again(
    graph, services, tmp_path, monkeypatch
):
    path = old(tmp_path / "a.md", NOTE)

    def cut(texts):
        raise CutError

    with monkeypatch.context() as patched:
        patched.setattr(services.embedder, "embed_passages", cut)
        with pytest.raises(CutError):
            run(graph, path)
    [left] = services.catalog.failures()
    assert (left.path, left.reason) == ("a.md", "unfinished")
    assert run(graph, path)[0][0].state == "ready"
    assert services.catalog.failures() == []
    assert services.store.delete(services.catalog.documents()[0].doc_id)
    assert services.catalog.failures() == []
