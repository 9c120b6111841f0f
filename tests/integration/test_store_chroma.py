"""The vector index over a real, embedded Chroma."""

import logging
import shutil
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "backends"))

import store_fakes as kit

from tuwen.backends.chroma import ChromaVectors
from tuwen.backends.schema import internal_name
from tuwen.core.errors import IndexMismatchError, StoreError
from tuwen.core.ports import VectorRecord

pytestmark = pytest.mark.integration
NAMES = ["泵房手册", "A", "kb ", "_x_", "192.168.1.1", "a..b", "很" * 130, "锅炉规程", "KB", "kb"]


@pytest.fixture
def index(tmp_path):
    made = ChromaVectors(tmp_path / "chroma")
    yield made
    made.close()


def unit(count, dim=24, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(count, dim)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def records(count, visual=lambda i: False, metadata=None, start=0):
    return [
        VectorRecord(id=f"c{i:05d}", text=f"t{i}", visual=visual(i), metadata=metadata or {})
        for i in range(start, start + count)
    ]


def exact(vectors, query, keep):
    scores = vectors @ query
    order = sorted(keep, key=lambda i: (-scores[i], i))
    return [f"c{i:05d}" for i in order]


def test_an_empty_collection_answers_nothing(index):
    assert index.search("无", unit(1)[0], 5) == []
    assert index.ids("无") == set()
    assert index.vectors("无", ["c1"]) == {}
    index.delete("无", ["c1"])
    index.drop("无")
    index.upsert("无", [], unit(0))
    assert index.count("无") == 0


def test_scores_are_plain_cosines_and_the_same_text_scores_one(index):
    vectors = unit(50)
    index.upsert("k", records(50), vectors)
    hits = index.search("k", vectors[7], 5)
    assert hits[0][0] == "c00007"
    assert hits[0][1] == pytest.approx(1.0, abs=1e-5)
    assert all(type(score) is float and -1 <= score <= 1 for _, score in hits)
    assert [i for i, _ in hits] == exact(vectors, vectors[7], range(50))[:5]
    assert hits[1][1] == pytest.approx(float(vectors[int(hits[1][0][1:])] @ vectors[7]), abs=1e-5)


def test_more_records_than_one_call_takes_are_all_stored(index):
    vectors = unit(5470)
    index.upsert("k", records(5470), vectors)
    assert index.count("k") == len(index.ids("k")) == 5470
    near = [i for i, _ in index.search("k", vectors[3], 100)]
    recall = len(set(near) & set(exact(vectors, vectors[3], range(5470))[:100])) / 100
    assert recall >= 0.97


@pytest.mark.parametrize("allowed", [3, 1500, 2500])
def test_allowed_ids_are_exact_for_narrow_and_broad_sets(index, allowed):
    vectors = unit(4000)
    index.upsert("k", records(4000), vectors)
    keep = range(0, 4000, 4000 // allowed)[:allowed]
    ids = {f"c{i:05d}" for i in keep} | {"elsewhere"}
    expected = exact(vectors, vectors[1], keep)[:10]
    assert [i for i, _ in index.search("k", vectors[1], 10, allowed=ids)] == expected
    index.delete("k", expected[:1])
    again = [i for i, _ in index.search("k", vectors[1], 10, allowed=ids)]
    assert again[: len(expected) - 1] == expected[1:]
    assert set(again) <= ids


def test_an_empty_selection_finds_nothing(index):
    index.upsert("k", records(5), unit(5))
    assert index.search("k", unit(1)[0], 5, allowed=[]) == []
    assert index.search("k", unit(1)[0], 0) == []


def test_the_visual_leg_sees_pictures_and_tables_only(index):
    vectors = unit(60)
    index.upsert("k", records(60, visual=lambda i: i % 10 == 0), vectors)
    hits = index.search("k", vectors[5], 50, visual=True)
    assert [i for i, _ in hits] == exact(vectors, vectors[5], range(0, 60, 10))
    index.delete("k", ["c00010"])
    assert "c00010" not in {i for i, _ in index.search("k", vectors[5], 50, visual=True)}


def test_an_upsert_replaces_text_vector_metadata_and_kind(index):
    vectors = unit(2)
    index.upsert(
        "k", records(1, visual=lambda i: True, metadata={"page": 1, "gone": 2}), vectors[:1]
    )
    index.upsert("k", records(1, metadata={"page": 3}), vectors[1:])
    assert index.metadata("k", ["c00000"]) == {"c00000": {"page": 3}}
    assert index.search("k", vectors[1], 1)[0][1] == pytest.approx(1.0, abs=1e-5)
    assert index.search("k", vectors[1], 1, visual=True) == []


def test_odd_metadata_are_stored_and_read_back_in_shape(index):
    odd = [
        {"page": None, "bbox": [1, 2, 3, 4], "captions": [], "path": ["3", "3.1"]},
        {"page": 3, "captions": ["图1", 2], "extra": {"a": 1}},
        {"page": 0, "flag": True, "score": 0.5, "n": np.int64(4), "x": np.float32(0.25)},
        {"nan": float("nan"), "when": Path("a")},
    ]
    named = [
        VectorRecord(id=f"c{i}", text="t", visual=False, metadata=m) for i, m in enumerate(odd)
    ]
    index.upsert("k", named, unit(4))
    assert index.metadata("k", ["c0", "c1", "c2", "c3"]) == {
        "c0": {"bbox": [1, 2, 3, 4], "captions": [], "path": ["3", "3.1"]},
        "c1": {"page": 3, "captions": ["图1", 2], "extra": {"a": 1}},
        "c2": {"page": 0, "flag": True, "score": 0.5, "n": 4, "x": 0.25},
        "c3": {"when": "a"},
    }


def test_any_name_makes_a_collection_of_its_own(index):
    for name in NAMES:
        index.upsert(name, records(1), unit(1))
    assert len({internal_name(n) for n in NAMES}) == len(NAMES)
    index.drop("泵房手册")
    assert index.ids("泵房手册") == set()
    assert all(index.ids(n) == {"c00000"} for n in NAMES[1:])


def test_another_dimension_is_refused_with_the_command_to_run(index):
    index.upsert("k", records(3), unit(3, 24))
    with pytest.raises(IndexMismatchError, match="tuwen reindex"):
        index.search("k", unit(1, 8)[0], 2)
    with pytest.raises(IndexMismatchError, match="tuwen reindex"):
        index.upsert("k", records(3), unit(3, 8))
    with pytest.raises(ValueError, match="3 records but 2 vectors"):
        index.upsert("k", records(3), unit(2))
    index.drop("k")
    index.upsert("k", records(3), unit(3, 8))
    assert index.count("k") == 3


def test_vectors_come_back_as_stored(index):
    vectors = unit(3)
    index.upsert("k", records(3), vectors)
    stored = index.vectors("k", ["c00002", "nothing", "c00000"])
    assert set(stored) == {"c00000", "c00002"}
    np.testing.assert_allclose(stored["c00002"], vectors[2], atol=1e-6)
    assert stored["c00002"].dtype == np.float32


def test_vectors_are_found_without_their_flat_file(index, tmp_path):
    vectors = unit(50)
    index.upsert("k", records(50), vectors)
    index.close()
    shutil.rmtree(tmp_path / "chroma-rows")
    allowed = ["c00003", "c00009", "nothing"]
    for _ in range(2):
        assert len(index.search("k", vectors[9], 5, allowed=allowed)) == 2
        np.testing.assert_allclose(index.vectors("k", ["c00003"])["c00003"], vectors[3], atol=1e-6)
    assert list((tmp_path / "chroma-rows").iterdir())
    index.drop("k")
    assert list((tmp_path / "chroma-rows").iterdir()) == []


def test_the_engine_is_not_asked_how_many_it_holds_once_the_flat_file_is_whole(tmp_path):
    vectors = unit(30)
    first = ChromaVectors(tmp_path / "chroma")
    first.upsert("k", records(30), vectors)
    first.delete("k", ["c00004"])
    first.close()
    again = ChromaVectors(tmp_path / "chroma")
    engine = again._engine("k", False)
    rows = again._rows_of(engine)
    assert rows.whole
    assert len(rows) == engine.count() == 29
    again.close()


def test_an_upsert_that_the_engine_refuses_leaves_the_flat_file_in_doubt(index):
    index.upsert("k", records(3), unit(3))
    odd = VectorRecord(id="c00009", text="t", visual=False, metadata={"page": 1})
    rows = index._rows_of(index._engine("k", False))
    with pytest.raises(StoreError):
        index.upsert("k", [odd, odd], unit(2))
    assert not rows.whole
    assert [i for i, _ in index.search("k", unit(3)[1], 1)] == ["c00001"]
    assert rows.whole  # counted, and nothing was missing


def test_a_removed_folder_gives_a_message_and_no_trace(index, tmp_path):
    index.upsert("k", records(3), unit(3))
    shutil.rmtree(tmp_path / "chroma")
    with pytest.raises(StoreError, match="chroma") as raised:
        index.upsert("k", records(3), unit(3))
    assert str(tmp_path) not in raised.value.said("en")


def test_no_server_at_the_address_is_said_with_the_command_to_start_one(tmp_path):
    index = ChromaVectors(tmp_path, url="http://127.0.0.1:9")
    with pytest.raises(StoreError, match="chroma run"):
        index.search("k", unit(1)[0], 3)


def test_no_telemetry_is_sent_or_logged(index, caplog):
    with caplog.at_level(logging.DEBUG):
        index.upsert("k", records(1), unit(1))
        index.search("k", unit(1)[0], 1)
    assert "telemetry" not in caplog.text.lower()


def test_the_collection_opens_as_a_langchain_store(index):
    from langchain_core.embeddings import DeterministicFakeEmbedding

    fake = DeterministicFakeEmbedding(size=24)
    texts = ["甲", "乙"]
    vectors = np.array(fake.embed_documents(texts), dtype=np.float32)
    named = [VectorRecord(id=t, text=t, visual=False, metadata={"page": 2}) for t in texts]
    index.upsert("k", named, vectors)
    with pytest.raises(StoreError, match="no vectors"):
        index.as_langchain("unknown", fake)
    (document,) = index.as_langchain("k", fake).similarity_search("乙", k=1)
    assert (document.page_content, document.metadata["page"]) == ("乙", 2)


@pytest.fixture
def served(tmp_path, unused_tcp_port_factory):
    chroma = Path(sys.executable).with_name("chroma")
    if not chroma.exists():
        pytest.skip("no chroma command beside this Python; pip install chromadb")
    port = unused_tcp_port_factory()
    command = [str(chroma), "run", "--path", str(tmp_path / "served"), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        try:
            for _ in range(300):
                with suppress(OSError):
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                assert child.poll() is None
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}", child
        finally:
            child.terminate()


@pytest.fixture
def server(served):
    return served[0]


@pytest.fixture
def stopped(served):
    def stop():
        served[1].terminate()
        served[1].wait(20)

    return stop


def test_a_server_that_went_away_gives_a_message_and_no_trace(tmp_path, server, stopped):
    index = ChromaVectors(tmp_path, url=server)
    index.upsert("k", records(2), unit(2))
    stopped()
    with pytest.raises(StoreError, match="failed"):
        index.search("k", unit(1)[0], 3)
    index.close()


def test_processes_share_a_store_through_a_chroma_server(tmp_path, server):
    one, two = (kit.open_small(tmp_path / "home", chroma_url=server) for _ in range(2))
    assert kit.commit(one, kit.OLD) is True
    assert kit.commit(two, kit.NEW) is True, "the lock is held for a write only"
    for store in (one, two):
        assert store.recover().problems == ()
        view = kit.view(store)
        assert view["vectors"] == view["keywords"] == view["chunks"] == {"d1-e2-0", "d1-e2-1"}
        query = store.embedder.embed_queries(["手册 锅炉的说明"])[0]
        assert store.vectors.search(kit.COLLECTION, query, 1)[0][0] == "d1-e2-1"
        assert store.keywords.search(kit.COLLECTION, "锅炉", 1).hits[0][0] == "d1-e2-1"
    one.close()
    two.close()
