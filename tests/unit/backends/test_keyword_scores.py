"""The fast way of scoring against the plain one."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuwen.backends import keyword_search
from tuwen.backends.keyword import PostingsIndex
from tuwen.backends.keyword_kept import KeptArrays
from tuwen.backends.keyword_scores import WEIGHTS, field_scores, scored
from tuwen.backends.keyword_terms import query_terms


class Characters:
    """Tokenizer that cuts Chinese runs into pairs and other text at blanks."""

    name = "characters"

    def fold(self, text):
        return text

    def tokens(self, text):
        return [part[i : i + 2] for part in text.split() for i in range(0, len(part), 2)]


def plain_scores(state, terms, postings):
    """Every stream in 64 bits over every posting, mixed as PostingsIndex.search says."""
    held = np.zeros(state.rows, dtype=bool)
    for key in {*terms.streams[0], *terms.streams[1], *terms.lone}:
        if key in postings:
            held[postings[key][0]] = True
    total = np.zeros(state.rows)
    for field, (weight, keys) in enumerate(zip(WEIGHTS, terms.streams, strict=True)):
        scores = field_scores(state, field, keys, postings)[held]
        spread = scores.std() if len(scores) else 0.0
        total[held] += scores * (weight / spread if spread > 1e-9 else weight)
    return total


chunks = st.lists(st.text(alphabet="水泵阀门轴承温度的 ", max_size=14), min_size=1, max_size=40)


def compare(index, query, tolerance):
    state, terms = index._state("k"), query_terms(Characters(), query)
    if not state.chunks or terms.streams[0] == terms.streams[2]:
        return
    postings = state.postings([*(k for s in terms.streams for k in s), *terms.lone])
    expected = plain_scores(state, terms, postings)
    for _ in range(2):  # the second time from what the first kept
        found = scored(state, terms, postings)
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
        assert ((found > 0) == (expected > 0)).all()


@given(chunks, st.text(alphabet="水泵阀门轴承温度的ab ", min_size=1, max_size=8))
@settings(max_examples=120, deadline=None)
def test_mixed_scores_are_those_of_every_posting_in_full_width(tmp_path_factory, texts, query):
    index = PostingsIndex(tmp_path_factory.mktemp("k"), Characters())
    index.add("k", [(f"c{i:02d}", text) for i, text in enumerate(texts)])
    index.delete("k", ["c00", "c07"])
    compare(index, query, 1e-3)


@pytest.mark.parametrize("query", ["水泵的温度", "轴", "阀门 ab 温度温度", "的"])
def test_frequent_terms_of_a_large_collection_score_as_their_postings_do(tmp_path, query):
    dice = np.random.default_rng(5)
    letters = np.array([*"水泵阀门轴承温度的 ", "ab"])
    index = PostingsIndex(tmp_path, Characters())
    index.add("k", [(f"c{i}", "".join(dice.choice(letters, 9))) for i in range(6000)])
    index.delete("k", [f"c{i}" for i in range(0, 500, 2)])
    compare(index, query, 1e-3)
    assert index._kept.size > 0


def test_equal_chunks_score_equally_wherever_they_stand(tmp_path):
    index = PostingsIndex(tmp_path, Characters())
    index.add("k", [(f"c{i:04d}", "水泵轴承温度" if i % 3 else f"阀门{i}") for i in range(3000)])
    hits = index.search("k", "水泵温度", 3000).hits
    assert len({score for _, score in hits}) == 1
    assert [i for i, _ in hits] == sorted(i for i, _ in hits)
    assert len(hits) == 2000


def test_what_was_kept_of_an_older_state_is_not_used(tmp_path):
    index = PostingsIndex(tmp_path, Characters())
    index.add("k", [("a", "水泵"), ("b", "阀门")])
    assert [i for i, _ in index.search("k", "水泵", 5).hits] == ["a"]
    index.add("k", [("a", "轴承"), ("c", "水泵")])
    assert [i for i, _ in index.search("k", "水泵", 5).hits] == ["c"]
    index.drop("k")
    assert index._kept.size == 0


def test_the_room_of_kept_arrays_is_never_exceeded_and_the_unused_leave_first():
    kept = KeptArrays(3000)
    owner, other = object(), object()
    for term in range(3):
        kept.put((owner, 0, term), np.zeros(500, dtype=np.uint16))
    assert kept.get((owner, 0, 0)) is not None  # used: now the last to leave
    kept.put((other, 0, 9), np.zeros(500, dtype=np.uint16))
    assert kept.size == 3000
    assert kept.get((owner, 0, 1)) is None
    kept.put((other, 0, 8), np.zeros(2000, dtype=np.uint16))  # larger than the room
    assert kept.get((other, 0, 8)) is None
    kept.forget(owner)
    assert kept.size == 1000
    assert kept.get((other, 0, 9)) is not None


def test_threads_may_keep_and_forget_at_once():
    kept, owner = KeptArrays(20_000), object()

    def work(seed):
        for term in np.random.default_rng(seed).integers(0, 50, 400).tolist():
            if kept.get((owner, 0, term)) is None:
                kept.put((owner, 0, term), np.zeros(500, dtype=np.uint16))
            if term == 7:
                kept.forget(owner)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kept.size <= 20_000
    kept.forget(owner)
    assert kept.size == 0


@pytest.mark.parametrize("size", [1, 5, 50])
def test_the_pool_holds_the_best_rows_and_whatever_ties_with_the_last(size):
    scores = np.array([0.0, 3.0, 1.0, 3.0, 0.0, 2.0, 2.0], dtype=np.float32)
    expected = {1: [1, 3], 5: [1, 2, 3, 5, 6], 50: [1, 2, 3, 5, 6]}[size]
    assert keyword_search._pool(scores, size).tolist() == expected


def test_counts_of_any_size_survive_a_merge(tmp_path):
    index = PostingsIndex(tmp_path, Characters())
    index.add("k", [("a", "ab " * 70_000), ("b", "ab cd")])
    index.add("k", [("c", "ab " * 300), ("d", "cd")])
    again = PostingsIndex(tmp_path, Characters())
    assert again.word_scores("k", "ab") == index.word_scores("k", "ab")
    keys = query_terms(Characters(), "ab").streams[0]
    rows, counts = again._state("k").postings(keys)[keys[0]]
    assert sorted(counts.tolist()) == [1, 300, 70_000]
    assert len(rows) == 3


def test_in_a_full_room_an_array_is_made_only_when_asked_for_again():
    kept = KeptArrays(1000)
    owner, size = object(), 1000
    assert kept.wants((owner, 0, 1), size)
    kept.put((owner, 0, 1), np.zeros(500, dtype=np.uint16))
    assert not kept.wants((owner, 0, 2), size)
    assert kept.wants((owner, 0, 2), size)
    assert not kept.wants((owner, 0, 3), 2000)
    kept.widen(2000)
    assert kept.wants((owner, 0, 3), size)


def test_scores_do_not_depend_on_what_there_is_room_to_keep(tmp_path):
    dice = np.random.default_rng(5)
    letters = np.array([*"水泵阀门轴承温度的"])
    index = PostingsIndex(tmp_path, Characters())
    index.add("k", [(f"c{i}", "".join(dice.choice(letters, 9))) for i in range(6000)])
    state, terms = index._state("k"), query_terms(Characters(), "水泵的温度")
    postings = state.postings([*(k for s in terms.streams for k in s), *terms.lone])
    roomy = scored(state, terms, postings)
    state.kept = KeptArrays(0)
    assert (scored(state, terms, postings) == roomy).all()
