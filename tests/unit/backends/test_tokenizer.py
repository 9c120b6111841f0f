import threading
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuwen.backends.tokenizer import JiebaTokenizer


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    made = JiebaTokenizer(tmp_path_factory.mktemp("jieba"))
    made.load()
    return made


@pytest.fixture(scope="module")
def jieba_itself(tmp_path_factory, tokenizer):
    return jieba_in(tmp_path_factory.mktemp("itself"))


def jieba_in(folder):
    import jieba

    made = jieba.Tokenizer()
    made.tmp_dir = str(folder)
    made.initialize()
    return made


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("型号ＡＢＣ－３２０的泵", "ABC-320"),
        ("型号 DEF-210 的泵", "ＤＥＦ－２１０"),
        ("給水泵的軸承溫度", "给水泵的轴承温度"),
        ("软件授权带动营收增长", "營收增長"),
        ("按 GB/T 5972 执行", "GB/T5972"),
        ("按 GB/T5972-2016 执行", "GB/T 5972-2016"),
        ("DB11/T 1234-2020 规定", "DB11/T1234-2020"),
        ("流速 m/s 20", "m/s"),
        ("written in C++ and C#", "c++"),
        ("see section 3.1.2 below", "3.1.2"),
        ("阀门P–101", "P-101"),
        ("revenues growing", "Revenue grows"),
        ("$1,234,567.8 in total", "1234567.8"),
        ("压力１．６ＭＰａ", "1.6MPa"),
        ("the company’s plan", "company's plan"),
    ],
)
def test_either_writing_yields_the_tokens_of_the_question(tokenizer, written, asked):
    wanted = set(tokenizer.tokens(asked))
    assert wanted
    assert wanted <= set(tokenizer.tokens(written))


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("GB/T 5972", "gb/t5972", {"gb", "5972"}),
        ("ABC-320", "abc-320", {"abc", "320"}),
        ("P-101", "p-101", {"101"}),
        ("C++", "c++", set()),
        ("3.1.2", "3.1.2", set()),
        ("1.6MPa", "1.6mpa", {"1.6", "mpa"}),
    ],
)
def test_codes_are_kept_whole_and_given_by_their_parts(tokenizer, text, whole, parts):
    tokens = tokenizer.tokens(text)
    assert tokens[0] == whole
    assert set(tokens[1:]) == parts


@pytest.mark.parametrize("text", ["", " \n", "，。！？", "的了吗", "the of and", "…—·"])
def test_punctuation_and_stop_words_are_no_tokens(tokenizer, text):
    assert tokenizer.tokens(text) == []


def test_different_numbers_stay_different(tokenizer):
    assert set(tokenizer.tokens("图3.1.2")).isdisjoint(tokenizer.tokens("312"))
    assert set(tokenizer.tokens("1.5")).isdisjoint(tokenizer.tokens("15"))
    assert "in2021" not in tokenizer.tokens("sales in 2021")


def test_folding_joins_width_case_dashes_and_scripts(tokenizer):
    assert tokenizer.fold("圖２—３ ＡＢＣ") == "图2-3 abc"
    assert tokenizer.fold("soft\u00adhyphen\u200b") == "softhyphen"


@given(st.text(max_size=80))
@settings(max_examples=500, deadline=None)
def test_folding_is_stable_and_tokens_do_not_depend_on_it(tokenizer, text):
    folded = tokenizer.fold(text)
    assert tokenizer.fold(folded) == folded
    assert tokenizer.tokens(folded) == tokenizer.tokens(text)


def test_user_words_are_cut_as_one(tmp_path):
    plain = JiebaTokenizer(tmp_path)
    taught = JiebaTokenizer(tmp_path, user_words=["坎儿井式輸水"])
    assert "坎儿井式输水" not in plain.tokens("坎儿井式输水工程")
    assert "坎儿井式输水" in taught.tokens("坎儿井式输水工程")


def test_the_cache_is_kept_in_the_given_folder(tmp_path):
    JiebaTokenizer(tmp_path / "new" / "jieba").load()
    assert [p.suffix for p in (tmp_path / "new" / "jieba").iterdir()] == [".json"]


def test_an_unusable_cache_folder_costs_only_the_cache(tmp_path, capfd):
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert JiebaTokenizer(blocked / "jieba").tokens("离心泵维护")
    assert capfd.readouterr().err == ""


def test_a_damaged_cache_is_built_again(tmp_path):
    first = JiebaTokenizer(tmp_path)
    first.load()
    (cache,) = tmp_path.iterdir()
    cache.write_bytes(b"broken")
    assert JiebaTokenizer(tmp_path).tokens("离心泵") == first.tokens("离心泵")


def test_loading_gives_no_warning_and_no_output(tmp_path, capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        JiebaTokenizer(tmp_path).load()
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")


def test_threads_get_the_same_tokens_even_while_it_loads(tmp_path):
    shared = JiebaTokenizer(Path(tmp_path))
    texts = [f"第{i}台离心泵的轴承温度 pumps running-{i}" for i in range(40)]
    results: dict[int, list[list[str]]] = {}

    def work(number):
        results[number] = [shared.tokens(t) for t in texts]

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results[n] == [shared.tokens(t) for t in texts] for n in range(4))


HAN_TEXT = st.text(
    st.sampled_from("的水泵轴承温度中国人民银行发电量二〇年㐀𠀀龙王庙乔布斯马化腾"), max_size=14
)


@settings(max_examples=150, deadline=None)
@given(HAN_TEXT)
def test_words_are_those_of_jieba_itself(tokenizer, jieba_itself, text):
    assert tokenizer._jieba.cut_for_search(text) == tuple(jieba_itself.cut_for_search(text))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["水泵", "轴承", "gb/t5972", "bear", "温度"]), max_size=3), HAN_TEXT
)
def test_words_among_the_tokens_are_held(tokenizer, words, text):
    text = f"{text}，轴承温度 bearings GB/T 5972。{text}"
    held = tokenizer.held(text, frozenset(words))
    assert held >= set(words) & set(tokenizer.tokens(text))
    assert all(word in tokenizer.tokens(text) or word in text for word in held)


def test_a_chinese_word_is_held_however_the_text_around_it_is_cut(tokenizer):
    assert tokenizer.held("给水泵房通风", frozenset({"水泵", "泵房", "风机"})) == {"水泵", "泵房"}


def test_user_words_weigh_as_in_jieba_itself(tmp_path):
    taught = JiebaTokenizer(tmp_path, user_words=["坎儿井式输水", "离心泵A3"])
    taught.load()
    jieba_itself = jieba_in(tmp_path)
    for word in ("坎儿井式输水", "离心泵a3"):
        jieba_itself.add_word(word)
    assert taught._jieba.total == jieba_itself.total
    assert taught._jieba.FREQ["坎儿井式输水"] == jieba_itself.FREQ["坎儿井式输水"]
