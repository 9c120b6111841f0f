import numpy as np

from tuwen.backends.sentence_picker import SentencePicker


class Counting:
    """Two-dimensional vectors: a text that holds "near" lies where every question lies."""

    name, dim = "counting", 2

    def __init__(self):
        self.texts = 0

    def embed_queries(self, texts):
        return np.array([[1.0, 0.0]] * len(texts), dtype=np.float32)

    def embed_passages(self, texts):
        self.texts += len(texts)
        return np.array(
            [[1.0, 0.0] if "near" in text else [0.0, 1.0] for text in texts], dtype=np.float32
        )


TEXT = ["the pump runs", "oil is changed yearly", "bearing oil of the pump", "paint", "doors"]


def test_the_sentence_that_holds_most_of_the_question_is_picked_without_encoding():
    light = Counting()
    picker = SentencePicker(str.split, light)
    picked = picker.pick("bearing oil pump", [TEXT, ["one"]])
    assert picked == [["bearing oil of the pump"], ["one"]]
    assert light.texts == 0


def test_where_no_words_meet_the_light_encoder_picks():
    light = Counting()
    picker = SentencePicker(str.split, light)
    assert picker.pick("轴承", [["far", "a near one", "off"], []]) == [["a near one"], []]
    assert light.texts == 3


def test_a_word_that_every_sentence_holds_weighs_less_than_a_rare_one():
    texts = [["the pump", "the the seal", "the door", "the roof", "the wall"]]
    assert SentencePicker(str.split, Counting()).pick("the seal", texts)[0][0] == "the the seal"


def test_nothing_to_pick_from_gives_nothing():
    assert SentencePicker(str.split, Counting()).pick("question", [[], []]) == [[], []]
