"""How long after the model's own first token, plus retrieval, the stream's first token arrives.

Run from the repository: `python -m tuwen.evals.first_token`. The model is the tests' scripted
endpoint over real HTTP; it waits a set time before its first token. For each question three things
are timed one after the other: retrieval alone (the subgraph of `tuwen search`), the model's first
token alone (the same adapter, no graph), and the first token of a whole turn. The overhead is the
turn's time without the other two: understanding, judging, figures, the prompt, the guard, and the
graph itself.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage, HumanMessage

from ..agents.compound import split_compound
from ..app.search import search
from ..core.options import RunOptions
from ..graph.chat import build_chat_graph
from .metrics import percentile
from .scripted import Scripted, scripted_samples, single_questions

DELAY = 0.3
"""Seconds that the model takes before its first token."""
LIMIT_MS = 100.0
REPEATS = 5
"""Times that each question is timed; the fastest counts, so that other work of the machine does
not."""
ANSWER = "资料给出了答案，见所引的段落 [1]。"


class Timed(NamedTuple):
    """Milliseconds of one question."""

    retrieval: float
    model: float
    turn: float

    @property
    def overhead(self) -> float:
        """What the turn takes beside retrieval and the model."""
        return self.turn - self.retrieval - self.model


async def first_piece(pieces: AsyncIterable[Any]) -> float:
    """Milliseconds until the first piece with text; the rest is read too."""
    start, first = time.perf_counter(), 0.0
    async for piece in pieces:
        message = piece[0] if isinstance(piece, tuple) else piece
        if not first and isinstance(message, AIMessage) and message.text:
            first = (time.perf_counter() - start) * 1000
    return first


async def time_question(scripted: Scripted, graph: Any, question: str) -> Timed:
    """The three times of a question. It is searched once before, so that both times of retrieval
    find its vectors ready: what they share cancels out."""
    options = RunOptions()
    parts = [question, *split_compound(question)]  # a compound question is searched part by part
    for part in parts:
        await search(scripted.services, part, options)
    start = time.perf_counter()
    await asyncio.gather(*(search(scripted.services, part, options) for part in parts))
    retrieval = (time.perf_counter() - start) * 1000
    model = await first_piece(scripted.model.astream([HumanMessage(question)]))
    turn = graph.astream(
        {"messages": [HumanMessage(question)]}, context=options, stream_mode="messages"
    )
    return Timed(retrieval, model, await first_piece(turn))


async def run(scripted: Scripted, questions: Sequence[str]) -> list[Timed]:
    """Times of every question, without a judge: a second call of the model is not overhead. The
    first question is asked once more before, to warm up."""
    # The last token comes late: a first token that waited for the end would show.
    scripted.server.script(scripted.reply(ANSWER, stall_first=DELAY, stall_between=DELAY))
    graph = build_chat_graph(replace(scripted.services, judge=None)).compile()
    await time_question(scripted, graph, questions[0])
    rows = []
    for question in questions:
        times = [await time_question(scripted, graph, question) for _ in range(REPEATS)]
        rows.append(Timed(*(min(column) for column in zip(*times, strict=True))))
    await scripted.model.aclose()
    return rows


def report(rows: Sequence[Timed]) -> str:
    """A Markdown table and the verdict."""
    lines = ["| ms | median | p95 | most |", "|---|---:|---:|---:|"]
    for name in ("retrieval", "model", "turn", "overhead"):
        values = [float(getattr(row, name)) for row in rows]
        lines.append(
            f"| {name} | {percentile(values, 0.5):.0f} | {percentile(values, 0.95):.0f} "
            f"| {max(values):.0f} |"
        )
    within = sum(row.overhead <= LIMIT_MS for row in rows)
    ratio = percentile([row.turn / (row.retrieval + row.model) for row in rows], 0.5)
    lines.append(
        f"\nturn / (retrieval + model): {ratio:.3f}; overhead within {LIMIT_MS:.0f} ms: "
        f"{within} of {len(rows)} questions"
    )
    return "\n".join(lines)


def main() -> None:
    """Print the table; exit code 1 when the median overhead is over the limit."""
    with scripted_samples() as scripted:
        rows = asyncio.run(run(scripted, single_questions()))
    sys.stdout.write(report(rows) + "\n")
    sys.exit(percentile([row.overhead for row in rows], 0.5) > LIMIT_MS)


if __name__ == "__main__":
    main()
