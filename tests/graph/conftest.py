"""A small store of our own notes and of one sample document, built once."""

import asyncio

import pytest

from tests.graph.talking import NOTES, SAMPLE_REPORT, Talk, with_model
from tests.scripted_server import ScriptedServer
from tuwen.app.config import load_settings
from tuwen.app.ingest import ingest
from tuwen.app.services import open_services
from tuwen.core.options import IngestOptions
from tuwen.graph.ingest import build_ingest_graph


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Services without a model: collections `notes`, `report` (with figures) and an empty one."""
    folder = tmp_path_factory.mktemp("conversation")
    notes = folder / "notes"
    notes.mkdir()
    for name, text in NOTES.items():
        (notes / name).write_text(text, encoding="utf-8")
    settings = load_settings({}, folder=folder, home=folder / "home")
    with open_services(settings) as services:
        graph = build_ingest_graph(services).compile()
        for collection, path in (("notes", notes), ("report", SAMPLE_REPORT)):
            options = IngestOptions(collection=collection)
            reports = asyncio.run(ingest(graph, [str(path)], options=options))
            assert {report.state for report in reports} == {"ready"}, reports
        yield services


@pytest.fixture
def server():
    with ScriptedServer() as made:
        yield made


@pytest.fixture
async def modelled(store, server):
    """Makes services with a chat model on the scripted server; closes its connections."""
    made = []

    def make(**values):
        services = with_model(store, values.pop("url", server.url), **values)
        made.append(services.chat)
        return services

    yield make
    for model in made:
        await model.aclose()
        model.close()


@pytest.fixture
def talk(modelled):
    return Talk(modelled())


@pytest.fixture
def small_home(tmp_path):
    """A home of its own with the notes, closed: for another process to open."""
    home, notes = tmp_path / "home", tmp_path / "notes"
    notes.mkdir()
    for name, text in NOTES.items():
        (notes / name).write_text(text, encoding="utf-8")
    with open_services(load_settings({}, folder=tmp_path, home=home)) as services:
        graph = build_ingest_graph(services).compile()
        asyncio.run(ingest(graph, [str(notes)], options=IngestOptions(collection="notes")))
    return home
