import numpy as np

from tests.fakes import HashEmbedder
from tuwen.backends.embed_cache import RememberingEmbedder


class Counting(HashEmbedder):
    def __init__(self) -> None:
        super().__init__(16)
        self.seen: list[str] = []

    def embed_passages(self, texts):
        self.seen.extend(texts)
        return super().embed_passages(texts)


def test_a_text_is_encoded_once_and_gives_the_same_vectors_in_order():
    plain, inner = HashEmbedder(16), Counting()
    embedder = RememberingEmbedder(inner)
    first = embedder.embed_passages(["甲", "乙", "甲"])
    again = embedder.embed_passages(["乙", "丙"])
    assert inner.seen == ["甲", "乙", "丙"]
    assert np.array_equal(first, plain.embed_passages(["甲", "乙", "甲"]))
    assert np.array_equal(again, plain.embed_passages(["乙", "丙"]))


def test_large_batches_pass_through_and_memory_is_bounded():
    inner = Counting()
    embedder = RememberingEmbedder(inner, remembered=2, largest_batch=3)
    embedder.embed_passages(["a", "b", "c", "d"])
    embedder.embed_passages(["a", "b", "c"])
    embedder.embed_passages(["c", "a"])
    assert inner.seen == ["a", "b", "c", "d", "a", "b", "c", "a"]


def test_nothing_in_nothing_out():
    assert RememberingEmbedder(HashEmbedder(16)).embed_passages([]).shape == (0, 16)
