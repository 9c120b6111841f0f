import pytest

from tuwen.core.errors import ModelError
from tuwen.core.evidence import Hit
from tuwen.tools.merge import kept
from tuwen.tools.rerank import (
    HEAD,
    TOKEN_WEIGHT,
    WEIGHT,
    Voice,
    rerank_hits,
    sentence_voice,
    token_voice,
)


class Scripted:
    name = "scripted"

    def __init__(self, scores):
        self.scores = scores
        self.asked = []

    def rerank(self, query, texts):
        self.asked.append((query, list(texts)))
        return [self.scores[text] for text in texts]


def ids(hits):
    return [hit.chunk_id for hit in hits]


def of(chunks):
    """Reads these chunks."""
    return lambda wanted: [chunks[i] for i in wanted if i in chunks]


@pytest.fixture
def scene(make_hit, make_chunk):
    hits = [make_hit("a", 1.0), make_hit("b", 0.9), make_hit("c", 0.1)]
    chunks = {i: make_chunk(i, text=i) for i in "abc"}
    return hits, chunks


def test_the_reranker_moves_near_neighbours(scene):
    hits, chunks = scene
    ranked = rerank_hits(Scripted({"a": 0.1, "b": 0.9, "c": 0.2}), "q", hits, of(chunks), n=3)
    assert ids(ranked) == ["b", "a", "c"]
    assert ranked[0].explain.reranked == 0.9


@pytest.mark.parametrize("score", [0.5, float("nan"), float("inf")])
def test_flat_or_broken_scores_leave_the_fused_order(scene, score):
    hits, chunks = scene
    ranked = rerank_hits(Scripted(dict.fromkeys("abc", score)), "q", hits, of(chunks), n=3)
    assert ids(ranked) == ["a", "b", "c"]


def test_one_nan_does_not_hurt_the_others(scene):
    hits, chunks = scene
    scores = {"a": float("nan"), "b": 0.9, "c": 0.1}
    assert ids(rerank_hits(Scripted(scores), "q", hits, of(chunks), n=3))[-1] == "c"


def test_the_rest_is_marked_as_dropped(scene):
    hits, chunks = scene
    ranked = rerank_hits(Scripted({"a": 0.9, "b": 0.5, "c": 0.1}), "q", hits, of(chunks), n=1)
    assert ids(kept(ranked)) == ["a"]
    assert [h.explain.dropped for h in ranked] == ["", "rerank", "rerank"]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_any_number_of_candidates_works(scene, count):
    hits, chunks = scene
    reranker = Scripted({"a": 0.9, "b": 0.5, "c": 0.1})
    assert len(rerank_hits(reranker, "q", hits[:count], of(chunks), n=5)) == count


def test_nothing_is_asked_for_an_empty_question(scene):
    hits, chunks = scene
    reranker = Scripted({})
    assert ids(rerank_hits(reranker, "  ", hits, of(chunks), n=3)) == ["a", "b", "c"]
    assert reranker.asked == []


def test_a_table_keeps_its_fused_place_unless_asked(make_hit, make_chunk):
    hits = [make_hit("t", 1.0), make_hit("a", 0.9), make_hit("b", 0.2)]
    chunks = {
        "t": make_chunk("t", text="t", chunk_type="table"),
        "a": make_chunk("a", text="a"),
        "b": make_chunk("b", text="b"),
    }
    reranker = Scripted({"t": 0.0, "a": 0.5, "b": 0.4})
    first = rerank_hits(reranker, "q", hits, of(chunks), n=3, voice=Voice(0.3, 5.0))[0]
    assert (first.chunk_id, first.explain.reranked) == ("t", None)
    assert "t" not in reranker.asked[0][1]
    rerank_hits(reranker, "q", hits, of(chunks), n=3, tables=True)
    assert "t" in reranker.asked[1][1]


def test_label_hits_stay_first(make_hit, make_chunk):
    hits = [make_hit("fig", 50.0, label=True), make_hit("a", 1.0), make_hit("b", 0.5)]
    chunks = {i: make_chunk(i, text=i) for i in ("fig", "a", "b")}
    ranked = rerank_hits(Scripted({"fig": 0.0, "a": 0.2, "b": 1.0}), "q", hits, of(chunks), n=3)
    assert ranked[0].chunk_id == "fig"
    assert ranked[0].score > ranked[1].score


