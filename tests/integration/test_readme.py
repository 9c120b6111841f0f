"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest

from tuwen.app.docs import outputs

pytestmark = pytest.mark.integration
README = Path(__file__).resolve().parents[2] / "README.md"


@pytest.mark.parametrize("path", outputs(), ids=lambda path: path.name)
def test_generated_docs_are_up_to_date(path):
    assert path.read_text(encoding="utf-8") == outputs()[path], "run python -m tuwen.app.docs"


def test_the_library_example_runs(sample_services, sample_reports, capsys, monkeypatch):
    code = re.search(r"<!-- library -->\n```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert code is not None
    monkeypatch.setattr("tuwen.app.open_services", lambda: _Again(sample_services))
    exec(compile(code.group(1), "README.md", "exec"), {"__name__": "__main__"})
    assert "2.74" in capsys.readouterr().out


class _Again:
    """The example's `with open_services()` on the store that is open already."""

    def __init__(self, services):
        self._services = services

    def __enter__(self):
        return self._services

    def __exit__(self, *_):
        return None
