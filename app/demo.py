"""`make demo`: the samples, one Chinese and one English question."""

from pathlib import Path
from typing import Any

from ..core.document import FileReport
from ..core.options import IngestOptions, RunOptions
from ..graph.services import Services
from .cli import err, out, print_json, run, services
from .commands import ask_once, ingest_with_progress, picture_path
from .render import answer_view, print_reports, reports_json

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
INPUTS = ("青川河水情年报", "small-hydro-handbook.pdf", "notes")
COLLECTION = "demo"
QUESTIONS = (
    "图2.3 说明了什么？",
    "Which month gives the example plant the most energy?",
    "How much energy did the plant generate in 2022?",  # only the Chinese report tells
)


def run_demo(*, as_json: bool) -> None:
    """Ingest what is new in the samples, then ask in Chinese, in English, and across."""
    paths = [str(SAMPLES / name) for name in INPUTS]
    with services() as opened:
        options = IngestOptions(collection=COLLECTION)
        reports = ingest_with_progress(opened, paths, options, quiet=as_json)
        answers = [
            run(ask_once(opened, question, "", RunOptions(collection=COLLECTION)))
            for question in QUESTIONS
        ]
        if as_json:
            print_json({**reports_json(reports), "answers": answers})
        else:
            _show(opened, reports, answers)


def _show(opened: Services, reports: list[FileReport], answers: list[dict[str, Any]]) -> None:
    if any(report.state not in ("unchanged", "skipped") for report in reports):
        print_reports(out, reports)
    for question, answer in zip(QUESTIONS, answers, strict=True):
        out.print(f"\n[bold]? {question}[/bold]")
        out.print(answer_view(answer["finish"], lambda i: picture_path(opened, i)))
    err.print("\n接着问 / ask your own:  .venv/bin/tuwen ask -c demo '表2.1 列出了什么？'")
