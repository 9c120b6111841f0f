"""The commands over small sets of our own, through the real graphs."""

import json

import pytest
from typer.testing import CliRunner

from tuwen.evals.cli import app

pytestmark = pytest.mark.integration

FACTS = {
    "东山泵站装有四台立式轴流泵，总装机容量为3200千瓦。": ("东山泵站装了几台泵？", "四台"),
    "西河水库的正常蓄水位为128.5米，死水位为102米。": (
        "西河水库的正常蓄水位是多少？",
        "128.5米",
    ),
    "南岭隧道全长6.4公里，于2011年贯通。": ("南岭隧道有多长？", "6.4公里"),
    "北湖灌区种植水稻和小麦，灌溉面积12万亩。": ("北湖灌区的灌溉面积是多少？", "12万亩"),
}


@pytest.fixture
def squad_file(tmp_path):
    paragraphs = [
        {
            "context": text,
            "qas": [{"id": str(i), "question": question, "answers": [{"text": answer}]}],
        }
        for i, (text, (question, answer)) in enumerate(FACTS.items())
    ]
    file = tmp_path / "facts.json"
    file.write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}), encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def vectors_in_a_folder_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path)


def run(*arguments):
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_retrieval_reports_every_leg_stage_and_baseline(squad_file, tmp_path):
    report = run("retrieval", "--baselines", tmp_path / "none", squad_file)
    assert report["set"] == "facts"
    assert report["questions"] == 4
    assert {"keyword", "dense"} <= set(report["legs"])
    for row in (report["legs"]["keyword"], report["fused"], report["final"]):
        assert {"recall@1", "recall@5", "recall@10", "mrr@10"} <= set(row)
    assert report["final"]["recall@1"] == 1.0
    assert report["baselines"]["rrf"]["recall@5"] == 1.0
    assert report["baselines"]["langchain"] is None
    assert "make_baselines langchain" in report["notes"]["langchain"]
    low, high = report["intervals"]["final"]["recall@1"]
    assert 0 < low < high == 1.0


def test_answers_count_contained_answers_pages_and_abstentions(squad_file):
    report = run("answers", squad_file)
    assert report["n"] == 4
    assert report["answerable"] == 3
    assert report["abstain"]["unanswerable"] == 1
    assert report["contains"] == report["said"] == 1.0
    assert report["abstain"]["false"] == 0
    assert report["page_exact"] == 1.0


def test_rewrite_compares_raw_rewritten_and_human_questions(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_text(
        "东山泵站的装机容量是多少？\t3200千瓦\t那它建于哪年？\t东山泵站建于哪年？\n"
        "南岭隧道有多长？\t6.4公里\t南岭隧道哪年贯通？\t南岭隧道哪年贯通？\n",
        encoding="utf-8",
    )
    report = run("rewrite", file)
    assert report["n"] == 2
    assert report["follow_ups"] == 1
    assert report["untouched"] == 1.0
    assert report["followup"] == {"precision": 1.0, "recall": 1.0}
    assert report["recall@5"]["human"] == 1.0


def test_tables_are_printed_for_people(squad_file, tmp_path):
    result = CliRunner().invoke(app, ["retrieval", "--baselines", str(tmp_path), str(squad_file)])
    assert result.exit_code == 0
    assert "legs/keyword" in result.stdout
    assert "make_baselines" in result.stdout.replace("\n", "")
