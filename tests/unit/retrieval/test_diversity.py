import numpy as np

from tuwen.tools.diversity import mmr
from tuwen.tools.merge import kept


def unit(*values):
    vector = np.asarray(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def ids(hits):
    return [hit.chunk_id for hit in hits]


def test_near_copies_give_way_to_something_different(make_hit):
    hits = [make_hit("a", 1.0), make_hit("copy", 0.95), make_hit("other", 0.8), make_hit("z", 0.0)]
    vectors = {
        "a": unit(1, 0),
        "copy": unit(1, 0.01),
        "other": unit(0, 1),
        "z": unit(1, 1),
    }
    chosen = mmr(hits, vectors, lam=0.5, n=2)
    assert ids(kept(chosen)) == ["a", "other"]
    assert {h.chunk_id: h.explain.dropped for h in chosen[2:]} == {"copy": "mmr", "z": "mmr"}


def test_lambda_one_keeps_the_most_relevant(make_hit):
    hits = [make_hit("a", 1.0), make_hit("copy", 0.95), make_hit("other", 0.9)]
    vectors = {"a": unit(1, 0), "copy": unit(1, 0), "other": unit(0, 1)}
    assert ids(kept(mmr(hits, vectors, lam=1.0, n=2))) == ["a", "copy"]


def test_those_that_stay_keep_their_order(make_hit):
    rng = np.random.default_rng(1)
    hits = [make_hit(f"c{i:02}", 1.0 - i / 40) for i in range(40)]
    vectors = {h.chunk_id: unit(*rng.normal(size=8)) for h in hits}
    chosen = kept(mmr(hits, vectors, lam=0.3, n=10))
    assert len(chosen) == 10
    assert [h.score for h in chosen] == sorted((h.score for h in chosen), reverse=True)


def test_fewer_hits_than_asked_for_all_stay(make_hit):
    hits = [make_hit("a", 1.0), make_hit("b", 0.5)]
    assert mmr(hits, {}, lam=0.7, n=10) == hits
    assert mmr([], {}, lam=0.7, n=10) == []


def test_hits_without_a_vector_are_not_lost(make_hit):
    hits = [make_hit("a", 1.0), make_hit("copy", 0.9), make_hit("words", 0.8)]
    vectors = {"a": unit(1, 0), "copy": unit(1, 0)}
    assert ids(kept(mmr(hits, vectors, lam=0.5, n=2))) == ["a", "words"]


def test_label_hits_always_stay(make_hit):
    hits = [
        make_hit("fig", 99.0, label=True),
        make_hit("a", 1.0),
        make_hit("b", 0.9),
        make_hit("far", 0.0),
    ]
    vectors = {"fig": unit(1, 0), "a": unit(1, 0), "b": unit(0, 1), "far": unit(1, 1)}
    assert ids(kept(mmr(hits, vectors, lam=0.5, n=2))) == ["fig", "b"]


def test_what_was_dropped_before_stays_dropped(make_hit):
    hits = [make_hit("a", 1.0), make_hit("old", 0.9, dropped="filter")]
    chosen = mmr(hits, {}, lam=0.5, n=2)
    assert [(h.chunk_id, h.explain.dropped) for h in chosen] == [("a", ""), ("old", "filter")]


def test_the_same_choice_as_the_textbook_loop(make_hit):
    rng = np.random.default_rng(7)
    hits = [make_hit(f"c{i:02}", float(s)) for i, s in enumerate(sorted(rng.random(25))[::-1])]
    vectors = {h.chunk_id: unit(*rng.normal(size=5)) for h in hits}
    low, high = hits[-1].score, hits[0].score
    chosen: list[str] = []

    def value(hit):
        near = max((float(vectors[hit.chunk_id] @ vectors[c]) for c in chosen), default=0.0)
        return 0.6 * (hit.score - low) / (high - low) - 0.4 * max(0.0, near)

    while len(chosen) < 8:
        best = max((h for h in hits if h.chunk_id not in chosen), key=value)
        chosen.append(best.chunk_id)
    assert sorted(ids(kept(mmr(hits, vectors, lam=0.6, n=8)))) == sorted(chosen)
