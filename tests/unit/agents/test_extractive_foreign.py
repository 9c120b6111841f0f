import numpy as np
import pytest

from tuwen.agents.extractive import write_extractive
from tuwen.agents.extractive_foreign import foreign_answers
from tuwen.agents.extractive_sentences import rank_sentences
from tuwen.core.analysis import Analysis

GATE = "闸门防腐采用喷砂除锈后热喷锌的工艺。"
OTHER = "新员工入职第一周参加安全培训。"
QUESTION = "How is the gate protected?"


class Nearness:
    """Cosines by what a text holds: a question is near the texts of its topic."""

    name = "nearness"
    dim = 2

    def __init__(self, cosines):
        self._cosines = cosines

    def embed_queries(self, texts):
        return np.array([[1.0, 0.0]] * len(texts), dtype=np.float32)

    def embed_passages(self, texts):
        near = [next((c for k, c in self._cosines.items() if k in t), 0.0) for t in texts]
        return np.array([[c, (1 - c * c) ** 0.5] for c in near], dtype=np.float32)


@pytest.fixture
def found(passage, tokenizer):
    def run(question, texts, cosines, meanings=(0.2, 0.1)):
        passages = [
            passage(n, text, meaning=meaning)
            for n, (text, meaning) in enumerate(zip(texts, meanings, strict=False), 1)
        ]
        encoder = Nearness(cosines)
        ranked = rank_sentences(question, passages, tokenizer, encoder)
        return [c.text for c in foreign_answers(question, ranked, passages, encoder)]

    return run


def test_the_nearest_sentence_of_another_language_comes_first(found):
    assert found(QUESTION, [OTHER, GATE], {"闸门": 0.35, "员工": 0.05})[0] == GATE


def test_sentences_that_are_all_far_answer_nothing(found):
    assert found(QUESTION, [GATE, OTHER], {"闸门": 0.06, "员工": 0.05}) == []


def test_of_two_near_sentences_that_of_the_nearer_passage_comes_first(found):
    texts = ["闸门甲。喷锌厚度为160微米。", "闸门乙。喷锌厚度为90微米。"]
    answer = found("How thick is the zinc?", texts, {"喷锌": 0.3}, meanings=(0.1, 0.3))
    assert answer[0] == "喷锌厚度为90微米。"


def test_a_sentence_of_another_year_is_no_answer(found):
    texts, question = ["2018年利润首次披露。", "食堂扩建。"], "What was the profit in {}?"
    assert found(question.format(2022), texts, {"利润": 0.6}) == []
    assert found(question.format(2018), texts, {"利润": 0.6})[0] == texts[0]


def test_text_in_the_questions_own_language_is_none_of_it(found):
    assert found(QUESTION, ["The gate is painted."], {"gate": 0.9}) == []


@pytest.mark.parametrize(
    ("question", "abstains"),
    [("How is the gate of 2019 protected?", True), ("How is the gate of 2023 protected?", False)],
)
def test_years_must_agree_across_languages(question, abstains, passage, tokenizer):
    analysis = Analysis(question=question, rewritten=question, queries=(question,), language="en")
    encoder = Nearness({"闸门": 0.4})
    draft = write_extractive(
        analysis,
        [passage(1, f"2023年，{GATE}", meaning=0.3)],
        tokenizer=tokenizer,
        embedder=encoder,
    )
    assert draft.abstained is abstains
