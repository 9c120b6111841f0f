"""The store over real parts: replace, delete, recover, repair, reindex, share."""

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "backends"))

import store_fakes as kit
from store_fakes import COLLECTION, asset, document

from tuwen.backends.commit import open_store
from tuwen.backends.tokenizer import JiebaTokenizer
from tuwen.core.chunk import Edition
from tuwen.core.errors import IndexMismatchError, StoreBusyError, StoreError

pytestmark = pytest.mark.integration


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def store(home):
    made = kit.open_small(home)
    yield made
    made.close()


def agree(view):
    assert view["vectors"] == view["keywords"] == view["chunks"]
    assert view["stale"] == []
    return view


def test_a_document_is_stored_replaced_and_deleted_everywhere(store):
    assert kit.commit(store, document("d1", "e1", ["甲", "乙"], [asset("a"), asset("b")])) is True
    assert agree(kit.view(store))["assets"] == {asset("a"), asset("b")}
    assert kit.commit(store, document("d1", "e2", ["甲", "丙"], [asset("b"), asset("c")])) is True
    after = agree(kit.view(store))
    assert after["chunks"] == {"d1-e2-0", "d1-e2-1"}
    assert after["assets"] == {asset("b"), asset("c")}
    assert store.delete("d1") is True
    assert store.delete("d1") is False
    empty = agree(kit.view(store))
    assert (empty["chunks"], empty["assets"], empty["documents"]) == (set(), set(), [])


def test_the_same_edition_again_is_nothing_to_do(store):
    doc = document("d1", "e1", ["甲"])
    kit.commit(store, doc)
    version = store.keywords.version(COLLECTION)
    assert kit.commit(store, doc) is False
    assert store.keywords.version(COLLECTION) == version


def test_a_picture_of_two_documents_stays_until_the_last_is_gone(store):
    kit.commit(store, document("d1", "e1", ["甲"], [asset("both")]))
    kit.commit(store, document("d2", "e1", ["乙"], [asset("both")]))
    store.delete("d1")
    assert store.assets.ids() == {asset("both")}
    store.delete("d2")
    assert store.assets.ids() == set()


def test_a_document_without_chunks_is_kept(store):
    assert kit.commit(store, document("d1", "e1", [])) is True
    assert [r.doc_id for r in store.catalog.documents()] == ["d1"]
    assert kit.view(store)["vectors"] == set()
    assert store.recover().problems == ()


def test_chunk_ids_shared_by_two_editions_survive_the_removal_of_the_old_one(store):
    rec, edition = document("d1", "e1", ["甲", "乙"])
    kit.commit(store, (rec, edition))
    moved = tuple(c.model_copy(update={"edition": "e2"}) for c in edition.chunks[:1])
    kit.commit(store, (rec.model_copy(update={"edition": "e2"}), Edition(chunks=moved, figures=())))
    assert agree(kit.view(store))["chunks"] == {"d1-e1-0"}


def test_a_chunk_that_changes_its_text_under_its_id_is_refused(store):
    rec, edition = document("d1", "e1", ["甲"])
    kit.commit(store, (rec, edition))
    changed = (edition.chunks[0].model_copy(update={"embedding_text": "别的"}),)
    with pytest.raises(ValueError, match="changed its text"):
        kit.commit(
            store, (rec.model_copy(update={"edition": "e2"}), Edition(chunks=changed, figures=()))
        )
    assert agree(kit.view(store))["documents"] == [("d1", "e1")]


def test_dropping_a_collection_leaves_the_others(store):
    kit.commit(store, document("d1", "e1", ["甲"], [asset("mine"), asset("both")]))
    rec, edition = document("d2", "e1", ["乙"], [asset("both")])
    kit.commit(store, (rec.model_copy(update={"collection": "锅炉规程"}), edition))
    store.drop(COLLECTION)
    assert [c.name for c in store.catalog.collections()] == ["锅炉规程"]
    assert store.assets.ids() == {asset("both")}
    assert store.vectors.ids("锅炉规程") == store.keywords.ids("锅炉规程") == {"d2-e1-0"}
    assert store.vectors.ids(COLLECTION) == store.keywords.ids(COLLECTION) == set()
    store.drop("never there")


def test_another_model_of_any_dimension_is_refused_until_a_reindex(home, store):
    kit.commit(store, document("d1", "e1", ["甲", "乙", "丙"], [asset("a")]))
    store.close()
    for other in (kit.HashEmbedder(16, "hash-2"), kit.HashEmbedder(8, "hash-3")):
        again = kit.open_small(home, other)
        with pytest.raises(IndexMismatchError, match="tuwen reindex"):
            kit.commit(again, document("d2", "e1", ["丁"]))
        assert "reindex" in again.repair().problems[0]
        assert again.reindex(COLLECTION) == 3
        again.check_fingerprint(COLLECTION)
        assert again.catalog.fingerprint(COLLECTION) == (other.name, other.dim)
        view = agree(kit.view(again))
        assert len(view["vectors"]) == 3
        query = other.embed_queries(["甲"])[0]
        assert len(again.vectors.search(COLLECTION, query, 9, visual=True)) == 1
        again.close()


