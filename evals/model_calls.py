"""Model calls and prompt tokens a question costs, over scripted dialogues on the samples.

Run from the repository: `python -m tuwen.evals.model_calls`. The model is the tests' scripted
endpoint over real HTTP; it reports no usage, so tokens are tuwen's safe estimate (an upper bound).
Judge and rewriter reply as the kind of dialogue says; whether they are asked is tuwen's choice.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ..app.ask import ask
from ..app.threads import chat_graph
from ..backends.openai_chat import OpenAIChat
from ..core.options import RunOptions
from ..graph.services import Services
from .scripted import scripted_samples, single_questions

Json = dict[str, Any]


class Dialogue(NamedTuple):
    """Turns, and what the judge replies in order (its last verdict for ever)."""

    kind: str
    turns: tuple[str, ...]
    judge: tuple[str, ...] = ("answer",)
    rewritten: str = ""


class Row(NamedTuple):
    """What one question cost."""

    kind: str
    calls: int
    prompt: int
    rounds: int


FOLLOW_UPS = (
    ("图2.3说明了什么？", "那图2.4呢", "图2.1说明了什么？"),
    ("2023年上网发电量是多少？", "那2022年的呢？"),
    ("什么是汛限水位？", "它是多少米？"),
    ("枫溪水文站哪一年设站？", "那鹭湾坝上水位站呢？"),
    ("7月的平均入库流量是多少？", "8月呢？"),
    ("What is the lowest flow of a Pelton turbine?", "And of a Francis turbine?"),
    ("How often is the trash rack inspected?", "And the penstock?"),
    ("What does Figure 2.1 show?", "what about Figure 4.1?"),
)
GREY = (
    "示例电站的水轮机供货厂家是谁？",
    "鹭湾水电站的运行人员有多少名？",
    "青川河流域的森林覆盖率变化如何？",
    "弧形闸门的制造材料和防腐涂层是什么？",
    "Who manufactured the turbine of the example plant?",
    "What colour are the gates of the weir painted?",
    "How was the forebay of the plant financed?",
    "汛限水位由哪个单位批准？",
)
SMALL_TALK = ("你好", "谢谢！", "hi", "ok", "😀")
UNCLEAR = (
    ("弧形闸门全开要多久？", "那第二个呢？", "检修闸门全开要多久？"),
    ("年径流量怎么计算？", "那第二个呢？", "径流系数怎么计算？"),
    ("What is the residual flow?", "And the other one?", "What is the design flow?"),
)
CLEAR, JUDGED, RULED = "single, clear", "single, grey zone: judge content", "single, clearly absent"


def dialogues() -> Iterator[Dialogue]:
    """Some fifty, by kind."""
    for question in single_questions():
        yield Dialogue(CLEAR, (question,))
    for turns in FOLLOW_UPS:
        yield Dialogue("follow-up, by rules", turns)
    for first, second, rewritten in UNCLEAR:
        yield Dialogue("follow-up, by the model", (first, second), rewritten=rewritten)
    for question in GREY:
        yield Dialogue(JUDGED, (question,))
    for question in GREY[:4]:
        yield Dialogue(
            "single, grey zone: judge wants one re-query", (question,), judge=("gap", "answer")
        )
    for question in GREY[4:]:
        yield Dialogue("single, grey zone: judge never content", (question,), judge=("gap",))
    yield Dialogue("small talk", SMALL_TALK)


def replies(dialogue: Dialogue, reply: Any) -> Callable[[Any], Any]:
    """The scripted endpoint's behaviour in one dialogue; `reply` makes its replies."""
    verdicts = list(dialogue.judge)
    count = 0

    def respond(asked: Any) -> Any:
        nonlocal count
        if "Reply with one JSON object only" not in asked.text:
            return reply("资料给出了答案 [1]。", usage=None)
        if '"verdict"' not in asked.text:
            made = {"self_contained": False, "question": dialogue.rewritten}
            return reply(json.dumps(made), usage=None)
        count += 1
        verdict = verdicts.pop(0) if len(verdicts) > 1 else verdicts[0]
        queries = [f"水库 调度 {count} 号 flow weir", f"额定 {count}"] if verdict == "gap" else []
        made = {"verdict": verdict, "reason": "", "missing": [], "queries": queries}
        return reply(json.dumps(made), usage=None)

    return respond


async def run(services: Services, server: Any, reply: Any) -> list[Row]:
    """One row a question: the last turn of each dialogue, every turn of small talk."""
    rows = []
    options = RunOptions(ask_back=True)
    for number, dialogue in enumerate(dialogues()):
        server.respond = replies(dialogue, reply)
        async with chat_graph(services, "memory") as graph:
            for turn, words in enumerate(dialogue.turns):
                asked = await ask(graph, words, thread=str(number), options=options)
                if turn == len(dialogue.turns) - 1 or dialogue.kind == "small talk":
                    trace = asked.trace
                    row = (trace["model_calls"], trace["tokens"]["prompt"], trace["rounds"])
                    rows.append(Row(kind_of(dialogue.kind, trace), *row))
    if isinstance(services.chat, OpenAIChat):
        await services.chat.aclose()
    return rows


def kind_of(kind: str, trace: Json) -> str:
    """The dialogue's kind, corrected by what the rules made of a single question."""
    grey = bool(trace["verdict"].get("signals", {}).get("grey")) or trace["model_calls"] > 1
    if kind == CLEAR and grey:
        return JUDGED
    return RULED if "grey" in kind and not grey else kind


def table(rows: Sequence[Row]) -> str:
    """Markdown: one line a kind."""
    lines = [
        "| question | asked | model calls (mean / most) | rounds | prompt tokens (mean / most) |",
        "|---|---:|---:|---:|---:|",
    ]
    for kind in [*sorted({row.kind for row in rows}), ""]:
        own = [row for row in rows if kind in ("", row.kind)]
        calls, prompts = [row.calls for row in own], [row.prompt for row in own]
        lines.append(
            f"| {kind or '**all**'} | {len(own)} | {sum(calls) / len(own):.2f} / {max(calls)} "
            f"| {max(row.rounds for row in own)} "
            f"| {sum(prompts) / len(own):.0f} / {max(prompts)} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    with scripted_samples() as scripted:
        rows = asyncio.run(run(scripted.services, scripted.server, scripted.reply))
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
