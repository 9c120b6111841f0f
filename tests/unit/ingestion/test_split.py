import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tuwen.ingestion.chunkers.split import formulas, split

WORDS = [
    "油位不足时应停机检查。",
    "The pump stops. ",
    "见 Fig. 3 所示，",
    "“好”；",
    "\n",
    "x" * 70,
    "价格 $5 到 $10。",
    "🚰👩‍🔧",
    "无标点的一段很长的文字" * 9,
    "$a_1 + b^2$ ",
]
PROSE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=80).map("".join)


@given(PROSE, st.integers(60, 300), st.integers(0, 50))
def test_pieces_are_bounded_ordered_and_lose_nothing(text, size, overlap):
    spans = split(text, size, overlap)
    covered = set()
    for start, end in spans:
        assert end - start <= size
        assert text[start] not in "。，、）」；"
        covered.update(range(start, end))
    lost = [text[n] for n in range(len(text)) if n not in covered and not text[n].isspace()]
    assert lost == []
    assert [a for a, _ in spans] == sorted({a for a, _ in spans})


@given(PROSE, st.integers(60, 200))
def test_no_cut_enters_a_formula(text, size):
    inside = [n for a, b in formulas(text) for n in range(a + 1, b)]
    cuts = {at for span in split(text, size, 0) for at in span}
    assert not cuts & set(inside)


def test_chinese_cuts_fall_after_sentences():
    text = "给水泵启动前应检查油位与冷却水，确认无误后方可合闸。" * 60
    spans = split(text, 500, 80)
    assert all(text[end - 1] == "。" for _, end in spans)
    assert all(b[0] < a[1] for a, b in pairwise(spans))


def test_a_formula_longer_than_a_piece_stays_whole():
    formula = "$$" + "x + " * 60 + "y$$"
    spans = split(f"前文。{formula}后文。", 100, 0)
    assert any(formula in f"前文。{formula}后文。"[a:b] for a, b in spans)


def test_money_is_no_formula():
    assert formulas("从 $5 涨到 $10，再到 $20。") == []


def test_latin_words_are_not_cut():
    text = "abcdefghij " * 40
    for start, end in split(text, 64, 0):
        assert re.fullmatch(r"(abcdefghij ?)+", text[start:end])
