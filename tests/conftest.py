"""Unit tests get no sockets; shared real documents are named by an environment variable."""

import os
from pathlib import Path

import hypothesis
import pytest
from pytest_socket import disable_socket, enable_socket

# Machines differ: a slow one must not fail a property.
hypothesis.settings.register_profile("tuwen", deadline=None, derandomize=True)
hypothesis.settings.load_profile("tuwen")


@pytest.fixture(autouse=True)
def no_sockets_in_unit_tests(request):
    if "unit" in request.path.parts:
        disable_socket(allow_unix_socket=True)
        yield
        enable_socket()
    else:
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real documents, or a skip that says how to name it."""
    folder = Path(os.environ.get("TUWEN_TEST_DATA", "") or "/nonexistent")
    if not folder.is_dir():
        pytest.skip("set TUWEN_TEST_DATA to the folder of real documents to run this")
    return folder
