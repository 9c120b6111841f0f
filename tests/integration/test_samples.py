"""The samples end to end, without a model: ingestion, then every question of questions.json."""

import json
from pathlib import Path

import pytest

from tuwen.app.ask import ask
from tuwen.app.demo import QUESTIONS as DEMO
from tuwen.app.threads import chat_graph
from tuwen.core.label import parse_label

pytestmark = pytest.mark.integration
QUESTIONS = json.loads(
    (Path(__file__).resolve().parents[2] / "samples" / "questions.json").read_text(encoding="utf-8")
)["questions"]


def test_every_file_is_ready_and_every_block_accounted_for(sample_reports):
    read = [report for report in sample_reports if report.state != "skipped"]
    assert [report.state for report in read] == ["ready"] * 5
    assert all(report.blocks.balanced for report in sample_reports)
    assert sum(report.figures for report in sample_reports) >= 15


async def answer_to(services, question):
    async with chat_graph(services, "memory") as graph:
        for earlier in question["history"]:
            await ask(graph, earlier, thread="t")
        asked = await ask(graph, question["question"], thread="t")
    return asked.finish


def squeeze(text):
    return "".join(text.split()).lower()


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["id"])
async def test_question_is_answered_on_the_right_page(sample_services, sample_reports, question):
    finish = await answer_to(sample_services, question)
    if question["kind"] == "unanswerable":
        assert finish["abstained"], finish["answer"]
        assert not finish["images"]
        return
    assert not finish["abstained"], finish["answer"]
    assert squeeze(question["answer"]) in squeeze(finish["answer"]), finish["answer"]
    if question["page"] is not None:
        pages = {
            page
            for source in finish["sources"]
            for page in range(source["page_start"] or 0, (source["page_end"] or 0) + 1)
        }
        assert question["page"] in pages
    if question["label"] and question["kind"] in ("figure", "table", "follow_up"):
        shown = [parse_label(image["label"]) for image in finish["images"]]
        assert parse_label(question["label"]) in shown


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    list(zip(DEMO, ("3.65亿", "1.27 GWh", "2.74亿"), ("图2.3", "Figure 4.1", ""), strict=True)),
)
async def test_the_demo_answers_each_of_its_questions(
    sample_services, sample_reports, question, said, shown
):
    finish = await answer_to(sample_services, {"history": [], "question": question})
    assert not finish["abstained"], finish["answer"]
    assert said in finish["answer"]
    assert finish["sources"]
    assert not shown or shown in [image["label"] for image in finish["images"]]


async def test_the_same_question_gives_the_same_ids_in_the_same_order(
    sample_services, sample_reports
):
    async with chat_graph(sample_services, "none") as graph:
        runs = [await ask(graph, "7月的平均入库流量是多少？") for _ in range(2)]
    first, second = ([hit["chunk_id"] for hit in run.trace["hits"]] for run in runs)
    assert first == second
    assert runs[0].finish == runs[1].finish
