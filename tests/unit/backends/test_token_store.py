import numpy as np
import pytest

from tuwen.backends.token_store import TokenStore


def codes(*rows):
    return np.array(rows, dtype=np.uint8)


KEPT = {"给水泵每年检修一次。": codes([1, 2], [3, 4]), "The pump weighs 80 kg.": codes([5, 6])}


@pytest.fixture
def opened(tmp_path):
    """Opens the file; everything is closed in the end."""
    stores = []

    def open_(name="encoder-1", *, path=tmp_path / "models" / "tokens.sqlite", width=2):
        stores.append(TokenStore(path, lambda: name, width=width))
        return stores[-1]

    yield open_
    for store in stores:
        store.close()


def known(store, texts=tuple(KEPT)):
    return {text: found.tolist() for text, found in store.known(texts).items()}


def test_what_was_kept_is_there_after_a_start(opened):
    opened().keep(KEPT)
    assert known(opened(), [*KEPT, "another text"]) == {t: s.tolist() for t, s in KEPT.items()}


def test_another_encoders_signs_are_thrown_away(opened):
    opened("encoder-1").keep(KEPT)
    assert known(opened("encoder-2")) == {}
    assert known(opened("encoder-1")) == {}


def test_what_is_forgotten_is_gone(opened):
    store = opened()
    store.keep(KEPT)
    store.forget(["The pump weighs 80 kg.", "never kept"])
    assert list(known(store)) == ["给水泵每年检修一次。"]
    store.keep_only(["never kept"])
    assert known(store) == {}


def test_more_texts_than_one_query_may_name(opened):
    store = opened()
    many = {f"text {i}": codes([i % 256, 1]) for i in range(1200)}
    store.keep(many)
    assert len(store.known(list(many))) == 1200


def test_a_damaged_file_is_made_anew(opened, tmp_path, caplog):
    store = opened()
    store.keep(KEPT)
    store.close()
    (tmp_path / "models" / "tokens.sqlite").write_bytes(b"no database at all" * 100)
    assert known(store) == {}
    assert "made anew" in caplog.text
    store.keep(KEPT)
    assert len(known(store)) == 2


def test_rows_of_another_width_are_not_read(opened):
    opened(width=3).keep({"three bytes": codes([1, 2, 3])})
    assert known(opened(width=2), ["three bytes"]) == {}


def test_a_place_that_cannot_be_written_keeps_nothing_and_stops_nothing(opened, tmp_path):
    (tmp_path / "file").write_text("no folder")
    store = opened(path=tmp_path / "file" / "tokens.sqlite")
    store.keep(KEPT)
    store.forget(list(KEPT))
    assert known(store) == {}