def test_a_reindex_that_dies_is_never_searched(home, store):
    kit.commit(store, document("d1", "e1", ["甲"]))

    def die(*_args):
        raise kit.Crash

    store.vectors.upsert = die
    with pytest.raises(kit.Crash):
        store.reindex(COLLECTION)
    store.close()
    again = kit.open_small(home)
    with pytest.raises(IndexMismatchError, match="tuwen reindex"):
        again.check_fingerprint(COLLECTION)
    again.reindex(COLLECTION)
    agree(kit.view(again))
    again.close()
    with pytest.raises(StoreError, match="no collection"):
        kit.open_small(home).reindex("unknown")


def test_a_lost_keyword_index_is_rebuilt_at_the_start(home, store):
    kit.commit(store, document("d1", "e1", ["甲", "乙"]))
    store.close()
    for damage in (shutil.rmtree, lambda p: next(p.rglob("rows.npy")).write_bytes(b"")):
        damage(home / "keywords")
        again = kit.open_small(home)
        assert again.recover().keywords_added == 2
        agree(kit.view(again))
        again.close()


def test_a_new_tokenizer_rebuilds_the_keyword_index_at_the_start(home, store):
    kit.commit(store, document("d1", "e1", ["离心泵", "阀门"]))
    store.close()
    words = JiebaTokenizer(home / "jieba")
    again = open_store(home, kit.HashEmbedder(), tokenizer=words)
    assert again.recover().keywords_added == 2
    assert [i for i, _ in again.keywords.search(COLLECTION, "離心泵", 5).hits] == ["d1-e1-0"]
    again.close()


def test_lost_vectors_are_reported_at_the_start_and_repaired_on_demand(home, store):
    kit.commit(store, document("d1", "e1", ["甲", "乙"], [asset("a")]))
    kit.commit(store, document("d2", "e1", ["丙"]))
    store.vectors.delete(COLLECTION, ["d1-e1-0", "d1-e1-1"])
    (problem,) = store.recover().problems
    assert "d1.pdf" in problem
    assert "doctor --repair" in problem
    embedder = store.embedder
    embedder.texts = 0
    done: list[tuple[int, int]] = []
    repaired = store.repair(progress=lambda *at: done.append(at))
    assert done == [(2, 2)]
    assert repaired.vectors_added == embedder.texts == 2
    agree(kit.view(store))
    assert (
        len(store.vectors.search(COLLECTION, embedder.embed_queries(["甲"])[0], 5, visual=True))
        == 1
    )
    assert store.recover().problems == ()


def test_repair_removes_orphans_and_names_missing_pictures(store):
    kit.commit(store, document("d1", "e1", ["甲"], [asset("a"), asset("b")]))
    (record,) = kit.document("x", "e", ["孤儿"])[1].chunks
    stray = kit.document("x", "e", ["孤儿"])
    from tuwen.backends.schema import vector_records

    vectors = store.embedder.embed_passages([record.embedding_text])
    store.vectors.upsert(COLLECTION, vector_records(*stray), vectors)
    store.keywords.add(COLLECTION, [("stray", "孤儿")])
    store.assets.put(asset("stray"), b"x")
    store.assets.delete([asset("b")])
    done = store.repair()
    assert (done.vectors_removed, done.keywords_removed, done.assets_removed) == (1, 1, 1)
    assert len(done.problems) == 1
    assert asset("b") in done.problems[0]
    agree(kit.view(store))


def test_mismatched_vectors_are_refused_before_anything_is_written(store):
    rec, edition = document("d1", "e1", ["甲", "乙"])
    with pytest.raises(ValueError, match="2 chunks but 1 vectors"):
        store.commit(rec, edition, np.ones((1, 16), dtype=np.float32))
    assert kit.view(store)["stale"] == []


def test_a_second_store_on_the_same_home_is_refused_at_once(home, store):
    with pytest.raises(StoreBusyError, match="in use by process"):
        kit.open_small(home)


def test_new_words_are_found_by_both_legs_as_soon_as_the_commit_returns(store):
    kit.commit(store, document("d1", "e1", ["甲"]))
    assert store.keywords.search(COLLECTION, "罕", 5).hits == ()
    kit.commit(store, document("d2", "e1", ["罕见"]))
    assert store.keywords.search(COLLECTION, "罕", 5).hits[0][0] == "d2-e1-0"
    query = store.embedder.embed_queries(["手册 罕见的说明"])[0]
    assert store.vectors.search(COLLECTION, query, 1)[0][0] == "d2-e1-0"
