import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

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


class Waiting(Counting):
    """Encodes only when it is let; the first time it may fail."""

    def __init__(self, *, fails=False):
        super().__init__()
        self.entered, self.go = threading.Event(), threading.Event()
        self.fails = fails

    def embed_passages(self, texts):
        self.entered.set()
        assert self.go.wait(30)
        if self.fails:
            self.fails = False
            raise OSError("no model")
        return super().embed_passages(texts)


def asked_twice_at_once(inner):
    embedder = RememberingEmbedder(inner)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(embedder.embed_passages, ["甲", "乙"])
        assert inner.entered.wait(30)
        second = pool.submit(embedder.embed_passages, ["乙", "甲"])
        inner.go.set()
        return first, second.result(timeout=30)


def test_what_two_threads_ask_for_at_once_is_encoded_once():
    inner = Waiting()
    first, second = asked_twice_at_once(inner)
    assert inner.seen == ["甲", "乙"]
    assert np.array_equal(first.result(), second[::-1])


def test_where_one_thread_fails_the_other_tries_itself():
    inner = Waiting(fails=True)
    first, second = asked_twice_at_once(inner)
    with pytest.raises(OSError, match="no model"):
        first.result()
    assert np.array_equal(second, HashEmbedder(16).embed_passages(["乙", "甲"]))
