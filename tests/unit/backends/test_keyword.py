import json
import threading

import numpy as np
import pytest

from tuwen.backends.keyword import PostingsIndex
from tuwen.backends.keyword_share import crowd
from tuwen.backends.tokenizer import JiebaTokenizer
from tuwen.core.errors import StoreError


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return JiebaTokenizer(tmp_path_factory.mktemp("jieba"))


@pytest.fixture
def index(tmp_path, tokenizer):
    return PostingsIndex(tmp_path, tokenizer)


def found(index, query, n=10, **options):
    return [i for i, _ in index.search("k", query, n, **options).hits]


def test_an_empty_collection_answers_nothing(index):
    hits = index.search("k", "离心泵", 5)
    assert (hits.hits, hits.coverage) == ((), 0.0)
    assert index.ids("k") == set()


def test_a_word_in_half_of_two_chunks_ranks_its_chunk_first_and_alone(index):
    index.add("k", [("pump", "离心泵维护要点在甲册。"), ("valve", "阀门检查要点在乙册。")])
    assert found(index, "离心泵") == ["pump"]
    assert found(index, "要点 离心泵") == ["pump", "valve"]


def test_the_only_chunk_is_found_with_a_positive_score(index):
    index.add("k", [("one", "离心泵维护要点在甲册。")])
    ((chunk_id, score),) = index.search("k", "离心泵", 5).hits
    assert chunk_id == "one"
    assert type(score) is float
    assert score > 0


@pytest.mark.parametrize("texts", [[""], ["，。"], ["", "离心泵"]])
def test_chunks_without_words_do_no_harm(index, texts):
    index.add("k", [(f"c{i}", t) for i, t in enumerate(texts)])
    assert found(index, "离心泵") == [f"c{i}" for i, t in enumerate(texts) if t == "离心泵"]


@pytest.mark.parametrize("query", ["", "  ", "的", "？！", "the of", "锅炉"])
def test_a_query_without_known_terms_has_no_hits(index, query):
    index.add("k", [("one", "离心泵维护")])
    assert index.search("k", query, 5).hits == ()


def test_a_word_that_is_cut_differently_is_found_by_its_characters(index):
    index.add("k", [("a", "南京市长江大桥的检修"), ("b", "大风天气停止作业")])
    assert found(index, "市长江大")[0] == "a"
    assert found(index, "桥") == ["a"]  # one character, inside a longer word


def test_scripts_and_widths_meet_in_both_directions(index):
    index.add("k", [("s", "软件授权带动营收增长"), ("t", "給水泵的軸承溫度，型号ＡＢＣ－３２０")])
    assert found(index, "營收增長") == ["s"]
    assert found(index, "给水泵的轴承温度")[0] == "t"
    assert found(index, "ABC-320") == ["t"]


def test_adding_an_id_again_replaces_its_text(index):
    index.add("k", [("c", "旧的离心泵"), ("c", "新的锅炉")])
    assert found(index, "离心泵") == []
    index.add("k", [("c", "阀门")])
    assert found(index, "锅炉") == []
    assert found(index, "阀门") == ["c"]
    assert index.count("k") == 1


def test_a_deleted_chunk_is_gone_and_unknown_ids_are_ignored(index):
    index.add("k", [("a", "离心泵"), ("b", "离心泵房"), ("c", "阀门")])
    before = index.version("k")
    index.delete("k", ["nothing"])
    assert index.version("k") == before
    index.delete("k", ["a", "nothing"])
    assert found(index, "离心泵") == ["b"]
    assert index.version("k") > before


def test_allowed_ids_are_exact_and_an_empty_set_means_nothing(index):
    index.add("k", [(f"c{i}", f"离心泵第{i}台") for i in range(20)])
    assert found(index, "离心泵", allowed=["c7", "c3", "elsewhere"]) == ["c3", "c7"]
    assert found(index, "离心泵", allowed=[]) == []
    index.delete("k", ["c7"])
    assert found(index, "离心泵", allowed=["c7", "c3"]) == ["c3"]


def test_equal_scores_are_ordered_by_id_whatever_the_order_of_writes(index):
    for chunk_id in ("c", "a", "b"):
        index.add("k", [(chunk_id, "离心泵")])
    assert found(index, "离心泵") == ["a", "b", "c"]
    assert found(index, "离心泵", n=2) == ["a", "b"]


def test_coverage_is_the_weighted_share_of_terms_in_the_best_hit(index):
    index.add("k", [("a", "离心泵的轴承温度"), ("b", "阀门"), ("c", "pump bearings")])
    assert index.search("k", "离心泵轴承", 5).coverage == 1.0
    half = index.search("k", "阀门 mystery", 5).coverage
    assert 0 < half < 1
    assert index.search("k", "mystery", 5).coverage == 0.0
    other_language = index.search("k", "how hot may the 阀门 seals of turbines become", 5)
    assert other_language.coverage < 0.4


def test_coverage_looks_at_allowed_hits_only(index):
    index.add("k", [("a", "离心泵的轴承温度"), ("b", "轴承")])
    assert index.search("k", "离心泵轴承温度", 5, allowed=["b"]).coverage < 1.0


