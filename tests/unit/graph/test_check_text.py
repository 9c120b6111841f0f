"""What a cited sentence is checked against: the passage with its title, path and pages."""

import pytest

from tuwen.agents.critic import check_answer
from tuwen.agents.passages import Passage
from tuwen.core.text import has_cjk
from tuwen.graph.nodes.answer import check_text


def passage(text: str) -> Passage:
    return Passage(
        n=1,
        doc_id="d",
        chunk_ids=("c",),
        title="P",
        section_path="P",
        text=text,
        hit_text=text,
        page_start=5,
        page_end=6,
    )


@pytest.mark.parametrize("text", ["The pump has a head of 20 m.", "水泵的扬程为 20 m。"])
def test_the_pages_are_said_in_the_passages_own_script(text: str) -> None:
    assert has_cjk(check_text(passage(text))) == has_cjk(text)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("The head is 20 m, on page 6 [1].", "supported"),
        ("扬程为 20 m，见第 6 页 [1]。", "supported"),
        ("The pump has 5 impellers [1].", "unsupported"),
        ("It was designed by Ada Lovelace with a head of 20 m [1].", "partly"),
    ],
)
def test_a_passages_page_may_be_said_and_supports_nothing_else(answer: str, verdict: str) -> None:
    text = check_text(passage("The pump has a head of 20 m."))
    assert check_answer(answer, {1: text}).verdict == verdict