def test_a_wrong_number_of_scores_is_an_error_that_names_the_reranker(scene):
    hits, chunks = scene

    class Short(Scripted):
        def rerank(self, query, texts):
            return [0.5]

    with pytest.raises(ModelError, match="scripted gave 1 scores for 3 texts"):
        rerank_hits(Short({}), "q", hits, of(chunks), n=3)


def test_logits_and_probabilities_give_the_same_order(scene):
    hits, chunks = scene
    low = rerank_hits(Scripted({"a": 0.2, "b": 0.6, "c": 0.4}), "q", hits, of(chunks), n=3)
    high = rerank_hits(Scripted({"a": -6.0, "b": 6.0, "c": 0.0}), "q", hits, of(chunks), n=3)
    assert ids(low) == ids(high)


def test_a_light_sentence_reranker_speaks_only_where_the_words_do_not_meet():
    weights = [sentence_voice(c, paired=False).weight for c in (0.0, 0.2, 0.25, 1.0)]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > weights[1] > weights[-1] == 0.0


def test_the_pair_is_asked_about_fewer_hits_where_the_words_meet():
    near, far = sentence_voice(1.0, paired=True), sentence_voice(0.0, paired=True)
    assert 0.0 < near.weight < far.weight
    assert near.margin < far.margin


def test_in_a_crowd_sentences_that_hold_the_words_say_nothing():
    assert sentence_voice(0.9, paired=True, crowd=1.0).weight == 0.0
    assert 0.0 < sentence_voice(0.9, paired=True, crowd=0.5).weight < WEIGHT


def test_only_hits_near_the_first_are_scored_and_the_rest_stays_behind_them(make_chunk):
    scores = [3.0, 2.9, 2.8, *(0.1 * (20 - i) for i in range(3, 20))]
    names = [f"c{i:02}" for i in range(20)]
    hits = [Hit(chunk_id=i, score=s) for i, s in zip(names, scores, strict=True)]
    chunks = {name: make_chunk(name, text=name) for name in names}
    reranker = Scripted({"c00": 0.2, "c01": 0.1, "c02": 0.9})
    ordered = rerank_hits(reranker, "q", hits, of(chunks), n=20, voice=Voice(0.4, 1.0))
    assert reranker.asked == [("q", names[:3])]
    assert ids(ordered) == ["c02", "c00", "c01", *names[3:]]


def test_the_built_in_reranker_is_asked_about_ten_hits_at_most(make_chunk):
    names = [f"c{i:02}" for i in range(20)]
    hits = [Hit(chunk_id=name, score=1.0 - 0.01 * i) for i, name in enumerate(names)]
    chunks = {name: make_chunk(name, text=name) for name in names}
    reranker = Scripted(dict.fromkeys(names, 0.5))
    rerank_hits(reranker, "q", hits, of(chunks), n=20, voice=Voice(0.4, 9.0))
    assert [len(texts) for _, texts in reranker.asked] == [HEAD]


def test_without_weight_the_reranker_is_not_asked():
    class Never:
        name = "never"

        def rerank(self, query, texts):
            raise AssertionError("asked")

    hits = [Hit(chunk_id="a", score=2.0), Hit(chunk_id="b", score=1.0)]
    ordered = rerank_hits(Never(), "q", hits, of({}), n=1, voice=Voice(0.0, None))
    assert [hit.chunk_id for hit in ordered if not hit.explain.dropped] == ["a"]


def test_late_interaction_says_nothing_in_a_crowd():
    assert token_voice().weight == TOKEN_WEIGHT
    assert token_voice(1.0).weight == 0.0


def test_what_the_reranker_reads_of_a_chunk_is_told(scene, make_chunk):
    hits, _ = scene
    chunks = {i: make_chunk(i, text=i, embedding_text=f"title {i}") for i in "abc"}
    scripted = Scripted({"title a": 0.1, "title b": 0.9, "title c": 0.2})
    ranked = rerank_hits(
        scripted, "q", hits, of(chunks), n=3, text=lambda chunk: chunk.embedding_text
    )
    assert ids(ranked) == ["b", "a", "c"]