def test_collections_never_mix(index):
    for name in ("泵房手册", "锅炉规程", "a b", "a_b", "KB", "kb", "甲.", "甲"):
        index.add(name, [("c", f"离心泵 {name}")])
    index.drop("泵房手册")
    index.drop("a b")
    assert index.ids("泵房手册") == index.ids("a b") == set()
    for name in ("锅炉规程", "a_b", "KB", "kb", "甲.", "甲"):
        assert index.ids(name) == {"c"}


def test_a_reopened_index_answers_the_same(tmp_path, tokenizer):
    first = PostingsIndex(tmp_path, tokenizer)
    for i in range(30):
        first.add("k", [(f"c{i}", f"离心泵第{i}台 轴承{'温度' * (i % 4)}")])
    first.delete("k", [f"c{i}" for i in range(0, 30, 3)])
    again = PostingsIndex(tmp_path, tokenizer)
    assert again.search("k", "轴承温度", 50) == first.search("k", "轴承温度", 50)
    assert again.version("k") == first.version("k")


def test_the_number_of_segments_grows_with_the_logarithm(tmp_path, index):
    for i in range(64):
        index.add("k", [(f"c{i}", f"离心泵第{i}台")])
    (folder,) = tmp_path.iterdir()
    segments = json.loads((folder / "manifest.json").read_text())["segments"]
    assert len(segments) <= 7
    assert {p.name for p in folder.iterdir() if p.is_dir()} == {s["name"] for s in segments}


def test_readers_see_whole_states_while_a_writer_replaces(tmp_path, tokenizer):
    index = PostingsIndex(tmp_path, tokenizer)
    index.add("k", [(f"a{i}", "离心泵") for i in range(5)])
    wrong, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            seen = {i for i, _ in index.search("k", "离心泵", 50).hits}
            if len(seen) % 5:
                wrong.append(seen)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for round_ in range(30):
        index.add("k", [(f"b{round_}-{i}", "离心泵") for i in range(5)])
        if round_ % 3 == 2:
            index.delete("k", [f"b{round_ - 1}-{i}" for i in range(5)])
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []


@pytest.mark.parametrize("damage", ["manifest.json", "rows.npy", "ids.json"])
def test_a_damaged_file_is_named_with_the_command_that_repairs(tmp_path, tokenizer, damage):
    PostingsIndex(tmp_path, tokenizer).add("k", [("a", "离心泵")])
    (file,) = tmp_path.rglob(damage)
    file.write_bytes(b"")
    with pytest.raises(StoreError, match="doctor --repair") as raised:
        PostingsIndex(tmp_path, tokenizer).search("k", "离心泵", 5)
    assert str(tmp_path) in str(raised.value)
    assert str(tmp_path) not in raised.value.said("zh")


def test_an_index_of_another_tokenizer_is_refused(tmp_path, tokenizer):
    PostingsIndex(tmp_path, tokenizer).add("k", [("a", "离心泵")])

    class Other:
        name = "other"
        fold = staticmethod(str)
        tokens = staticmethod(str.split)

    with pytest.raises(StoreError, match="another version of the tokenizer"):
        PostingsIndex(tmp_path, Other()).ids("k")


def test_shared_processes_see_each_others_writes(tmp_path, tokenizer):
    one = PostingsIndex(tmp_path, tokenizer, shared=True)
    two = PostingsIndex(tmp_path, tokenizer, shared=True)
    assert two.ids("k") == set()
    one.add("k", [("a", "离心泵")])
    assert found(two, "离心泵") == ["a"]
    two.add("k", [("b", "阀门")])
    assert one.ids("k") == {"a", "b"}
    one.drop("k")
    assert two.ids("k") == set()


def test_short_chunks_that_hold_all_of_the_question_are_a_crowd(index):
    question = "cooling fan bearing"
    index.add("k", [(f"c{i}", f"cooling fan bearing {i}") for i in range(6)])
    index.add("k", [(f"o{i}", f"cooling water {i}") for i in range(6)])
    assert index.search("k", question, 10).crowd == 1.0
    assert index.search("k", f"{question} 3", 10).crowd == 0.0


def test_long_chunks_are_less_of_a_crowd(index):
    filler = " ".join(["water"] * 300)
    index.add("k", [(f"c{i}", f"cooling fan bearing {i} {filler}") for i in range(20)])
    index.add("k", [(f"o{i}", f"cooling water {i}") for i in range(6)])
    assert 0.0 < index.search("k", "cooling fan bearing", 30).crowd < 0.5


def test_a_few_like_chunks_are_no_crowd():
    words = np.array([10, 10, 10, 10])
    assert crowd(np.array([1.0, 1.0, 0.5, 0.1]), words) == 0.0
    assert crowd(np.array([1.0, 1.0, 1.0, 0.1]), words) == 0.5
    assert crowd(np.array([1.0, 1.0, 0.75, 0.1]), words) == 0.25
    assert crowd(np.array([0.5, 0.5, 0.5, 0.5]), words) == 0.0
    assert crowd(np.zeros(3), words[:3]) == crowd(np.zeros(0), words[:0]) == 0.0
