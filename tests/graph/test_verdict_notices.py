"""What is said beside the answer: what the evidence lacks, what failed, in one language."""

import pytest

from tests.graph.talking import Talk
from tuwen.core.analysis import Sufficiency
from tuwen.core.document import FileReport
from tuwen.core.errors import StoreError
from tuwen.core.text import has_cjk
from tuwen.graph.chat import quote_instead
from tuwen.graph.nodes.chat import verdict_notices, whole_words
from tuwen.graph.nodes.finish import unsearched_notice
from tuwen.graph.retrieval import drop_leg, keep_order


@pytest.mark.parametrize(
    ("verdict", "codes"),
    [
        (Sufficiency(verdict="conflict", reason="A says 50, B says 60"), ["conflict"]),
        (Sufficiency(verdict="caveat", reason="only for 2020"), ["caveat"]),
        (Sufficiency(verdict="caveat", reason="little covered", signals={"grey": 1.0}), []),
        (Sufficiency(verdict="answer", reason="covered"), []),
        (
            Sufficiency(verdict="gap", missing=("P-103",), signals={"absent": 1.0}),
            ["not_in_evidence"],
        ),
    ],
)
def test_a_verdict_that_the_reader_should_know_is_a_notice(verdict, codes):
    for language in ("zh", "en"):
        notices = verdict_notices(verdict, language)
        assert [notice["code"] for notice in notices] == codes
        assert all(has_cjk(notice["text"]) == (language == "zh") for notice in notices)


def test_a_conflict_names_both_sides():
    verdict = Sufficiency(verdict="conflict", reason="A says 50, B says 60")
    (notice,) = verdict_notices(verdict, "en")
    assert "50" in notice["text"]
    assert "60" in notice["text"]


LIMIT = 2.0
FALLEN = {
    "a leg": (drop_leg(LIMIT), "search_dense", "leg_failed.dense"),
    "the reranker": (keep_order(5, LIMIT), "rerank", "rerank_failed"),
    "the writer": (quote_instead, "write_with_model", "model_failed"),
}


@pytest.mark.parametrize(("fallback", "node", "code"), FALLEN.values(), ids=FALLEN.keys())
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_step_that_failed_is_said_with_its_cause_in_the_language_of_the_run(
    fallback, node, code, language
):
    # The run's choice is not the question's language.
    state = {"analysis": {"language": "en" if language == "zh" else "zh"}, "language": language}
    for error, cause in (
        (TimeoutError(), {"zh": "超过时限", "en": "longer than"}[language]),
        (StoreError("the disk is full"), "the disk is full"),
        (ValueError("secret path"), "ValueError"),
    ):
        (notice,) = fallback(node, state, error)["notices"]
        assert notice["code"] == code
        assert cause in notice["text"]
        assert "secret" not in notice["text"]
        assert has_cjk(notice["text"]) == (language == "zh")


def test_a_time_limit_is_said_in_seconds():
    state = {"analysis": {"language": "en"}, "language": "en"}
    (notice,) = keep_order(5, LIMIT)("rerank", state, TimeoutError())["notices"]
    assert "2 s" in notice["text"]


async def test_no_notice_of_a_turn_is_said_in_two_languages(store, tmp_path):
    report = FileReport(path="a.pdf", state="failed", reason="locked")
    assert has_cjk(unsearched_notice([report], "zh").text)
    assert not has_cjk(unsearched_notice([report], "en").text)
    for question, language in (
        ("P-103 的功率是多少？", "auto"),
        ("P-103 的功率是多少？", "en"),
        ("What is the power of P-103?", "zh"),
    ):
        turn = await Talk(store, language=language).say(question)
        (notice,) = [n for n in turn.finish["notices"] if n["code"] == "not_in_evidence"]
        chinese = language == "zh" or (language == "auto" and has_cjk(question))
        assert has_cjk(notice["text"]) == chinese


async def test_a_question_back_is_in_the_language_of_the_run(store):
    assert not has_cjk(
        (await Talk(store, language="en").say("它多重？")).answer.replace("它多重？", "")
    )


@pytest.mark.parametrize(
    ("name", "question", "words", "whole"),
    [
        ("究生奖学金", "研究生奖学金的标准是多少？", ["研究生", "奖学金", "标准"], "研究生奖学金"),
        ("奖学", "奖学金有几等？", ["奖学金"], "奖学金"),
        ("P-103", "泵 P-103 的流量？", ["p-103", "103", "流量"], "P-103"),
        ("2025", "What is it in 2025?", ["2025"], "2025"),
        ("Question 2", "第2题", ["2"], "Question 2"),
    ],
)
def test_a_notice_names_whole_words_of_the_question(name, question, words, whole):
    assert whole_words(name, question, words) == whole
