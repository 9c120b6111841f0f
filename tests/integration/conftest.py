"""The samples, ingested once for all integration tests, and a scripted chat endpoint."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.integration.endpoint import Endpoint
from tuwen.app.config import load_settings
from tuwen.app.ingest import ingest
from tuwen.app.services import open_services
from tuwen.core.options import IngestOptions
from tuwen.graph.ingest import build_ingest_graph

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
INPUTS = [SAMPLES / name for name in ("青川河水情年报", "small-hydro-handbook.pdf", "notes")]


@pytest.fixture(scope="session")
def sample_services(tmp_path_factory):
    settings = load_settings({}, home=tmp_path_factory.mktemp("samples") / "home")
    with open_services(settings) as services:
        yield services


@pytest.fixture(scope="session")
def sample_reports(sample_services):
    graph = build_ingest_graph(sample_services).compile()
    paths = [str(path) for path in INPUTS]
    return asyncio.run(ingest(graph, paths, options=IngestOptions()))


@pytest.fixture(scope="session")
def sample_questions():
    text = (SAMPLES / "questions.json").read_text(encoding="utf-8")
    return json.loads(text)["questions"]


@pytest.fixture
async def endpoint():
    made = Endpoint()
    yield made
    for model in made.models:
        await model.aclose()
    made.server.close()
