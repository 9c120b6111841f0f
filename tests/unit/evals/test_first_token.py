"""The report on the first token's overhead."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from langchain_core.messages import AIMessageChunk

from tuwen.evals.first_token import LIMIT_MS, Timed, first_piece, report


def test_overhead_is_what_retrieval_and_the_model_leave_of_the_turn():
    assert Timed(retrieval=40, model=300, turn=372).overhead == 32


@pytest.mark.parametrize(
    ("turn", "within"), [(340 + LIMIT_MS, "1 of 2"), (341 + LIMIT_MS, "0 of 2")]
)
def test_the_report_counts_the_questions_within_the_limit(turn, within):
    text = report([Timed(40, 300, turn), Timed(40, 300, 900)])
    assert f"{within} questions" in text
    assert "| overhead |" in text


async def test_the_first_piece_with_words_counts_and_the_rest_is_read():
    seen = []

    async def pieces() -> AsyncIterator[AIMessageChunk]:
        for pause, text in ((0.0, ""), (0.05, "a"), (0.3, "b")):
            await asyncio.sleep(pause)
            seen.append(text)
            yield AIMessageChunk(text)

    assert 45 <= await first_piece(pieces()) < 250
    assert seen == ["", "a", "b"]
