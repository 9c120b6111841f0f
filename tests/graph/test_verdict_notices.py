import pytest

from tuwen.core.analysis import Sufficiency
from tuwen.graph.nodes.chat import verdict_notices


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
    notices = verdict_notices(verdict)
    assert [notice["code"] for notice in notices] == codes
    assert all(" / " in notice["text"] for notice in notices)


def test_a_conflict_names_both_sides():
    (notice,) = verdict_notices(Sufficiency(verdict="conflict", reason="A says 50, B says 60"))
    assert "50" in notice["text"]
    assert "60" in notice["text"]
