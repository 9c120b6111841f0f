"""What an encoder keeps of indexed texts follows the catalog."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "backends"))

from store_fakes import HashEmbedder, document, open_small

from tuwen.core.indexing import index_passages

pytestmark = pytest.mark.integration


class Keeping(HashEmbedder):
    """Knows the texts that it was given to index."""

    def __init__(self):
        super().__init__()
        self.kept = set()

    def index_passages(self, texts):
        self.kept |= set(texts)
        return self.embed_passages(texts)

    def forget_passages(self, texts):
        self.kept -= set(texts)

    def keep_passages(self, texts):
        self.kept &= set(texts)


def ingest(store, doc):
    record, edition = doc
    texts = [chunk.embedding_text for chunk in edition.chunks]
    store.commit(record, edition, index_passages(store.embedder, texts))


def test_a_deleted_documents_texts_are_forgotten(tmp_path):
    store = open_small(tmp_path, Keeping())
    ingest(store, document("d1", "e1", ["水泵", "阀门"]))
    ingest(store, document("d2", "e1", ["电机"]))
    store.delete("d1")
    assert store.embedder.kept == {"手册 电机的说明"}
    store.close()


def test_a_new_edition_keeps_the_texts_that_it_shares_with_the_old_one(tmp_path):
    store = open_small(tmp_path, Keeping())
    ingest(store, document("d1", "e1", ["水泵", "阀门"]))
    ingest(store, document("d1", "e2", ["阀门", "电机"]))
    assert store.embedder.kept == {"手册 阀门的说明", "手册 电机的说明"}
    store.close()


def test_a_repair_removes_what_no_document_has_and_reindexing_keeps_all(tmp_path):
    store = open_small(tmp_path, Keeping())
    ingest(store, document("d1", "e1", ["水泵", "阀门"]))
    store.embedder.kept = {"embedded, and then the process died"}
    store.repair()
    assert store.embedder.kept == set()
    (collection,) = store.catalog.collections()
    store.reindex(collection.name)
    assert store.embedder.kept == {"手册 水泵的说明", "手册 阀门的说明"}
    store.close()


def test_an_encoder_that_keeps_nothing_is_asked_for_vectors_alone(tmp_path):
    store = open_small(tmp_path)
    ingest(store, document("d1", "e1", ["水泵"]))
    assert store.delete("d1")
    store.repair()
    store.close()
