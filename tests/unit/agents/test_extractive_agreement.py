import pytest

from tuwen.agents.extractive_agreement import disagree
from tuwen.agents.extractive_sentences import rank_sentences

QUESTION = "Who directed the comedy film Silver Lake Road?"
TOLD = [
    "The comedy film Silver Lake Road was directed by Nora Hansen.",
    "Nora Hansen directed the comedy film Silver Lake Road in one summer.",
    "Director Nora Hansen shot the comedy film Silver Lake Road by the lake.",
    "The comedy film Silver Lake Road, directed by Nora Hansen, won a prize.",
]
TALKED = [
    "The comedy film Silver Lake Road, well directed, opens this week in cinemas.",
    "Critics call the comedy film Silver Lake Road badly directed but funny.",
    "The comedy film Silver Lake Road is directed like an old play.",
    "People say the comedy film Silver Lake Road is directed with love.",
]


@pytest.fixture
def rank(passage, tokenizer, embedder):
    def run(texts):
        passages = [passage(n, text, title="") for n, text in enumerate(texts, 1)]
        return rank_sentences(QUESTION, passages, tokenizer, embedder)

    return run


def test_passages_on_the_topic_that_tell_no_one_value_disagree(rank, tokenizer):
    assert disagree(QUESTION, rank(TALKED), tokenizer)


def test_passages_that_tell_the_same_value_agree(rank, tokenizer):
    assert not disagree(QUESTION, rank(TOLD), tokenizer)


def test_one_passage_on_the_topic_needs_no_other(rank, tokenizer):
    others = ["The weather stays fine.", "Buses run every hour.", "The lake is deep."]
    assert not disagree(QUESTION, rank([TOLD[0], *others]), tokenizer)


def test_nothing_found_is_no_crowd(tokenizer):
    assert not disagree(QUESTION, [], tokenizer)
