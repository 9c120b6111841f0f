import re

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
_OTHER_DAY = re.compile(r"(?<!\d)0?(?:12|4)(?!\d)")
TALKED = [
    "The comedy film Silver Lake Road, well directed, opens this week in cinemas.",
    "Critics call the comedy film Silver Lake Road badly directed but funny.",
    "The comedy film Silver Lake Road is directed like an old play.",
    "People say the comedy film Silver Lake Road is directed with love.",
]


@pytest.fixture
def disagreeing(passage, tokenizer, embedder):
    """Whether texts that were found with these cosines disagree."""

    def run(texts, meanings=(0.55, 0.55, 0.55, 0.55), *, question=QUESTION, title=""):
        passages = [
            passage(n, text, title=title, meaning=meaning)
            for n, (text, meaning) in enumerate(zip(texts, meanings, strict=False), 1)
        ]
        ranked = rank_sentences(question, passages, tokenizer, embedder) if passages else []
        return disagree(question, ranked, passages, tokenizer)

    return run


def test_passages_on_the_topic_that_tell_no_one_value_disagree(disagreeing):
    assert disagreeing(TALKED)


def test_passages_that_tell_the_same_value_agree(disagreeing):
    assert not disagreeing(TOLD)


def test_one_passage_on_the_topic_needs_no_other(disagreeing):
    others = ["The weather stays fine.", "Buses run every hour.", "The lake is deep."]
    assert not disagreeing([TALKED[0], *others], (0.5, 0.1, 0.1, 0.1))


def test_passages_that_no_cosine_brought_are_no_crowd(disagreeing):
    assert not disagreeing(TALKED, (0.0, 0.0, 0.0, 0.0))


def test_nothing_found_is_no_crowd(disagreeing):
    assert not disagreeing([])


def test_what_only_the_title_says_makes_no_crowd(disagreeing):
    assert not disagreeing(TALKED, title="The comedy film Silver Lake Road")


def test_a_value_of_another_year_is_no_agreement(disagreeing):
    question = "The number of visitors had the Silver Lake harbour in 2022?"
    texts = [
        f"In {{}} the Silver Lake harbour, {word}, had 4300 visitors, and 2022 is said to be wet."
        for word in "abcd"
    ]
    near = (0.47, 0.47, 0.47, 0.47)
    assert disagreeing([t.format(2021) for t in texts], near, question=question)
    assert not disagreeing([t.format(2022) for t in texts], near, question=question)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "滨河公园北门扩建工程什么时候完工？",
            [
                "滨河公园北门扩建工程已于9月12日完工。",
                "滨河公园北门扩建工程完工日期：2021-09-12，造价另行公布。",
                "滨河公园北门扩建工程完工，市民9月12号起可以入园。",
                "滨河公园北门扩建工程何时完工，居民十分关心。",
            ],
        ),
        (
            "What is the date of the Harwick ferry terminal reopening?",
            [
                "The Harwick ferry terminal reopening was on 4 May.",
                "The Harwick ferry terminal reopening date: May 4, all lines.",
                "The Harwick ferry terminal reopening on 2019/5/4 brought two berths.",
                "The Harwick ferry terminal reopening was hoped for.",
            ],
        ),
    ],
)
def test_one_day_written_in_several_ways_is_one_value(disagreeing, question, texts):
    near = [0.47 if "滨" in question else 0.52] * 4
    assert not disagreeing(texts, near, question=question)
    apart = [_OTHER_DAY.sub(str(2 * n), text) for n, text in enumerate(texts, 1)]
    assert disagreeing(apart, near, question=question)
