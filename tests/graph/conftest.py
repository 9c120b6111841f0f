"""A small store of our own notes and of one sample document, built once."""

import pytest

from tests.graph.talking import NOTES, SAMPLE_REPORT, Talk, take_in, with_model, written
from tests.scripted_server import ScriptedServer
from tuwen.app.config import load_settings
from tuwen.app.services import open_services


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Services without a model: collections `notes`, `report` (with figures) and an empty one."""
    folder = tmp_path_factory.mktemp("conversation")
    settings = load_settings({}, folder=folder, home=folder / "home")
    with open_services(settings) as services:
        take_in(services, *written(folder / "notes", NOTES))
        take_in(services, SAMPLE_REPORT, collection="report")
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
    home = tmp_path / "home"
    with open_services(load_settings({}, folder=tmp_path, home=home)) as services:
        take_in(services, *written(tmp_path / "notes", NOTES))
    return home
